//! The OCI image: the same bytes twice, and in a container that may do nothing and write nowhere but
//! to its volume it serves, keeps what it answered, and proves it.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::serving::{PROGRAM, Serving, agent, post};

const TREE: &str = env!("CARGO_MANIFEST_DIR");

/// Returns what it printed; it must have ended well.
fn done(mut command: Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [said, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{command:?}: {said}{error}");
    said
}

fn built(image: &Path) -> String {
    let mut build = Command::new(format!("{TREE}/ops/image/build"));
    build.args([Path::new(PROGRAM), image]).env("SOURCE_DATE_EPOCH", "1795824000");
    done(build)
}

/// Podman with a storage of its own. Where tests run, control groups may be of a kind that it does not
/// take, and none are needed: it sees no hierarchy.
fn podman(storage: &Path) -> Command {
    let mut podman = Command::new("unshare");
    podman.args(["--mount", "--propagation", "private", "sh", "-ec"]);
    podman.arg("mount -t tmpfs none /sys/fs/cgroup; exec podman \"$@\"").arg("podman");
    podman.arg("--root").arg(storage.join("root")).arg("--runroot").arg(storage.join("run"));
    podman.args(["--storage-driver", "vfs", "--cgroup-manager", "cgroupfs"]);
    podman.args(["--events-backend", "none", "--runtime", "crun"]);
    podman
}

/// A container that has nothing but its volume and the network, and ends after a minute at the latest.
fn run(storage: &Path, image: &str) -> Command {
    let mut run = podman(storage);
    run.args(["run", "--rm", "--timeout", "60", "--read-only", "--read-only-tmpfs=false"]);
    run.args(["--cap-drop", "all", "--security-opt", "no-new-privileges", "--cgroups", "disabled"]);
    run.args(["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024", "--network", "host"]);
    run.args(["--env", "CUSTODY_LEDGER_LISTEN=127.0.0.1:0"]);
    run.args(["--env", "CUSTODY_LEDGER_INTERNAL_LISTEN=unix:/data/world.sock"]);
    run.args(["--volume", "books:/data", image]);
    run
}

#[test]
fn two_images_of_one_program_are_the_same_and_one_serves_where_it_may_do_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["one.tar", "other.tar"].map(|name| folder.path().join(name));
    let digest = built(&one);
    assert!(digest.starts_with("sha256:") && digest.trim_end().len() == 71, "{digest}");
    assert_eq!(digest, built(&other));
    assert!(fs::read(&one).unwrap() == fs::read(&other).unwrap(), "the images differ");
    let storage = folder.path();
    let mut load = podman(storage);
    load.args(["load", "--quiet", "--input"]).arg(&one);
    let loaded = done(load);
    let image = loaded.trim_end().strip_prefix("Loaded image: ").unwrap();
    assert_eq!(image, concat!("localhost/custody-ledger:", env!("CARGO_PKG_VERSION")));
    let mut inspect = podman(storage);
    inspect.args(["image", "inspect", "--format", "{{.User}} {{.Config.Volumes}}", image]);
    assert_eq!(done(inspect), "65532:65532 map[/data:{}]\n");

    let serving = Serving::from_command(run(storage, image));
    let keys = format!("{}/keys/sandbox", serving.address("serves"));
    let email = json!({ "email": "ana@exemplo.com.br" });
    let (status, key) = post(&agent(), &keys, ("accept", "*/*"), &email);
    assert_eq!(status, 200, "{key}");
    serving.signal("TERM");
    let (said, well) = serving.rest();
    assert!(well, "{said}");
    let head = said.lines().find_map(|line| line.strip_prefix("sandbox: 1 records, head "));
    let mut audit = run(storage, image);
    audit.args(["audit", "/data/ledger.db"]);
    let proved = done(audit);
    assert!(head.is_some_and(|head| proved.contains(head)), "{said}{proved}");
}
