"""Path templates: what they match and what they bind."""

from __future__ import annotations

import pytest

from coltexpress_server.api.http.templates import PathTemplate


@pytest.mark.parametrize(
    ("template", "path", "bound"),
    [
        ("/v1/games", "/v1/games", {}),
        ("/v1/games", "/v1/games/", None),
        ("/v1/games", "/v1/game", None),
        ("/v1/{name=games/*}", "/v1/games/abc", {"name": "games/abc"}),
        ("/v1/{name=games/*}", "/v1/games/", None),
        ("/v1/{name=games/*}", "/v1/games/a/b", None),
        ("/v1/{name=games/*}", "/v1/games/a:join", None),
        ("/v1/{name=games/*}", "/v1/games/a%3Ajoin", {"name": "games/a:join"}),
        ("/v1/{name=games/*}", "/v1/games/a%2Fb", {"name": "games/a/b"}),
        ("/v1/{name=games/*}:join", "/v1/games/abc:join", {"name": "games/abc"}),
        ("/v1/{name=games/*}:join", "/v1/games/abc:leave", None),
        ("/v1/{name=games/*}:join", "/v1/games/abc", None),
        ("/v1/{name=games/*}/events:watch", "/v1/games/x/events:watch", {"name": "games/x"}),
        ("/v1/{name=games/*}/events:watch", "/v1/games/x/events", None),
        (
            "/v1/{game.name=games/*/seats/*}",
            "/v1/games/x/seats/2",
            {"game.name": "games/x/seats/2"},
        ),
        ("/v1/{game}/{seat}", "/v1/x/2", {"game": "x", "seat": "2"}),
        ("/v1/{path=**}", "/v1/a/b/c", {"path": "a/b/c"}),
        ("/v1/*/x", "/v1/a/x", {}),
        ("/v1/a.b", "/v1/a.b", {}),
        ("/v1/a.b", "/v1/axb", None),
    ],
)
def test_what_a_template_matches(template: str, path: str, bound: dict[str, str] | None) -> None:
    assert PathTemplate(template).match(path) == bound


@pytest.mark.parametrize("text", ["/v1/{name", "/v1/name}", "/v1/{}", "/v1/{a={b}}"])
def test_what_is_no_template_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no path template"):
        PathTemplate(text)
