//! The language of a page: Portuguese, unless the reader asks for English.

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_LANGUAGE, COOKIE};
use axum::http::request::Parts;

use crate::edge::path::requery;

/// A language that pages are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lang {
    /// Portuguese of Brazil, the default.
    Pt,
    /// English, for a reader who asks for it.
    En,
}

/// The cookie that keeps what was chosen.
pub(super) const CHOSEN: &str = "lang";

impl Lang {
    /// What the request asks for: by `?lang=`, else by what was chosen before, else by the
    /// browser's own order.
    pub(crate) fn from_request(head: &Parts) -> Self {
        let asked = Self::from_query(head);
        let cookies = head.headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.flat_map(|line| line.split(';')).map(str::trim);
        let chosen = cookies
            .find_map(|cookie| Self::from_tag(cookie.strip_prefix(CHOSEN)?.strip_prefix('=')?));
        asked.or(chosen).or_else(|| Self::from_accept_language(&head.headers)).unwrap_or(Self::Pt)
    }

    /// Returns what `Accept-Language` prefers of the two.
    pub(crate) fn from_accept_language(headers: &HeaderMap) -> Option<Self> {
        let header = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Self::parse_accept_language(header?)
    }

    /// Returns what `?lang=` says.
    pub(super) fn from_query(head: &Parts) -> Option<Self> {
        let query = head.uri.query().unwrap_or_default();
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find_map(|(name, value)| if name == "lang" { Self::from_tag(&value) } else { None })
    }

    /// The same address in the other language, its filter kept.
    pub(super) fn switch(head: &Parts) -> String {
        let other = Self::from_request(head).other().name();
        requery(head.uri.query().unwrap_or_default(), "lang", Some(other))
    }

    /// The first of ours in `Accept-Language`, by its weight.
    fn parse_accept_language(header: &str) -> Option<Self> {
        let weighed = header.split(',').filter_map(|part| {
            let (tag, rest) = part.split_once(';').unwrap_or((part, "q=1"));
            let weight: f32 = rest.trim().strip_prefix("q=")?.parse().ok()?;
            Some((Self::from_tag(tag.trim())?, weight)).filter(|(_, weight)| *weight > 0.0)
        });
        let first =
            |best: (Self, f32), other: (Self, f32)| if other.1 > best.1 { other } else { best };
        weighed.reduce(first).map(|(lang, _)| lang)
    }

    fn from_tag(tag: &str) -> Option<Self> {
        match tag.split('-').next().unwrap_or_default() {
            name if name.eq_ignore_ascii_case("pt") => Some(Self::Pt),
            name if name.eq_ignore_ascii_case("en") => Some(Self::En),
            _ => None,
        }
    }

    /// Its tag, as HTML and HTTP say it.
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::Pt => "pt-BR",
            Self::En => "en",
        }
    }

    /// The name that `?lang=` has for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Pt => "pt",
            Self::En => "en",
        }
    }

    /// The other one.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Pt => Self::En,
            Self::En => Self::Pt,
        }
    }

    /// A text of the page, in Portuguese and in English.
    pub(crate) const fn t(self, pt: &'static str, en: &'static str) -> &'static str {
        match self {
            Self::Pt => pt,
            Self::En => en,
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn lang_for(target: &str, headers: &[(&str, &str)]) -> Lang {
        let mut request = Request::get(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Lang::from_request(&request.body(()).unwrap().into_parts().0)
    }

    #[test]
    fn a_page_is_portuguese_unless_english_is_asked_for() {
        assert_eq!(lang_for("/", &[]), Lang::Pt);
        assert_eq!(lang_for("/", &[("accept-language", "de, fr;q=0.5")]), Lang::Pt);
        assert_eq!(lang_for("/", &[("accept-language", "de, en-GB;q=0.8, pt;q=0.3")]), Lang::En);
        assert_eq!(lang_for("/", &[("accept-language", "pt-BR,pt;q=0.9,en;q=0.8")]), Lang::Pt);
        assert_eq!(lang_for("/", &[("accept-language", "en;q=0")]), Lang::Pt);
        let english = ("accept-language", "en");
        assert_eq!(lang_for("/?lang=pt", &[english]), Lang::Pt);
        assert_eq!(lang_for("/", &[english, ("cookie", "a=b; lang=pt")]), Lang::Pt);
        assert_eq!(lang_for("/?lang=en", &[("cookie", "lang=pt")]), Lang::En);
        assert_eq!(lang_for("/?lang=xx", &[english]), Lang::En);
        let head = Request::get("/?lang=pt&customer=a%26b").body(()).unwrap().into_parts().0;
        assert_eq!(Lang::switch(&head), "?customer=a%26b&lang=en");
    }
}
