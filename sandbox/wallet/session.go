package wallet

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"golang.org/x/crypto/nacl/box"
)

// lives is the lifetime of the wallet's messages on the bridge.
const lives = 0

// nonceSize is the length of the nonce at the beginning of a sealed message, in bytes.
const nonceSize = 24

// session is a connection with its keys: a pair for this app, and the app's public one.
type session struct {
	Connection
	Player int64  `json:"player"`
	Public []byte `json:"public"`
	Secret []byte `json:"secret"`
	// Last is the number of the app's latest request; apps repeat requests.
	Last     int64     `json:"last"`
	Requests []Request `json:"requests"`
}

// newSession makes keys for an app; the app's public key is in hex.
func newSession(player int64, client string) (*session, error) {
	public, secret, err := box.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a session's keys: %w", err)
	}
	return &session{Player: player, Connection: Connection{Client: client}, Public: public[:], Secret: secret[:], Last: -1}, nil
}

// id is the wallet's id for the app.
func (s *session) id() string { return hex.EncodeToString(s.Public) }

// keys are the app's public key and our secret one.
func (s *session) keys() (app, own *[32]byte, err error) {
	raw, err := hex.DecodeString(s.Client)
	if err != nil || len(raw) != 32 || len(s.Secret) != 32 {
		return nil, nil, fmt.Errorf("%w: its keys have not 32 bytes", ErrLink)
	}
	return (*[32]byte)(raw), (*[32]byte)(s.Secret), nil
}

// seal encrypts a message for the app, in base64.
func (s *session) seal(message any) (string, error) {
	app, own, err := s.keys()
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(message)
	if err != nil {
		return "", err
	}
	var nonce [nonceSize]byte
	if _, err := rand.Read(nonce[:]); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(box.Seal(nonce[:], plain, &nonce, app, own)), nil
}

// unseal decrypts the app's message; false if it is not the app's.
func (s *session) unseal(text string) ([]byte, bool) {
	app, own, err := s.keys()
	raw, wrong := base64.StdEncoding.DecodeString(text)
	if err != nil || wrong != nil || len(raw) < nonceSize {
		return nil, false
	}
	return box.Open(nil, raw[nonceSize:], (*[nonceSize]byte)(raw), app, own)
}

func (a *App) send(s *session, message any) error {
	text, err := s.seal(message)
	if err != nil {
		return err
	}
	a.cfg.Bridge.Send(s.Client, s.id(), text, lives)
	return nil
}

// event is an unsolicited message to the app.
type event struct {
	Event   string `json:"event"`
	ID      int64  `json:"id"`
	Payload any    `json:"payload"`
}

func (a *App) tell(s *session, name string, payload any) error {
	id := a.nextEvent()
	if err := a.save(); err != nil {
		return err
	}
	return a.send(s, event{name, id, payload})
}
