//! What a cluster needs of the machine, and the namespaces that one runs in.

use std::error::Error;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::shell;

/// Which rounds a cluster plays, by number: every `step`th from `first` on.
pub struct Share {
    pub first: usize,
    pub step: usize,
    pub rounds: usize,
}

/// The programs, each with Debian's package.
const PROGRAMS: [(&str, &str); 6] = [
    ("etcd", "etcd-server"),
    ("ip", "iproute2"),
    ("unshare", "util-linux"),
    ("setpriv", "util-linux"),
    ("mount", "mount"),
    ("python3", "python3-venv"),
];

/// What Patroni runs of PostgreSQL.
const OF_POSTGRES: [&str; 6] =
    ["initdb", "postgres", "pg_isready", "pg_controldata", "pg_basebackup", "pg_rewind"];

/// Tells whether this machine can run clusters.
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
    postgres()?;
    unprivileged()?;
    let namespaces = shell("unshare --mount --net --pid --fork --mount-proc ip link set lo up");
    namespaces.map_err(|error| {
        format!("no namespaces can be made, which a container must allow (--privileged): {error}")
    })?;
    Ok(())
}

/// The folder of PostgreSQL's programs: on the PATH, or the system's latest.
pub fn postgres() -> Result<PathBuf, Box<dyn Error>> {
    let has = |folder: &PathBuf| OF_POSTGRES.iter().all(|program| folder.join(program).is_file());
    let path = std::env::var_os("PATH").unwrap_or_default();
    if let Some(folder) = std::env::split_paths(&path).find(has) {
        return Ok(folder);
    }
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let number = |version: &fs::DirEntry| version.file_name().to_str()?.parse::<u32>().ok();
    let mut folders: Vec<_> = versions
        .filter_map(|version| Some((number(&version)?, version.path().join("bin"))))
        .filter(|(_, folder)| has(folder))
        .collect();
    folders.sort();
    let (_, folder) = folders.pop().ok_or_else(|| {
        let programs = OF_POSTGRES.join(", ");
        format!("{programs} are in no folder together: apt-get install postgresql (Debian)")
    })?;
    Ok(folder)
}

/// Whom the servers run as, since PostgreSQL refuses root: user and group.
pub fn unprivileged() -> Result<(u32, u32), Box<dyn Error>> {
    let users = fs::read_to_string("/etc/passwd")?;
    let ids = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut numbers = line.split(':').skip(2).map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    let found = ids("postgres").or_else(|| ids("nobody"));
    found.ok_or_else(|| "there is no user postgres or nobody, and no server runs as root".into())
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
