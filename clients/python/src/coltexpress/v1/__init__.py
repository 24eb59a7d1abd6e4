"""The stubs of the API, generated from `protos/coltexpress/v1` by `make proto`."""
