package ton

import (
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/tonkeeper/tongo/utils"
)

// Impatient replaces connections that have been down for that long.
func (r *Reader) Impatient(d time.Duration) { r.stuck = d }

// Patient increases the grace for late servers, as a busy machine needs.
func (r *Reader) Patient() *Reader {
	r.grace = serverTimeout
	return r
}

// Sealed is the friendly form of any 34 bytes.
func Sealed(b []byte) string {
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint16(b, utils.Crc16(b)))
}

var ReadServers = readServers

var Must, Check = must, check
