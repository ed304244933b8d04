package api_test

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"path/filepath"
	"strings"
	"testing"

	"mcbk/models/modelstest"
)

// durations are the files whose functions measure durations.
var durations = map[string]bool{"metrics.go": true, "health.go": true}

// A function that reads the clock twice could check a player in on one day and count it on the next.
func TestNoFunctionReadsTheClockTwice(t *testing.T) {
	reading := 0
	for _, file := range modelstest.Must(filepath.Glob("*.go"))(t) {
		if strings.HasSuffix(file, "_test.go") || durations[file] {
			continue
		}
		for _, declared := range modelstest.Must(parser.ParseFile(gotoken.NewFileSet(), file, nil, 0))(t).Decls {
			if function, ok := declared.(*ast.FuncDecl); ok {
				reads := clockReads(function)
				if reading += min(reads, 1); reads > 1 {
					t.Errorf("%s reads the clock %d times: pass the first time on", function.Name.Name, reads)
				}
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
