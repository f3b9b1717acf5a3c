//! A server of SMTP on this machine, and what it took.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long is waited for a mail.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Mailbox {
    pub address: SocketAddr,
    taken: Arc<Mutex<Vec<String>>>,
    /// What recipients are answered with.
    answer: Arc<Mutex<&'static str>>,
}

impl Mailbox {
    pub fn start() -> Self {
        Self::on("127.0.0.1:0".parse().unwrap())
    }

    pub fn on(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let (taken, answer) =
            (Arc::<Mutex<Vec<String>>>::default(), Arc::new(Mutex::new("250 ok")));
        let (kept, answers) = (Arc::clone(&taken), Arc::clone(&answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                // A client that hangs up has said what it had to.
                let _ = talk(stream, &kept, &answers);
            }
        });
        Self { address, taken, answer }
    }

    /// Answers recipients so from now on.
    pub fn answers(&self, answer: &'static str) {
        *self.answer.lock().unwrap() = answer;
    }

    pub fn count(&self) -> usize {
        self.taken.lock().unwrap().len()
    }

    /// The mail of this number, from 0, as it was sent.
    pub async fn mail(&self, number: usize) -> String {
        let began = Instant::now();
        loop {
            if let Some(mail) = self.taken.lock().unwrap().get(number) {
                return mail.clone();
            }
            assert!(began.elapsed() < PATIENCE, "mail {number} did not come");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

fn talk(
    mut stream: TcpStream,
    taken: &Mutex<Vec<String>>,
    answer: &Mutex<&'static str>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let mut say = |line: &str| stream.write_all(format!("{line}\r\n").as_bytes());
    say("220 mailbox")?;
    let mut envelope = String::new();
    while let Some(line) = lines.next() {
        let line = line?;
        match line.get(..4).unwrap_or_default() {
            "RCPT" => {
                envelope = line;
                say(*answer.lock().unwrap())?;
            }
            "DATA" => {
                say("354 go on")?;
                let mut text = format!("{envelope}\n");
                for line in lines.by_ref() {
                    let line = line?;
                    if line == "." {
                        break;
                    }
                    // What quoted-printable broke is whole again.
                    match line.strip_suffix('=') {
                        Some(part) => text += part,
                        None => text.extend([&*line, "\n"]),
                    }
                }
                taken.lock().unwrap().push(text);
                say("250 taken")?;
            }
            "QUIT" => return say("221 bye"),
            _ => say("250 ok")?,
        }
    }
    Ok(())
}
