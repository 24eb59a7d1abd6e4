package coltexpress

import (
	"context"
	"math/rand/v2"
	"time"
)

// Retries says how often and how fast a failed call is tried again. Repeating a call is safe: all
// that changes something carries a request id, and the service carries a request out once.
type Retries struct {
	// Attempt is how long one attempt may take.
	Attempt time.Duration
	// Patience is how long after the first failure no further attempt is begun; 0 never tries twice.
	Patience time.Duration
	// FirstWait is waited before the second attempt, and doubled before each further one. What is
	// waited is a random part of it, so that clients do not come back all at once.
	FirstWait time.Duration
	// LongestWait is what doubling stops at.
	LongestWait time.Duration
}

// DefaultRetries try for a minute, ever more slowly.
var DefaultRetries = Retries{
	Attempt:     10 * time.Second,
	Patience:    time.Minute,
	FirstWait:   100 * time.Millisecond,
	LongestWait: 5 * time.Second,
}

// trying is the attempts at one request.
type trying struct {
	retries Retries
	giveUp  time.Time
	wait    time.Duration
}

func (r Retries) begin() *trying {
	t := &trying{retries: r}
	t.succeeded()
	return t
}

// succeeded forgets the failures so far.
func (t *trying) succeeded() {
	t.giveUp = time.Time{}
	t.wait = t.retries.FirstWait
}

// waitAfter waits before the next attempt. It returns the error if another attempt is of no use or
// comes too late, and that of the context if it is over.
func (t *trying) waitAfter(ctx context.Context, err *Error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !err.mayPass() {
		return err
	}
	now := time.Now()
	if t.giveUp.IsZero() {
		t.giveUp = now.Add(t.retries.Patience)
	}
	wait := err.RetryAfter
	if wait < 0 {
		wait = time.Duration(float64(t.wait) * (0.5 + rand.Float64()/2))
		t.wait = min(2*t.wait, t.retries.LongestWait)
	}
	if now.Add(wait).After(t.giveUp) {
		return err
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(wait):
		return nil
	}
}
