//! An authority of the test's own, which signs certificates by the system's `openssl`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A key and its certificate, as files.
pub struct Certificate {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// The key and certificate that sign the others.
pub struct Authority(Certificate);

impl Authority {
    /// A new one of this name, with its files in `folder`.
    pub fn new(folder: &Path, name: &str) -> Self {
        let made = Certificate::at(folder, name);
        openssl(&format!(
            "req -x509 -days 2 {KEY} -subj /CN={name} -keyout {} -out {}",
            made.key.display(),
            made.certificate.display()
        ));
        Self(made)
    }

    /// Returns what the authority is known by.
    pub fn root(&self) -> &Path {
        &self.0.certificate
    }

    /// Signs for a common name, with these extensions.
    pub fn sign(&self, name: &str, extensions: &str) -> Certificate {
        let folder = self.root().parent().expect("it is in a folder");
        let made = Certificate::at(folder, name);
        let (request, said) = (folder.join("request"), folder.join("extensions"));
        fs::write(&said, format!("basicConstraints=CA:FALSE\n{extensions}\n")).unwrap();
        openssl(&format!(
            "req {KEY} -subj /CN={name} -keyout {} -out {}",
            made.key.display(),
            request.display()
        ));
        openssl(&format!(
            "x509 -req -days 2 -in {} -CA {} -CAkey {} -CAcreateserial -extfile {} -out {}",
            request.display(),
            self.root().display(),
            self.0.key.display(),
            said.display(),
            made.certificate.display()
        ));
        made
    }
}

impl Certificate {
    fn at(folder: &Path, name: &str) -> Self {
        let file = |ending: &str| folder.join(format!("{name}.{ending}"));
        Self { certificate: file("crt"), key: file("key") }
    }
}

/// A new key without a passphrase, readable by its owner only, as a server demands.
const KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

/// What to do where the program is missing; a test is never skipped.
const MISSING: &str = "openssl is not on the PATH: install it (Debian: apt-get install openssl), \
    or run ./tests/run as root, which does";

fn openssl(arguments: &str) {
    let mut command = Command::new("openssl");
    let done = command.args(arguments.split_whitespace()).output().expect(MISSING);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "openssl {arguments}: {said}");
}
