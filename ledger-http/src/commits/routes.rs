//! The writer's side: pages of commits, and values of the vault, for whoever brings the secret.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response as HttpResponse};
use axum::routing::{get, post};
use ledger_core::contract::{Code, Problem, Response};
use ledger_store::engine::EngineError;
use ledger_store::{Head, Journal, JournalError, OpenError, Row};
use serde_json::Value;

use super::page::{LedgerPrint, Page};
use super::{COMMITS, VALUES, answers};
use crate::edge::body::read_json;
use crate::edge::content_type::negotiate;
use crate::edge::reply::{Occasion, Reply};
use crate::ledgers::OpenLedger;
use crate::operation::with_causes;
use crate::request_id::RequestId;
use crate::router::{OTHER_METHODS, assign_request_id};
use crate::service::Service;
use crate::token::Token;
use crate::world::token::bearer;

/// The most rows of a page.
pub(super) const MOST_ROWS: usize = 64;

/// No row follows in a page once its payloads are so many bytes.
const PAGE_BYTES: usize = 1_024 * 1_024;

/// The longest that a page is waited with, in seconds.
pub(super) const LONGEST: u64 = 30;

/// How often it is looked whether the service ends while a page is waited with.
const LOOK: Duration = Duration::from_millis(250);

/// The most bytes of the tokens that are asked for.
const TOKEN_BYTES: usize = 256 * 1_024;

/// Routes by which replicas elsewhere follow the ledgers of a service, for a listener of their
/// own: whoever brings the secret reads all records, the vault key and every personal value.
///
/// | Route | What it gives |
/// |---|---|
/// | `GET /ledgers/{ledger}` | What the ledger was created with, and where it ends. |
/// | `GET /ledgers/{ledger}/commits` | Rows after the record `after`, as the journal stores them. |
/// | `POST /ledgers/{ledger}/values` | The values that the vault has under some tokens. |
///
/// Rows are given once the engine knows that they are durable, and none where another writer may
/// have taken over. [`CommitSource`](super::CommitSource) is who asks.
pub fn commits_router(service: &Service, secret: Token) -> Router {
    let offered = Arc::new(Offered {
        service: service.clone(),
        secret,
        readers: service.ledgers().all().map(|ledger| reader(ledger)).collect(),
    });
    Router::new()
        .route("/ledgers/{ledger}", get(identity))
        .route(&format!("/ledgers/{{ledger}}/{COMMITS}"), get(commits))
        .route(&format!("/ledgers/{{ledger}}/{VALUES}"), post(values))
        .method_not_allowed_fallback(refuse_method)
        .fallback(not_found)
        .layer(from_fn_with_state(Arc::clone(&offered), authenticate))
        .layer(from_fn_with_state(service.clone(), assign_request_id))
        .with_state(offered)
}

/// What the routes are asked of.
struct Offered {
    service: Service,
    secret: Token,
    /// By its name, a journal of each ledger open for reading, once it was needed.
    readers: HashMap<Box<str>, Reader>,
}

type Reader = Mutex<Option<Box<dyn Journal>>>;

fn reader(ledger: &OpenLedger) -> (Box<str>, Reader) {
    ((**ledger.name()).into(), Mutex::default())
}

/// What is asked of a ledger's commits.
struct PageQuery {
    after: u64,
    rows: usize,
    wait: Duration,
}

/// Lets pass whoever brings the secret.
async fn authenticate(
    State(offered): State<Arc<Offered>>,
    request: Request,
    next: Next,
) -> HttpResponse {
    if bearer(request.headers()).is_some_and(|given| offered.secret.is(given)) {
        return next.run(request).await;
    }
    let detail = match bearer(request.headers()) {
        None => "Authorization is missing: it is Bearer and the secret of replicas",
        Some(_) => "this secret is not the service's",
    };
    let problem = Problem::new(Code::NotAuthenticated, detail);
    let mut response = offered.respond(&request, Err(problem));
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

async fn refuse_method(State(offered): State<Arc<Offered>>, request: Request) -> HttpResponse {
    offered.respond(&request, Err(Problem::new(Code::MethodNotAllowed, OTHER_METHODS)))
}

async fn not_found(State(offered): State<Arc<Offered>>, request: Request) -> HttpResponse {
    let detail = "there is no such path here; clients are served elsewhere";
    offered.respond(&request, Err(Problem::new(Code::NotFound, detail)))
}

async fn identity(
    State(offered): State<Arc<Offered>>,
    Path(name): Path<String>,
    request: Request,
) -> HttpResponse {
    let found = async {
        let ledger = offered.ledger(&name)?;
        let made = offered.read(ledger, |journal| Ok(journal.identity())).await?;
        let head = ledger.engine().head().map_err(|error| away(&error))?;
        Ok(answers::identity(&name, &made, head))
    };
    let found = found.await;
    offered.respond(&request, found)
}

async fn values(
    State(offered): State<Arc<Offered>>,
    Path(name): Path<String>,
    request: Request,
) -> HttpResponse {
    let (head, body) = request.into_parts();
    let found = async {
        let ledger = offered.ledger(&name)?;
        let body = read_json(&head.headers, body, TOKEN_BYTES).await?;
        let tokens = answers::read_tokens(&body).ok_or_else(|| {
            let detail = "tokens must be at most 1000 texts of 32 hexadecimal digits";
            Problem::new(Code::RequestInvalid, detail)
        })?;
        let rows = offered.read(ledger, move |journal| journal.values(&tokens)).await?;
        Ok(answers::values(&rows))
    };
    let found = found.await;
    offered.respond(&Request::from_parts(head, axum::body::Body::empty()), found)
}

async fn commits(
    State(offered): State<Arc<Offered>>,
    Path(name): Path<String>,
    request: Request,
) -> HttpResponse {
    let asked = parse_query(request.uri().query().unwrap_or_default());
    let found = async { offered.page(&name, &asked?).await };
    match found.await {
        Ok(page) => {
            let binary = HeaderValue::from_static("application/octet-stream");
            let nobody = HeaderValue::from_static("no-store");
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, binary), (CACHE_CONTROL, nobody)]);
            (headers, page.encode()).into_response()
        }
        Err(problem) => offered.respond(&request, Err(problem)),
    }
}

impl Offered {
    fn ledger(&self, name: &str) -> Result<&Arc<OpenLedger>, Problem> {
        let mut all = self.service.ledgers().all();
        all.find(|ledger| **ledger.name() == *name)
            .ok_or_else(|| Problem::new(Code::NotFound, "no ledger of this service has that name"))
    }

    /// The page after a record, once there is one or the time is over.
    async fn page(self: &Arc<Self>, name: &str, asked: &PageQuery) -> Result<Page, Problem> {
        let ledger = self.ledger(name)?;
        let head = self.await_head(ledger, asked).await?;
        let (after, rows) = (asked.after, asked.rows);
        if head.seq < after {
            let detail = format!("record {after} is not there: the journal ends at {}", head.seq);
            return Err(Problem::new(Code::Conflict, detail).with("head", head.seq.into()));
        }
        let name = name.to_owned();
        let page = self.read(ledger, move |journal| {
            let ledger = LedgerPrint::new(&name, &journal.identity());
            if head.seq == after {
                // Nobody reads on at once, so a file is closed.
                journal.rest();
                return Ok(Page { ledger, head, rows: Vec::new() });
            }
            let mut read = journal.read(after + 1, rows)?;
            read.retain(|row| row.last() <= head.seq);
            Ok(Page { ledger, head, rows: fit_page(read) })
        });
        page.await
    }

    /// Where the journal ends; beyond the record that is asked for if that comes in time.
    async fn await_head(&self, ledger: &OpenLedger, asked: &PageQuery) -> Result<Head, Problem> {
        let engine = ledger.engine();
        let began = Instant::now();
        let mut there = pin!(engine.durable(asked.after.saturating_add(1)));
        loop {
            let head = engine.head().map_err(|error| away(&error))?;
            let late = asked.wait <= began.elapsed() || self.service.is_closing();
            if head.seq != asked.after || late {
                return Ok(head);
            }
            let rest = LOOK.min(asked.wait.saturating_sub(began.elapsed()));
            tokio::select! {
                there = &mut there => return there.map_err(|error| away(&error)),
                () = tokio::time::sleep(rest) => {}
            }
        }
    }

    /// Reads a ledger's journal, on a thread that may block.
    async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        ledger: &Arc<OpenLedger>,
        work: impl FnOnce(&mut dyn Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, Problem> {
        let (offered, ledger) = (Arc::clone(self), Arc::clone(ledger));
        let read = tokio::task::spawn_blocking(move || {
            let reader = &offered.readers[&**ledger.name()];
            // A journal that is only read is whole, whoever panicked.
            let mut reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
            let journal = match &mut *reader {
                Some(journal) => journal,
                none => {
                    none.insert(ledger.engine().reader().map_err(|error| open_problem(&error))?)
                }
            };
            let read = work(&mut **journal);
            if read.is_err() {
                // It is opened anew by whoever asks next.
                *reader = None;
            }
            read.map_err(|error| unread(&error))
        });
        let failed = |_| Err(Problem::new(Code::InternalError, "this request fails within"));
        read.await.unwrap_or_else(failed)
    }

    fn respond(&self, request: &Request, found: Result<Value, Problem>) -> HttpResponse {
        let request_id = request.extensions().get::<RequestId>().map_or("", RequestId::as_str);
        let occasion = Occasion { at: self.service.now(), request_id };
        let reply = match found {
            Ok(body) => Reply::new(Response::ok(body)),
            Err(problem) => Reply::problem(&problem, occasion),
        };
        reply.render(negotiate(request.headers()))
    }
}

/// The first rows, as far as a page goes: one at least.
fn fit_page(mut rows: Vec<Row>) -> Vec<Row> {
    let mut bytes = 0;
    let fits = |row: &&Row| {
        let fits = bytes < PAGE_BYTES;
        bytes += row.payload.len();
        fits
    };
    let fitting = rows.iter().take_while(fits).count();
    rows.truncate(fitting);
    rows
}

/// Why the engine says nothing of its head: another may have taken over, or it has ended.
fn away(error: &EngineError) -> Problem {
    Problem::new(Code::Paused, format!("the ledger is not written here now: {error}"))
        .with("retry_after_seconds", 1.into())
}

fn open_problem(_: &OpenError) -> Problem {
    // Where the store is, is nobody's but the operator's.
    Problem::new(Code::Paused, "the journal cannot be opened now")
        .with("retry_after_seconds", 1.into())
}

fn unread(error: &JournalError) -> Problem {
    // Whoever asks holds the secret that gives the whole journal, so what the medium says is told.
    Problem::new(Code::Paused, with_causes(error)).with("retry_after_seconds", 1.into())
}

/// Reads `after`, `rows` and `wait` of the query.
fn parse_query(query: &str) -> Result<PageQuery, Problem> {
    let wrong = |detail: &str| Problem::new(Code::RequestInvalid, detail);
    let mut asked = PageQuery { after: 0, rows: 16, wait: Duration::ZERO };
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "after" => {
                let after = value.parse().ok();
                asked.after = after.ok_or_else(|| wrong("after must be the number of a record"))?;
            }
            "rows" => {
                let rows = value.parse().ok().filter(|rows| (1..=MOST_ROWS).contains(rows));
                asked.rows = rows.ok_or_else(|| wrong("rows must be 1 to 64"))?;
            }
            "wait" => {
                let wait = value.parse().ok().filter(|seconds| *seconds <= LONGEST);
                let wait = wait.ok_or_else(|| wrong("wait must be 0 to 30 seconds"))?;
                asked.wait = Duration::from_secs(wait);
            }
            _ => return Err(wrong("the query may have after, rows and wait")),
        }
    }
    Ok(asked)
}

#[cfg(test)]
mod tests {
    use ledger_store::Link;

    use super::*;

    #[test]
    fn a_page_ends_after_the_row_that_fills_it_and_has_one_at_least() {
        let row =
            |bytes: usize| Row { first: 1, count: 1, payload: vec![0; bytes], link: Link([0; 32]) };
        let cut = |sizes: &[usize]| fit_page(sizes.iter().map(|size| row(*size)).collect()).len();
        let half = PAGE_BYTES / 2;
        assert_eq!(cut(&[]), 0);
        assert_eq!(cut(&[10 * PAGE_BYTES, 1]), 1);
        assert_eq!(cut(&[half, half - 1, 7, 7]), 3);
        assert_eq!(cut(&[half, half, 7]), 2);
        assert_eq!(cut(&[1; 64]), 64);
    }

    #[test]
    fn a_query_has_bounds() {
        let found = parse_query("after=7&rows=64&wait=30").unwrap();
        assert_eq!((found.after, found.rows, found.wait), (7, 64, Duration::from_secs(30)));
        let found = parse_query("").unwrap();
        assert_eq!((found.after, found.rows, found.wait), (0, 16, Duration::ZERO));
        for wrong in ["after=", "after=x", "rows=65", "rows=0", "wait=31", "from=1"] {
            assert!(parse_query(wrong).is_err(), "{wrong}");
        }
    }
}
