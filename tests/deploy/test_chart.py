"""The Helm chart, rendered by Helm: valid for Kubernetes, and in step with the service."""

from __future__ import annotations

import json
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
    "service": {"grpcPort": 6001, "httpPort": 6002, "metricsPort": 6003},
    "shutdown": {"preStopSeconds": 20, "drainSeconds": 30, "graceSeconds": 240},
    "maxConnectionAgeSeconds": 7776000,
    "settings": {
        "games_per_minute": 30,
        "largest_request": 1048576,
        "running_ttl_s": 7776000,
        "store_timeout_s": 0.5,
        "api_keys": {"app": "0" * 64},
        "allow_fixed_seed": False,
        "trusted_proxies": "10.0.0.0/8,fd00::/8",
    },
    "extraEnv": [{"name": "COLTEXPRESS_ADMIN_KEYS", "value": "{}"}],
    "podLabels": {"team": "games"},
    "podAnnotations": {"example.org/owner": "games"},
    "nodeSelector": {"kubernetes.io/os": "linux"},
    "tolerations": [{"key": "games", "operator": "Exists"}],
    "networkPolicy": {
        "from": [{"namespaceSelector": {}}],
        "metricsFrom": [{"namespaceSelector": {}}],
        "to": [{"ipBlock": {"cidr": "192.0.2.0/24"}}],
        "tracesTo": [{"podSelector": {"matchLabels": {"app": "collector"}}}],
    },
    "tracing": {
        "endpoint": "http://collector.monitoring:4318",
        "ratio": 0.01,
        "existingSecret": "collector",
    },
    "grpcRoute": {"enabled": True, "parentRefs": [{"name": "gateway"}], "hostnames": ["a.example"]},
    "httpRoute": {"enabled": True, "parentRefs": [{"name": "gateway"}], "hostnames": ["b.example"]},
    "ingress": {"enabled": True, "host": "a.example", "tlsSecret": "a-tls", "className": "nginx"},
    "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
}
ENCRYPTED: Values = SMALL | {
    "tls": {"existingSecret": "tls"},
    "networkPolicy": {"metricsFrom": [{"podSelector": {}}]},
    "serviceMonitor": {"enabled": True},
}
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
            if value and not name.startswith(f"{PREFIX}TLS") and not name.endswith("ADMIN_KEYS")
        }
    )
    for name, value in values.get("settings", {}).items():
        expected = read_settings(**{name: value})
        assert getattr(settings, name) == getattr(expected, name)
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
    assert (
        environment(manifests)["COLTEXPRESS_REDIS"] == f"redis://{valkey['metadata']['name']}:6379"
    )


def test_upgrades_spread_over_zones_and_nodes_too(chart: helm_python.Chart) -> None:
    [deployment] = of(rendered(chart, SMALL), "Deployment")
    for each in deployment["spec"]["template"]["spec"]["topologySpreadConstraints"]:
        assert each["labelSelector"] == deployment["spec"]["selector"]
        assert each["matchLabelKeys"] == ["pod-template-hash"]


@each_way
def test_helm_test_may_call_and_does_so_as_the_service_speaks(
    chart: helm_python.Chart, values: Values
) -> None:
    manifests = rendered(chart, values)
    [test] = of(manifests, "Pod")
    arguments = test["spec"]["containers"][0]["args"]
    [service] = [
        each
        for each in of(manifests, "Service")
        if "clusterIP" not in each["spec"] and "valkey" not in each["metadata"]["name"]
    ]
    ports = {port["name"]: port["port"] for port in service["spec"]["ports"]}
    assert arguments[:3] == ["demo", "--server", f"{service['metadata']['name']}:{ports['grpc']}"]
    if "tls" in values:
        mount = test["spec"]["containers"][0]["volumeMounts"][0]["mountPath"]
        assert arguments[3:] == ["--tls-roots", f"{mount}/tls.crt"]
        assert test["spec"]["volumes"][0]["secret"]["items"] == [
            {"key": "tls.crt", "path": "tls.crt"}
        ]
    else:
        assert arguments[3:] == []
    for policy in of(manifests, "NetworkPolicy"):
        for rule in policy["spec"]["ingress"]:
            if "from" in rule and {"protocol": "TCP", "port": "grpc"} in rule["ports"]:
                assert any(
                    each.get("podSelector", {}).get("matchLabels", {}).items()
                    == test["metadata"]["labels"].items()
                    for each in rule["from"]
                )


# What the chart sets itself, means an embedded store, or is a secret.
NOT_SETTINGS = {
    *("host", "grpc_port", "http_port", "metrics_port", "tls_cert", "tls_key", "log_format"),
    *("drain_s", "grace_s", "max_connection_age_s", "redis", "service_key_file"),
    *("otlp_endpoint", "otlp_headers", "trace_ratio"),
    *("data_dir", "appendfsync", "service_key_hex", "fixed_seed_hex"),
}


def test_its_settings_are_those_of_the_service() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text())
    names = schema["properties"]["settings"]["propertyNames"]["enum"]
    assert set(names) == set(Settings.model_fields) - NOT_SETTINGS


def test_traces_get_to_their_collector(chart: helm_python.Chart) -> None:
    manifests = rendered(chart, WHOLE)
    given = environment(manifests)
    settings = read_settings(
        otlp_endpoint=given[f"{PREFIX}OTLP_ENDPOINT"], trace_ratio=given[f"{PREFIX}TRACE_RATIO"]
    )
    assert settings.otlp_endpoint == "http://collector.monitoring:4318"
    assert settings.trace_ratio == 0.01
    [deployment] = of(manifests, "Deployment")
    [container] = deployment["spec"]["template"]["spec"]["containers"]
    [headers] = [each for each in container["env"] if each["name"] == f"{PREFIX}OTLP_HEADERS"]
    assert headers["valueFrom"]["secretKeyRef"] == {"name": "collector", "key": "headers"}
    [policy] = of(manifests, "NetworkPolicy")
    targets = [each for rule in policy["spec"]["egress"] for each in rule.get("to", [])]
    assert {"podSelector": {"matchLabels": {"app": "collector"}}} in targets
    assert not [name for name in environment(rendered(chart, SMALL)) if "OTLP" in name]


def test_valkey_keeps_what_it_is_given(chart: helm_python.Chart) -> None:
    [valkey] = of(rendered(chart, SMALL), "StatefulSet")
    [container] = valkey["spec"]["template"]["spec"]["containers"]
    arguments = " ".join(container["args"])
    # What it may take while it rewrites its file, before it is killed.
    assert "--maxmemory 256mb " in arguments
    assert container["resources"]["limits"]["memory"] == "512Mi"
    assert "--protected-mode no " in arguments
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
        (SMALL | {"settings": {"games_per_minut": 1}}, "games_per_minut'"),
        (SMALL | {"podDisruptionBudget": {"maxUnavailable": "half"}}, "maxUnavailable"),
        (SMALL | {"serviceMonitor": {"enabled": True}}, "metricsFrom"),
        (SMALL | {"autoscaling": {"enabled": True, "maxReplicas": 1}}, "minReplicas"),
        (SMALL | {"grpcRoute": {"enabled": True}}, "parentRefs"),
        (SMALL | {"ingress": {"enabled": True}}, "host"),
        (WHOLE | {"httpRoute": WHOLE["grpcRoute"]}, "hostnames of their own"),
        (WHOLE | {"httpRoute": WHOLE["httpRoute"] | {"hostnames": []}}, "hostnames of their own"),
        (KEY | {"redis": {"url": "redis://user:password@a"}}, "url"),
        (SMALL | {"tracing": {"endpoint": "http://user:password@a"}}, "endpoint"),
        (SMALL | {"tracing": {"ratio": 2}}, "ratio"),
        (SMALL | {"settings": {"otlp_headers": "a=b"}}, "otlp_headers"),
    ],
)
def test_wrong_values_are_named(chart: helm_python.Chart, values: Values, word: str) -> None:
    with pytest.raises(helm_python.HelmError, match=word):
        checked_and_rendered(chart, values)
