"""The API over HTTP: REST as the protos' google.api.http annotations say, and what a browser needs.

No method has a handler here: requests become messages, and go to the methods that gRPC serves too.
"""
