package coltexpress

import (
	"context"
	"fmt"
	"iter"
	"sync"

	v1 "coltexpress.example/coltexpress/v1"
)

// Seat is a seat at a table, for whoever holds its token. Made by Client.Join and Client.Seat. It is
// safe for concurrent use.
type Seat struct {
	// Game is the game's name, "games/...".
	Game string
	// Number is which seat it is: an index into the game's seats.
	Number int32
	// Token shows that its bearer sits there. A secret; with it, Client.Seat comes back to the seat.
	Token string

	client    *Client
	mutex     sync.Mutex
	listeners map[*news]struct{}
}

func newSeat(client *Client, game string, number int32, token string) *Seat {
	return &Seat{
		Game: game, Number: number, Token: token, client: client, listeners: map[*news]struct{}{},
	}
}

// String is the seat without its token.
func (s *Seat) String() string { return fmt.Sprintf("seat %d of %s", s.Number, s.Game) }

// GoString is String, so that %#v shows no token either.
func (s *Seat) GoString() string { return s.String() }

// Get is the game as it is, as the seat sees it.
func (s *Seat) Get(ctx context.Context) (*v1.Game, error) {
	return Call(ctx, s.client, s.Token, s.client.Games.GetGame, &v1.GetGameRequest{Name: s.Game})
}

// Watch is the game as the seat sees it, then every commit; see Client.Watch.
func (s *Seat) Watch(ctx context.Context, cursor string) iter.Seq2[Step, error] {
	return s.client.watch(ctx, s.Game, cursor, s.Token)
}

// Decisions are the seat's decisions, each once while it is open, until the game is over.
//
// A decision that was closed before it could be brought is left out. Where the service has lost the
// answer to a decision (a failover to an older copy of its data), it comes again. An error is the
// last that is brought.
func (s *Seat) Decisions(ctx context.Context) iter.Seq2[*v1.Decision, error] {
	return func(yield func(*v1.Decision, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		news := newNews(s.Number)
		s.listen(news, true)
		following := make(chan struct{})
		go func() {
			defer close(following)
			s.follow(ctx, news)
		}()
		defer func() {
			s.listen(news, false)
			cancel()
			<-following
		}()
		for {
			decision, err := news.next()
			if err != nil {
				yield(nil, err)
				return
			}
			if decision == nil || !yield(decision, nil) {
				return
			}
		}
	}
}

func (s *Seat) follow(ctx context.Context, news *news) {
	for step, err := range s.Watch(ctx, "") {
		switch {
		case err != nil:
			news.fail(err)
		case step.Game != nil:
			news.takeGame(step.Game)
		default:
			news.takeCommit(step.Commit)
		}
	}
	news.end()
}

func (s *Seat) listen(news *news, on bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if on {
		s.listeners[news] = struct{}{}
	} else {
		delete(s.listeners, news)
	}
}

// Submit answers a decision by one of its options; safe against lost replies and restarted servers.
// It returns what the answer brought about. ErrDecisionClosed is no cause to stop: the game goes on
// without this answer.
func (s *Seat) Submit(ctx context.Context, decision *v1.Decision, option *v1.Option) (*v1.Commit, error) {
	return s.SubmitRequest(ctx, &v1.SubmitActionRequest{
		DecisionId: decision.Id,
		Answer:     &v1.SubmitActionRequest_OptionId{OptionId: option.OptionId},
	})
}

// SubmitRequest is Submit for answers in any form, such as an Action. The game's name and, where it
// has none, a request id are put into the request.
func (s *Seat) SubmitRequest(ctx context.Context, request *v1.SubmitActionRequest) (*v1.Commit, error) {
	request.Name = s.Game
	if request.RequestId == "" {
		request.RequestId = NewRequestID()
	}
	response, err := Call(ctx, s.client, s.Token, s.client.Games.SubmitAction, request)
	if Reason(err) == "GAME_OVER" {
		// The game has ended meanwhile, and its decisions with it.
		return nil, ErrDecisionClosed
	}
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for news := range s.listeners {
		news.takeCommit(response.Commit)
	}
	return response.Commit, nil
}

// Leave gives up the seat; the token is worth nothing from then on. In a game that has begun a bot
// plays it to the end.
func (s *Seat) Leave(ctx context.Context) (*v1.Game, error) {
	request := &v1.LeaveGameRequest{Name: s.Game, RequestId: NewRequestID()}
	return Call(ctx, s.client, s.Token, s.client.Games.LeaveGame, request)
}

// news is the newest that one iteration over decisions has heard, by its watch or in answers.
type news struct {
	seat    int32
	mutex   sync.Mutex
	changed *sync.Cond
	// version is the game's, decisions are those open then, handed are the ids of those handed out.
	version   int64
	decisions []*v1.Decision
	handed    map[string]bool
	over      bool
	err       error
}

func newNews(seat int32) *news {
	n := &news{seat: seat}
	n.changed = sync.NewCond(&n.mutex)
	return n
}

// takeGame begins from a game as it is. If that is not the first time, the service may have lost
// what it had shown, answers included: what is open now is asked, whether it was handed out or not.
func (n *news) takeGame(game *v1.Game) {
	n.change(func() {
		n.handed = map[string]bool{}
		n.version, n.decisions = game.Version, game.Decisions
		n.over = game.State == v1.Game_STATE_FINISHED
	})
}

// takeCommit goes on, unless that is no news.
func (n *news) takeCommit(commit *v1.Commit) {
	n.change(func() {
		if commit.GetVersion() <= n.version {
			return
		}
		n.version, n.decisions = commit.Version, commit.Decisions
		for _, event := range commit.Events {
			switch event.Event.(type) {
			case *v1.Event_GameEnded, *v1.Event_GameAborted:
				n.over = true
			}
		}
	})
}

func (n *news) fail(err error) { n.change(func() { n.err = err }) }

func (n *news) end() { n.change(func() { n.over = true }) }

func (n *news) change(how func()) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	how()
	n.changed.Broadcast()
}

// next waits for a decision of the seat that was not handed out yet; nil when the game is over.
func (n *news) next() (*v1.Decision, error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for {
		for _, decision := range n.decisions {
			if !n.over && decision.Seat == n.seat && !n.handed[decision.Id] {
				n.handed[decision.Id] = true
				return decision, nil
			}
		}
		if n.over || n.err != nil {
			return nil, n.err
		}
		n.changed.Wait()
	}
}
