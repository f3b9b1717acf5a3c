//! The Debian package: the same bytes twice, nothing for lintian to find, a unit that may do little,
//! and everything in it that the program says of itself.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::killed::{Folder, PROGRAM};

const TREE: &str = env!("CARGO_MANIFEST_DIR");

fn done(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (said, error) =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).into();
    assert!(output.status.success(), "{command:?}: {said}{error}");
    said
}

fn packed(package: &Path) {
    // What is packed is not compressed here, which takes most of the time.
    let mut build = Command::new(format!("{TREE}/ops/deb/build"));
    done(
        build
            .args([Path::new(PROGRAM), package])
            .env("DEB_LEVEL", "0")
            .env("SOURCE_DATE_EPOCH", "1795824000"),
    );
}

#[test]
fn two_packages_of_one_program_are_the_same_and_lintian_finds_nothing() {
    let folder = Folder::new("packaged");
    let [one, other] = ["one.deb", "other.deb"].map(|name| folder.path().join(name));
    packed(&one);
    packed(&other);
    assert!(fs::read(&one).unwrap() == fs::read(&other).unwrap(), "the packages differ");
    fs::remove_file(&other).unwrap();
    let mut lintian = Command::new("lintian");
    assert_eq!(done(lintian.args(["--allow-root", "--fail-on=error,warning"]).arg(&one)), "");
    let root = folder.path().join("root");
    done(Command::new("dpkg-deb").arg("-x").args([&one, &root]));
    done(Command::new("dpkg-deb").arg("-e").arg(&one).arg(root.join("DEBIAN")));
    done(Command::new("md5sum").args(["--quiet", "-c", "DEBIAN/md5sums"]).current_dir(&root));
    for script in ["postinst", "prerm", "postrm"] {
        done(Command::new("sh").arg("-n").arg(root.join("DEBIAN").join(script)));
    }
    let program = root.join("usr/bin/custody-ledger");
    let version = done(Command::new(&program).arg("--version"));
    let control = fs::read_to_string(root.join("DEBIAN/control")).unwrap();
    assert!(control.contains(&format!("\nVersion: {}", &version["custody-ledger ".len()..])));
    let bill = fs::read(root.join("usr/share/doc/custody-ledger/sbom.cdx.json")).unwrap();
    let bill: serde_json::Value = serde_json::from_slice(&bill).unwrap();
    assert_eq!(bill["metadata"]["component"]["name"], "custody-ledger");
    let help = done(Command::new(&program).arg("--help"));
    let pages = root.join("usr/share/man/man1");
    for name in ["serve", "audit", "decide", "erase"] {
        assert!(help.contains(&format!("  {name} ")), "{help}");
        assert!(pages.join(format!("custody-ledger-{name}.1.gz")).exists(), "{name}");
    }
    let settings = root.join("etc/custody-ledger/serve.toml");
    let serve =
        Command::new(&program).args(["serve", "--print-config", "--config"]).arg(settings).output();
    let shown = String::from_utf8(serve.unwrap().stdout).unwrap();
    assert!(shown.contains("store = \"/var/lib/custody-ledger/ledger.db\""), "{shown}");
}

#[test]
fn the_unit_of_the_package_may_do_little() {
    let mut analyze = Command::new("systemd-analyze");
    analyze.args(["security", "--offline=true", "--threshold=20"]);
    let said = done(analyze.arg(format!("{TREE}/ops/deb/custody-ledger.service")));
    let (_, level) =
        said.split_once("Overall exposure level for custody-ledger.service: ").unwrap();
    let level: f64 = level.split(' ').next().unwrap().parse().unwrap();
    assert!(level < 2.0, "{said}");
}
