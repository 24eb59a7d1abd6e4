package coltexpress

import (
	"context"
	"fmt"

	v1 "coltexpress.example/coltexpress/v1"
)

// Host is whoever created a game. Made by Client.Create and Client.Host.
type Host struct {
	// Game is the game's name, "games/...".
	Game string
	// Token shows that its bearer is the host. A secret.
	Token string
	// JoinCode is by which others find the game, to be read out to friends; empty where the host
	// came back.
	JoinCode string

	client *Client
}

// String is the host without token and join code.
func (h *Host) String() string { return fmt.Sprintf("host of %s", h.Game) }

// GoString is String, so that %#v shows no token either.
func (h *Host) GoString() string { return h.String() }

// AddBot puts a bot of the service on a free seat. The level is one of ServerInfo.BotLevels.
func (h *Host) AddBot(ctx context.Context, level string) (*v1.Game, error) {
	request := &v1.AddBotRequest{Name: h.Game, Level: level, RequestId: NewRequestID()}
	return Call(ctx, h.client, h.Token, h.client.Games.AddBot, request)
}

// Start begins the game, when all seats are taken.
func (h *Host) Start(ctx context.Context) (*v1.Game, error) {
	request := &v1.StartGameRequest{Name: h.Game, RequestId: NewRequestID()}
	return Call(ctx, h.client, h.Token, h.client.Games.StartGame, request)
}

// Delete removes the game and all that is stored of it; whoever watches it is told.
func (h *Host) Delete(ctx context.Context) error {
	request := &v1.DeleteGameRequest{Name: h.Game, RequestId: NewRequestID()}
	_, err := Call(ctx, h.client, h.Token, h.client.Games.DeleteGame, request)
	return err
}
