"""The whole schema of the API as one message, for programs that read it at run time."""

from __future__ import annotations

from typing import Final

from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.rpc import error_details_pb2

from coltexpress_server.api.services import ADMIN, CATALOG, GAMES, SEATS, SERVER

# Details of errors travel as Any: no file of the API imports what is in them.
_ROOTS: Final = (
    *(service.file for service in (ADMIN, CATALOG, GAMES, SEATS, SERVER)),
    error_details_pb2.DESCRIPTOR,
)


def descriptor_set() -> FileDescriptorSet:
    """Every file of the API and what they import, each after those that it imports.

    The same as `protoc --include_imports --descriptor_set_out` makes of the protos, with the
    details of errors.
    """
    found = FileDescriptorSet()
    seen: set[str] = set()

    def add(file: FileDescriptor) -> None:
        if file.name in seen:
            return
        seen.add(file.name)
        for each in file.dependencies:
            add(each)
        file.CopyToProto(found.file.add())

    for root in _ROOTS:
        add(root)
    return found
