//! A socket in the file system, which its owner alone may connect to.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{
    DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, PermissionsExt as _,
};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// A socket that is listened on; its file goes with it.
#[derive(Debug)]
pub struct UnixSocket {
    listener: UnixListener,
    path: PathBuf,
    /// Which file it is: another process may have put its own there since.
    inode: (u64, u64),
}

impl UnixSocket {
    /// Listens at this path, with mode 0600 from the first moment on. A socket that is left there,
    /// and that nobody listens on, is replaced.
    ///
    /// # Errors
    ///
    /// When somebody listens there, when something else than a socket is there, and when nothing
    /// can be made there.
    pub fn bind(path: &Path) -> io::Result<Self> {
        is_free(path)?;
        // Made in a folder that nobody else enters, so that nobody connects before the mode is set.
        let within = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let within = within.unwrap_or(Path::new("."));
        let folder = within.join(format!(".{:x}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        DirBuilder::new().mode(0o700).create(&folder)?;
        let made = Self::bind_hidden(&folder.join("s"), path);
        let _ = fs::remove_dir_all(&folder);
        made
    }

    fn bind_hidden(hidden: &Path, path: &Path) -> io::Result<Self> {
        let listener = UnixListener::bind(hidden)?;
        fs::set_permissions(hidden, Permissions::from_mode(0o600))?;
        fs::rename(hidden, path)?;
        let file = fs::symlink_metadata(path)?;
        Ok(Self { listener, path: path.to_owned(), inode: (file.dev(), file.ino()) })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The listener itself, for a runtime.
    pub(super) fn listener(&self) -> io::Result<UnixListener> {
        self.listener.set_nonblocking(true)?;
        self.listener.try_clone()
    }
}

impl Drop for UnixSocket {
    fn drop(&mut self) {
        let own = fs::symlink_metadata(&self.path)
            .is_ok_and(|file| (file.dev(), file.ino()) == self.inode);
        if own {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Tells whether a socket may be put here.
fn is_free(path: &Path) -> io::Result<()> {
    let said = |text: &str| Err(io::Error::new(io::ErrorKind::AddrInUse, text));
    let file = match fs::symlink_metadata(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if !file.file_type().is_socket() {
        return said("something else than a socket is there");
    }
    match UnixStream::connect(path) {
        Ok(_) => said("another process listens there"),
        // Nobody does: whoever did has ended without taking its file away.
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_is_its_owners_alone_and_goes_with_its_listener() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("world.sock");
        let socket = UnixSocket::bind(&path).unwrap();
        let file = fs::symlink_metadata(&path).unwrap();
        assert_eq!((file.file_type().is_socket(), file.mode() & 0o777), (true, 0o600));
        assert!(UnixStream::connect(&path).is_ok());
        let names = || fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names(), 1, "what it was made in is gone");
        drop(socket);
        assert_eq!(names(), 0);
    }

    #[test]
    fn a_socket_that_nobody_listens_on_is_replaced_and_no_other_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("world.sock");
        drop(UnixListener::bind(&path).unwrap());
        assert!(fs::symlink_metadata(&path).is_ok(), "it was left there");
        let socket = UnixSocket::bind(&path).unwrap();
        let second = UnixSocket::bind(&path).unwrap_err();
        assert_eq!(second.kind(), io::ErrorKind::AddrInUse);
        assert!(UnixStream::connect(&path).is_ok(), "the first goes on");
        // A file that somebody else has put there is not taken away.
        fs::remove_file(&path).unwrap();
        let other = UnixListener::bind(&path).unwrap();
        drop(socket);
        assert!(UnixStream::connect(&path).is_ok());
        drop(other);
    }

    #[test]
    fn what_is_no_socket_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        fs::write(&path, "precious").unwrap();
        assert_eq!(UnixSocket::bind(&path).unwrap_err().kind(), io::ErrorKind::AddrInUse);
        // A link is not followed to what it names.
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(UnixSocket::bind(&link).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        assert!(UnixSocket::bind(&folder.path().join("nowhere/world.sock")).is_err());
    }
}
