// Package coltexpress plays on a Colt Express service.
//
//	client, err := coltexpress.NewClient("localhost:50051")
//	...
//	seat, err := client.Join(ctx, "games/...", coltexpress.JoinOptions{})
//	...
//	for decision, err := range seat.Decisions(ctx) {
//		...
//		_, err = seat.Submit(ctx, decision, decision.Options[0])
//	}
//
// It speaks the messages of package v1, which are generated from the service's protos. What has no
// method here is called by [Call], with the same metadata and the same retries.
package coltexpress
