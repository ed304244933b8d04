package api

import (
	"reflect"
	"runtime"
)

// NotYet is the list under test.
var NotYet = notYet

// RefusalStatuses is the table of refusals, code by code.
func RefusalStatuses() map[string]int {
	all := map[string]int{}
	for code, answer := range refusals {
		all[string(code)] = answer.status
	}
	return all
}

// FileOf is where a method was written; promoted ones have none.
func FileOf(m reflect.Method) string {
	file, _ := runtime.FuncForPC(m.Func.Pointer()).FileLine(m.Func.Pointer())
	return file
}
