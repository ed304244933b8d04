package ads_test

import (
	"testing"

	"mcbk/models/modelstest"
)

func TestMain(m *testing.M) { modelstest.Main(m) }
