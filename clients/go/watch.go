package coltexpress

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	"google.golang.org/grpc/codes"

	v1 "coltexpress.example/coltexpress/v1"
)

// silence without a message, heartbeats included, is how a stream is known to be dead.
const silence = time.Minute

// noMore are the reasons for which a watch is not resumed, with the code of the error instead.
var noMore = map[v1.EndOfStream_Reason]codes.Code{
	v1.EndOfStream_REASON_GAME_DELETED:  codes.NotFound,
	v1.EndOfStream_REASON_GAME_HIDDEN:   codes.NotFound,
	v1.EndOfStream_REASON_TOKEN_REVOKED: codes.Unauthenticated,
}

// errGameOver is how a watch ends well.
var errGameOver = errors.New("the game is over")

// Step is what a watch brings: the game as it is, or the next commit. The other one is nil.
type Step struct {
	Game   *v1.Game
	Commit *v1.Commit
}

// Cursor is where to go on behind the step.
func (s Step) Cursor() string {
	if s.Game != nil {
		return s.Game.Cursor
	}
	return s.Commit.GetCursor()
}

// Watch is the game as a spectator sees it, then every commit once as it happens, until the game is
// over. With a cursor it goes on behind that.
//
// A stream that breaks is resumed. Where the service has lost what it had shown, a game follows
// again, as it is then. An error is the last that is brought.
func (c *Client) Watch(ctx context.Context, game, cursor string) iter.Seq2[Step, error] {
	return c.watch(ctx, game, cursor, "")
}

func (c *Client) watch(ctx context.Context, game, cursor, token string) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		trying := c.retries.begin()
		for {
			leave, err := c.stream(ctx, &v1.WatchGameRequest{Name: game, Cursor: cursor}, token,
				func(message *v1.WatchGameResponse) (bool, error) {
					if at := cursorOf(message); at != "" {
						cursor = at
					}
					switch message := message.Message.(type) {
					case *v1.WatchGameResponse_Game:
						trying.succeeded()
						return yield(Step{Game: message.Game}, nil), nil
					case *v1.WatchGameResponse_Commit:
						trying.succeeded()
						return yield(Step{Commit: message.Commit}, nil), nil
					case *v1.WatchGameResponse_End:
						return true, ended(message.End.Reason)
					default: // a heartbeat, or what a later release may bring
						trying.succeeded()
						return true, nil
					}
				})
			if leave || errors.Is(err, errGameOver) {
				return
			}
			failed := errorOfStream(err)
			if failed.Reason == "CURSOR_UNKNOWN" && cursor != "" {
				cursor = ""
				failed = broken("the cursor is unknown by now")
			}
			if err := trying.waitAfter(ctx, failed); err != nil {
				yield(Step{}, err)
				return
			}
		}
	}
}

// stream hands the messages of one stream to take, until that returns false or an error; it returns
// true in the first case, and else always an error.
func (c *Client) stream(
	ctx context.Context, request *v1.WatchGameRequest, token string,
	take func(*v1.WatchGameResponse) (bool, error),
) (leave bool, err error) {
	ctx, err = c.outgoing(ctx, token, request)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dead := time.AfterFunc(silence, cancel)
	defer dead.Stop()
	messages, err := c.Games.WatchGame(ctx, request)
	if err != nil {
		return false, err
	}
	for {
		message, err := messages.Recv()
		if err != nil {
			return false, err
		}
		dead.Stop()
		if goOn, err := take(message); err != nil || !goOn {
			return err == nil, err
		}
		dead.Reset(silence)
	}
}

func cursorOf(message *v1.WatchGameResponse) string {
	switch message := message.Message.(type) {
	case *v1.WatchGameResponse_Game:
		return message.Game.Cursor
	case *v1.WatchGameResponse_Commit:
		return message.Commit.Cursor
	case *v1.WatchGameResponse_Heartbeat:
		return message.Heartbeat.Cursor
	case *v1.WatchGameResponse_End:
		return message.End.Cursor
	default:
		return ""
	}
}

// ended is what it means that the service ended a stream.
func ended(reason v1.EndOfStream_Reason) error {
	if reason == v1.EndOfStream_REASON_GAME_OVER {
		return errGameOver
	}
	name := strings.TrimPrefix(reason.String(), "REASON_")
	err := broken("the service ended the stream: " + name)
	if code, ok := noMore[reason]; ok {
		err.Code, err.Reason = code, name
	} else if reason == v1.EndOfStream_REASON_CURSOR_UNKNOWN {
		err.Code, err.Reason = codes.OutOfRange, name
	}
	return err
}

func errorOfStream(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	if errors.Is(err, io.EOF) {
		return broken("the stream ended without saying why")
	}
	return errorOf(err)
}

func broken(message string) *Error {
	return &Error{Code: codes.Unavailable, Message: message, RetryAfter: -1}
}
