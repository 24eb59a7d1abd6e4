package coltexpress_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	"coltexpress.example/coltexpress"
	v1 "coltexpress.example/coltexpress/v1"
)

const game = "games/a"

var quick = coltexpress.Retries{
	Attempt: 10 * time.Second, Patience: 2 * time.Second, FirstWait: time.Millisecond, LongestWait: 2 * time.Millisecond,
}

// service is played by a test: each call of a method takes the next of its answers.
type service struct {
	v1.UnimplementedGameServiceServer
	submit  []func() (*v1.SubmitActionResponse, error)
	get     []func() (*v1.Game, error)
	streams [][]*v1.WatchGameResponse

	mutex      sync.Mutex
	requestIDs []string
	cursors    []string
	times      []time.Time
}

func (s *service) GetGame(ctx context.Context, _ *v1.GetGameRequest) (*v1.Game, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.times = append(s.times, time.Now())
	if len(s.get) == 0 {
		viewer := int32(1)
		return &v1.Game{Name: game, Viewer: &viewer}, nil
	}
	answer := s.get[0]
	s.get = s.get[1:]
	return answer()
}

func (s *service) SubmitAction(ctx context.Context, request *v1.SubmitActionRequest) (*v1.SubmitActionResponse, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if got := metadata.ValueFromIncomingContext(ctx, "authorization"); !slices.Equal(got, []string{"Bearer secret"}) {
		return nil, status.Errorf(codes.Unauthenticated, "who is %v?", got)
	}
	if got := metadata.ValueFromIncomingContext(ctx, "x-game"); !slices.Equal(got, []string{request.Name}) {
		return nil, status.Errorf(codes.InvalidArgument, "x-game is %v", got)
	}
	s.requestIDs = append(s.requestIDs, request.RequestId)
	answer := s.submit[0]
	if len(s.submit) > 1 {
		s.submit = s.submit[1:]
	}
	return answer()
}

func (s *service) WatchGame(request *v1.WatchGameRequest, stream grpc.ServerStreamingServer[v1.WatchGameResponse]) error {
	s.mutex.Lock()
	s.cursors = append(s.cursors, request.Cursor)
	var messages []*v1.WatchGameResponse
	if len(s.streams) > 0 {
		messages, s.streams = s.streams[0], s.streams[1:]
	}
	s.mutex.Unlock()
	for _, message := range messages {
		if err := stream.Send(message); err != nil {
			return err
		}
	}
	if messages == nil { // it says nothing more
		<-stream.Context().Done()
	}
	return nil
}

// serve is a client of a service, for as long as the test lasts.
func serve(t *testing.T, s *service) *coltexpress.Client {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	v1.RegisterGameServiceServer(server, s)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return connect(t, listener.Addr().String())
}

// serveReset is serve behind a proxy: the first call of each method ends as when the server behind is
// killed. What it had answered until then, but not how it ended, has been passed on.
func serveReset(t *testing.T, s *service) *coltexpress.Client {
	t.Helper()
	server := grpc.NewServer()
	v1.RegisterGameServiceServer(server, s)
	var met sync.Map
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	proxy := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		server.ServeHTTP(w, r)
		if _, again := met.LoadOrStore(r.URL.Path, true); !again {
			panic(http.ErrAbortHandler) // RST_STREAM with INTERNAL_ERROR
		}
	}))
	proxy.Config.Protocols = protocols
	proxy.Start()
	t.Cleanup(proxy.Close)
	return connect(t, proxy.Listener.Addr().String())
}

func connect(t *testing.T, address string) *coltexpress.Client {
	t.Helper()
	client, err := coltexpress.NewClient(address, coltexpress.WithRetries(quick))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func sit(t *testing.T, client *coltexpress.Client) *coltexpress.Seat {
	t.Helper()
	seat, err := client.Seat(t.Context(), game, "secret")
	if err != nil {
		t.Fatal(err)
	}
	return seat
}

func refusal(code codes.Code, details ...protoadapt.MessageV1) error {
	refused, err := status.New(code, "no").WithDetails(details...)
	if err != nil {
		panic(err)
	}
	return refused.Err()
}

func info(reason string, metadata map[string]string) *errdetails.ErrorInfo {
	return &errdetails.ErrorInfo{Domain: "coltexpress", Reason: reason, Metadata: metadata}
}

func refuse[T any](err error) func() (T, error) {
	return func() (nothing T, _ error) { return nothing, err }
}

func commit(version int64, cursor string, decisions ...string) *v1.Commit {
	commit := &v1.Commit{Version: version, Cursor: cursor}
	for _, id := range decisions {
		options := []*v1.Option{{OptionId: "new.kind:1"}}
		commit.Decisions = append(commit.Decisions, &v1.Decision{Id: id, Seat: 1, Options: options})
	}
	return commit
}

func step(commit *v1.Commit) *v1.WatchGameResponse {
	return &v1.WatchGameResponse{Message: &v1.WatchGameResponse_Commit{Commit: commit}}
}

func snapshot() *v1.WatchGameResponse {
	return &v1.WatchGameResponse{Message: &v1.WatchGameResponse_Game{
		Game: &v1.Game{Name: game, Version: 1, Cursor: "c1"},
	}}
}

func end(reason v1.EndOfStream_Reason) *v1.WatchGameResponse {
	return &v1.WatchGameResponse{Message: &v1.WatchGameResponse_End{End: &v1.EndOfStream{Reason: reason}}}
}

var (
	option   = &v1.Option{OptionId: "decline"}
	decision = &v1.Decision{Id: "d1", Options: []*v1.Option{option}}
)

func TestAnAnswerIsRepeatedWithItsRequestIDUntilThereIsAReply(t *testing.T) {
	s := &service{submit: []func() (*v1.SubmitActionResponse, error){
		refuse[*v1.SubmitActionResponse](status.Error(codes.Unavailable, "gone")),
		refuse[*v1.SubmitActionResponse](refusal(codes.Aborted, info("CONFLICT", nil))),
		func() (*v1.SubmitActionResponse, error) {
			return &v1.SubmitActionResponse{Commit: commit(5, "c5")}, nil
		},
	}}
	answered, err := sit(t, serve(t, s)).Submit(t.Context(), decision, option)
	if err != nil || answered.Version != 5 {
		t.Fatal(answered, err)
	}
	if len(s.requestIDs) != 3 || len(slices.Compact(slices.Clone(s.requestIDs))) != 1 || len(s.requestIDs[0]) != 36 {
		t.Error(s.requestIDs)
	}
}

func TestARefusalSaysWhyAndIsNotTriedAgain(t *testing.T) {
	wrong := refusal(codes.InvalidArgument, info("INVALID_FIELD", map[string]string{"field": "option_id"}))
	s := &service{submit: []func() (*v1.SubmitActionResponse, error){refuse[*v1.SubmitActionResponse](wrong)}}
	_, err := sit(t, serve(t, s)).Submit(t.Context(), decision, option)
	var refused *coltexpress.Error
	if !errors.As(err, &refused) || refused.Code != codes.InvalidArgument || refused.Field != "option_id" {
		t.Error(err)
	}
	if coltexpress.Reason(err) != "INVALID_FIELD" || len(s.requestIDs) != 1 {
		t.Error(err, s.requestIDs)
	}
}

func TestWhatAProxyResetsIsRepeatedAndResumed(t *testing.T) {
	s := &service{
		streams: [][]*v1.WatchGameResponse{
			{snapshot(), step(commit(2, "c2"))},
			{step(commit(3, "c3")), end(v1.EndOfStream_REASON_GAME_OVER)},
		},
		submit: []func() (*v1.SubmitActionResponse, error){func() (*v1.SubmitActionResponse, error) {
			return &v1.SubmitActionResponse{Commit: commit(5, "c5")}, nil
		}},
	}
	seat := sit(t, serveReset(t, s))
	if _, err := seat.Submit(t.Context(), decision, option); err != nil {
		t.Fatal(err)
	}
	if len(s.requestIDs) != 2 || s.requestIDs[0] != s.requestIDs[1] {
		t.Error(s.requestIDs)
	}
	var seen []string
	for step, err := range seat.Watch(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, step.Cursor())
	}
	if !slices.Equal(seen, []string{"c1", "c2", "c3"}) || !slices.Equal(s.cursors, []string{"", "c2"}) {
		t.Error(seen, s.cursors)
	}
}

func TestWhatEndsWithoutAReasonIsNoAnswerOfTheService(t *testing.T) {
	for _, code := range []codes.Code{codes.Internal, codes.Unknown} {
		other := &errdetails.ErrorInfo{Domain: "a.proxy", Reason: "GONE"}
		s := &service{get: []func() (*v1.Game, error){
			refuse[*v1.Game](refusal(code)), refuse[*v1.Game](refusal(code, other)),
		}}
		if _, err := serve(t, s).Get(t.Context(), game); err != nil || len(s.times) != 3 {
			t.Error(err, s.times)
		}
	}
}

func TestADefectOfTheServiceIsAnAnswer(t *testing.T) {
	s := &service{get: []func() (*v1.Game, error){
		refuse[*v1.Game](refusal(codes.Internal, info("INTERNAL", nil))),
	}}
	if _, err := serve(t, s).Get(t.Context(), game); coltexpress.Reason(err) != "INTERNAL" || len(s.times) != 1 {
		t.Error(err, s.times)
	}
}

func TestWhatCannotBeSentIsNotTriedAgain(t *testing.T) {
	s := &service{}
	client := serve(t, s)
	var failed *coltexpress.Error
	wrong := func(err error, about string) {
		t.Helper()
		if !errors.As(err, &failed) || failed.Code != codes.InvalidArgument || !strings.Contains(failed.Message, about) {
			t.Error(err)
		}
		if strings.Contains(failed.Error(), "secret") {
			t.Error("it tells a secret")
		}
	}
	_, err := client.Get(t.Context(), "games/\xff")
	wrong(err, "UTF-8")
	_, err = client.Seat(t.Context(), game, "secret\n")
	wrong(err, "authorization")
	for _, err := range client.Watch(t.Context(), game, "\xff") {
		wrong(err, "UTF-8")
	}
	if len(s.times) != 0 || len(s.cursors) != 0 {
		t.Error(s.times, s.cursors)
	}
}

func TestAnAnswerThatComesTooLateIsToldFromOtherErrors(t *testing.T) {
	closed := refusal(codes.Aborted, info("DECISION_CLOSED", nil))
	s := &service{submit: []func() (*v1.SubmitActionResponse, error){refuse[*v1.SubmitActionResponse](closed)}}
	_, err := sit(t, serve(t, s)).Submit(t.Context(), decision, option)
	if !errors.Is(err, coltexpress.ErrDecisionClosed) {
		t.Error(err)
	}
}

func TestTheServiceSaysWhenToComeBack(t *testing.T) {
	later := &errdetails.RetryInfo{RetryDelay: durationpb.New(50 * time.Millisecond)}
	s := &service{get: []func() (*v1.Game, error){
		refuse[*v1.Game](refusal(codes.ResourceExhausted, info("TOO_MANY", nil), later)),
	}}
	if _, err := serve(t, s).Get(t.Context(), game); err != nil {
		t.Fatal(err)
	}
	if waited := s.times[1].Sub(s.times[0]); waited < 50*time.Millisecond {
		t.Error(waited)
	}
}

func TestAWatchResumesBehindWhatItHasBroughtAndBeginsAnewWhereThatIsLost(t *testing.T) {
	s := &service{streams: [][]*v1.WatchGameResponse{
		{snapshot(), step(commit(2, "c2"))},
		{step(commit(3, "c3")), {}, end(v1.EndOfStream_REASON_DRAINING)},
		{end(v1.EndOfStream_REASON_CURSOR_UNKNOWN)},
		{snapshot(), end(v1.EndOfStream_REASON_GAME_OVER)},
	}}
	var seen []string
	for step, err := range serve(t, s).Watch(t.Context(), game, "") {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, step.Cursor())
	}
	if !slices.Equal(seen, []string{"c1", "c2", "c3", "c1"}) || !slices.Equal(s.cursors, []string{"", "c2", "c3", ""}) {
		t.Error(seen, s.cursors)
	}
}

func TestAGameThatIsGoneIsWatchedNoLonger(t *testing.T) {
	s := &service{streams: [][]*v1.WatchGameResponse{{snapshot(), end(v1.EndOfStream_REASON_GAME_DELETED)}}}
	var last error
	for _, last = range serve(t, s).Watch(t.Context(), game, "") {
	}
	if coltexpress.Reason(last) != "GAME_DELETED" || len(s.cursors) != 1 {
		t.Error(last, s.cursors)
	}
}

func TestEachOpenDecisionComesOnceUntilTheGameIsOver(t *testing.T) {
	s := &service{
		streams: [][]*v1.WatchGameResponse{{
			snapshot(), step(commit(2, "c2", "d1")), step(commit(3, "c3", "d2")), step(commit(4, "c4", "d2")),
			end(v1.EndOfStream_REASON_GAME_OVER),
		}},
		submit: []func() (*v1.SubmitActionResponse, error){func() (*v1.SubmitActionResponse, error) {
			return &v1.SubmitActionResponse{Commit: commit(3, "c3", "d2")}, nil
		}},
	}
	seat := sit(t, serve(t, s))
	asked := map[string]int{}
	for decision, err := range seat.Decisions(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		asked[decision.Id]++
		if _, err := seat.Submit(t.Context(), decision, decision.Options[0]); err != nil {
			t.Fatal(err)
		}
	}
	for id, times := range asked {
		if times != 1 {
			t.Error(id, times)
		}
	}
}

func TestWhoeverWaitsCanLeave(t *testing.T) {
	enough := errors.New("enough")
	ctx, leave := context.WithCancelCause(t.Context())
	seat := sit(t, serve(t, &service{}))
	time.AfterFunc(10*time.Millisecond, func() { leave(enough) })
	for decision, err := range seat.Decisions(ctx) {
		if !errors.Is(err, enough) {
			t.Error(decision, err)
		}
	}
	if ctx.Err() == nil {
		t.Error("it ended by itself")
	}
}
