package api_test

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"mcbk/api"
	"mcbk/models/modelstest"
)

// BenchmarkLimits measures the three limits of a write.
func BenchmarkLimits(b *testing.B) {
	client, err := api.OpenRedis(modelstest.Redis())
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close() //nolint:errcheck // a test's own connection
	for name, limits := range map[string]api.Limits{
		"off":   {},
		"local": {Address: 1 << 30, Player: 1 << 30},
		"redis": {Address: 1 << 30, Player: 1 << 30, Redis: client},
	} {
		take := api.TakeWrite(limits, time.Now, slog.New(slog.NewTextHandler(io.Discard, nil)))
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					if err := take(context.Background(), strconv.Itoa(i%10_000)); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}
