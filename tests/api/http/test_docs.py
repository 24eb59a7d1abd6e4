"""The readable page: all that it loads comes from the server that it is of."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from tests.api.http.conftest import Web


async def test_the_page_loads_from_its_own_server_alone(web: Web) -> None:
    page = await web.http.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    links = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(links) > 3
    for link in links:
        if not link.startswith("data:"):
            assert "//" not in link
            found = await web.http.get(urljoin("/docs", link))
            assert found.status_code == 200, link
            assert found.content
    [document] = re.findall(r'url: "([^"]+)"', (await web.http.get("/docs/page.js")).text)
    assert (await web.http.get(urljoin("/docs", document))).json()["openapi"]


async def test_the_page_may_do_nothing_else(web: Web) -> None:
    page = await web.http.get("/docs")
    policy = dict(
        each.strip().split(" ", 1) for each in page.headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "<script>" not in page.text
    assert " on" not in re.sub(r">[^<]*<", "><", page.text)


async def test_what_is_not_there_is_told_like_elsewhere(web: Web) -> None:
    for path in ("/docs/", "/docs/index.html", "/docs/../page.js", "/docs/page.html"):
        missing = await web.http.get(path)
        assert missing.status_code == 404
        assert missing.json()["error"]["details"][0]["reason"] == "PATH_UNKNOWN"
