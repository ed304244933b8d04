package ton

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The public list writes IPv4 addresses as signed numbers.
func TestLiteServersAreReadFromGlobalConfig(t *testing.T) {
	key := base64.StdEncoding.EncodeToString(make([]byte, 32))
	path := filepath.Join(t.TempDir(), "global.config.json")
	must(t, os.WriteFile(path, fmt.Appendf(nil, `{
		"@type": "config.global",
		"dht": {"static_nodes": {"nodes": []}},
		"liteservers": [
			{"ip": -1073741311, "port": 4701, "id": {"@type": "pub.ed25519", "key": %[1]q}},
			{"ip": 3221225986, "port": 4702, "id": {"@type": "pub.ed25519", "key": %[1]q}},
			{"ip": 1, "port": 4703, "id": {"@type": "pub.aes", "key": %[1]q}}
		],
		"validator": {"zero_state": {"seqno": 0}}
	}`, key), 0o600))
	servers, err := readServers(t.Context(), path, Mainnet)
	check(t, err == nil && len(servers) == 2 && servers[0].address == "192.0.2.1:4701" && servers[1].address == "192.0.2.2:4702", "%v: %+v", err, servers)
}

func TestMalformedAddressIsNotInError(t *testing.T) {
	for _, address := range []string{"https://lists.example/%zz?key=s3cret", "https://me:s3cret/more@lists.example/list"} {
		_, asked := readConfig(t.Context(), address)
		for _, err := range []error{CheckConfig(t.Context(), address, Mainnet), asked} {
			check(t, err != nil && !strings.Contains(err.Error(), "s3cret"), "told %v", err)
		}
	}
}
