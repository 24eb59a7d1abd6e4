"""The settings of one process of the service.

Each is also an environment variable, COLTEXPRESS_ and its name in capitals, and an option of
`colt-express serve`, which has the last word.
"""

from __future__ import annotations

import json
import os
import re
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import unquote

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from coltexpress_server import key_file

PREFIX: Final = "COLTEXPRESS_"

_DAY: Final = 86_400.0
_HEX_32_BYTES: Final = re.compile(r"[0-9a-fA-F]{64}")
_ENDPOINT: Final = re.compile(
    r"https?://([0-9A-Za-z.\-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[0-9A-Za-z._~/%\-]*)?"
)
_HEADER_NAME: Final = re.compile(r"[0-9A-Za-z!#$%&'*+.^_`|~\-]+")
_HEADER_VALUE: Final = re.compile(r"[!-~]([ -~]*[!-~])?")
_ORIGIN: Final = re.compile(r"\*|https?://[0-9A-Za-z.\-\[\]:]+")

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Wait = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Port = Annotated[int, Field(ge=0, le=65_535)]
Count = Annotated[int, Field(ge=1)]
# From the environment they come as they are, not as JSON.
Origins = Annotated[tuple[str, ...], NoDecode]
Networks = Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode]


class InvalidSettings(ValueError):
    """Settings with which no process can run; the message is one line and reveals no secret."""


def _state_folder() -> Path:
    return Path(os.environ.get("XDG_STATE_HOME") or "~/.local/state") / "colt-express"


class Settings(BaseSettings):
    """The settings; `read_settings` makes them.

    The description of a field is the help of its option. Times are in seconds, sizes in bytes.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="forbid", frozen=True, hide_input_in_errors=True
    )

    host: str = Field(
        "127.0.0.1",
        min_length=1,
        description="Address to listen on; 0.0.0.0 or :: for all of this machine's.",
    )
    grpc_port: Port = Field(50051, description="Port for gRPC; 0 for any that is free.")
    http_port: Port | None = Field(
        8080, description="Port for HTTP: REST, Connect, gRPC-Web; 0 for any that is free, or off."
    )
    cors_origins: Origins = Field(
        (),
        description="Origins whose pages may use the HTTP port, separated by commas, such as"
        " https://example.org; * for all.",
    )
    trusted_proxies: Networks = Field(
        (),
        description="Networks of the proxies in front, separated by commas, such as 10.0.0.0/8: of"
        " calls from there the caller's address is the last in x-forwarded-for that is none of"
        " theirs.",
    )
    metrics_port: Port | None = Field(
        None,
        description="Port for Prometheus' /metrics alone; without one it is on the HTTP port.",
    )
    tls_cert: Path | None = Field(
        None, description="File with the certificate chain (PEM); without one, no TLS."
    )
    tls_key: Path | None = Field(None, description="File with the certificate's private key (PEM).")

    redis: SecretStr | None = Field(
        None,
        description="URL of the Redis or Valkey that holds the games; without one, an embedded"
        " Valkey of our own.",
    )
    data_dir: Path = Field(
        default_factory=_state_folder,
        description="Folder of the embedded store and of the service's key; one process a folder.",
    )
    appendfsync: Literal["always", "everysec", "no"] = Field(
        "always",
        description="When the embedded store forces a commit to the disk: before it is answered,"
        " once a second, or when the system likes to.",
    )
    store_timeout_s: Seconds = Field(
        1.0, description="How long to wait for an answer of the store."
    )
    watch_buffer: Count = Field(
        256, description="How many steps of a game a watcher may lag behind before it is cut off."
    )

    service_key_hex: SecretStr | None = Field(
        None,
        description="The service's key, 64 hexadecimal digits: ids, tokens and the memory of"
        " requests are derived from it. The same for all replicas, and for ever.",
    )
    service_key_file: Path | None = Field(
        None,
        description="File with the service's key; made if it is missing. By default service.key in"
        " the data folder; with --redis there is no default.",
    )
    api_keys: dict[str, str] = Field(
        default_factory=dict,
        repr=False,
        description="API keys as a JSON object: a principal's name to the SHA-256 of its key in"
        " hexadecimal digits. Callers without a key are anonymous.",
    )
    admin_keys: dict[str, str] = Field(
        default_factory=dict,
        repr=False,
        description="Admin keys, written like API keys: an operator's name to the SHA-256 of its"
        " key. Whoever has such a key may look at, end, export and import all games.",
    )
    allow_fixed_seed: bool = Field(
        False, description="Let callers fix the seed of a game; for tests, never in earnest."
    )
    fixed_seed_hex: SecretStr | None = Field(
        None,
        description="Shuffle every game from this seed, 64 hexadecimal digits, and leave out what"
        " players bring to the shuffle; for tests, never in earnest: whoever knows it knows all"
        " hands.",
    )

    lobby_ttl_s: Seconds = Field(
        _DAY, description="How long a game that has not begun is kept after its last change."
    )
    running_ttl_s: Seconds = Field(
        30 * _DAY, description="How long a game in play is kept after its last change."
    )
    finished_ttl_s: Seconds = Field(30 * _DAY, description="How long a game is kept after its end.")
    watch_token_ttl_s: Seconds = Field(
        600.0, description="How long a watch can be begun with a token that was made for it."
    )
    longest_wait_s: Wait = Field(30.0, description="The longest wait of GetGame.")
    heartbeat_s: Seconds = Field(
        15.0, description="How often a watch on which nothing happens shows that it is alive."
    )
    sweep_interval_s: Seconds = Field(
        5.0,
        description="How often a process looks for games that another one has left waiting for a"
        " bot or past a deadline, and forgets those whose time is over.",
    )
    abandoned_after_s: Seconds = Field(
        7 * _DAY,
        description="How long a game in play without a clock waits for its players, until bots play"
        " it to its end.",
    )
    bot_pause_s: Wait = Field(
        0.0, description="How long a bot waits before it answers, so that people can follow."
    )
    games_cached: Count = Field(1000, description="How many games a process keeps at hand.")

    largest_request: Count = Field(64 * 1024, description="The largest request.")
    watch_patience_s: Seconds = Field(
        30.0,
        description="How long a watcher may leave what waits for it unread before it is cut off.",
    )
    max_watches: Count = Field(10_000, description="How many watches a process has open at most.")
    games_per_minute: Annotated[int, Field(ge=0)] = Field(
        60,
        description="How many games a principal may create in a minute, over all processes; of the"
        " anonymous, all that call from one address; 0 for any number.",
    )
    join_codes_per_minute: Annotated[int, Field(ge=0)] = Field(
        60,
        description="How many join codes a principal may try in a minute, over all processes; of"
        " the anonymous, all that call from one address; 0 for any number.",
    )
    webhooks_at_once: Annotated[int, Field(ge=0)] = Field(
        20,
        description="How many webhooks a process delivers at the same time; 0 to have no webhooks.",
    )
    webhook_timeout_s: Seconds = Field(
        10.0, description="How long delivering a webhook may take before it has failed."
    )
    webhook_retry_s: Seconds = Field(
        15.0,
        description="How long after a failed delivery it is tried again; each further pause is four"
        " times as long.",
    )
    webhook_attempts: Count = Field(
        6, description="How often a delivery is tried before it is given up."
    )
    webhook_failures: Count = Field(
        10, description="How many deliveries given up in a row disable a webhook."
    )
    allow_private_webhooks: bool = Field(
        False,
        description="Let webhooks lead to this machine, to private networks and to http; for tests"
        " and closed networks: whoever has a seat can make this process call them.",
    )
    max_calls: Count = Field(
        20_000, description="How many calls a process has open at most, watches included."
    )
    max_connection_age_s: Wait = Field(
        0.0,
        description="After how long a client is asked to connect anew, so that load spreads over"
        " new replicas; 0 for never.",
    )
    max_connection_age_grace_s: Seconds = Field(
        300.0, description="How long calls on a connection that has reached its age may go on."
    )
    keepalive_s: Seconds = Field(
        60.0, description="How often a silent connection is asked whether it is still there."
    )

    drain_s: Wait = Field(
        0.5,
        description="How long a process that is told to stop goes on, reporting NOT_SERVING, so"
        " that clients and load balancers turn away.",
    )
    grace_s: Wait = Field(
        10.0, description="How long calls may then take to end before they are cut off."
    )

    otlp_endpoint: str | None = Field(
        None,
        description="URL of an OpenTelemetry collector that gets traces over OTLP/HTTP, such as"
        " http://localhost:4318; without one, no traces are recorded.",
    )
    otlp_headers: SecretStr | None = Field(
        None,
        description="Headers for the collector, such as a credential: NAME=VALUE, separated by"
        " commas; a comma in a value is %2C.",
    )
    trace_ratio: Annotated[float, Field(ge=0, le=1)] = Field(
        1.0,
        description="How many of the traces that begin here are recorded, from 0 to 1; where a"
        " caller brings a trace, it says itself whether.",
    )

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least level that is logged."
    )
    log_format: Literal["auto", "json", "text"] = Field(
        "auto", description="How log lines look; auto: text on a terminal, else JSON."
    )

    @field_validator("data_dir", "tls_cert", "tls_key", "service_key_file")
    @classmethod
    def _expand(cls, path: Path | None) -> Path | None:
        return path.expanduser() if path is not None else None

    @field_validator("http_port", mode="before")
    @classmethod
    def _read_http_port(cls, port: object) -> object:
        return None if port == "off" else port

    @field_validator("cors_origins", mode="before")
    @classmethod
    def _read_origins(cls, origins: object) -> object:
        if isinstance(origins, str):
            return tuple(each.strip() for each in origins.split(",") if each.strip())
        return origins

    @field_validator("cors_origins")
    @classmethod
    def _check_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError("should be origins such as https://example.org, or *")
        return origins

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _read_networks(cls, networks: object) -> object:
        if not isinstance(networks, str):
            return networks
        try:
            return tuple(ip_network(each.strip()) for each in networks.split(",") if each.strip())
        except ValueError:
            raise ValueError("should be networks such as 10.0.0.0/8 or fd00::/8") from None

    @field_validator("service_key_hex", "fixed_seed_hex")
    @classmethod
    def _check_key(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and not _HEX_32_BYTES.fullmatch(key.get_secret_value()):
            raise ValueError("should be 64 hexadecimal digits")
        return key

    @field_validator("otlp_endpoint")
    @classmethod
    def _check_endpoint(cls, endpoint: str | None) -> str | None:
        if endpoint is not None and not _ENDPOINT.fullmatch(endpoint):
            raise ValueError("should be a URL such as http://localhost:4318; no user, no query")
        return endpoint

    @field_validator("otlp_headers")
    @classmethod
    def _check_headers(cls, headers: SecretStr | None) -> SecretStr | None:
        for name, value in _headers_of(headers).items():
            if not (_HEADER_NAME.fullmatch(name) and _HEADER_VALUE.fullmatch(value)):
                raise ValueError("should be NAME=VALUE, separated by commas")
        return headers

    @field_validator("api_keys", "admin_keys", mode="before")
    @classmethod
    def _read_api_keys(cls, api_keys: object) -> object:
        """Reads them where they are given as an option."""
        if not isinstance(api_keys, str):
            return api_keys
        try:
            return json.loads(api_keys)
        except ValueError:
            raise ValueError("should be a JSON object") from None

    @field_validator("api_keys", "admin_keys")
    @classmethod
    def _check_api_keys(cls, api_keys: dict[str, str]) -> dict[str, str]:
        for name, digest in api_keys.items():
            if not name or not _HEX_32_BYTES.fullmatch(digest):
                raise ValueError("should map names to 64 hexadecimal digits each")
        return api_keys

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("tls_cert and tls_key are given together or not at all")
        if (
            self.redis is not None
            and self.service_key_hex is None
            and self.service_key_file is None
        ):
            raise ValueError(
                "redis takes a service_key_hex or a service_key_file: all replicas need the same"
                " key (openssl rand -hex 32 makes one)"
            )
        return self

    @property
    def collector_headers(self) -> dict[str, str]:
        """The headers for the collector, by name."""
        return _headers_of(self.otlp_headers)

    @property
    def fixed_seed(self) -> bytes:
        """The seed of every game, 32 bytes; empty where each has a random one."""
        return bytes.fromhex(self.fixed_seed_hex.get_secret_value()) if self.fixed_seed_hex else b""

    @cached_property
    def service_key(self) -> bytes:
        """The service's key, 32 bytes.

        Raises:
            key_file.Unusable: its file cannot be read or made.
        """
        if self.service_key_hex is not None:
            return bytes.fromhex(self.service_key_hex.get_secret_value())
        return key_file.read_or_make(self.service_key_file or self.data_dir / "service.key")


def read_settings(**given: object) -> Settings:
    """The settings given, those of the environment for the others, defaults for the rest.

    Raises:
        InvalidSettings: one of them is wrong; the message names it.
    """
    try:
        return Settings(**given)  # type: ignore[arg-type] # pydantic checks what comes in
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise InvalidSettings(_named(first["loc"], first["msg"])) from None
    except SettingsError as error:
        # Its message names the field and its source, and does not repeat the value.
        raise InvalidSettings(str(error)) from None


def _headers_of(text: SecretStr | None) -> dict[str, str]:
    """Headers, written as OTEL_EXPORTER_OTLP_HEADERS has them: as W3C Baggage, without metadata."""
    headers = {}
    for each in text.get_secret_value().split(",") if text is not None else ():
        if each.strip():
            name, _, value = each.partition("=")
            headers[name.strip()] = unquote(value.strip())
    return headers


def _named(place: tuple[int | str, ...], message: str) -> str:
    text = message.removeprefix("Value error, ")
    if not place:
        return text
    field = str(place[0])
    return f"--{field.replace('_', '-')} ({PREFIX}{field.upper()}): {text}"
