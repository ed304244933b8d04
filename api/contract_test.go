package api_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"mcbk/api"
	"mcbk/models/modelstest"
)

// A call with an undeclared tag would belong to no feature, and no switch would stop it.
func TestEveryTagIsDeclared(t *testing.T) {
	tags := document(t).Tags
	for _, operation := range operations(t) {
		if len(operation.Tags) == 0 {
			t.Errorf("%s has no tag", operation.OperationID)
		}
		for _, tag := range operation.Tags {
			if tags.Get(tag) == nil {
				t.Errorf("%s has the tag %q, which `tags` of openapi.yaml does not declare", operation.OperationID, tag)
			}
		}
	}
	for tag := range api.Features() {
		if tags.Get(tag) == nil {
			t.Errorf("a switch stops the calls of %q, and `tags` of openapi.yaml does not declare it", tag)
		}
	}
}

// A renamed operation would lose its limit or exemption.
func TestSpecialOperationsAreInContract(t *testing.T) {
	known := map[string]bool{}
	for _, operation := range operations(t) {
		known[operation.OperationID] = true
	}
	for _, name := range api.TreatedByName() {
		if !known[name] {
			t.Errorf("%s is no operation of openapi.yaml", name)
		}
	}
}

func TestEveryRefusalHasItsStatus(t *testing.T) {
	doc := document(t)
	schema := doc.Components.Schemas["ErrorCode"].Value
	statuses, ok := schema.Extensions["x-http-status"].(map[string]any)
	if !ok {
		t.Fatalf("x-http-status is %T", schema.Extensions["x-http-status"])
	}
	described := map[string]int{}
	for code, status := range statuses {
		described[code] = int(status.(float64))
	}
	if got := api.RefusalStatuses(); !reflect.DeepEqual(got, described) {
		t.Errorf("the server answers %v, the contract describes %v", got, described)
	}
}

func TestEveryDeclaredCodeHasStatus(t *testing.T) {
	declared := regexp.MustCompile(`game\.Code = "(\w+)"|\bCode = "(\w+)"`)
	statuses := api.RefusalStatuses()
	found := 0
	for _, pattern := range []string{"../game/*.go", "../models/*.go", "../models/*/*.go"} {
		for _, file := range modelstest.Must(filepath.Glob(pattern))(t) {
			text := modelstest.Must(os.ReadFile(file))(t) //nolint:gosec // this repository's own
			for _, match := range declared.FindAllStringSubmatch(string(text), -1) {
				found++
				if code := match[1] + match[2]; statuses[code] == 0 {
					t.Errorf("%s declares %q, which has no status", file, code)
				}
			}
		}
	}
	if found < 4 {
		t.Errorf("only %d declared codes found: has their form changed?", found)
	}
}

// document is the parsed openapi.yaml.
func document(t *testing.T) *openapi3.T {
	t.Helper()
	return modelstest.Must(readDocument())(t)
}

var readDocument = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromFile("openapi.yaml") })

func operations(t *testing.T) []*openapi3.Operation {
	t.Helper()
	var all []*openapi3.Operation
	for _, item := range document(t).Paths.Map() {
		for _, operation := range item.Operations() {
			all = append(all, operation)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].OperationID < all[j].OperationID })
	return all
}
