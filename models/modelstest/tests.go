package modelstest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// Tests are the names of a package's tests, like "store.TestTapsEarnAThousandthEach", read
// from its folder. Lists that say which test proves what are held to them.
func Tests(t testing.TB, folder string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in %s, %v", folder, err)
	}
	at, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				names[filepath.Base(at)+"."+f.Name.Name] = true
			}
		}
	}
	return names
}
