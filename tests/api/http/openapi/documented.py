"""Holds answers of a server against the document that it gives of itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import jsonschema_rs

JSON = "application/json"
# What is refused before it is known which operation is meant.
ANYWHERE = {"PATH_UNKNOWN", "VERB_NOT_ALLOWED", "TOO_MANY", "INTERNAL"}
# What HTTP alone cannot say, or only operators are told.
NOT_SAID = {"ADMIN_KEY_MISSING"}


@dataclass
class Operation:
    """An operation, found by verb and path."""

    verb: str
    pattern: re.Pattern[str]
    described: Mapping[str, Any]


class Documented:
    """A document, ready to be compared with what is answered."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.operations = [
            Operation(verb.upper(), _pattern(path), operation)
            for path, operations in document["paths"].items()
            for verb, operation in operations.items()
        ]
        self._validators: dict[str, Any] = {}

    def operation(self, verb: str, path: str) -> Mapping[str, Any] | None:
        """The operation that a request means; None where there is none."""
        for each in self.operations:
            if each.verb == verb and each.pattern.fullmatch(path):
                return each.described
        return None

    def check(self, schema: Mapping[str, Any], value: object) -> None:
        """Fails where a value does not fit a schema of the document."""
        key = repr(schema)
        if key not in self._validators:
            whole = {**schema, "components": self.document["components"]}
            self._validators[key] = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        wrong = [
            f"{'.'.join(map(str, error.instance_path))}: {error.message[:300]}"
            for error in self._validators[key].iter_errors(value)
        ]
        assert not wrong, wrong

    def check_answer(self, answer: httpx.Response) -> None:
        """Fails where an answer is none that the document tells of."""
        verb, path = answer.request.method, answer.request.url.raw_path.decode().partition("?")[0]
        if verb == "HEAD" or not path.startswith("/v1/"):
            return
        operation = self.operation(verb, path)
        if not answer.is_success:
            error = answer.json()
            self.check({"$ref": "#/components/schemas/Error"}, error)
            reason = error["error"]["details"][0]["reason"]
            if reason in ANYWHERE | NOT_SAID:
                return
            assert operation is not None, f"{verb} {path} is refused for {reason}"
            response = operation["responses"].get(str(answer.status_code))
            where = f"{operation['operationId']}: {answer.status_code} {reason}"
            assert response is not None, where
            assert f"`{reason}`" in response["description"], where
        elif operation is not None:
            content = operation["responses"][str(answer.status_code)]["content"]
            self.check(content[JSON]["schema"], answer.json())


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile("[^/:]+".join(map(re.escape, re.split(r"\{\w+\}", path))))
