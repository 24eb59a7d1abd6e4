package coltexpress

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

const domain = "coltexpress"

// ErrDecisionClosed is what an answer meets that comes too late: the decision was answered
// elsewhere, or timed out, or the game has ended. Nothing was changed, and the game goes on, if it does.
var ErrDecisionClosed = &Error{
	Code:    codes.Aborted,
	Reason:  "DECISION_CLOSED",
	Message: "the decision is not open any more",
}

// Error is a request that was refused, or that failed.
type Error struct {
	// Code is the gRPC status.
	Code codes.Code
	// Message is one sentence for developers.
	Message string
	// Reason is a value of v1.ErrorReason without its prefix, for programs to branch on; empty
	// where the error does not come from the service itself.
	Reason string
	// Field is the field of the request that is wrong, e.g. "seats[1].figures"; often empty.
	Field string
	// Rule is the paragraph of the rules that forbids a choice, e.g. "1.6.4"; often empty.
	Rule string
	// Metadata is what else the service says, by name.
	Metadata map[string]string
	// Text is one sentence for players, in the client's language; empty where it has none.
	Text string
	// RetryAfter is when the service wants to be asked again; negative if it says nothing.
	RetryAfter time.Duration

	cause error
}

// Error is the message and what it is about, in one line.
func (e *Error) Error() string {
	about := []string{e.Reason}
	if e.Reason == "" {
		about[0] = e.Code.String()
	}
	if e.Field != "" {
		about = append(about, "field "+e.Field)
	}
	if e.Rule != "" {
		about = append(about, "rule "+e.Rule)
	}
	return fmt.Sprintf("coltexpress: %s (%s)", e.Message, strings.Join(about, ", "))
}

// Unwrap gives the error of gRPC, if that is where this one comes from.
func (e *Error) Unwrap() error { return e.cause }

// Is tells errors of the service by their reason: errors.Is(err, ErrDecisionClosed).
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && e.Reason != "" && e.Reason == other.Reason
}

// Reason is why the service refused a request, e.g. "SEAT_TAKEN"; empty for any other error.
func Reason(err error) string {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.Reason
	}
	return ""
}

// errorOf is the typed error that a failed call stands for.
func errorOf(err error) *Error {
	failed := status.Convert(err)
	e := &Error{Code: failed.Code(), Message: failed.Message(), RetryAfter: -1, cause: err}
	for _, detail := range failed.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			if detail.Domain == domain {
				e.Reason, e.Metadata = detail.Reason, detail.Metadata
				e.Field, e.Rule = detail.Metadata["field"], detail.Metadata["rule"]
			}
		case *errdetails.RetryInfo:
			e.RetryAfter = detail.RetryDelay.AsDuration()
		case *errdetails.LocalizedMessage:
			e.Text = detail.Message
		}
	}
	return e
}

// unprintable is whether a header cannot carry a character.
func unprintable(r rune) bool { return r < ' ' || r > '~' }

// unsendable is the error of a request that gRPC cannot send, if it cannot. gRPC itself ends such a
// call as if it had broken on the way.
func unsendable(headers metadata.MD, request any) error {
	var cause error
	for name, values := range headers {
		for _, value := range values {
			binary := strings.HasSuffix(name, "-bin")
			if !binary && strings.ContainsFunc(value, unprintable) {
				cause = fmt.Errorf("the header %s is not of printable ASCII", name)
			}
		}
	}
	if message, ok := request.(proto.Message); ok && cause == nil {
		_, cause = proto.Marshal(message)
	}
	if cause == nil {
		return nil
	}
	return &Error{Code: codes.InvalidArgument, Message: cause.Error(), RetryAfter: -1, cause: cause}
}

// unreachable is whether it is left open that the request was carried out.
func (e *Error) unreachable() bool {
	switch e.Code {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled:
		return true
	case codes.Internal, codes.Unknown:
		// The service gives a reason for all that it refuses: so a proxy ends what it was passing on
		// when the server behind it is gone.
		return e.Reason == ""
	default:
		return false
	}
}

// mayPass is whether the same request may succeed later.
func (e *Error) mayPass() bool {
	return e.unreachable() || e.Reason == "CONFLICT" ||
		e.Code == codes.ResourceExhausted && e.RetryAfter >= 0
}
