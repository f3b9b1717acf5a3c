//! What is listened on: a port of the network, or a socket in the file system.

use std::io;
use std::net::{SocketAddr, TcpListener};

#[cfg(unix)]
use super::unix::UnixSocket;

/// A listener that connections are accepted of.
#[derive(Debug)]
pub enum Listening {
    /// On a port.
    Tcp(TcpListener),
    /// On a socket in the file system, for its owner alone.
    #[cfg(unix)]
    Unix(UnixSocket),
}

impl From<TcpListener> for Listening {
    fn from(listener: TcpListener) -> Self {
        Self::Tcp(listener)
    }
}

#[cfg(unix)]
impl From<UnixSocket> for Listening {
    fn from(socket: UnixSocket) -> Self {
        Self::Unix(socket)
    }
}

/// The same within a runtime.
pub(super) enum Acceptor {
    Tcp(tokio::net::TcpListener),
    #[cfg(unix)]
    Unix {
        listener: tokio::net::UnixListener,
        /// Its file goes with it.
        _socket: UnixSocket,
    },
}

/// A connection that was accepted.
pub(super) enum Stream {
    Tcp(tokio::net::TcpStream, SocketAddr),
    #[cfg(unix)]
    Unix(tokio::net::UnixStream),
}

impl Acceptor {
    /// To be called within the runtime that is to accept.
    pub(super) fn from_listening(listening: Listening) -> io::Result<Self> {
        match listening {
            Listening::Tcp(listener) => {
                listener.set_nonblocking(true)?;
                Ok(Self::Tcp(tokio::net::TcpListener::from_std(listener)?))
            }
            #[cfg(unix)]
            Listening::Unix(socket) => {
                let listener = tokio::net::UnixListener::from_std(socket.listener()?)?;
                Ok(Self::Unix { listener, _socket: socket })
            }
        }
    }

    pub(super) async fn accept(&self) -> io::Result<Stream> {
        match self {
            Self::Tcp(listener) => {
                let (stream, peer) = listener.accept().await?;
                // Answers are small, and their last bytes must not wait for an acknowledgement.
                let _ = stream.set_nodelay(true);
                Ok(Stream::Tcp(stream, peer))
            }
            #[cfg(unix)]
            Self::Unix { listener, .. } => Ok(Stream::Unix(listener.accept().await?.0)),
        }
    }
}
