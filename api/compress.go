package api

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzhttp"
)

// minCompressed is the size from which an answer is compressed, bytes. A smaller one fits into three packets, which arrive together.
const minCompressed = 4096

// compressor gzips large answers to reading calls, at the level that costs least.
type compressor struct {
	engine *gin.Engine
	zipped http.HandlerFunc
}

func newCompressor(engine *gin.Engine) (*compressor, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(minCompressed), gzhttp.CompressionLevel(flate.BestSpeed), gzhttp.EnableZstd(false),
		gzhttp.ContentTypes([]string{"application/json"}))
	if err != nil {
		return nil, err
	}
	return &compressor{engine, wrap(engine)}, nil
}

// ServeHTTP implements http.Handler.
func (c *compressor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && isCall(r.URL.Path) {
		c.zipped(w, r)
	} else {
		c.engine.ServeHTTP(w, r)
	}
}

// beginGzip returns the beginning of a gzip stream, to which endGzip adds what differs from answer to answer. (RFC 1952)
func beginGzip(head []byte) []byte {
	begun := bytes.NewBuffer([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255})
	to, err := flate.NewWriter(begun, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a valid constant
	}
	_, err = to.Write(head)
	if err = errors.Join(err, to.Flush()); err != nil {
		panic(err) // it is written to memory
	}
	return begun.Bytes()
}

// endGzip returns the gzip stream that beginGzip has begun with head, ended by tail as it is, at most 65,535 bytes.
func endGzip(begun, head, tail []byte) []byte {
	const lengths = 13                                                       // bytes around the tail
	stream := append(slices.Grow(slices.Clone(begun), lengths+len(tail)), 1) // the last block, stored
	stream = binary.LittleEndian.AppendUint16(stream, uint16(len(tail)))
	stream = binary.LittleEndian.AppendUint16(stream, ^uint16(len(tail)))
	stream = append(stream, tail...)
	stream = binary.LittleEndian.AppendUint32(stream, crc32.Update(crc32.ChecksumIEEE(head), crc32.IEEETable, tail))
	return binary.LittleEndian.AppendUint32(stream, uint32(len(head)+len(tail)))
}
