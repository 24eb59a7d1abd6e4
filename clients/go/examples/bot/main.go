// Command bot takes a seat of a game, plays any option there is, and ends with the game.
//
//	bot -target localhost:50051 -game games/... [-seat 1] [-join-code CODE] [-name NAME]
//
// What is not given is looked for in the environment: COLTEXPRESS_TARGET, COLTEXPRESS_GAME,
// COLTEXPRESS_SEAT, COLTEXPRESS_JOIN_CODE.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strconv"

	"coltexpress.example/coltexpress"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	target := flag.String("target", variable("TARGET", "localhost:50051"), "`HOST:PORT` of the service")
	game := flag.String("game", variable("GAME", ""), "the game to join, `games/...`")
	seat := flag.String("seat", variable("SEAT", ""), "`number` of the seat; any free one by default")
	joinCode := flag.String("join-code", variable("JOIN_CODE", ""), "what joining a private game takes")
	name := flag.String("name", "Go bot", "what the others see")
	flag.Parse()
	options := coltexpress.JoinOptions{DisplayName: *name, JoinCode: *joinCode}
	if err := join(&options, *seat, *game); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if err := play(ctx, *target, *game, options); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func variable(name, otherwise string) string {
	if value := os.Getenv("COLTEXPRESS_" + name); value != "" {
		return value
	}
	return otherwise
}

// join puts the seat into the options, and checks what was given.
func join(options *coltexpress.JoinOptions, seat, game string) error {
	if game == "" {
		return errors.New("which game? give -game or COLTEXPRESS_GAME")
	}
	if seat == "" {
		return nil
	}
	number, err := strconv.ParseInt(seat, 10, 32)
	if err != nil {
		return fmt.Errorf("a seat is a number: %w", err)
	}
	options.Seat = new(int32)
	*options.Seat = int32(number)
	return nil
}

// play takes a seat and answers its decisions until the game is over.
func play(ctx context.Context, target, game string, options coltexpress.JoinOptions) error {
	client, err := coltexpress.NewClient(target)
	if err != nil {
		return err
	}
	defer client.Close()
	seat, err := client.Join(ctx, game, options)
	if err != nil {
		return err
	}
	fmt.Println(options.DisplayName, "has", seat)
	for decision, err := range seat.Decisions(ctx) {
		if err != nil {
			return err
		}
		// Whatever it is about, and however new: every option is legal, and has an id.
		option := decision.Options[rand.IntN(len(decision.Options))]
		_, err = seat.Submit(ctx, decision, option)
		if err != nil && !errors.Is(err, coltexpress.ErrDecisionClosed) {
			return err
		}
	}
	return nil
}
