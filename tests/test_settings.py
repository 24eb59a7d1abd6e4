from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coltexpress_server.settings import InvalidSettings, Settings, read_settings

KEY = "5e" * 32
SECRET = "s3cret"


def test_every_setting_has_a_description() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert field.description.endswith("."), name


def test_everything_has_a_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    settings = read_settings()
    assert settings.host == "127.0.0.1"
    assert settings.grpc_port == 50_051
    assert settings.redis is None
    assert settings.data_dir == tmp_path / "colt-express"
    assert settings.appendfsync == "always"
    assert not settings.allow_fixed_seed
    assert not settings.api_keys


def test_data_are_in_the_users_state_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_settings().data_dir == tmp_path / ".local/state/colt-express"


def test_the_environment_sets_and_what_is_given_has_the_last_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLTEXPRESS_GRPC_PORT", "1234")
    monkeypatch.setenv("COLTEXPRESS_HOST", "::1")
    monkeypatch.setenv("COLTEXPRESS_API_KEYS", f'{{"ann": "{KEY}"}}')
    settings = read_settings(grpc_port=4321)
    assert settings.grpc_port == 4321
    assert settings.host == "::1"
    assert settings.api_keys == {"ann": KEY}
    monkeypatch.setenv("COLTEXPRESS_HTTP_PORT", "off")
    monkeypatch.setenv("COLTEXPRESS_CORS_ORIGINS", "https://a.example, http://localhost:5173")
    settings = read_settings()
    assert settings.http_port is None
    assert settings.cors_origins == ("https://a.example", "http://localhost:5173")
    assert read_settings(http_port=0, cors_origins="*").cors_origins == ("*",)
    assert read_settings(api_keys=f'{{"ben": "{KEY}"}}').api_keys == {"ben": KEY}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"grpc_port": -1}, "--grpc-port (COLTEXPRESS_GRPC_PORT): "),
        ({"grpc_port": "x"}, "--grpc-port (COLTEXPRESS_GRPC_PORT): "),
        ({"http_port": "on"}, "--http-port (COLTEXPRESS_HTTP_PORT): "),
        ({"trusted_proxies": "10.0.0.1/8"}, "--trusted-proxies (COLTEXPRESS_TRUSTED_PROXIES): "),
        ({"cors_origins": "play.example"}, "--cors-origins (COLTEXPRESS_CORS_ORIGINS): "),
        ({"cors_origins": "https://a.example/x"}, "--cors-origins (COLTEXPRESS_CORS_ORIGINS): "),
        ({"host": ""}, "--host (COLTEXPRESS_HOST): "),
        ({"heartbeat_s": 0}, "--heartbeat-s (COLTEXPRESS_HEARTBEAT_S): "),
        ({"grace_s": "inf"}, "--grace-s (COLTEXPRESS_GRACE_S): "),
        ({"appendfsync": SECRET}, "--appendfsync (COLTEXPRESS_APPENDFSYNC): "),
        ({"service_key_hex": SECRET}, "--service-key-hex (COLTEXPRESS_SERVICE_KEY_HEX): "),
        ({"api_keys": {"ann": SECRET}}, "--api-keys (COLTEXPRESS_API_KEYS): "),
        ({"api_keys": SECRET}, "--api-keys (COLTEXPRESS_API_KEYS): should be a JSON object"),
        ({"otlp_endpoint": f"https://me:{SECRET}@collector"}, "--otlp-endpoint (COLTEXPRESS_OTLP_"),
        ({"otlp_endpoint": "collector:4318"}, "--otlp-endpoint (COLTEXPRESS_OTLP_ENDPOINT): "),
        ({"otlp_endpoint": ""}, "--otlp-endpoint (COLTEXPRESS_OTLP_ENDPOINT): "),
        ({"otlp_headers": SECRET}, "--otlp-headers (COLTEXPRESS_OTLP_HEADERS): "),
        ({"otlp_headers": f"a b={SECRET}"}, "--otlp-headers (COLTEXPRESS_OTLP_HEADERS): "),
        ({"otlp_headers": f"a={SECRET}%0d%0a"}, "--otlp-headers (COLTEXPRESS_OTLP_HEADERS): "),
        ({"trace_ratio": 1.1}, "--trace-ratio (COLTEXPRESS_TRACE_RATIO): "),
        ({"nonsense": 1}, "--nonsense (COLTEXPRESS_NONSENSE): "),
        ({"tls_cert": "cert.pem"}, "tls_cert and tls_key"),
        ({"redis": f"redis://:{SECRET}@localhost"}, "redis takes a service_key_hex"),
    ],
)
def test_a_setting_that_is_wrong_is_named_in_one_line(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidSettings) as invalid:
        read_settings(**given)
    text = str(invalid.value)
    assert text.startswith(message)
    assert "\n" not in text
    assert SECRET not in text


def test_a_setting_of_the_environment_that_is_wrong_is_named_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLTEXPRESS_API_KEYS", SECRET)
    with pytest.raises(InvalidSettings) as invalid:
        read_settings()
    assert "api_keys" in str(invalid.value)
    assert "\n" not in str(invalid.value)
    assert SECRET not in str(invalid.value)


def test_secrets_are_not_shown() -> None:
    settings = read_settings(
        service_key_hex=KEY, api_keys={"ann": KEY}, redis=f"redis://:{SECRET}@localhost"
    )
    assert settings.service_key.hex() == KEY
    shown = repr(settings) + str(settings)
    assert KEY not in shown
    assert SECRET not in shown
    assert repr(settings.service_key) not in shown


def test_headers_for_the_collector_are_read_as_opentelemetry_has_them() -> None:
    settings = read_settings(otlp_headers="authorization=Basic%20bWU6eW91, x-tenant = games,")
    assert settings.collector_headers == {"authorization": "Basic bWU6eW91", "x-tenant": "games"}
    assert "bWU6eW91" not in repr(settings)
    assert read_settings().collector_headers == {}


def test_the_key_is_kept_in_the_data_folder(tmp_path: Path) -> None:
    key = read_settings(data_dir=tmp_path / "data").service_key
    assert read_settings(data_dir=tmp_path / "data").service_key == key
    assert (tmp_path / "data/service.key").is_file()
    other = read_settings(data_dir=tmp_path / "data", service_key_file=tmp_path / "other")
    assert other.service_key != key
