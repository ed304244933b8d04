package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"time"

	telegram "github.com/go-telegram/bot"

	"mcbk/models"
)

const (
	maxPage        = 64 << 20               // bytes of a getUpdates response, far above any real one
	emptyPagePause = 200 * time.Millisecond // limits the rate against a server that does not long-poll
)

// poll fetches updates. An offset confirms all before it, so it advances only after they are stored; the client library advances
// first and would lose them in a crash.
func (i *inbox) poll(ctx context.Context) {
	var (
		offset int64
		pause  backoff
	)
	for ctx.Err() == nil {
		page, err := i.getUpdates(ctx, offset)
		if err == nil {
			offset, err = i.storePage(ctx, page, offset)
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			i.log.WarnContext(ctx, "polling for updates", "error", truncateError(err))
			wait(ctx, pause.after(err))
			continue
		case len(page) == 0:
			wait(ctx, emptyPagePause)
		}
		pause = backoff{}
	}
}

// storePage stores a page of updates in the inbox and returns the next offset. After a week without updates Telegram may restart at
// a lower number: only the page determines the offset.
func (i *inbox) storePage(ctx context.Context, page []json.RawMessage, offset int64) (int64, error) {
	updates := make([]models.BotUpdate, 0, len(page))
	var next int64
	for _, body := range page {
		update, checkout, ok := parseUpdate(body)
		if !ok {
			i.log.WarnContext(ctx, "update dropped: malformed", "bytes", len(body))
			continue
		}
		next = max(next, update.UpdateID+1)
		if checkout != nil {
			i.checkouts.Go(func() { i.answerCheckout(context.WithoutCancel(ctx), *checkout) })
			continue
		}
		updates = append(updates, update)
	}
	if len(page) == 0 {
		return offset, nil
	}
	if next == 0 {
		return offset, errors.New("every update of the page is malformed")
	}
	if err := i.receive(ctx, updates...); err != nil {
		return offset, fmt.Errorf("save updates: %w", err)
	}
	return next, nil
}

// getUpdates calls the method that the client library does not export. Offset 0 fetches all unconfirmed updates.
func (i *inbox) getUpdates(ctx context.Context, offset int64) (page []json.RawMessage, err error) {
	kinds, err := json.Marshal(allowedUpdates)
	if err != nil {
		return nil, err
	}
	fields := map[string]string{"timeout": strconv.Itoa(pollSeconds), "allowed_updates": string(kinds)}
	if offset > 0 {
		fields["offset"] = strconv.FormatInt(offset, 10)
	}
	return page, i.settings.call(ctx, i.http, "getUpdates", fields, &page)
}

// call calls a method of the Bot API whose result the client library cannot decode, or does not export.
func (s Settings) call(ctx context.Context, client *http.Client, method string, fields map[string]string, result any) error {
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	for name, value := range fields {
		if err := writer.WriteField(name, value); err != nil {
			return err
		}
	}
	if err := writer.Close(); err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.ServerURL+"/bot"+s.Token+"/"+method, &form)
	if err != nil {
		return errors.New("the address of the Bot API server is malformed") // err would reveal the token
	}
	request.Header.Set("Content-Type", writer.FormDataContentType())
	response, err := client.Do(request)
	if err != nil {
		if full, ok := errors.AsType[*url.Error](err); ok {
			err = full.Err // without the address, which holds the token
		}
		return fmt.Errorf("%s: %w", method, err)
	}
	defer response.Body.Close() //nolint:errcheck // read only
	if err := readResult(response, result); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

func readResult(response *http.Response, result any) error {
	body, err := io.ReadAll(io.LimitReader(response.Body, maxPage))
	if err != nil {
		return err
	}
	var answer struct {
		OK          bool            `json:"ok"`
		Result      json.RawMessage `json:"result"`
		Description string          `json:"description"`
		Parameters  struct {
			RetryAfter int `json:"retry_after"`
		} `json:"parameters"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return fmt.Errorf("%s: %w", response.Status, err)
	}
	if answer.Parameters.RetryAfter > 0 {
		return &telegram.TooManyRequestsError{Message: answer.Description, RetryAfter: answer.Parameters.RetryAfter}
	}
	if !answer.OK {
		return fmt.Errorf("%s: %s", response.Status, answer.Description)
	}
	return json.Unmarshal(answer.Result, result)
}
