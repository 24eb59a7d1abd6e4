"""Over HTTP a caller gets his language too, and is told which it is."""

from __future__ import annotations

from coltexpress.v1 import catalog_service_pb2 as pb
from tests.api.http.conftest import Web
from tests.api.tables import begun

SPANISH = {"accept-language": "es-MX, en;q=0.1"}


async def test_an_answer_names_its_language_to_who_asks_for_one(web: Web) -> None:
    catalog = await web.http.get("/v1/catalog", headers=SPANISH)
    assert catalog.headers["content-language"] == "es"
    assert catalog.json()["loot"][0]["entry"]["displayName"] == "Bolsa"
    over_grpc = await web.grpc.catalog.GetCatalog(
        pb.GetCatalogRequest(), metadata=tuple(SPANISH.items())
    )
    assert catalog.json()["languageCode"] == over_grpc.language_code
    plain = await web.http.get("/v1/catalog")
    assert "content-language" not in plain.headers
    assert plain.json()["languageCode"] == "en"


async def test_an_error_too_is_told_in_it(web: Web) -> None:
    missing = await web.http.get("/v1/games/" + "00" + "a" * 24, headers=SPANISH)
    assert missing.status_code == 404
    assert missing.headers["content-language"] == "es"
    told = missing.json()["error"]["details"][-1]
    assert told == {
        "@type": "type.googleapis.com/google.rpc.LocalizedMessage",
        "locale": "es",
        "message": "No existe esa partida, o no puedes verla.",
    }


async def test_a_stream_too_names_its_language(web: Web) -> None:
    table = await begun(web.grpc)
    path = f"/v1/{table.name}/events:watch"
    async with web.http.stream("GET", path, headers=SPANISH) as stream:
        assert stream.headers.get_list("content-language") == ["es"]
        async for line in stream.aiter_lines():
            if line.startswith("data:"):
                assert table.name in line
                break
