//! Settings that no service runs with: zeros that would take nothing, and addresses that are none.

use ledger_http::courier::Receiver;
use ledger_http::courier::guard::{Forbidden, Guard};

use super::{NOWHERE, Settings};
use crate::Failure;

impl Settings {
    /// Refuses what would start and then serve nobody, each by its name and origin.
    pub(super) fn assert_sound(&self) -> Result<(), Failure> {
        let zeros = [
            ("body-bytes", self.body_bytes == 0),
            ("handling-seconds", self.handling_seconds == 0),
            ("header-seconds", self.header_seconds == 0),
            ("connections", self.connections == 0),
            ("queue", self.queue == 0),
            ("clock-jump-seconds", self.clock_jump_seconds == 0),
            ("checkpoint-every", self.checkpoint_every == 0),
        ];
        if let Some((name, _)) = zeros.into_iter().find(|(_, is_zero)| *is_zero) {
            return Err(self.origins.wrong_failure(name, "must be at least 1"));
        }
        for (name, address) in [
            ("listen", &self.listen),
            ("internal-listen", &self.internal_listen),
            ("console-listen", &self.console_listen),
            ("replicas-listen", &self.replicas_listen),
        ] {
            let nowhere = name != "listen" && address == NOWHERE;
            let socket = name == "internal-listen" && address.starts_with("unix:");
            if !nowhere && !socket && !has_port(address) {
                let right = "must be an address with a port, such as 127.0.0.1:8080";
                return Err(self.origins.wrong_failure(name, right));
            }
        }
        for (name, url) in [("base-url", &self.base_url), ("docs-url", &self.docs_url)] {
            if url.as_deref().is_some_and(|url| Guard::anywhere().check(url).is_err()) {
                let right = "must be a URL, such as https://api.example.com";
                return Err(self.origins.wrong_failure(name, right));
            }
        }
        self.receiver().map(drop)
    }

    /// Where all webhooks go, if that is said.
    pub(super) fn receiver(&self) -> Result<Option<Receiver>, Failure> {
        let receiver = self.webhooks_to.as_deref().map(str::parse).transpose();
        receiver.map_err(|_: Forbidden| {
            let right = "must be a URL of a loopback address, such as http://127.0.0.1:9000";
            self.origins.wrong_failure("webhooks-to", right)
        })
    }
}

/// Tells whether an address says a host and a port.
fn has_port(address: &str) -> bool {
    let said = address.rsplit_once(':');
    said.is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}
