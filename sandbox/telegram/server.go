// Package telegram is a fake Bot API server with its updates and the players' chats.
package telegram

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcbk-sandbox/clock"
	"mcbk-sandbox/feed"
	"mcbk-sandbox/people"
)

// BotUsername is the bot's name in links: t.me/<BotUsername>.
const BotUsername = "mcbk_sandbox_bot"

// Config are a Server's dependencies.
type Config struct {
	Token  string // the only accepted token
	Dir    string // folder of chats, pictures and settings
	Clock  *clock.Clock
	People *people.Book
	Feed   *feed.Feed
	// Address is the sandbox's URL, for pictures: http://localhost:8090.
	Address string
}

// Server is the Bot API of one bot.
type Server struct {
	cfg     Config
	me      User
	faults  faults
	webhook http.Client

	mu       sync.Mutex
	state    state
	dirty    bool
	wake     chan struct{} // closed and replaced when updates or webhook change
	poll     int           // number of the current getUpdates call
	lastID   int64         // the newest issued update id
	reserved int64         // ids up to here are never issued by a later run
	calls    []Call

	checkouts       map[string]*checkout // open pre-checkout queries by id
	checkoutTimeout time.Duration
}

// Call is a recorded request of the bot, for tests.
type Call struct {
	Method string            `json:"method"`
	Params map[string]string `json:"params"`
	Status int               `json:"status"`
	Error  string            `json:"error,omitempty"`
}

const callsKept = 500

// New loads the chats of a former run from cfg.Dir.
func New(cfg Config) (*Server, error) {
	id, _, _ := strings.Cut(cfg.Token, ":")
	botID, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return nil, errors.New("the bot token must look like 123:secret")
	}
	s := &Server{
		cfg:  cfg,
		me:   User{ID: botID, IsBot: true, FirstName: "MCBK", Username: BotUsername},
		wake: make(chan struct{}),
		// Longer than a handler's timeout, shorter than Telegram's minute.
		webhook:   http.Client{Timeout: 30 * time.Second},
		checkouts: map[string]*checkout{}, checkoutTimeout: checkoutTimeout,
	}
	if err := s.load(); err != nil {
		return nil, err
	}
	return s, nil
}

// Run delivers updates to the webhook, ends delayed payments and saves the chats until ctx ends; it saves the last state before it returns.
func (s *Server) Run(ctx context.Context) error {
	delivered := make(chan struct{})
	go func() {
		defer close(delivered)
		s.deliver(ctx)
	}()
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := errors.Join(s.releaseDue(), s.save()); err != nil {
				return err
			}
		case <-ctx.Done():
			<-delivered
			return s.save()
		}
	}
}

// methods are the supported calls; others are 404. Names are case-insensitive, like Telegram's.
var methods = map[string]func(*Server, params) (any, error){
	"getme":                  (*Server).getMe,
	"setwebhook":             (*Server).setWebhook,
	"deletewebhook":          (*Server).deleteWebhook,
	"sendmessage":            (*Server).sendMessage,
	"sendphoto":              (*Server).sendPhoto,
	"copymessage":            (*Server).copyMessage,
	"editmessagetext":        (*Server).editMessageText,
	"answercallbackquery":    (*Server).answerCallbackQuery,
	"getchatmember":          (*Server).getChatMember,
	"setmycommands":          (*Server).setMyCommands,
	"setchatmenubutton":      (*Server).setChatMenuButton,
	"createinvoicelink":      (*Server).createInvoiceLink,
	"answerprecheckoutquery": (*Server).answerPreCheckoutQuery,
	"refundstarpayment":      (*Server).refundStarPayment,
	"getstartransactions":    (*Server).getStarTransactions,
	"getmystarbalance":       (*Server).getMyStarBalance,
}

// ServeHTTP answers /bot<token>/<method>.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/bot"), "/")
	if subtle.ConstantTimeCompare([]byte(token), []byte(s.cfg.Token)) != 1 {
		writeError(w, errUnauthorized)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodPost {
		writeError(w, errNotFound)
		return
	}
	call := methods[strings.ToLower(name)]
	if strings.EqualFold(name, "getUpdates") {
		call = func(s *Server, p params) (any, error) { return s.getUpdates(r.Context(), p) }
	}
	if call == nil {
		writeError(w, errNotFound)
		return
	}
	p, err := readParams(w, r)
	if err != nil {
		s.finish(w, name, p, nil, err)
		return
	}
	fault := s.faults.next(name)
	if fault != nil {
		fault.wait(r)
		if fault.Status != 0 && !fault.After {
			s.note(name, p, fault.Status, "injected fault")
			fault.write(w)
			return
		}
	}
	result, err := call(s, p)
	if fault != nil && fault.Status != 0 {
		s.note(name, p, fault.Status, "injected fault, after the call took effect")
		fault.write(w)
		return
	}
	s.finish(w, name, p, result, err)
}

func (s *Server) finish(w http.ResponseWriter, name string, p params, result any, err error) {
	var refused *Error
	switch {
	case err == nil:
		s.note(name, p, http.StatusOK, "")
		writeResult(w, result)
	case errors.As(err, &refused):
		s.note(name, p, refused.Code, refused.Description)
		writeError(w, refused)
	default:
		s.note(name, p, http.StatusInternalServerError, err.Error())
		writeError(w, &Error{Code: http.StatusInternalServerError, Description: "Internal Server Error"})
	}
}

func (s *Server) note(name string, p params, status int, problem string) {
	if strings.EqualFold(name, "getUpdates") && status == http.StatusOK {
		return // idle polling
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, Call{Method: name, Params: p.values, Status: status, Error: problem})
	if len(s.calls) > callsKept {
		s.calls = s.calls[len(s.calls)-callsKept:]
	}
}

// Calls lists the bot's latest requests, oldest first.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call{}, s.calls...)
}

func (s *Server) getMe(params) (any, error) {
	type me struct {
		User
		CanJoinGroups bool `json:"can_join_groups"`
		HasMainWebApp bool `json:"has_main_web_app"`
	}
	return me{User: s.me, HasMainWebApp: true}, nil
}
