package coltexpress

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"strings"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	v1 "coltexpress.example/coltexpress/v1"
)

// largestReply is as much as the service sends at most, in bytes.
const largestReply = 64 << 20

// Client is a connection to a Colt Express service. It is safe for concurrent use.
type Client struct {
	// Games, Seats, Server and Catalog are the service's methods as they are; see Call.
	Games   v1.GameServiceClient
	Seats   v1.SeatServiceClient
	Server  v1.ServerServiceClient
	Catalog v1.CatalogServiceClient

	connection *grpc.ClientConn
	headers    metadata.MD
	retries    Retries
}

// Option changes what NewClient makes.
type Option func(*settings)

type settings struct {
	headers metadata.MD
	retries Retries
	dialing []grpc.DialOption
}

// WithAPIKey shows who the caller is; without it he is anonymous.
func WithAPIKey(key string) Option {
	return func(s *settings) { s.headers.Set("x-api-key", key) }
}

// WithLanguage asks for prompts, labels and all other texts in a language, e.g. "es"; several in
// the order of preference as in the header Accept-Language.
func WithLanguage(language string) Option {
	return func(s *settings) { s.headers.Set("accept-language", language) }
}

// WithRetries says when to try again and when to give up, instead of DefaultRetries.
func WithRetries(retries Retries) Option {
	return func(s *settings) { s.retries = retries }
}

// WithTLS connects by TLS; an empty configuration trusts whom the system trusts.
func WithTLS(config *tls.Config) Option {
	return WithDialOptions(grpc.WithTransportCredentials(credentials.NewTLS(config)))
}

// WithDialOptions passes options on to gRPC.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.dialing = append(s.dialing, options...) }
}

// NewClient makes a client. The target is named as gRPC names servers: "host:port", or
// "dns:///host:port" for all replicas behind a name. Nothing is sent before the first call.
func NewClient(target string, options ...Option) (*Client, error) {
	s := settings{
		headers: metadata.MD{},
		retries: DefaultRetries,
		dialing: []grpc.DialOption{
			grpc.WithTransportCredentials(insecure.NewCredentials()),
			// Where a name stands for several replicas: use them all.
			grpc.WithDefaultServiceConfig(`{"loadBalancingConfig": [{"round_robin": {}}]}`),
			// What is tried again, and when, is said in Retries.
			grpc.WithDisableRetry(),
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(largestReply)),
			// The library's own, a second to two minutes, is slow to find a restarted server.
			grpc.WithConnectParams(grpc.ConnectParams{
				Backoff: backoff.Config{
					BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 2 * time.Second,
				},
				MinConnectTimeout: 5 * time.Second,
			}),
			// Find out that the other side is gone even where it cannot say so.
			grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
		},
	}
	for _, option := range options {
		option(&s)
	}
	connection, err := grpc.NewClient(target, s.dialing...)
	if err != nil {
		return nil, err
	}
	return &Client{
		Games:      v1.NewGameServiceClient(connection),
		Seats:      v1.NewSeatServiceClient(connection),
		Server:     v1.NewServerServiceClient(connection),
		Catalog:    v1.NewCatalogServiceClient(connection),
		connection: connection,
		headers:    s.headers,
		retries:    s.retries,
	}, nil
}

// Close ends the connection; calls in flight fail.
func (c *Client) Close() error { return c.connection.Close() }

// Method is a method of the service that gives one answer, e.g. client.Games.ListGames.
type Method[Request, Response any] func(context.Context, Request, ...grpc.CallOption) (Response, error)

// Call calls a method until it answers, with the same request every time. A request that changes
// something needs a request id, NewRequestID, to be safe to repeat.
//
// The token is a host's or a seat's; empty to call as a spectator. Errors are of type *Error, but
// for those of the context.
func Call[Request, Response any](
	ctx context.Context, c *Client, token string, method Method[Request, Response], request Request,
) (Response, error) {
	return callFor(ctx, c, token, method, request, c.retries.Attempt)
}

// callFor is Call with the time that one attempt may take.
func callFor[Request, Response any](
	ctx context.Context, c *Client, token string, method Method[Request, Response], request Request,
	limit time.Duration,
) (Response, error) {
	ctx, err := c.outgoing(ctx, token, request)
	if err != nil {
		var none Response
		return none, err
	}
	trying := c.retries.begin()
	for {
		attempt, cancel := context.WithTimeout(ctx, limit)
		response, err := method(attempt, request)
		cancel()
		if err == nil {
			return response, nil
		}
		if err := trying.waitAfter(ctx, errorOf(err)); err != nil {
			return response, err
		}
	}
}

// gameOf is the name of the game that a request is about, if a header can carry it; else empty.
func gameOf(request any) string {
	var name string
	switch request := request.(type) {
	case interface{ GetName() string }:
		name = request.GetName()
	case interface{ GetParent() string }:
		name = request.GetParent()
	}
	if strings.ContainsFunc(name, unprintable) {
		return ""
	}
	return name
}

// outgoing is a context that shows who calls, about which game, and which language he speaks; an
// error where that, or the request, cannot be sent.
func (c *Client) outgoing(ctx context.Context, token string, request any) (context.Context, error) {
	headers := c.headers.Copy()
	if token != "" {
		headers.Set("authorization", "Bearer "+token)
	}
	// A proxy may lead all calls about a game to the same server, which then has it at hand.
	if game := gameOf(request); game != "" {
		headers.Set("x-game", game)
	}
	given, _ := metadata.FromOutgoingContext(ctx)
	headers = metadata.Join(given, headers)
	return metadata.NewOutgoingContext(ctx, headers), unsendable(headers, request)
}

// NewRequestID is a UUID of version 4: a request's, so that it is carried out once however often it
// comes. A secret.
func NewRequestID() string { return uuid.NewString() }

// Info is versions and limits of the server.
func (c *Client) Info(ctx context.Context) (*v1.ServerInfo, error) {
	return Call(ctx, c, "", c.Server.GetServerInfo, &v1.GetServerInfoRequest{})
}

// Create creates a game, of which options, visibility, seats, clock and stand-in count. A request
// for anything else is made with Call.
func (c *Client) Create(ctx context.Context, game *v1.Game) (*Host, error) {
	request := &v1.CreateGameRequest{Game: game, RequestId: NewRequestID()}
	created, err := Call(ctx, c, "", c.Games.CreateGame, request)
	if err != nil {
		return nil, err
	}
	return &Host{
		Game: created.Game.Name, Token: created.HostToken, JoinCode: created.Game.JoinCode, client: c,
	}, nil
}

// Host comes back to a game created before, from this process or another one.
func (c *Client) Host(game, token string) *Host {
	return &Host{Game: game, Token: token, client: c}
}

// Find is the game that has a join code, as people type it.
func (c *Client) Find(ctx context.Context, joinCode string) (*v1.Game, error) {
	return Call(ctx, c, "", c.Games.FindGame, &v1.FindGameRequest{JoinCode: joinCode})
}

// Get is the game as it is, as a spectator sees it.
func (c *Client) Get(ctx context.Context, game string) (*v1.Game, error) {
	return Call(ctx, c, "", c.Games.GetGame, &v1.GetGameRequest{Name: game})
}

// JoinOptions say which seat is taken, and by whom.
type JoinOptions struct {
	// Seat is its number; nil for any that is free.
	Seat *int32
	// Figures are the bandits to play; none to play those of the seat, or to have them dealt.
	Figures []string
	// DisplayName is what the player is called, shown to everybody.
	DisplayName string
	// JoinCode is what joining a PRIVATE game takes.
	JoinCode string
	// Entropy is mixed into the shuffles, so that nobody else can choose them; nil for 32 random
	// bytes.
	Entropy []byte
	// RequestID repeats a request made before; empty for a new one.
	RequestID string
}

// Join takes a seat of a game that has not begun. The game is named "games/...".
func (c *Client) Join(ctx context.Context, game string, options JoinOptions) (*Seat, error) {
	if options.Entropy == nil {
		options.Entropy = make([]byte, 32)
		rand.Read(options.Entropy) // never fails
	}
	if options.RequestID == "" {
		options.RequestID = NewRequestID()
	}
	joined, err := Call(ctx, c, "", c.Games.JoinGame, &v1.JoinGameRequest{
		Name:        game,
		Seat:        options.Seat,
		Figures:     options.Figures,
		DisplayName: options.DisplayName,
		Entropy:     options.Entropy,
		JoinCode:    options.JoinCode,
		RequestId:   options.RequestID,
	})
	if err != nil {
		return nil, err
	}
	return newSeat(c, game, joined.Seat, joined.SeatToken), nil
}

// Seat comes back to a seat taken before, from this process or another one.
func (c *Client) Seat(ctx context.Context, game, token string) (*Seat, error) {
	seen, err := Call(ctx, c, token, c.Games.GetGame, &v1.GetGameRequest{Name: game})
	if err != nil {
		return nil, err
	}
	return newSeat(c, game, seen.GetViewer(), token), nil
}
