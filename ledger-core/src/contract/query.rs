//! Paths and queries: which route is asked, with which parameters.

use super::error::{Code, Problem};

/// A request target, split into path segments and query parameters.
#[derive(Clone, Debug)]
pub struct Target {
    path: String,
    query: Vec<(String, String)>,
}

impl Target {
    /// Splits `target`.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` when a parameter stands twice.
    pub fn parse(target: &str) -> Result<Self, Problem> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let query: Vec<(String, String)> =
            form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        for (index, (name, _)) in query.iter().enumerate() {
            if query[..index].iter().any(|(other, _)| other == name) {
                return Err(invalid(format!("the parameter {name} stands twice")));
            }
        }
        Ok(Self { path: path.to_owned(), query })
    }

    /// The segments of the path.
    #[must_use]
    pub fn segments(&self) -> Vec<&str> {
        self.path.strip_prefix('/').unwrap_or(&self.path).split('/').collect()
    }

    /// A parameter's value.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Refuses any parameter but those in `known`: a misspelt `customer_ref` must not show the house.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` naming the parameter.
    pub fn only(&self, known: &[&str]) -> Result<(), Problem> {
        match self.query.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, _)) => Err(invalid(format!("the parameter {name} is unknown here"))),
            None => Ok(()),
        }
    }

    /// The subaccount asked for, of 1 to 80 characters; never `casa`.
    ///
    /// # Errors
    ///
    /// `formato_invalido` otherwise.
    pub fn customer(&self) -> Result<Option<&str>, Problem> {
        match self.get("customer_ref") {
            Some("casa") => Err(Problem::new(
                Code::FormatInvalid,
                "customer_ref \"casa\" names the house balance; omit the parameter instead",
            )),
            Some(text) if text.is_empty() || text.chars().count() > 80 => {
                Err(Problem::new(Code::FormatInvalid, "customer_ref must have 1 to 80 characters"))
            }
            other => Ok(other),
        }
    }

    /// How many rows a page has: 1 to 200, 50 when not said (STM-10, P:DefaultLimit).
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` otherwise (STM-13, P:DefaultViewBadLimit).
    pub fn limit(&self) -> Result<usize, Problem> {
        let Some(text) = self.get("limit") else { return Ok(50) };
        let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let limit = if plain { text.parse().ok() } else { None };
        limit
            .filter(|limit| (1..=200).contains(limit))
            .ok_or_else(|| invalid("limit must be a whole number from 1 to 200".into()))
    }
}

/// `requisicao_invalida`.
#[must_use]
pub fn invalid(detail: String) -> Problem {
    Problem::new(Code::RequestInvalid, detail)
}
