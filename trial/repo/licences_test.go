package repo

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"
)

var update = flag.Bool("update", false, "write the lists of docs/licences.md again")

// licencesAllowed permit closed-source distribution with their text and names, which licences.txt and licences.md include. MPL-2.0 also
// requires that changes of its files be published; there are none.
var licencesAllowed = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0", "Unlicense", "public domain"}

// textsRead are files that a person has read, by module.
var textsRead = map[string]string{
	"modernc.org/sqlite/LICENSE-SQLITE": "public domain",
	"modernc.org/memory/LICENSE-LOGO":   "", // of a picture on its page, which is not linked
}

// A new library adds its licence to the product, perhaps with more duties than attribution.
func TestEveryShippedLibraryHasAllowedLicence(t *testing.T) {
	t.Parallel()
	own, _, found := strings.Cut(readPage(t, "docs/licences.md"), "\n## In the program\n")
	if !found {
		t.Fatal("docs/licences.md has no list of libraries")
	}
	program, webApp := librariesOfProgram(t), librariesOfWebApp(t, readPage(t, "webapp/package-lock.json"))
	if len(program) < 60 || len(webApp) < 40 {
		t.Errorf("only %d and %d libraries are found", len(program), len(webApp))
	}
	for _, one := range append(program, webApp...) {
		if refused := refusedOf(one.licences); refused != "" {
			t.Errorf("%s comes under %s: do without it, or read that and add it to licencesAllowed", one.name, refused)
		}
	}
	want := own + "\n## In the program\n" + table(program) + "\n## In the mini-app\n" + table(webApp)
	if *update {
		if err := os.WriteFile(filepath.Join(root, "docs/licences.md"), []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if readPage(t, "docs/licences.md") != want {
		t.Error("docs/licences.md is stale: run `make licences` and commit")
	}
}

func TestForbiddenLicenceIsFound(t *testing.T) {
	for text, want := range map[string]string{
		"MIT":                         "",
		"(MIT OR GPL-3.0-only)":       "",
		"MIT AND Apache-2.0":          "",
		"(MIT AND CC-BY-NC-4.0)":      "CC-BY-NC-4.0",
		"AGPL-3.0-only":               "AGPL-3.0-only",
		"GPL-2.0-only OR SSPL-1.0":    "GPL-2.0-only OR SSPL-1.0",
		"SEE LICENSE IN LICENSE.md":   "SEE LICENSE IN LICENSE.md",
		"":                            "no licence",
		"no licence":                  "no licence",
		"MIT AND (ISC OR AGPL-3.0)":   "",
		"BSD-3-Clause AND no licence": "no licence",
	} {
		if got := refusedOf(text); got != want {
			t.Errorf("of %q %q is refused, not %q", text, got, want)
		}
	}
	libraries := librariesOfWebApp(t, `{"packages": {"": {"license": "none"}, "node_modules/a": {"license": "MIT"}, "node_modules/b": {"dev": true, "license": "AGPL-3.0"},
		"node_modules/a/node_modules/@c/d": {}}}`)
	if fmt.Sprint(libraries) != "[{@c/d no licence} {a MIT}]" {
		t.Errorf("found %v", libraries)
	}
	if got := licencesIn(t, map[string]string{"LICENSE": "All rights reserved. Nobody may do anything."}); got != "no licence" {
		t.Errorf("a text that nobody knows counts as %s", got)
	}
}

// library is shipped third-party code.
type library struct{ name, licences string }

// refusedOf is the forbidden part of an SPDX expression; one allowed alternative suffices.
func refusedOf(licences string) string {
	if licences == "" {
		return noLicence
	}
	for _, all := range strings.Split(licences, " AND ") {
		either := strings.Split(strings.Trim(all, "()"), " OR ")
		if !slices.ContainsFunc(either, func(one string) bool { return slices.Contains(licencesAllowed, one) }) {
			return strings.Trim(all, "()")
		}
	}
	return ""
}

const noLicence = "no licence"

// librariesOfProgram are the modules linked into the image's program, and Go itself.
func librariesOfProgram(t *testing.T) (libraries []library) {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", ".")
	list.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	list.Dir, list.Stderr = root, os.Stderr
	told, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"": true}
	for line := range strings.Lines(string(told)) {
		name, folder, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if seen[name] {
			continue
		}
		seen[name] = true
		libraries = append(libraries, library{name, licencesIn(t, licenceFiles(t, name, folder))})
	}
	return sorted(append(libraries, library{"Go's own library", "BSD-3-Clause"}))
}

// licenceFiles are a module's licence files.
func licenceFiles(t *testing.T, module, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{"LICEN[CS]E*", "License*", "COPYING*"} {
		names, _ := filepath.Glob(filepath.Join(folder, pattern))
		for _, name := range names {
			text, err := os.ReadFile(name) //nolint:gosec // of the modules' cache
			if err != nil {
				t.Fatal(err)
			}
			files[module+"/"+filepath.Base(name)] = string(text)
		}
	}
	return files
}

// licencesIn are the SPDX names of licence texts.
func licencesIn(t *testing.T, files map[string]string) string {
	t.Helper()
	var all []string
	for name, text := range files {
		if known, read := textsRead[name]; read {
			all = append(all, known)
			continue
		}
		scan := licensecheck.Scan([]byte(text))
		if len(scan.Match) == 0 {
			t.Logf("%s says nothing known", name)
			all = append(all, noLicence)
		}
		for _, match := range scan.Match {
			all = append(all, match.ID)
		}
	}
	all = slices.DeleteFunc(all, func(one string) bool { return one == "" })
	if len(all) == 0 {
		return noLicence
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " AND ")
}

// librariesOfWebApp are the mini-app's packages, without development tools.
func librariesOfWebApp(t *testing.T, lock string) (libraries []library) {
	t.Helper()
	var read struct {
		Packages map[string]struct {
			Licence string `json:"license"`
			Dev     bool
			Either  bool `json:"devOptional"` // a tool that a library could also use
		}
	}
	if err := json.Unmarshal([]byte(lock), &read); err != nil {
		t.Fatal(err)
	}
	for path, one := range read.Packages {
		_, name, _ := strings.Cut(path[max(0, strings.LastIndex(path, "node_modules/")):], "/")
		if one.Licence == "" {
			one.Licence = noLicence
		}
		if path != "" && !one.Dev && !one.Either && !slices.Contains(libraries, library{name, one.Licence}) {
			libraries = append(libraries, library{name, one.Licence})
		}
	}
	return sorted(libraries)
}

func sorted(libraries []library) []library {
	slices.SortFunc(libraries, func(a, b library) int { return strings.Compare(a.name, b.name) })
	return libraries
}

func table(libraries []library) string {
	text := "\n| Library | Licence |\n|---|---|\n"
	for _, one := range libraries {
		text += fmt.Sprintf("| %s | %s |\n", one.name, one.licences)
	}
	return text
}
