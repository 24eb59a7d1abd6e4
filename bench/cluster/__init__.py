"""A fleet under load: replicas behind Envoy on one store, all on this machine, with the clients.

`make bench-cluster` runs it. What is started, and who plays, is in tests/deploy, which tries the
same in small.
"""
