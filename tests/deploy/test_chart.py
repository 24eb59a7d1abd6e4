"""The Helm chart, rendered by Helm: valid for Kubernetes, and in step with the service."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import helm_python
import kubernetes_validate
import pytest
import yaml

from coltexpress_server.api.services import CATALOG, GAMES, SEATS, SERVER
from coltexpress_server.settings import PREFIX, Settings, read_settings

CHART = Path(__file__).parents[2] / "deploy/helm/colt-express"

# The oldest that the chart names, one in between, and the newest there is a schema of.
VERSIONS = ("1.27", "1.32", "1.37")

Values = dict[str, Any]
Manifest = dict[str, Any]

KEY: Values = {"serviceKey": {"existingSecret": "the-key"}}
SMALL: Values = KEY | {"valkey": {"enabled": True}}
WHOLE: Values = KEY | {
    "redis": {"existingSecret": "redis-url", "caSecret": "redis-ca"},
    "autoscaling": {"enabled": True},
    "imagePullSecrets": [{"name": "registry"}],
    "settings": {"games_per_minute": 30, "api_keys": {"app": "0" * 64}, "allow_fixed_seed": False},
    "extraEnv": [{"name": "COLTEXPRESS_ADMIN_KEYS", "value": "{}"}],
    "podLabels": {"team": "games"},
    "podAnnotations": {"example.org/owner": "games"},
    "nodeSelector": {"kubernetes.io/os": "linux"},
    "tolerations": [{"key": "games", "operator": "Exists"}],
    "networkPolicy": {
        "from": [{"namespaceSelector": {}}],
        "metricsFrom": [{"namespaceSelector": {}}],
        "to": [{"ipBlock": {"cidr": "192.0.2.0/24"}}],
    },
    "grpcRoute": {"enabled": True, "parentRefs": [{"name": "gateway"}], "hostnames": ["a.example"]},
    "httpRoute": {"enabled": True, "parentRefs": [{"name": "gateway"}], "hostnames": ["b.example"]},
    "ingress": {"enabled": True, "host": "a.example", "tlsSecret": "a-tls", "className": "nginx"},
    "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
}
ENCRYPTED: Values = SMALL | {"tls": {"existingSecret": "tls"}, "serviceMonitor": {"enabled": True}}
URL: Values = KEY | {
    "redis": {"url": "redis+sentinel://a:26379,b:26379/games"},
    "networkPolicy": {"enabled": False},
}

each_way = pytest.mark.parametrize(
    "values", [SMALL, WHOLE, ENCRYPTED, URL], ids=["small", "whole", "encrypted", "url"]
)


@pytest.fixture(scope="module")
def chart() -> Iterator[helm_python.Chart]:
    with helm_python.Chart.load(str(CHART)) as chart:
        yield chart


def rendered(chart: helm_python.Chart, values: Values, name: str = "games") -> list[Manifest]:
    """What would be installed as the release `name`."""
    files = chart.render(values, name=name, namespace="play")
    texts = (text for name, text in sorted(files.items()) if not name.endswith(".txt"))
    return [each for text in texts for each in yaml.safe_load_all(text) if each]


def of(manifests: Sequence[Manifest], kind: str, ending: str = "") -> list[Manifest]:
    return [
        each
        for each in manifests
        if each["kind"] == kind and each["metadata"]["name"].endswith(ending)
    ]


def pods(manifests: Sequence[Manifest]) -> list[tuple[Manifest, Manifest]]:
    """The labels and the specification of every pod."""
    return [
        (each["metadata"]["labels"], each["spec"])
        for owner in manifests
        if owner["kind"] in {"Pod", "Deployment", "StatefulSet"}
        for each in [owner if owner["kind"] == "Pod" else owner["spec"]["template"]]
    ]


def environment(manifests: Sequence[Manifest]) -> dict[str, str]:
    [deployment] = of(manifests, "Deployment")
    [container] = deployment["spec"]["template"]["spec"]["containers"]
    names = [each["name"] for each in container["env"]]
    assert len(names) == len(set(names))
    return {each["name"]: each.get("value", "") for each in container["env"]}


@each_way
def test_kubernetes_takes_it(chart: helm_python.Chart, values: Values) -> None:
    manifests = rendered(chart, values)
    for manifest in manifests:
        if manifest["apiVersion"].partition("/")[0] in {
            "gateway.networking.k8s.io",
            "monitoring.coreos.com",
        }:
            continue  # their schemas are not Kubernetes' own
        for version in VERSIONS:
            kubernetes_validate.validate(manifest, version, strict=True)


def test_helm_finds_nothing_to_complain_of() -> None:
    found = helm_python.lint(str(CHART), values=SMALL)
    assert found["errors"] == []
    # An icon would be a picture of somebody else's.
    assert [each["error"] for each in found["messages"]] == ["icon is recommended"]


@each_way
def test_nothing_is_privileged(chart: helm_python.Chart, values: Values) -> None:
    for _, spec in pods(rendered(chart, values)):
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert not spec.keys() & {"hostNetwork", "hostPID", "hostIPC"}
        for volume in spec.get("volumes", []):
            assert volume.keys() & {"secret", "emptyDir"}
        for container in spec["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert container["resources"].keys() == {"requests", "limits"}


@each_way
def test_what_is_selected_is_there(chart: helm_python.Chart, values: Values) -> None:
    manifests = rendered(chart, values)
    labels = [found for found, _ in pods(manifests)]

    def count(selector: Values) -> int:
        return sum(selector.items() <= each.items() for each in labels)

    for each in manifests:
        spec = each["spec"]
        match each["kind"]:
            case "Service":
                assert count(spec["selector"]) == 1
                [(_, pod)] = [
                    (found, pod)
                    for found, pod in pods(manifests)
                    if spec["selector"].items() <= found.items()
                ]
                named = {port["name"] for port in pod["containers"][0]["ports"]}
                assert {port["targetPort"] for port in spec["ports"]} <= named
                assert all("appProtocol" in port for port in spec["ports"])
            case "Deployment" | "StatefulSet" | "PodDisruptionBudget":
                assert count(spec["selector"]["matchLabels"]) == 1
            case "NetworkPolicy":
                assert count(spec["podSelector"]["matchLabels"]) == 1
            case "HorizontalPodAutoscaler":
                assert of(manifests, "Deployment", spec["scaleTargetRef"]["name"])
            case "ServiceMonitor":
                chosen = [
                    service
                    for service in of(manifests, "Service")
                    if spec["selector"]["matchLabels"].items()
                    <= service["metadata"]["labels"].items()
                ]
                assert len(chosen) == 1
                ports = {port["name"] for port in chosen[0]["spec"]["ports"]}
                assert {each["port"] for each in spec["endpoints"]} <= ports


@each_way
def test_probes_and_stopping_fit_the_settings(chart: helm_python.Chart, values: Values) -> None:
    manifests = rendered(chart, values)
    given = environment(manifests)
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    assert given.keys() <= known
    settings = read_settings(
        **{
            name.removeprefix(PREFIX).lower(): value
            for name, value in given.items()
            if value and not name.startswith(f"{PREFIX}TLS") and not name.endswith("KEYS")
        }
    )
    [deployment] = of(manifests, "Deployment")
    pod = deployment["spec"]["template"]["spec"]
    [container] = pod["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports == {
        "grpc": settings.grpc_port,
        "http": settings.http_port,
        "metrics": settings.metrics_port,
    }
    names = ("startupProbe", "livenessProbe", "readinessProbe")
    start, live, ready = (container[name] for name in names)
    if "tls" in values:
        assert (live["httpGet"]["path"], ready["httpGet"]["path"]) == ("/healthz", "/readyz")
        assert all(probe["httpGet"]["scheme"] == "HTTPS" for probe in (start, live, ready))
    else:
        assert all(probe["grpc"]["port"] == settings.grpc_port for probe in (start, live, ready))
        # Only the games' own service follows the store.
        assert ready["grpc"]["service"] == GAMES.full_name
        assert live["grpc"]["service"] == SERVER.full_name
    script = container["lifecycle"]["preStop"]["exec"]["command"][-1]
    before = float(script.partition("sleep(")[2].rstrip(")"))
    assert before + settings.drain_s + settings.grace_s < pod["terminationGracePeriodSeconds"]
    # By the time it stops, it has been found out and everybody told.
    assert before >= ready["periodSeconds"] * ready["failureThreshold"]
    rolling = deployment["spec"]["strategy"]["rollingUpdate"]
    assert rolling == {"maxSurge": 1, "maxUnavailable": 0}


def test_routes_lead_to_players_services_alone(chart: helm_python.Chart) -> None:
    manifests = rendered(chart, WHOLE)
    services = {each.full_name for each in (CATALOG, GAMES, SEATS, SERVER)}
    [grpc_route] = of(manifests, "GRPCRoute")
    [rule] = grpc_route["spec"]["rules"]
    assert {match["method"]["service"] for match in rule["matches"]} == services
    paths = {"/v1", "/docs"} | {f"/{each}" for each in services}
    [http_route] = of(manifests, "HTTPRoute")
    [rule] = http_route["spec"]["rules"]
    assert {match["path"]["value"] for match in rule["matches"]} == paths
    [ingress] = of(manifests, "Ingress")
    [rule] = ingress["spec"]["rules"]
    assert {each["path"] for each in rule["http"]["paths"]} == paths


@pytest.mark.parametrize("release", ["x" * 53, "games.of-a-team", "colt-express"])
def test_a_release_may_be_called_what_helm_allows(chart: helm_python.Chart, release: str) -> None:
    manifests = rendered(chart, SMALL, release)
    for each in of(manifests, "Service"):
        assert re.fullmatch("[a-z]([a-z0-9-]{0,61}[a-z0-9])?", each["metadata"]["name"])
    # Kubernetes adds a hash of ten digits to it, and makes a label of the two.
    [valkey] = of(manifests, "StatefulSet")
    assert len(valkey["metadata"]["name"]) <= 63 - len("-0123456789")
    [address] = [value for name, value in environment(manifests).items() if "REDIS" in name]
    assert address == f"redis://{valkey['metadata']['name']}:6379"


def test_numbers_of_a_file_are_read_as_they_were_written(chart: helm_python.Chart) -> None:
    settings = {"largest_request": 2_097_152, "store_timeout_s": 0.5, "games_per_minute": 0}
    values = SMALL | {"settings": settings, "maxConnectionAgeSeconds": 1_000_000}
    given = environment(rendered(chart, values))
    assert (
        given.items()
        >= {
            "COLTEXPRESS_LARGEST_REQUEST": "2097152",
            "COLTEXPRESS_STORE_TIMEOUT_S": "0.5",
            "COLTEXPRESS_GAMES_PER_MINUTE": "0",
            "COLTEXPRESS_MAX_CONNECTION_AGE_S": "1000000",
        }.items()
    )


def test_helm_test_speaks_as_the_replicas_do(chart: helm_python.Chart) -> None:
    def arguments(values: Values) -> str:
        [pod] = of(rendered(chart, values), "Pod")
        assert not pod["spec"].get("volumes") or pod["spec"]["volumes"][0]["secret"]["items"] == [
            {"key": "tls.crt", "path": "tls.crt"}
        ]
        return " ".join(pod["spec"]["containers"][0]["args"])

    assert "tls" not in arguments(SMALL)
    assert "--tls-roots=/etc/colt-express/tls/tls.crt" in arguments(ENCRYPTED)


def test_helm_test_may_call_where_not_everybody_may(chart: helm_python.Chart) -> None:
    manifests = rendered(chart, WHOLE)
    [pod] = of(manifests, "Pod")
    [policy] = of(manifests, "NetworkPolicy")
    [calls, _] = policy["spec"]["ingress"]
    *given, test = calls["from"]
    assert given == WHOLE["networkPolicy"]["from"]
    assert test["podSelector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()


def test_valkey_keeps_what_it_is_given(chart: helm_python.Chart) -> None:
    [valkey] = of(rendered(chart, SMALL), "StatefulSet")
    arguments = " ".join(valkey["spec"]["template"]["spec"]["containers"][0]["args"])
    assert "--appendonly yes --appendfsync always" in arguments
    assert "--maxmemory-policy noeviction" in arguments


def checked_and_rendered(chart: helm_python.Chart, values: Values) -> list[Manifest]:
    """What `helm install` does first."""
    chart.validate_schema(chart.merge_values(values))
    return rendered(chart, values)


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({}, "serviceKey"),
        (KEY, "exactly one of"),
        (SMALL | {"redis": {"url": "redis://a"}}, "exactly one of"),
        (SMALL | {"replicas": 0}, "replicas"),
        (SMALL | {"replica": 3}, "replica"),
        (SMALL | {"settings": {"grpc_port": 1}}, "grpc_port"),
        (SMALL | {"grpcRoute": {"enabled": True}}, "parentRefs"),
        (SMALL | {"ingress": {"enabled": True}}, "host"),
        (WHOLE | {"httpRoute": WHOLE["grpcRoute"]}, "hostnames of their own"),
        (WHOLE | {"httpRoute": WHOLE["httpRoute"] | {"hostnames": []}}, "hostnames of their own"),
        (KEY | {"redis": {"url": "redis://user:password@a"}}, "url"),
    ],
)
def test_wrong_values_are_named(chart: helm_python.Chart, values: Values, word: str) -> None:
    with pytest.raises(helm_python.HelmError, match=word):
        checked_and_rendered(chart, values)
