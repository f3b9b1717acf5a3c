//! A value in suspense: why it was set aside, and what is known of the PIX that brought it.

use ledger_core::id::{AccountId, OpId};
use ledger_core::ledger::{Archive as _, Event, SetAsideReason};
use ledger_core::machine::suspense;
use ledger_core::time::Instant;
use ledger_store::sequencer::Sequencer;

use super::viewer::Viewer;
use crate::pages::format::{brl, local};
use crate::pages::lang::Lang;
use crate::pages::layout::Cell;

/// The facts of a value in suspense that its record has.
pub(in crate::pages) struct SetAside {
    pub(in crate::pages) reason: Option<SetAsideReason>,
    /// The end-to-end id or return id; empty where a court took the money.
    pub(in crate::pages) outside: String,
    /// The payer's document, masked; empty where it was not reported.
    pub(in crate::pages) payer: String,
    /// Whose operation it names, or whose balance a court took it from.
    pub(in crate::pages) account: Option<AccountId>,
    about: Option<OpId>,
    cents: i64,
    paid_at: Instant,
}

/// Returns what is known of a value in suspense; none of any other operation.
pub(in crate::pages) fn find(sequencer: &Sequencer, op: OpId) -> Option<SetAside> {
    let views = sequencer.views();
    let record = views.archive.record(op.seq())?;
    let (mut found, mut reason, mut payer) = (None, None, None);
    for event in &record.events {
        match event {
            Event::SetAside { reason: why, .. } => reason = *why,
            Event::PixDescribed(details) => payer = details.payer,
            Event::Suspense { op: of, event } if *of == op => match event {
                suspense::Event::Received(order) => found = Some((order, None)),
                suspense::Event::Ordered { order, subaccount } => {
                    found = Some((order, Some(*subaccount)));
                }
                _ => {}
            },
            _ => {}
        }
    }
    let (order, taken_from) = found?;
    let named = || views.state.owner_of(&views.operation(order.about?)?);
    let account = match taken_from {
        Some(subaccount) => views.state.subaccount(subaccount).map(|known| known.account),
        None => named(),
    };
    Some(SetAside {
        reason,
        outside: order.outside.to_string(),
        payer: payer.and_then(|payer| views.vault.mask(payer.0)).unwrap_or_default().to_owned(),
        account,
        about: order.about,
        cents: order.amount.cents(),
        paid_at: order.paid_at,
    })
}

impl SetAside {
    /// The rows of the operation's page.
    pub(super) fn rows(&self, sequencer: &Sequencer, viewer: &Viewer) -> Vec<(String, Cell)> {
        let (lang, state) = (viewer.lang, &sequencer.ledger().state);
        let mut rows =
            vec![(viewer.t("Valor", "Amount"), Cell::text(brl(self.cents.into(), lang)))];
        if let Some(reason) = self.reason {
            rows.push((viewer.t("Por quê", "Why"), Cell::text(why(reason, lang))));
        }
        if !self.outside.is_empty() {
            let name = viewer.t("Identificador do PIX", "Id of the PIX");
            rows.push((name, Cell::code(&*self.outside)));
        }
        if !self.payer.is_empty() {
            let name = viewer.t("Documento do pagador", "Payer's document");
            rows.push((name, Cell::text(&*self.payer)));
        }
        rows.push((viewer.t("Paga em", "Paid"), Cell::text(local(self.paid_at, lang))));
        if let Some(about) = self.about {
            let cell = viewer.operation_cell(&about.text(&state.name));
            rows.push((viewer.t("Operação que nomeia", "Operation that it names"), cell));
        }
        if let Some(known) = self.account.and_then(|account| state.account(account)) {
            let cell = Cell::text(&*known.name).to(viewer.account(&known.name, None));
            rows.push((viewer.t("Conta", "Account"), cell));
        }
        rows
    }
}

/// Says why a fact was set aside.
pub(in crate::pages) const fn why(reason: SetAsideReason, lang: Lang) -> &'static str {
    use SetAsideReason as Of;
    let (pt, en) = match reason {
        Of::Unmatched => ("não nomeia nada que exista aqui", "it names nothing that is here"),
        Of::OutOfTurn => {
            ("o que nomeia já acabou ou não era devido", "what it names is over or never was due")
        }
        Of::TooEarly => {
            ("o que pressupõe ainda não foi informado", "what it presupposes is not reported yet")
        }
        Of::AmountDiffers => ("outro valor que o combinado", "another amount than was ordered"),
        Of::AmountExceeds => ("mais do que resta", "more than is left"),
        Of::PaidLate => ("pago depois do prazo", "paid after the deadline"),
        Of::AlreadyPaid => ("outro PIX já pagou", "another PIX paid already"),
        Of::IdTaken => ("o identificador já é de outro", "its id is another's already"),
        Of::OutcomeUnknown => {
            ("uma tentativa ainda sem resposta", "an attempt is still without outcome")
        }
        Of::NotDue => ("cripto enviada sem ser devida", "crypto was sent that was not due"),
        Of::NotAwaited => ("cripto que ninguém esperava", "crypto that nothing awaits"),
        Of::Vanished => ("cripto que sumiu da rede", "crypto that vanished from its network"),
        Of::ListingDiffers => ("outra lista de moedas", "the listing differs"),
        Of::WalletDiffers => {
            ("outra carteira que a confirmada", "another wallet than was confirmed")
        }
        Of::PartOfPayment => {
            ("parte de um pagamento da carteira", "part of a payment from a wallet")
        }
        Of::NameTaken => ("o nome já é de outra conta", "its name is another account's"),
        Of::PaidBefore => ("pago antes de a cobrança existir", "paid before its charge existed"),
        Of::OutsideTemplate => ("fora dos limites do modelo", "outside its template"),
        Of::OpeningClosed => ("saldos iniciais já encerrados", "opening balances are closed"),
        Of::ClosingDiffers => {
            ("outro fechamento que os livros", "the closing differs from the books")
        }
        Of::UnitDiffers => ("unidades que não se equilibram", "its units do not balance"),
        _ => ("outro motivo", "another reason"),
    };
    lang.t(pt, en)
}
