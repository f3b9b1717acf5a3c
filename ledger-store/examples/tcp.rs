//! A small asynchronous service around one ledger: JSON lines in over TCP, answers out, each given
//! when what it says is durable.
//!
//! ```console
//! $ cargo run -p ledger-store --example tcp -- ledger.db 127.0.0.1:7000
//! ```
//!
//! A line is a call of the contract, as in the files that `run` executes; the answer carries,
//! beside status and body, how many instructions the world was given. A line that cannot be read is
//! answered with what is wrong with it. Any number of connections talk to the engine at once, and
//! what they ask at the same time shares commits. When its own input ends it stops: what was taken
//! is finished first.

use std::error::Error;
use std::sync::Arc;

use ledger_core::contract::{Code, Line, Problem, RouteKind};
use ledger_core::ledger::Origin;
use ledger_store::engine::{Engine, EngineError};
use ledger_store::{OpenMode, SqliteJournal};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What the embedding service shows beyond the contract: its own failures.
const UNAVAILABLE: u16 = 503;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(address)) = (arguments.next(), arguments.next()) else {
        return Err("usage: tcp FILE ADDRESS".into());
    };
    // The engine starts and stops on a plain thread, outside of the runtime.
    let journal = SqliteJournal::open(&file, "live", OpenMode::create())?;
    let engine = Arc::new(Engine::builder("live").start(Box::new(journal))?);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(&address).await?;
        println!("listening on {}", listener.local_addr()?);
        tokio::select! {
            ended = serve(listener, Arc::clone(&engine)) => ended,
            asked = until_asked_to_stop() => asked,
        }
    })?;
    let head = engine.stop()?;
    println!("stopped at record {}, link {}", head.seq, head.link);
    Ok(())
}

/// Ends with the standard input: a supervisor closes the pipe, a person presses `Ctrl-D`.
async fn until_asked_to_stop() -> std::io::Result<()> {
    let mut line = String::new();
    let mut input = BufReader::new(tokio::io::stdin());
    while input.read_line(&mut line).await? > 0 {}
    Ok(())
}

/// Takes connections, each with a task of its own.
///
/// # Errors
///
/// When no more connections can be taken.
pub async fn serve(listener: TcpListener, engine: Arc<Engine>) -> std::io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        let engine = Arc::clone(&engine);
        tokio::spawn(async move {
            if let Err(error) = converse(stream, &engine).await {
                eprintln!("a connection was lost: {error}");
            }
        });
    }
}

/// Answers every line of a connection, in order.
async fn converse(stream: TcpStream, engine: &Engine) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    while let Some(line) = lines.next_line().await? {
        let mut answer = answer(&line, engine).await.to_string();
        answer.push('\n');
        write.write_all(answer.as_bytes()).await?;
    }
    Ok(())
}

/// Returns what one line is answered.
async fn answer(line: &str, engine: &Engine) -> Value {
    let no_label = |label: &str| {
        Err(Problem::new(Code::FormatInvalid, format!("there are no labels here: ${label}")))
    };
    match Line::parse(line, no_label) {
        Err(Problem { code, detail, .. }) => {
            json!({"status": code.status(RouteKind::Other), "body": {"erro": code.name(), "detail": detail}})
        }
        Ok(line) => match ask(line, engine).await {
            Ok(answer) => answer,
            // Nothing is lost by it: repeated with the same id, the line is decided or answered.
            Err(error) => json!({"status": UNAVAILABLE, "body": {"erro": error.to_string()}}),
        },
    }
}

async fn ask(line: Line, engine: &Engine) -> Result<Value, EngineError> {
    // A full queue holds back this task and no thread; then comes the answer, once it is durable.
    let handled = engine.reserve().await?.handle(line.call(Origin::Call)).await?;
    let (response, instructions) = (handled.response, handled.instructions.len());
    Ok(json!({"status": response.status, "body": response.body, "instructions": instructions}))
}
