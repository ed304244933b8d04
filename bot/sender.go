package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	telegram "github.com/go-telegram/bot"
	tg "github.com/go-telegram/bot/models"

	"mcbk/models"
	"mcbk/models/store"
)

type sender struct {
	client   *telegram.Bot
	settings Settings
	store    *store.Store
	now      func() time.Time
	log      *slog.Logger
}

// send sends HTML: user input must be escaped. buttons may be nil; a nil *keyboard would be sent as null.
func (s *sender) send(ctx context.Context, chat int64, text string, buttons tg.ReplyMarkup) error {
	_, err := s.client.SendMessage(ctx, &telegram.SendMessageParams{ChatID: chat, Text: text, ParseMode: tg.ParseModeHTML, ReplyMarkup: buttons})
	return err
}

// sendPicture sends a PNG with an HTML caption; if Telegram refuses the picture, the text is sent alone. buttons may be nil.
func (s *sender) sendPicture(ctx context.Context, chat int64, picture []byte, text string, buttons tg.ReplyMarkup) error {
	_, err := s.client.SendPhoto(ctx, &telegram.SendPhotoParams{
		ChatID: chat, Caption: text, ParseMode: tg.ParseModeHTML, ReplyMarkup: buttons,
		Photo: &tg.InputFileUpload{Filename: "mcbk.png", Data: bytes.NewReader(picture)},
	})
	if errors.Is(err, telegram.ErrorBadRequest) {
		s.log.WarnContext(ctx, "message sent without its picture", "chat", chat, "error", truncateError(err))
		return s.send(ctx, chat, truncateMessage(text), buttons)
	}
	return err
}

func (s *sender) languageOf(ctx context.Context, person *user) (string, error) {
	language, err := s.store.Outbox.LanguageOf(ctx, person.ID, person.LanguageCode)
	if err != nil {
		return "", fmt.Errorf("load language: %w", err)
	}
	return language, nil
}

// edit replaces the text of one of the bot's messages. An unchanged or deleted message is no error.
func (s *sender) edit(ctx context.Context, message *message, text string, buttons tg.ReplyMarkup) error {
	_, err := s.client.EditMessageText(ctx, &telegram.EditMessageTextParams{
		ChatID: message.Chat.ID, MessageID: message.ID, Text: text, ParseMode: tg.ParseModeHTML, ReplyMarkup: buttons,
	})
	if errors.Is(err, telegram.ErrorBadRequest) && strings.Contains(err.Error(), "message is not modified") {
		return nil // pressed twice
	}
	return err
}

// acknowledge answers a press; one that is too old is no error.
func (s *sender) acknowledge(ctx context.Context, query *callbackQuery, text string) error {
	_, err := s.client.AnswerCallbackQuery(ctx, &telegram.AnswerCallbackQueryParams{CallbackQueryID: query.ID, Text: text})
	if errors.Is(err, telegram.ErrorBadRequest) {
		return nil
	}
	return err
}

// sendBroadcast sends a text, or a copy of the original message with pictures and markup.
func (s *sender) sendBroadcast(ctx context.Context, chat int64, broadcast models.Broadcast, language string) error {
	keyboard := appButton(texts.play.in(language), s.settings.WebAppURL)
	if broadcast.Text != "" {
		return s.send(ctx, chat, escapeAndTruncate(broadcast.Text), keyboard)
	}
	_, err := s.client.CopyMessage(ctx, &telegram.CopyMessageParams{
		ChatID: chat, FromChatID: broadcast.SourceChatID, MessageID: broadcast.SourceMessageID, ReplyMarkup: keyboard,
	})
	if err != nil {
		return fmt.Errorf("%w: %w", errCopy, err)
	}
	return nil
}
