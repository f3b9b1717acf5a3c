//! `POST /lines`: facts as JSON lines, each answered by a line, while they come.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, EXPECT};
use axum::response::{IntoResponse, Response as HttpResponse};
use ledger_core::contract::{self, CallKind, Code, Line, Problem, Response};
use ledger_core::ledger::Origin;
use serde::Serialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt as _};

use super::fact::{Begun, LARGEST, begin, line_problem};
use crate::edge::reply::{Occasion, Reply, Unfinished};
use crate::request_id::RequestId;
use crate::service::Service;

/// How many lines may wait for their answers, or for their answers to be read.
const WINDOW: usize = 256;

/// A line that is answered, or will be.
struct Awaited {
    number: u64,
    answer: Answer,
}

/// The line that answers a line.
#[derive(Serialize)]
struct AnswerLine<'a> {
    line: u64,
    status: u16,
    body: &'a contract::Body,
}

enum Answer {
    Begun(Begun),
    Refused(Response),
}

/// Reports facts, a line each, in their order.
///
/// A line is read only when there is room for it and for its answer, so a slow disk, or a client
/// that does not read, holds the sender back.
pub(super) async fn report(State(service): State<Service>, request: Request) -> HttpResponse {
    let id = RequestId::from_extensions(request.extensions(), &service.parts().numbers);
    let (begun, awaited) = mpsc::channel(WINDOW);
    let expects = request.headers().contains_key(EXPECT);
    let mut parts = request.into_body().into_data_stream();
    // Whoever waits to be told to go on is told when its body is first read, and not after that an
    // answer has begun.
    let first = if expects { parts.next().await } else { None };
    let parts = tokio_stream::iter(first).chain(parts);
    tokio::spawn(read(service.clone(), parts, id.clone(), begun));
    let answers = ReceiverStream::new(awaited).then(move |awaited| {
        let (service, id) = (service.clone(), id.clone());
        async move { answer_line(&service, &id, awaited).await }
    });
    // What is ready together goes out together: each part costs a way through the server.
    let answers = answers.chunks_timeout(WINDOW, Duration::ZERO);
    let answers = answers.map(|lines| Ok::<_, Infallible>(lines.concat()));
    ([(CONTENT_TYPE, "application/jsonl")], Body::from_stream(answers)).into_response()
}

/// Reads lines until their end, or until nobody waits for answers any more.
async fn read(
    service: Service,
    mut parts: impl Stream<Item = Result<Bytes, axum::Error>> + Unpin,
    id: RequestId,
    begun: mpsc::Sender<Awaited>,
) {
    let (mut rest, mut number) = (Vec::new(), 0);
    loop {
        let part = match parts.next().await {
            Some(Ok(part)) => part,
            // A line that was cut off is none; those before it are answered.
            Some(Err(_)) => return,
            None => break,
        };
        let mut part = &part[..];
        while let Some(end) = part.iter().position(|byte| *byte == b'\n') {
            rest.extend_from_slice(&part[..end]);
            part = &part[end + 1..];
            number += 1;
            if !take(&service, &id, number, &rest, &begun).await {
                return;
            }
            rest.clear();
        }
        rest.extend_from_slice(part);
        if rest.len() > LARGEST {
            // Where the next line begins is not known before its end comes.
            let problem = Problem::new(Code::BodyTooLarge, format!("a line has {LARGEST} bytes"));
            let answer = Answer::Refused(line_problem(&problem, service.now()));
            let _ = begun.send(Awaited { number: number + 1, answer }).await;
            return;
        }
    }
    if !rest.is_empty() {
        take(&service, &id, number + 1, &rest, &begun).await;
    }
}

/// Takes one line; `false` when nobody waits for answers any more.
async fn take(
    service: &Service,
    id: &RequestId,
    number: u64,
    bytes: &[u8],
    begun: &mpsc::Sender<Awaited>,
) -> bool {
    // First the room for its answer: nothing is done whose answer nobody will read.
    let Ok(room) = begun.reserve().await else { return false };
    let answer = match line(service, id, bytes).await {
        Ok(Some(begun)) => Answer::Begun(begun),
        Ok(None) => return true,
        Err(problem) => Answer::Refused(line_problem(&problem, service.now())),
    };
    room.send(Awaited { number, answer });
    true
}

/// Puts a line's fact before its ledger; nothing for an empty line.
async fn line(service: &Service, id: &RequestId, bytes: &[u8]) -> Result<Option<Begun>, Problem> {
    let text = str::from_utf8(bytes)
        .map_err(|_| Problem::new(Code::FormatInvalid, "the line is no text in UTF-8"))?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let line = Line::parse(text, |_| {
        Err(Problem::new(Code::FormatInvalid, "labels are known to run, and to nobody here"))
    })?;
    if !matches!(line.ask, CallKind::Fact(_)) {
        let detail = "facts are reported here; requests and commands are asked of the service";
        return Err(Problem::new(Code::RequestInvalid, detail));
    }
    let environment = line.environment;
    let call = line.call(Origin::Request(id.as_str().into()));
    begin(service, call, environment, None).await.map(Some)
}

/// The line that answers a line.
async fn answer_line(service: &Service, id: &RequestId, awaited: Awaited) -> Bytes {
    let Awaited { number, answer } = awaited;
    let occasion = Occasion { at: service.now(), request_id: id.as_str() };
    let response = match answer {
        Answer::Refused(response) => response,
        Answer::Begun(begun) => match begun.response().await {
            Ok(response) => response,
            Err(why) => Reply::from_unanswered(&why, Unfinished::Fact, occasion).response,
        },
    };
    let Response { status, body } = &response;
    let said = AnswerLine { line: number, status: *status, body };
    let mut text = serde_json::to_vec(&said).expect("names are text, and memory takes it");
    text.push(b'\n');
    text.into()
}
