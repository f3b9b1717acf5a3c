//! The USDT wallet: what clients ask of it, and the reports of deposits and withdrawals.

use ledger_core::coin::{Scale, Units};
use ledger_core::ledger::OperatorDecision;
use ledger_core::ledger::wallet::{
    DepositFinding, DepositRequest, Fact, Request, WithdrawalQuoteRequest, WithdrawalReport,
    WithdrawalRequest,
};
use ledger_core::machine::wallet::deposit::{Doubt, Mark, Rejection, Transfer};
use ledger_core::machine::wallet::withdrawal::{Finding, Sent};
use ledger_core::terms::{Stablecoin, WalletNetwork, WalletSettings};
use ledger_core::time::Span;
use serde_json::{Map, Value, json};

use super::fact::ensure_evidence;
use super::{LineWriter, TO_SEND, Unrepresentable, Written, body, label, line, request};

impl LineWriter<'_> {
    /// A request of the wallet: by its route, or as a command where the contract shows none.
    pub(super) fn wallet_request(
        &mut self,
        key: &str,
        asked: &Request,
    ) -> Written<Map<String, Value>> {
        Ok(match asked {
            Request::Deposit(asked) => wait_for(key, asked),
            Request::WithdrawalQuote(asked) => {
                command("wallet.withdrawal.quote", key, quote_fields(asked))
            }
            Request::Withdrawal(asked) => {
                let fields = self.withdrawn(asked);
                command("wallet.withdrawal.create", key, fields)
            }
            Request::PaymentQuote(asked) => {
                self.payment("POST /carteira-usdt/quote", key, asked)?
            }
            Request::Payment(asked) => self.payment("POST /carteira-usdt/payments", key, asked)?,
        })
    }

    fn withdrawn(&mut self, asked: &WithdrawalRequest) -> Value {
        json!({
            "quote_id": self.op(asked.quote),
            "asset": asked.coin.map(Stablecoin::name),
            "network": asked.network,
            "address": asked.address,
            "amount": asked.amount.map(usdt),
            "external_id": asked.external_id,
        })
    }

    /// The fields of a fact about wallets, but its id.
    pub(super) fn wallet(&mut self, fact: &Fact) -> Written<Value> {
        let fields = match fact {
            Fact::Configured(settings) => self.settings_fields(settings)?,
            Fact::DepositAssigned { account, request, decided_by } => {
                let address = request.address.as_ref();
                let address =
                    address.ok_or(Unrepresentable("an operator's deposit without an address"))?;
                let fields = json!({
                    "account": account,
                    "amount": usdt(request.amount),
                    "network": request.network,
                    "address": address,
                });
                self.with_decision(fields, decided_by)
            }
            Fact::DepositSeen { deposit, address, transfer } => {
                let mut fields = self.coins_that_came(transfer)?;
                fields["deposit_id"] = deposit.map(|deposit| self.op(Some(deposit))).into();
                fields["address"] = address.as_deref().into();
                fields
            }
            Fact::DepositConfirmed { deposit, mark, transfer } => {
                let mut fields = match transfer {
                    Some(transfer) if transfer.mark != *mark => {
                        return Err(Unrepresentable("a transfer confirmed in another transaction"));
                    }
                    Some(transfer) => self.coins_that_came(transfer)?,
                    None => mark_fields(mark),
                };
                fields["deposit_id"] = self.op(*deposit).into();
                fields
            }
            Fact::DepositDoubted { deposit, mark, doubt } => {
                let mut fields = mark_fields(mark);
                fields["deposit_id"] = self.op(*deposit).into();
                fields["cause"] = doubt_cause(*doubt).into();
                fields
            }
            Fact::DepositJudged { deposit, finding, decided_by } => {
                let mut fields = deposit_finding_fields(finding);
                fields["deposit_id"] = self.op(*deposit).into();
                self.with_decision(fields, decided_by)
            }
            Fact::DepositReversed { deposit, decided_by } => {
                let fields = json!({ "deposit_id": self.op(*deposit) });
                self.with_decision(fields, decided_by)
            }
            Fact::Withdrawal { withdrawal, report } => {
                let mut fields = withdrawal_fields(report);
                fields["withdrawal_id"] = self.op(*withdrawal).into();
                fields
            }
            Fact::WithdrawalEvidence { withdrawal, finding, decided_by } => {
                let withdrawal = self.op(*withdrawal);
                self.evidence(withdrawal, finding, decided_by)?
            }
            Fact::Payment { payment, step } => self.paid_by_wallet(*payment, step)?,
            Fact::PaymentResolved { payment, finding, decided_by } => {
                let fields = self.payment_finding_fields(*payment, finding)?;
                self.with_decision(fields, decided_by)
            }
        };
        Ok(body(fields))
    }

    fn evidence(
        &mut self,
        withdrawal: String,
        finding: &Finding,
        decided_by: &OperatorDecision,
    ) -> Written<Value> {
        ensure_evidence(decided_by)?;
        let (outcome, mut fields) = match finding {
            Finding::Resumed => ("resumed", json!({})),
            Finding::Completed(sent) => ("completed", sent_fields(sent)),
            Finding::Failed => ("failed", json!({})),
        };
        fields["withdrawal_id"] = withdrawal.into();
        fields["outcome"] = outcome.into();
        Ok(self.with_decision(fields, decided_by))
    }

    /// A transfer; that it is taken one to one is no word of it, the wallet's settings say it.
    fn coins_that_came(&mut self, transfer: &Transfer) -> Written<Value> {
        let catalogue = &self.state.catalogue;
        let unknown = Unrepresentable("coins that were never on a catalogue");
        let (asset, scale) = catalogue.asset_of(transfer.asset).ok_or(unknown)?;
        let network = catalogue.chain_of(transfer.chain).ok_or(unknown)?;
        let settings = self.state.wallet_settings();
        if transfer.usdt != settings.and_then(|settings| settings.at_par(transfer.asset)) {
            return Err(Unrepresentable("coins taken one to one while there is no wallet"));
        }
        let mut fields = mark_fields(&transfer.mark);
        fields["asset"] = asset.into();
        fields["network"] = network.into();
        let amount = transfer.units.text(scale);
        let wanted = self.wanted.get(&amount).map(|place| {
            self.named.insert(*place);
            format!("${}.{TO_SEND}", label(*place))
        });
        fields["amount"] = wanted.unwrap_or(amount).into();
        Ok(fields)
    }

    /// The fields of `wallet.configured`, every one of them named.
    fn settings_fields(&self, settings: &WalletSettings) -> Written<Value> {
        let catalogue = &self.state.catalogue;
        let number =
            |coin: Stablecoin| catalogue.asset(&coin.name().to_lowercase()).map(|(asset, _)| asset);
        let tokens = number(Stablecoin::Usdt) == Some(settings.usdt)
            && number(Stablecoin::Usdc) == settings.usdc;
        let chains = settings.networks.iter().all(|it| catalogue.chain(&it.name) == Some(it.chain));
        if !tokens || !chains {
            return Err(Unrepresentable("a wallet of what is not on the catalogue"));
        }
        let networks: Vec<Value> = settings.networks.iter().map(network).collect();
        let reais = settings.least_payment.cents();
        Ok(json!({
            "networks": networks,
            "enabled": settings.enabled.is_on(),
            "payments_enabled": settings.payments.is_on(),
            "pix_key": settings.by_key.is_on(),
            "br_code": settings.by_code.is_on(),
            "withdrawals_enabled": settings.withdrawals.is_on(),
            "recipient_document_required": settings.document_required.is_on(),
            "min_deposit": usdt(settings.least_deposit),
            "min_payment_brl": format!("{}.{:02}", reais / 100, reais % 100),
            "withdrawal_fee": fee(settings.payment_fee),
            "deposit_validity_hours": settings.deposit_hours,
            "open_deposits_max": settings.open_deposits,
            "quote_seconds": seconds(settings.quote_validity)?,
            "tolerance_bps": settings.tolerance.get(),
            "conversion_fee_bps": settings.conversion_fee.get(),
            "strict_buffer": settings.strict_buffer.is_on(),
        }))
    }
}

/// The request `POST /carteira-usdt/deposits`, with the address supplied.
fn wait_for(key: &str, asked: &DepositRequest) -> Map<String, Value> {
    let fields = json!({ "amount": usdt(asked.amount), "network": asked.network });
    let mut line = request("POST /carteira-usdt/deposits", key, fields);
    line.insert("supplied".into(), body(json!({ "address": asked.address })));
    line
}

fn quote_fields(asked: &WithdrawalQuoteRequest) -> Value {
    json!({
        "asset": asked.coin.name(),
        "network": asked.network,
        "address": asked.address,
        "amount": usdt(asked.amount),
    })
}

/// Returns what the contract describes and shows no route for.
fn command(name: &str, key: &str, fields: Value) -> Map<String, Value> {
    line(json!({ "command": name, "key": key, "body": body(fields) }))
}

fn network(network: &WalletNetwork) -> Value {
    let assets: Vec<&str> = network.coins.iter().map(|coin| coin.name()).collect();
    body(json!({
        "network": network.name,
        "name": network.title,
        "assets": assets,
        "eta_minutes": network.eta_minutes,
        "withdrawals": network.withdrawals.is_on(),
        "network_fee": network.network_fee.map(usdt),
    }))
}

/// How a withdrawal moved.
fn withdrawal_fields(report: &WithdrawalReport) -> Value {
    match report {
        WithdrawalReport::Begin | WithdrawalReport::Fund | WithdrawalReport::Lose => json!({}),
        WithdrawalReport::Convert(obtained) => json!({ "obtained": usdt(*obtained) }),
        WithdrawalReport::Send(sent) => sent_fields(sent),
    }
}

fn sent_fields(sent: &Sent) -> Value {
    json!({
        "tx_hash": sent.hash,
        "received": usdt(sent.received),
        "network_fee": sent.network_fee.map(usdt),
    })
}

fn deposit_finding_fields(finding: &DepositFinding) -> Value {
    match finding {
        DepositFinding::Cleared { account, credited } => json!({
            "outcome": "cleared", "account": account, "credited": credited.map(usdt),
        }),
        DepositFinding::Rejected(Rejection::Returned) => json!({ "outcome": "returned" }),
        DepositFinding::Rejected(Rejection::Vanished) => json!({ "outcome": "vanished" }),
    }
}

const fn doubt_cause(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Reorganisation => "reorg",
        Doubt::Compliance => "compliance",
    }
}

/// A transaction, with the place in it where that is not the first.
fn mark_fields(mark: &Mark) -> Value {
    json!({ "tx_hash": mark.hash, "output_index": (mark.index > 0).then_some(mark.index) })
}

/// A fee, where zero says that there is none.
fn fee(units: Option<Units>) -> String {
    units.map_or_else(|| "0".to_owned(), usdt)
}

/// Millionths of USDT as the wire writes them.
pub(super) fn usdt(units: Units) -> String {
    units.text(Scale::SIX)
}

fn seconds(span: Span) -> Written<u64> {
    match span.micros() {
        micros if micros.is_multiple_of(1_000_000) => Ok(micros / 1_000_000),
        _ => Err(Unrepresentable("a wallet whose quotes last no whole number of seconds")),
    }
}
