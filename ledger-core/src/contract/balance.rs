//! Balances as an account sees them.

use super::body::Body;
use super::error::Problem;
use super::input::query::invalid;
use super::input::tokens::Vault;
use super::object::{Json, object};
use super::views::Views;
use crate::id::{AccountId, SubaccountId};
use crate::ledger::{Archive, State};
use crate::money::{Amount, Balance};
use crate::terms::Tariff;
use crate::time::Instant;

/// `GET /saldo` of the house or one subaccount (CUS-01); one never seen reads as zero (CUS-17).
///
/// It is read of the state alone, so whoever has a committed state needs no archive and no vault.
#[must_use]
pub fn show_balance(
    state: &State,
    account: AccountId,
    subaccount: Option<SubaccountId>,
    at: Instant,
) -> Body {
    let terms = state.terms(account, at);
    let buckets = subaccount.map(|id| state.books.subaccount(id)).unwrap_or_default();
    let waiting = subaccount.and_then(|id| state.waiting_until(id, at));
    let releases: Vec<Json<'_>> = subaccount
        .into_iter()
        .flat_map(|id| state.releases(id))
        .map(|(at, _, part)| {
            object! { "valor_cents": part.cents(), "disponivel_em": at.to_string() }
        })
        .collect();
    let (kind, tariff) = match terms.payout_tariff {
        Tariff::Fixed(tariff) => ("fixo", Some(tariff.cents())),
        Tariff::Unknown => ("desconhecido", None),
    };
    let total_bps = terms.payout_house.plus(terms.payout_partner);
    let view = object! {
        "custodia_ativa": terms.custody.is_on(),
        "disponivel_cents": buckets.available.cents(),
        "bloqueado_cents": buckets.blocked_balance().cents(),
        "deposito_fee_bps": terms.deposit.bps.get(),
        "deposito_fee_fixed_cents": terms.deposit.fixed.cents(),
        "saque_fee_bps": terms.payout_house.get(),
        "saque_fee_total_bps": total_bps.map(crate::money::Bps::get),
        "saque_taxa_estimada_cents": tariff,
        "saque_taxa_provedor_tipo": kind,
        "saque_cripto_fee_bps": terms.crypto_withdrawal.get(),
        "saque_cripto_conversao_fee_bps": terms.conversion.bps.get(),
        "saque_cripto_conversao_fee_fixed_cents": terms.conversion.fixed.cents(),
        "carencia_horas": terms.waiting_hours,
        "carencia_ate": waiting.map(|until| until.to_string()),
        "retencao_acima_cents": terms.retention_above.map(Amount::cents),
        "proximas_liberacoes": releases,
        "as_of": at.to_string(),
    };
    view.into()
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// `GET /saldo?em=` of the house or one subaccount, an extension of ours: what it had at `em`,
    /// available and blocked together, in centavos. One without a row by then had nothing.
    ///
    /// The running balance of its statement says it, so a few of its rows are read and nothing is
    /// replayed. `now` is the ledger's time, to which everything due has come.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` for an `em` after `now`, at which much may still come (P:BalanceAt).
    ///
    /// # Panics
    ///
    /// When the archive lacks a row that the books count.
    pub fn balance_at(
        &self,
        account: AccountId,
        customer: Option<&str>,
        em: Instant,
        now: Instant,
    ) -> Result<Body, Problem> {
        if now < em {
            return Err(invalid(format!("em must not lie in the future: it is {now}")));
        }
        let balance = self.seen_party(account, customer)?.map_or(Balance::ZERO, |subaccount| {
            let rows = self.state.books.subaccount(subaccount).rows;
            let balance = self.archive.balance_at(subaccount, rows, em);
            balance.expect("the books count only rows that the archive was given")
        });
        Ok(object! { "saldo_cents": balance.cents(), "as_of": em.to_string() }.into())
    }

    /// `GET /saldo/consolidado` (rulings 24 and 41, W36).
    #[must_use]
    pub fn consolidated_balance(&self, account: AccountId) -> Body {
        let house = self.state.account(account).map(|account| account.house);
        let (mut own, mut clients) = ([0_i128; 2], [0_i128; 2]);
        let (mut count, mut negative) = (0_u64, 0_i128);
        for (subaccount, buckets) in self.state.subaccounts_of(account, None) {
            let is_house = house == Some(subaccount);
            let sums = if is_house { &mut own } else { &mut clients };
            sums[0] += i128::from(buckets.available.cents());
            sums[1] += i128::from(buckets.blocked_balance().cents());
            negative += i128::from(buckets.available.cents().min(0));
            count += u64::from(!is_house && buckets.rows > 0);
        }
        let view = object! {
            "casa": object! { "disponivel_cents": whole(own[0]), "bloqueado_cents": whole(own[1]) },
            "clientes": object! {
                "disponivel_cents": whole(clients[0]),
                "bloqueado_cents": whole(clients[1]),
                "quantidade": count,
            },
            "total_cents": whole(own.iter().chain(&clients).sum()),
            "total_negativo_cents": whole(negative),
        };
        view.into()
    }
}

/// Sums of balances that were each checked; as a JSON integer where one holds it.
pub(super) fn whole(sum: i128) -> Json<'static> {
    i64::try_from(sum).map_or_else(|_| sum.to_string().into(), Json::from)
}
