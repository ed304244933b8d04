package repo

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcbk/config"
	"mcbk/jobs"
	"mcbk/models"
)

// A missing test would leave a defence unchecked.
func TestThreatsNameTestsThatExist(t *testing.T) {
	page := []byte(readPage(t, "docs/threats.md"))
	declared := declaredTests(t)
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w+|[a-z-]+\\.spec\\.ts: [^`]+)`").FindAllSubmatch(page, -1)
	if len(named) < 70 {
		t.Errorf("only %d names of tests are found on the page", len(named))
	}
	for _, name := range named {
		if !declared[string(name[1])] {
			t.Errorf("%q is named, and no test is called so", name[1])
		}
	}
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "|---") && !strings.Contains(line, "| Proof |") && !strings.Contains(line, "`Test") && !strings.Contains(line, "`Fuzz") && !strings.Contains(line, ".spec.ts: ") {
			t.Errorf("no proof: %s", line)
		}
	}
}

func TestPageListsAllSeventyThreats(t *testing.T) {
	numbered := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([0-9, ]+) \|`).FindAllStringSubmatch(readPage(t, "docs/threats.md"), -1) {
		for _, number := range strings.Split(row[1], ", ") {
			numbered[number] = true
		}
	}
	const threats = 70
	for number := range threats {
		if !numbered[fmt.Sprint(number+1)] {
			t.Errorf("threat %d is not on the page", number+1)
		}
	}
	if len(numbered) != threats {
		t.Errorf("%d numbers are on the page", len(numbered))
	}
}

// declaredTests are the names of all Go tests, and of the browser's with their file.
func declaredTests(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	inGo := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	inBrowser := regexp.MustCompile(`(?m)^\s*test\(\s*['"]([^'"]+)['"]`)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".git")):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".spec.ts"):
			return nil
		}
		text, err := os.ReadFile(path) //nolint:gosec // this repository's own
		for _, found := range inGo.FindAllSubmatch(text, -1) {
			all[string(found[1])] = true
		}
		for _, found := range inBrowser.FindAllSubmatch(text, -1) {
			all[filepath.Base(path)+": "+string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestPagesNameFilesThatExist(t *testing.T) {
	for page, least := range map[string]int{"README.md": 1, "ARCHITECTURE.md": 30, "CONTRIBUTING.md": 10, "docs/recipes.md": 30, "docs/operations.md": 1, "docs/scale.md": 1, "docs/licences.md": 7} {
		text := []byte(readPage(t, page))
		named := 0
		inTicks := regexp.MustCompile("`([a-z_]+/[A-Za-z_/.-]*)`").FindAllSubmatch(text, -1)
		for _, found := range inTicks {
			path := string(found[1])
			if strings.HasPrefix(path, "bin/") || strings.HasPrefix(path, "data/") {
				continue // created while it runs
			}
			if _, err := os.Stat(filepath.Join(root, path)); err != nil {
				_, err = os.Stat(filepath.Join(root, "webapp/src", path)) // ARCHITECTURE.md uses this root
				matches, _ := filepath.Glob(filepath.Join(root, "webapp/src", path) + ".*")
				if err != nil && len(matches) == 0 {
					t.Errorf("%s names %s, which is not there", page, path)
				}
			}
			named++
		}
		if named < least {
			t.Errorf("%s: only %d files are found on the page", page, named)
		}
	}
}

func TestPagesLinkToExistingTargets(t *testing.T) {
	links := 0
	for page, text := range textFiles(t) {
		if !strings.HasSuffix(page, ".md") {
			continue
		}
		for _, found := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(text, -1) {
			path, heading, _ := strings.Cut(found[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			links++
			if path != "" {
				path = filepath.Join(filepath.Dir(page), path)
			} else {
				path = page
			}
			if _, err := os.Stat(filepath.Join(root, path)); err != nil {
				t.Errorf("%s leads to %s, which is not there", page, found[1])
			} else if heading != "" && !slices.Contains(headings(readPage(t, path)), heading) {
				t.Errorf("%s leads to %s, and there is no such heading", page, found[1])
			}
		}
	}
	if links < 100 {
		t.Errorf("only %d links are found", links)
	}
}

// headings are a page's anchors.
func headings(page string) (names []string) {
	for _, title := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(page, -1) {
		names = append(names, strings.ReplaceAll(regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(title[1]), ""), " ", "-"))
	}
	return names
}

func TestPagesNameTargetsOfMakeThatExist(t *testing.T) {
	named := 0
	for page, text := range textFiles(t) {
		if !strings.HasSuffix(page, ".md") {
			continue
		}
		for _, found := range regexp.MustCompile("(?m)(?:`|^    )make ([a-z][a-z0-9/-]*)").FindAllStringSubmatch(text, -1) {
			named++
			if !strings.Contains(readPage(t, "Makefile"), "\n"+found[1]+":") {
				t.Errorf("%s says `make %s`, and the Makefile knows none", page, found[1])
			}
		}
	}
	if named < 30 {
		t.Errorf("only %d are found", named)
	}
}

func TestREADMEListsEverySettingAndAdminCommand(t *testing.T) {
	for heading, known := range map[string][]string{"## Configure": settingsKnown(), "## Run it from the chat": adminCommandsKnown(t)} {
		_, section, _ := strings.Cut(readPage(t, "README.md"), "\n"+heading+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		var listed []string
		for _, row := range regexp.MustCompile("(?m)^\\| (`.+?) \\| ").FindAllStringSubmatch(section, -1) {
			for _, name := range regexp.MustCompile("`/?([A-Za-z_]+)").FindAllStringSubmatch(row[1], -1) {
				if !slices.Contains(listed, name[1]) {
					listed = append(listed, name[1])
				}
			}
		}
		for _, name := range known {
			if !slices.Contains(listed, name) {
				t.Errorf("README.md, %s: %s is not listed", heading, name)
			}
		}
		for _, name := range listed {
			if !slices.Contains(known, name) {
				t.Errorf("README.md, %s: %s is listed, and there is no such thing", heading, name)
			}
		}
	}
}

// An unread setting would have no effect.
func TestEverySettingIsRead(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var program strings.Builder
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			program.WriteString(readPage(t, filepath.Base(file)))
		}
	}
	for field := range reflect.TypeFor[config.Config]().Fields() {
		reads := regexp.MustCompile(`\bsettings\.` + field.Name + `\b`)
		byItself := regexp.MustCompile(`\bc\.` + field.Name + `\b`)
		if !reads.MatchString(program.String()) && !byItself.MatchString(configsMethods(t)) {
			t.Errorf("nobody reads %s of config.Config: hand it over in serve.go", field.Name)
		}
	}
}

// configsMethods are config.Config's methods, without its check.
func configsMethods(t *testing.T) string {
	t.Helper()
	code := readPage(t, "config/config.go") + readPage(t, "config/clock.go")
	told := regexp.MustCompile(`(?ms)^func \(c Config\) [A-Z].*?^}|^func \(c Config\) [A-Z].* }$`).FindAllString(code, -1)
	if len(told) < 3 {
		t.Errorf("only %d methods of config.Config are found", len(told))
	}
	return strings.Join(told, "\n")
}

func settingsKnown() (names []string) {
	for field := range reflect.TypeFor[config.Config]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		names = append(names, name)
	}
	return names
}

func adminCommandsKnown(t *testing.T) (names []string) {
	t.Helper()
	for _, found := range regexp.MustCompile(`(?m)^\t\t\{"([a-z]+)", "[^"]*", texts\.does`).FindAllStringSubmatch(readPage(t, "bot/admin.go"), -1) {
		names = append(names, found[1])
	}
	if len(names) < 14 {
		t.Errorf("only %d commands are found", len(names))
	}
	return names
}

func TestEveryAlarmIsExplainedToOperators(t *testing.T) {
	_, table, found := strings.Cut(readPage(t, "docs/operations.md"), "\n| Alarm |")
	if !found {
		t.Fatal("docs/operations.md has no table of alarms")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	explained := map[string]int{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| .{20,} \\| .{20,} \\|$").FindAllStringSubmatch(table, -1) {
		explained[row[1]]++
		if !slices.Contains(models.Alarms, models.AlarmName(row[1])) {
			t.Errorf("%s is explained, and there is no such alarm", row[1])
		}
	}
	for _, alarm := range models.Alarms {
		if explained[string(alarm)] != 1 {
			t.Errorf("docs/operations.md explains %s %d times", alarm, explained[string(alarm)])
		}
	}
}

// A dashboard or rule by the page must not stay empty.
func TestOperationsNamesExistingMetrics(t *testing.T) {
	declared := readPage(t, "ops/ops.go") + readPage(t, "ops/jobs.go") + readPage(t, "api/metrics.go")
	named := regexp.MustCompile(`\b(mcbk_[a-z_]+)\b`).FindAllStringSubmatch(readPage(t, "docs/operations.md"), -1)
	if len(named) < 16 {
		t.Errorf("only %d metrics are named", len(named))
	}
	for _, name := range named {
		if !strings.Contains(declared, `"`+name[1]+`"`) {
			t.Errorf("%s is named, and nobody tells it", name[1])
		}
	}
	for _, metric := range regexp.MustCompile(`"(mcbk_[a-z_]+)"`).FindAllStringSubmatch(declared, -1) {
		if !slices.ContainsFunc(named, func(name []string) bool { return name[1] == metric[1] }) {
			t.Errorf("%s is told, and operators are not pointed to it", metric[1])
		}
	}
}

// job_missed names the job by a word that no text explains.
func TestEveryJobIsExplainedToOperators(t *testing.T) {
	_, table, _ := strings.Cut(readPage(t, "docs/operations.md"), "\n| How often | Job |")
	table, _, _ = strings.Cut(table, "\n\n")
	explained := regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(table, -1)
	var jobsOfPage, known []string
	for _, job := range explained {
		jobsOfPage = append(jobsOfPage, job[1])
	}
	for _, due := range jobs.Schedule() {
		known = append(known, due.Job)
	}
	if !slices.Equal(slices.Sorted(slices.Values(jobsOfPage)), slices.Sorted(slices.Values(known))) {
		t.Errorf("explained are %q of %q", jobsOfPage, known)
	}
}

// An unquoted expression ends at its first comma, and Prometheus refuses the whole file.
func TestPrometheusRulesAreQuoted(t *testing.T) {
	rules := regexp.MustCompile(`(?m)^ *- \{alert: .*$`).FindAllString(readPage(t, "docs/operations.md"), -1)
	if len(rules) < 5 {
		t.Errorf("only %d rules are found", len(rules))
	}
	quoted := regexp.MustCompile(`^ *- \{alert: \w+, expr: ("[^"]+"|'[^']+'), for: \d+m\}$`)
	for _, rule := range rules {
		if !quoted.MatchString(rule) {
			t.Errorf("not as it must be: %s", rule)
		}
	}
}

func TestComposeSetsExistingSettings(t *testing.T) {
	_, service, found := strings.Cut(readPage(t, "docker-compose.yml"), "\n  mcbk:\n")
	_, block, given := strings.Cut(service, "\n    environment:\n")
	if !found || !given {
		t.Fatal("docker-compose.yml gives the program nothing")
	}
	environ := []string{"BOT_TOKEN=1:abc", "WEBAPP_URL=https://game.example"}
	for line := range strings.Lines(block) {
		setting := regexp.MustCompile(`^      ([A-Z_]+): (\S+)`).FindStringSubmatch(line)
		if setting == nil {
			break
		}
		value := regexp.MustCompile(`\$\{\w+(?::-([^}]*))?\}`).ReplaceAllString(setting[2], "$1")
		environ = append(environ, setting[1]+"="+value)
		if !strings.Contains(readPage(t, "README.md"), "`"+setting[1]+"`") {
			t.Errorf("%s is no setting", setting[1])
		}
	}
	settings, err := config.Load(environ, "")
	if err != nil || len(environ) != 8 {
		t.Fatalf("%v of %v", err, environ)
	}
	if settings.Listen != ":8080" || settings.OpsListen != ":9090" || !strings.HasPrefix(string(settings.DatabaseURL), "postgres://mcbk:@postgres") || len(settings.TrustedProxies) != 1 {
		t.Errorf("it is started with %+v", settings)
	}
}

// root is relative: a change of folder would hide the read files from go test's cache.
const root = "../.."

// readPage reads a file by its path from the root.
func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name)) //nolint:gosec // this repository's own
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
