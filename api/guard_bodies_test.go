package api_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// Bad bodies are generated from a good one and the contract.
func TestEveryBodyCanBeGeneratedFromContract(t *testing.T) {
	for _, operation := range operations(t) {
		if operation.RequestBody == nil {
			continue
		}
		schema := operation.RequestBody.Value.Content.Get("application/json").Schema.Value
		if err := schema.VisitJSON(smallest(schema)); err != nil {
			t.Errorf("%s: %s is not good, give its schema an example: %v", operation.OperationID, text(smallest(schema)), err)
		}
		bodies, lax := wrongBodies(schema)
		if len(bodies) < 10 || len(lax) > 0 {
			t.Errorf("%s: %d bad bodies, anything goes in %v", operation.OperationID, len(bodies), lax)
		}
		for name, body := range bodies {
			var value any
			if json.Unmarshal([]byte(body), &value) == nil && name != "nine levels" && schema.VisitJSON(value) == nil {
				t.Errorf("%s: %s, %s, is good", operation.OperationID, name, body)
			}
		}
	}
}

var scalars = []any{
	1.0, true, "1", "0.1", "aaaaaaaa", "2026-03-04", "https://t.me/mcbk", strings.Repeat("ab", 16), strings.Repeat("ab", 32),
}

// smallest is a valid value with required fields only.
func smallest(schema *openapi3.Schema) any {
	switch {
	case schema.Example != nil:
		return schema.Example
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case schema.Type.Is("array"):
		list := []any{}
		for range schema.MinItems {
			list = append(list, smallest(schema.Items.Value))
		}
		return list
	case schema.Type.Is("object"):
		object := map[string]any{}
		for _, name := range append(slices.Clone(schema.Required), slices.Sorted(maps.Keys(schema.Properties))...) {
			if slices.Contains(schema.Required, name) || uint64(len(object)) < schema.MinProps {
				object[name] = smallest(schema.Properties[name].Value)
			}
		}
		return object
	}
	for _, value := range scalars {
		if schema.VisitJSON(value) == nil {
			return value
		}
	}
	return nil
}

// wrongBodies are invalid bodies of an object, by what is wrong; lax are fields that accept anything.
func wrongBodies(schema *openapi3.Schema) (bodies map[string]string, lax []string) {
	whole := text(smallest(schema))
	bodies = map[string]string{
		"nothing": "", "null": "null", "a text": `"x"`, "a number": "1", "a list": "[" + whole + "]",
		"half of it": whole[:len(whole)/2], "two values": whole + whole, "nine levels": nested(9),
		"thousands of levels": strings.Repeat("[", 8000) + strings.Repeat("]", 8000),
		"an unknown field":    text(withField(schema, "no_such_field", 1.0)),
	}
	lax = spoil(schema, "", func(part any) any { return part }, bodies)
	return bodies, lax
}

// nested are objects in objects.
func nested(levels int) string {
	return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
}

// spoil adds bodies with one field of a wrong type, recursively, or left out when required.
func spoil(schema *openapi3.Schema, within string, whole func(part any) any, bodies map[string]string) (lax []string) {
	for _, name := range schema.Required {
		object, ok := smallest(schema).(map[string]any)
		if !ok {
			continue
		}
		object = maps.Clone(object)
		delete(object, name)
		bodies["no "+within+name] = text(whole(object))
	}
	for name, p := range schema.Properties {
		place := func(value any) any { return whole(withField(schema, name, value)) }
		good := 0
		for kind, value := range map[string]any{
			"null": nil, "a text": "\x01", "a number": -1.5, "yes": true, "no": false, "a list": []any{[]any{}}, "an object": map[string]any{"\x01": 1.0},
		} {
			if p.Value.VisitJSON(value) == nil {
				good++
				continue
			}
			bodies[within+name+" is "+kind] = text(place(value))
		}
		if good == 7 {
			lax = append(lax, within+name)
		}
		if p.Value.Type.Is("object") {
			lax = append(lax, spoil(p.Value, within+name+".", place, bodies)...)
		}
	}
	return lax
}

// withField is a valid object with one field changed or added; alone, if objects have few.
func withField(schema *openapi3.Schema, name string, value any) any {
	object, _ := smallest(schema).(map[string]any)
	object = maps.Clone(object)
	if _, there := object[name]; schema.MaxProps != nil && !there {
		clear(object)
	}
	if object == nil {
		object = map[string]any{}
	}
	object[name] = value
	return object
}

func text(value any) string {
	written, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(written)
}
