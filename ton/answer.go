package ton

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tonkeeper/tongo/liteclient"
	"github.com/tonkeeper/tongo/tl"
)

const (
	tagQuery        = 0x798c06df
	tagTransactions = 0x6f26c60b
	tagRefused      = 0xbba9e148
)

// blockIDSize is in bytes of a response.
const blockIDSize = 80

// transactions requests transactions and returns their bag of cells. It parses the response itself: tongo allocates as many block IDs as
// a server claims to send, up to 378 GB.
func transactions(ctx context.Context, c *liteclient.Client, request liteclient.LiteServerGetTransactionsRequest) ([]byte, error) {
	wanted, err := tl.Marshal(struct {
		tl.SumType
		Req liteclient.LiteServerGetTransactionsRequest `tlSumType:"1c40e7a1"`
	}{SumType: "Req", Req: request})
	if err != nil {
		return nil, err
	}
	query := binary.LittleEndian.AppendUint32(nil, tagQuery)
	query = append(query, tl.EncodeLength(len(wanted))...)
	query = append(query, wanted...)
	query = append(query, make([]byte, -len(query)&3)...)
	answer, err := c.Request(ctx, query)
	if err != nil {
		return nil, err
	}
	return transactionsIn(answer, request.Count)
}

// transactionsIn returns the bag of cells of a response with at most that many transactions.
func transactionsIn(answer []byte, most uint32) (bag []byte, err error) {
	if len(answer) < 8 {
		return nil, errors.New("the response has no list of transactions")
	}
	rest := answer[4:]
	switch binary.LittleEndian.Uint32(answer) {
	case tagTransactions:
	case tagRefused:
		var refused liteclient.LiteServerErrorC
		if err := tl.Unmarshal(bytes.NewReader(rest), &refused); err != nil {
			return nil, err
		}
		return nil, refused
	default:
		return nil, errors.New("the response belongs to another request")
	}
	count := int64(binary.LittleEndian.Uint32(rest))
	rest = rest[4:]
	if count > int64(most) || count*blockIDSize > int64(len(rest)) {
		return nil, &LieError{fmt.Sprintf("it says that it sends %d transactions", count)}
	}
	err = tl.Unmarshal(bytes.NewReader(rest[count*blockIDSize:]), &bag)
	return bag, err
}
