//! What a cluster needs of the machine, and the namespaces that one runs in.

use std::error::Error;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::shell;
use super::world::Share;

/// The programs, each with Debian's package.
const PROGRAMS: [(&str, &str); 6] = [
    ("etcd", "etcd-server"),
    ("ip", "iproute2"),
    ("unshare", "util-linux"),
    ("setpriv", "util-linux"),
    ("mount", "mount"),
    ("python3", "python3-venv"),
];

/// Whether this machine can run clusters.
///
/// # Errors
///
/// What is missing, and how to get it.
pub fn check() -> Result<(), Box<dyn Error>> {
    if fs::metadata("/proc/self")?.uid() != 0 {
        return Err("each server has a network of its own, and only root makes networks: \
            run this as root"
            .into());
    }
    for (program, package) in PROGRAMS {
        shell(&format!("command -v {program}")).map_err(|_| {
            format!("{program} is missing: install it (Debian: apt-get install {package})")
        })?;
    }
    let namespaces = shell("unshare --mount --net --pid --fork --mount-proc ip link set lo up");
    namespaces.map_err(|error| {
        format!("no namespaces can be made, which a container must allow (--privileged): {error}")
    })?;
    Ok(())
}

/// The Python that has Patroni, installed as pinned beside what cargo builds.
pub fn patroni() -> Result<PathBuf, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(2).ok_or("the program lies in no target folder")?;
    let folder = target.join("patroni");
    let mut setup = Command::new(root.join("../verifier/setup"));
    setup.arg(&folder).arg(root.join("patroni/requirements.txt"));
    let output = setup.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("Patroni cannot be installed into {}: {said}", folder.display()).into());
    }
    Ok(folder.join("venv/bin/python3"))
}

/// Lets a cluster of its own play rounds, in namespaces of its own, and gives the lines it printed.
pub fn world(share: &Share, folder: &Path, python: &Path) -> Result<Vec<String>, String> {
    let Share { first, step, rounds } = share;
    let failed = |error: &dyn std::fmt::Display| format!("cluster {first}: {error}");
    // Whoever the servers run as goes through it.
    fs::DirBuilder::new().mode(0o755).create(folder).map_err(|error| failed(&error))?;
    let program = std::env::current_exe().map_err(|error| failed(&error))?;
    let mut command = Command::new("unshare");
    command.args(["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]);
    // The first process of the namespace waits for whoever has lost its parent; all end with it.
    command.args(["sh", "-c", "\"$@\"; exit $?", "sh"]).arg(program);
    command.args(["--rounds", &rounds.to_string(), "--clusters", &step.to_string()]);
    command.args(["--first", &first.to_string()]).arg("--folder").arg(folder);
    command.arg("--python").arg(python).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = command.spawn().map_err(|error| failed(&error))?;
    let output = running.stdout.take().expect("its output is a pipe");
    let mut lines = Vec::new();
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| failed(&error))?;
        eprintln!("cluster {first}: {}", line.replace('\t', " "));
        lines.push(line);
    }
    let status = running.wait().map_err(|error| failed(&error))?;
    if status.success() { Ok(lines) } else { Err(failed(&status)) }
}
