//! A request's body: read up to a bound, and as strictly as a line is.

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_ENCODING;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use ledger_core::contract::{Code, Problem, json};
use serde_json::Value;

use super::content_type::expect_json;

/// Reads a body as JSON; null where there is none.
///
/// # Errors
///
/// `corpo_grande_demais` beyond the bound, `formato_invalido` for what is no JSON or does not say
/// that it is.
pub(crate) async fn read_json(
    headers: &HeaderMap,
    body: Body,
    most: usize,
) -> Result<Value, Problem> {
    let bytes = read(body, most).await?;
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    expect_json(headers)?;
    let text = str::from_utf8(&bytes).map_err(|_| {
        let detail = if headers.contains_key(CONTENT_ENCODING) {
            "the body is compressed: send it without Content-Encoding"
        } else {
            "the body is no text in UTF-8"
        };
        Problem::new(Code::FormatInvalid, detail)
    })?;
    json::parse(text).map_err(|error| {
        let detail = format!("the body is no JSON: {error}");
        Problem::new(Code::FormatInvalid, detail)
    })
}

/// Reads a body of at most so many bytes; one that says it is larger is not read at all.
async fn read(body: Body, most: usize) -> Result<Bytes, Problem> {
    let too_large = || {
        let detail = format!("a body has at most {most} bytes");
        Problem::new(Code::BodyTooLarge, detail)
    };
    if body.size_hint().lower() > most as u64 {
        return Err(too_large());
    }
    match Limited::new(body, most).collect().await {
        Ok(read) => Ok(read.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large()),
        Err(_) => Err(Problem::new(Code::FormatInvalid, "the body ended before its end")),
    }
}
