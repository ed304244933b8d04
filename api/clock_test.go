package api_test

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"path/filepath"
	"strings"
	"testing"
)

// durations are the files whose functions measure durations.
var durations = map[string]bool{"metrics.go": true, "health.go": true}

// A function that reads the clock twice could check a player in on one day and count it on the next.
func TestNoFunctionReadsTheClockTwice(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	reading := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || durations[file] {
			continue
		}
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			function, ok := declared.(*ast.FuncDecl)
			if !ok {
				continue
			}
			switch reads := clockReads(function); {
			case reads > 1:
				t.Errorf("%s reads the clock %d times: pass the first time on", function.Name.Name, reads)
			case reads == 1:
				reading++
			}
		}
	}
	if reading < 30 {
		t.Errorf("only %d functions read the clock", reading)
	}
}

// clockReads counts the calls of s.now() in a function.
func clockReads(function *ast.FuncDecl) (reads int) {
	ast.Inspect(function, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if selected, ok := call.Fun.(*ast.SelectorExpr); ok && selected.Sel.Name == "now" {
				reads++
			}
		}
		return true
	})
	return reads
}
