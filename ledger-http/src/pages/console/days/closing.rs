//! How closing stands: which days are closed, and the checklist of the next one as far as the books
//! say it. What statements and their matching come to, the command `close` adds.

use ledger_core::ledger::State as Ledger;
use ledger_core::time::Instant;

use crate::pages::console::books::uneven;
use crate::pages::console::frame::Frame;
use crate::pages::console::inbox;
use crate::pages::console::sums::sums;
use crate::pages::format::count;
use crate::pages::layout::{Cell, Section};

/// The days that are closed, and the checklist of the next.
pub(super) fn checklist(frame: &Frame, state: &Ledger) -> Section {
    let viewer = &frame.viewer;
    let mut rows = Vec::new();
    let closed = state.closed_days();
    let days = closed.map_or_else(
        || viewer.t("nenhum", "none"),
        |(first, until)| format!("{} – {}", name(first), name(just_before(until))),
    );
    rows.push((viewer.t("Fechados", "Closed"), Cell::text(days)));
    let now = frame.service.now().max(state.now);
    // Where no day is closed, the first may be any that is over.
    let begins = closed.map_or_else(|| day_before(now), |(_, until)| until);
    let is_over = begins.next_day_in_brasilia() <= now;
    let day = name(begins);
    let shown = if is_over {
        Cell::text(&*day).to(format!("{}/days?from={day}&to={day}", viewer.base))
    } else {
        Cell::text(format!("{day}{}", viewer.t(" · ainda não terminou", " · not over yet")))
    };
    rows.push((viewer.t("Próximo", "Next"), shown));
    rows.push((viewer.t("Balancete", "Trial balance"), balance(frame, state)));
    let waiting = inbox::all(state, &frame.service.parts().hanging, now).len();
    let held = state.open_operations().filter(|(_, operation)| operation.hold().is_some()).count();
    let linked = |number: usize, path: &str| {
        Cell::text(count(number as u64, viewer.lang)).to(format!("{}/{path}", viewer.base))
    };
    rows.push((viewer.t("Pendências", "Inbox"), linked(waiting, "waiting")));
    rows.push((viewer.t("Bloqueios", "Holds"), linked(held, "operations")));
    if is_over {
        let command = Cell::code(format!("custody-ledger close {day}"));
        rows.push((viewer.t("Extratos e fechamento", "Statements and close"), command));
    }
    Section::Facts { title: viewer.t("Fechamento", "Close"), rows }
}

/// Tells whether the accounts of each commodity come to nothing together.
fn balance(frame: &Frame, state: &Ledger) -> Cell {
    let viewer = &frame.viewer;
    let cell = match uneven(&sums(state)).first() {
        Some(commodity) => {
            Cell::mark(format!("{}{commodity}", viewer.t("não fecha em ", "does not balance in ")))
        }
        None => Cell::text(viewer.t("fecha em cada moeda", "balances in each commodity")),
    };
    cell.to(format!("{}/trial-balance", viewer.base))
}

/// The name of the day of an instant in Brasília.
fn name(at: Instant) -> String {
    at.day_in_brasilia().to_string()
}

fn just_before(at: Instant) -> Instant {
    Instant::from_micros(at.micros().saturating_sub(1)).unwrap_or(at)
}

/// The beginning of the day before that of an instant.
fn day_before(at: Instant) -> Instant {
    just_before(at.day_begins_in_brasilia()).day_begins_in_brasilia()
}
