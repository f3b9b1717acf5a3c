"""Holds what stands in ops against its schemas and against PROGRAM, which is its argument: it starts with
the settings of the compose file and of the manifests, and is made of what ops/sbom says. It is called at
the root of the tree."""
import json, os, re, shutil, subprocess, sys, tempfile, tomllib, urllib.request
from pathlib import Path

import kubernetes_validate
import yaml
from compose_spec import PyCompose
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

PROGRAM, OPS = Path(sys.argv[1]).resolve(), Path("ops").resolve()
IMAGE = "/etc/custody-ledger/serve.toml"
TOKEN = "a-token-of-the-tests-that-is-long-enough"
METRICS = "a-token-for-metrics-that-is-long-enough"


def said(*command, **options):
    """What a command prints; it must end well."""
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


HELP = said(PROGRAM, "serve", "--help")
VERSION = said(PROGRAM, "--version").split()[1]


def asked(url, token=None):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"} if token else {})
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.status == 200, (url, answer.status)
        return answer.read().decode()


def served(settings, secret, arguments=("serve", "--config", IMAGE)):
    """Starts the program with these settings and arguments of a container, on a store and ports of its
    own, and gives how its health and its metrics are asked for; it must end well."""
    for name in settings:
        assert f"[env: {name}" in HELP, f"{name} is no setting of serve"
    own = {name: value for name, value in os.environ.items() if not name.startswith("CUSTODY_LEDGER_")}
    arguments = [str(OPS / "image/serve.toml") if it == IMAGE else it for it in arguments]
    shown = said(PROGRAM, *arguments, "--print-config", env={**own, **settings})
    assert 'listen = "0.0.0.0:8080"' in shown, shown
    with tempfile.TemporaryDirectory() as folder:
        changed = {"CUSTODY_LEDGER_STORE": f"{folder}/ledger.db", "CUSTODY_LEDGER_LISTEN": "127.0.0.1:0",
                   "CUSTODY_LEDGER_INTERNAL_LISTEN": "127.0.0.1:0"}
        for name, value in {"SUPPLY_SECRET_FILE": f"{folder}/secret", "TREES": f"{folder}/trees",
                            "METRICS_TOKEN_FILE": f"{folder}/metrics"}.items():
            if f"CUSTODY_LEDGER_{name}" in settings:
                changed[f"CUSTODY_LEDGER_{name}"] = value
        Path(folder, "secret").write_text(secret)
        Path(folder, "metrics").write_text(METRICS + "\n")
        serving = subprocess.Popen([PROGRAM, *arguments], env={**own, **settings, **changed},
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            lines = []
            while not lines or not lines[-1].startswith("End it"):
                lines.append(serving.stdout.readline())
                assert lines[-1], f"it ended: {lines} {serving.stderr.read()}"
            clients, world = re.findall(r"(?:serves|reports) .*?on (http://\S+)", "".join(lines))
            yield clients, world
            serving.terminate()
            _, errors = serving.communicate(timeout=60)
            assert serving.returncode == 0, errors
            if "CUSTODY_LEDGER_SUPPLY_URL" in settings:
                assert "no provider is asked" not in errors, errors
        finally:
            serving.kill()


def compose():
    folder, secrets = OPS / "compose", {}
    text = (folder / "compose.yaml").read_text()
    with tempfile.TemporaryDirectory() as made:
        shutil.copy(folder / "prepare", made)
        said(Path(made, "prepare"))
        for line in Path(made, ".env").read_text().splitlines():
            name, _, value = line.partition("=")
            secrets[name] = value
        assert Path(made, "secrets").stat().st_mode & 0o77 == 0 == Path(made, ".env").stat().st_mode & 0o77
        files = {f"./secrets/{one.name}": one.read_text().strip() for one in Path(made, "secrets").iterdir()}
        before = Path(made, ".env").read_text()
        said(Path(made, "prepare"), stderr=subprocess.DEVNULL)
        assert Path(made, ".env").read_text() == before, "secrets were written over"

    def value(match):
        name, default = match.groups()
        return secrets[name] if default is None else default

    text = re.sub(r"\$\{(\w+)(?::-([^}]*)|:\?)\}", value, text)
    assert "${" not in text, "something is not filled in"
    whole = yaml.safe_load(text)
    PyCompose.from_json(json.dumps(whole))
    services = whole["services"]
    for name, service in services.items():
        assert re.search(r":[\w.-]*\d", service["image"]), f"{name} has no version"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            found = (folder / source).exists() if source.startswith(".") else source in whole["volumes"]
            assert found, f"{name} mounts {source}"
        assert set(service.get("secrets", [])) <= set(whole["secrets"]), name
    for secret in whole["secrets"].values():
        assert secret["file"] in files, secret
    assert files["./secrets/world.token"] == secrets["WORLD_TOKEN"]
    assert files["./secrets/provider.secret"] == secrets["PROVIDER_SECRET"]
    ledger = services["ledger"]
    assert ledger["image"].endswith(f":{VERSION}"), ledger["image"]
    for world in served(ledger["environment"], secrets["PROVIDER_SECRET"]):
        asked(world[1] + "/metrics", METRICS)
        asked(world[0] + "/health/ready")
    provider = services["provider"]["command"]
    names = re.search(r"^Its arguments are ([^,]*), or", Path("examples/provider.py").read_text(), re.M)
    assert len(provider) == 2 + len(names[1].split()), provider
    for part in provider[1:]:
        known = part in {"9000", "127.0.0.1:8081", "/data/provider.db"} or (
            part.removeprefix("/run/secrets/") in whole["secrets"]) or part == "/provider.py"
        assert known, part
    scrape = yaml.safe_load((folder / "prometheus.yml").read_text())["scrape_configs"][0]
    assert scrape["job_name"] == "custody-ledger", "alerts name the job"
    with tempfile.TemporaryDirectory() as made:
        # As it stands in the container: rules beside it, and the token in a file.
        prometheus = (folder / "prometheus.yml").read_text()
        prometheus = prometheus.replace("/run/secrets/", made + "/").replace("/etc/prometheus/", f"{OPS}/")
        Path(made, "prometheus.yml").write_text(prometheus)
        Path(made, "metrics.token").write_text(METRICS)
        said("promtool", "check", "config", f"{made}/prometheus.yml")
    datasource, dashboards = (yaml.safe_load((folder / f"grafana-{name}.yml").read_text())
                              for name in ("datasource", "dashboards"))
    assert datasource["datasources"][0]["type"] == "prometheus"
    path = dashboards["providers"][0]["options"]["path"]
    assert any(volume.split(":")[1].startswith(path + "/") for volume in services["grafana"]["volumes"])


def kubernetes():
    secret = {"store": "postgres://ledger@db/ledger", "internal-token": TOKEN,
              "provider-secret": "whsec_" + "A" * 43 + "="}
    for overlay in sorted((OPS / "kubernetes/overlays").iterdir()):
        built = said("kubectl", "kustomize", str(overlay))
        objects = list(yaml.safe_load_all(built))
        for item in objects:
            kubernetes_validate.validate(item, "1.37", strict=True)
            named = item["metadata"].get("namespace"), item["kind"]
            assert named[0] or named[1] == "Namespace", named
        pods = next(it for it in objects if it["kind"] == "StatefulSet")["spec"]["template"]
        for item in objects:
            spec = item["spec"] if "spec" in item else {}
            chosen = spec.get("podSelector") or spec.get("selector") or {}
            chosen = chosen.get("matchLabels", chosen)
            assert chosen.items() <= pods["metadata"]["labels"].items(), (item["kind"], chosen)
        spec = pods["spec"]
        (serve,) = spec["containers"]
        assert serve["image"].endswith(f"/custody-ledger:{VERSION}"), serve["image"]
        ports = {port["name"]: port["containerPort"] for port in serve["ports"]}
        assert ports == {"clients": 8080, "world": 8081}, ports
        assert serve["securityContext"] == {"allowPrivilegeEscalation": False, "capabilities": {
            "drop": ["ALL"]}, "readOnlyRootFilesystem": True}
        assert spec["securityContext"]["runAsNonRoot"] and not spec["automountServiceAccountToken"]
        # Names of services would be settings: CUSTODY_LEDGER_PORT and the like.
        assert spec["enableServiceLinks"] is False
        settings = {}
        for one in serve["env"]:
            given = one.get("value")
            if given is None:
                given = secret[one["valueFrom"]["secretKeyRef"]["key"]]
            settings[one["name"]] = given
        for clients, world in served(settings, secret["provider-secret"], serve["args"]):
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                assert serve[probe]["httpGet"]["port"] == "clients"
                asked(clients + serve[probe]["httpGet"]["path"])
            scrape = pods["metadata"]["annotations"]
            assert scrape["prometheus.io/port"] == str(ports["world"])
            asked(world + scrape["prometheus.io/path"], METRICS)
        print(f"  {overlay.name}: {len(objects)} objects")


def bill_of_materials():
    text = said(OPS / "sbom")
    assert text == said(OPS / "sbom"), "two bills differ"
    wrong = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    assert wrong is None, wrong
    bill = json.loads(text)
    listed = {(one["name"], one["version"]): one for one in bill["components"]}
    locked = {(one["name"], one["version"]): one.get("checksum")
              for one in tomllib.loads(Path("Cargo.lock").read_text())["package"]}
    for name, one in listed.items():
        hashes = [it["content"] for it in one.get("hashes", [])]
        assert hashes == ([locked[name]] if locked[name] else []) and one["licenses"], name
    # Messages of panics name the file that they are of: every crate of them is listed.
    found = re.findall(rb"index\.crates\.io-[0-9a-f]+/([\w-]+)-(\d+\.[^/\s]+)/", PROGRAM.read_bytes())
    linked = {(name.decode(), version.decode()) for name, version in found}
    assert len(linked) > 100 and linked <= set(listed), linked - set(listed)
    assert not {"proptest", "criterion", "tempfile"} & {name for name, _ in listed}
    print(f"  {len(listed)} crates, of which {len(linked)} are named in the program")


print("bill of materials:")
bill_of_materials()
print("compose:")
compose()
print("kubernetes:")
kubernetes()
