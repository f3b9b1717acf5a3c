//! A proxy between an engine and its server that cuts a connection on command.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use tempfile::TempDir;

/// When a connection is cut, counted from the next request a client sends.
pub enum Cut {
    /// Before the server hears of it.
    BeforeTheServer,
    /// When the server has heard half of it.
    HalfWay,
    /// When the server has answered, and before the client hears of it.
    BeforeTheAnswer,
    /// When the server has answered, and the client hears that it breaks down: no room for the log.
    Panic,
    /// When the server has heard all of it and the test says so; the server works on.
    OnceView(Receiver<()>),
    /// Before the server hears of it; it does when the test says so.
    HeardLate(Receiver<()>),
    /// Never; the server does not hear of it, and nobody says a word.
    StallBefore,
    /// Never; the server hears all of it, and its answer is kept back.
    StallAfter,
}

/// What becomes of the server's answers.
#[derive(Clone, Copy)]
enum Hush {
    /// They are passed on.
    No,
    /// The connection is cut when there is one.
    Cut,
    /// Instead of one the client hears that the server breaks down, and the connection is cut.
    Panic,
    /// They are kept back.
    Stall,
}

/// What a server says that finds no room for its log, before it restarts: the code is that of a
/// statement that was undone.
const PANIC: &[u8] = b"E\0\0\0\x2cSPANIC\0VPANIC\0C53100\0Mthe disk is full\0\0";

/// A socket like a server's, in a directory of its own.
pub struct Proxy {
    folder: TempDir,
    cut: Arc<Mutex<Option<Cut>>>,
}

impl Proxy {
    /// Stands before the server whose socket is in `server`.
    pub fn before(server: PathBuf) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).unwrap();
        let cut = Arc::new(Mutex::new(None));
        let armed = Arc::clone(&cut);
        thread::spawn(move || {
            for client in listener.incoming() {
                let server = UnixStream::connect(server.join(".s.PGSQL.5432")).unwrap();
                let armed = Arc::clone(&armed);
                thread::spawn(move || serve(client.unwrap(), server, &armed));
            }
        });
        Self { folder, cut }
    }

    /// `url`, by way of this proxy.
    pub fn url(&self, url: &str) -> String {
        let (place, _) = url.split_once("?host=").unwrap();
        format!("{place}?host={}", self.folder.path().display())
    }

    /// Cuts the connection of the next request.
    pub fn cut(&self, cut: Cut) {
        *self.cut.lock().unwrap() = Some(cut);
    }

    /// A cut and what triggers it.
    pub fn cut_when_triggered(&self, cut: fn(Receiver<()>) -> Cut) -> Sender<()> {
        let (trigger, triggered) = channel();
        self.cut(cut(triggered));
        trigger
    }
}

/// Passes requests on, and answers back by a thread of their own, until one is to be cut.
fn serve(mut client: UnixStream, mut server: UnixStream, armed: &Mutex<Option<Cut>>) {
    let (mut answers, mut hears) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    // An answer that is not to be heard is left to the thread that cuts.
    let hush = Arc::new(Mutex::new(Hush::No));
    let hushed = Arc::clone(&hush);
    thread::spawn(move || {
        let mut bytes = [0; 1 << 14];
        while let Ok(read @ 1..) = answers.read(&mut bytes) {
            match *hushed.lock().unwrap() {
                Hush::No => {}
                Hush::Cut => break,
                Hush::Panic => {
                    let _ = hears.write_all(PANIC);
                    break;
                }
                Hush::Stall => continue,
            }
            if hears.write_all(&bytes[..read]).is_err() {
                break;
            }
        }
        let _ = hears.shutdown(Shutdown::Both);
    });
    let mut bytes = [0; 1 << 14];
    while let Ok(read @ 1..) = client.read(&mut bytes) {
        let request = &bytes[..read];
        // The lock is not held while a cut waits for its trigger.
        let cut = armed.lock().unwrap().take();
        let (now, late, trigger) = match cut {
            None => {
                if server.write_all(request).is_err() {
                    break;
                }
                continue;
            }
            Some(Cut::BeforeTheServer) => (&request[..0], None, None),
            Some(Cut::HalfWay) => (&request[..read / 2], None, None),
            Some(answered @ (Cut::BeforeTheAnswer | Cut::Panic)) => {
                let panics = matches!(answered, Cut::Panic);
                *hush.lock().unwrap() = if panics { Hush::Panic } else { Hush::Cut };
                // The other thread hears the answer, and cuts.
                let _ = server.write_all(request);
                return;
            }
            Some(stall @ (Cut::StallBefore | Cut::StallAfter)) => {
                *hush.lock().unwrap() = Hush::Stall;
                if matches!(stall, Cut::StallAfter) {
                    let _ = server.write_all(request);
                }
                // Silence, until the client gives up.
                while let Ok(1..) = client.read(&mut bytes) {}
                break;
            }
            Some(Cut::OnceView(trigger)) => (request, None, Some(trigger)),
            Some(Cut::HeardLate(trigger)) => (&request[..0], Some(request), Some(trigger)),
        };
        let _ = server.write_all(now);
        if let (None, Some(trigger)) = (late, &trigger) {
            let _ = trigger.recv();
        }
        let _ = client.shutdown(Shutdown::Both);
        if let (Some(late), Some(trigger)) = (late, &trigger) {
            let _ = trigger.recv();
            let _ = server.write_all(late);
            // Its answer is awaited, so that the test finds everything done.
            let _ = server.read(&mut [0; 1 << 10]);
        }
        break;
    }
    let _ = server.shutdown(Shutdown::Both);
}
