"""The API called over REST, by the annotations of the protos, read here anew."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx
from google.api import annotations_pb2
from google.protobuf import descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from tests.promises.bad_requests import PATHS

Metadata = tuple[tuple[str, str | bytes], ...]

DESCRIPTORS: Mapping[str, MethodDescriptor] = {
    name: descriptor_pool.Default().FindMethodByName(path.lstrip("/").replace("/", "."))
    for name, path in PATHS.items()
}


class RestError(Exception):
    """An answer that is no success: its status and the error in it."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.error: dict[str, Any] = answer.json()["error"]
        super().__init__(f"{answer.status_code} {self.error}")

    @property
    def info(self) -> dict[str, Any]:
        """The ErrorInfo."""
        return self.detail("google.rpc.ErrorInfo")

    def detail(self, kind: str) -> dict[str, Any]:
        """The detail of a kind."""
        url = f"type.googleapis.com/{kind}"
        return next(each for each in self.error["details"] if each["@type"] == url)


class Rest:
    """A client: `await rest.GetGame(request, metadata=...)` as with a stub of gRPC."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    def __getattr__(self, name: str) -> Any:
        async def call(request: Message, metadata: Metadata = ()) -> Message:
            answer = await self.client.send(self.request(name, request, metadata))
            if answer.status_code != 200:
                raise RestError(answer)
            descriptor: Any = DESCRIPTORS[name].output_type
            response = message_factory.GetMessageClass(descriptor)()
            return json_format.Parse(answer.content, response)

        return call

    def request(self, name: str, message: Message, metadata: Metadata = ()) -> httpx.Request:
        """The request that means this message."""
        verb, path, body = rule_of(name)
        left = json_format.MessageToDict(message, preserving_proto_field_name=True)
        path = re.sub(
            r"\{([\w.]+)=[^}]*\}", lambda found: quote(_taken(left, found[1]), safe="/"), path
        )
        content = left if body == "*" else left.pop(body, {}) if body else None
        return self.client.build_request(
            verb,
            path,
            headers=[(name, str(value)) for name, value in metadata],
            params=None if body == "*" else dict(_flat(left)),
            json=content,
        )


def _taken(values: dict[str, Any], path: str) -> str:
    """Takes the value at a path away."""
    *way, last = path.split(".")
    for name in way:
        values = values.get(name, {})
    return str(values.pop(last, ""))


def rule_of(name: str) -> tuple[str, str, str]:
    """The verb, path and body of a method."""
    http: Any = annotations_pb2.http
    rule = DESCRIPTORS[name].GetOptions().Extensions[http]
    verb = rule.WhichOneof("pattern")
    return verb.upper(), getattr(rule, verb), rule.body


def _flat(values: Mapping[str, Any], before: str = "") -> Any:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, str(value).lower() if isinstance(value, bool) else value
