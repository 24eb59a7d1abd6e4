"""Which method a verb and a path mean: the google.api.http annotations of the protos."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from google.api import annotations_pb2
from google.api.http_pb2 import HttpRule

from coltexpress_server.api.http.templates import PathTemplate
from coltexpress_server.api.methods import Method
from coltexpress_server.service.refusals import Refused

_VERBS: Final = ("get", "put", "post", "delete", "patch")


@dataclass(frozen=True, slots=True)
class Binding:
    """One way to call a method.

    verb: of HTTP, in capitals. template: of the path.
    body: "*" where the body is the request, a field's name where it is that field, empty where
        nothing is read from it.
    """

    method: Method
    verb: str
    template: PathTemplate
    body: str


class Bindings:
    """All bindings of some methods, in the order of the protos.

    every: the bindings.
    """

    def __init__(self, methods: Iterable[Method]) -> None:
        """Reads the annotations of the methods. Raises ValueError for a template that is none."""
        self.every: Final = [binding for method in methods for binding in _bindings_of(method)]

    def find(self, verb: str, raw_path: str) -> tuple[Binding, Mapping[str, str]]:
        """The binding of a request, and what its path binds: field path to value.

        Raises Refused: PATH_UNKNOWN, VERB_NOT_ALLOWED with the verbs that are, as `allow`.
        """
        allowed = []
        for binding in self.every:
            bound = binding.template.match(raw_path)
            if bound is not None:
                if binding.verb == verb:
                    return binding, bound
                allowed.append(binding.verb)
        if allowed:
            verbs = ", ".join(["OPTIONS", *allowed])
            raise Refused("VERB_NOT_ALLOWED", f"this path takes {verbs}", allow=verbs)
        raise Refused("PATH_UNKNOWN", "there is nothing at this path")


def _bindings_of(method: Method) -> Iterator[Binding]:
    http: Any = annotations_pb2.http  # its annotation does not say of what it is an extension
    rule: HttpRule = method.descriptor.GetOptions().Extensions[http]
    for each in (rule, *rule.additional_bindings):
        verb, path = _pattern_of(each)
        if path:
            yield Binding(method, verb, PathTemplate(path), each.body)


def _pattern_of(rule: HttpRule) -> tuple[str, str]:
    kind = rule.WhichOneof("pattern")
    if kind == "custom":
        return rule.custom.kind, rule.custom.path
    return (kind.upper(), getattr(rule, kind)) if kind in _VERBS else ("", "")
