package ton

import (
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/tonkeeper/tongo/utils"
)

// Impatient makes connections anew that have been down for so long.
func (r *Reader) Impatient(d time.Duration) { r.stuck = d }

// Patient waits longer for servers that answer after the first, as a busy machine may need.
func (r *Reader) Patient() *Reader {
	r.grace = serverTimeout
	return r
}

// Sealed is the friendly spelling of 34 bytes that no wallet need have made.
func Sealed(b []byte) string {
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint16(b, utils.Crc16(b)))
}

// ReadServers reads a list of lite servers.
var ReadServers = readServers
