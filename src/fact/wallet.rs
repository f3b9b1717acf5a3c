//! Facts of USDT wallets.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::fact::sealed::Reported;
use crate::fact::{Fact, Report};
use crate::value::{
    AccountName, Body, Bps, DecidedBy, Decimal, EndToEndId, FactId, Instant, OperationId, PixKey,
    Text, Wire,
};

/// Of `WalletConfigured`: the networks, required at first, at most 100.
#[derive(Clone, Debug, PartialEq)]
pub struct WalletConfiguredNetwork {
    network: Text<32>,
    name: Option<Text<64>>,
    assets: Option<Vec<Text<255>>>,
    eta_minutes: Option<u16>,
    withdrawals: Option<bool>,
    network_fee: Option<Decimal>,
}

impl WalletConfiguredNetwork {
    /// What must be said:
    ///
    /// - `network`: the network.
    #[must_use]
    pub fn new(network: Text<32>) -> Self {
        Self {
            network,
            name: None,
            assets: None,
            eta_minutes: None,
            withdrawals: None,
            network_fee: None,
        }
    }

    /// Sets `name`: how it is shown.
    #[must_use]
    pub fn name(mut self, name: Text<64>) -> Self {
        self.name = Some(name);
        self
    }

    /// Sets `assets`: USDT and USDC, as far as it carries them; absent: USDT.
    #[must_use]
    pub fn assets(mut self, assets: Vec<Text<255>>) -> Self {
        self.assets = Some(assets);
        self
    }

    /// Sets `eta_minutes`: how long a transfer takes.
    #[must_use]
    pub fn eta_minutes(mut self, eta_minutes: u16) -> Self {
        self.eta_minutes = Some(eta_minutes);
        self
    }

    /// Sets `withdrawals`: whether withdrawals go there; absent: they do.
    #[must_use]
    pub fn withdrawals(mut self, withdrawals: bool) -> Self {
        self.withdrawals = Some(withdrawals);
        self
    }

    /// Sets `network_fee`: USDT the network takes; absent, or zero: none.
    #[must_use]
    pub fn network_fee(mut self, network_fee: Decimal) -> Self {
        self.network_fee = Some(network_fee);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("network", &self.network)
            .with("name", &self.name)
            .with("assets", &self.assets)
            .with("eta_minutes", &self.eta_minutes)
            .with("withdrawals", &self.withdrawals)
            .with("network_fee", &self.network_fee)
    }
}

crate::drawn!(WalletConfiguredNetwork {
    network: Text<32>,
    name: Option<Text<64>>,
    assets: Option<Vec<Text<255>>>,
    eta_minutes: Option<u16>,
    withdrawals: Option<bool>,
    network_fee: Option<Decimal>,
});

impl Wire for WalletConfiguredNetwork {
    fn wire(&self) -> Value {
        self.body().into_value()
    }
}

/// The USDT wallet is offered as follows; what is not named stays. (`wallet.configured`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletConfigured {
    id: FactId,
    networks: Option<Vec<WalletConfiguredNetwork>>,
    enabled: Option<bool>,
    payments_enabled: Option<bool>,
    pix_key: Option<PixKey>,
    br_code: Option<bool>,
    withdrawals_enabled: Option<bool>,
    recipient_document_required: Option<bool>,
    min_deposit: Option<Decimal>,
    min_payment_brl: Option<Decimal>,
    withdrawal_fee: Option<Decimal>,
    deposit_validity_hours: Option<u16>,
    open_deposits_max: Option<u16>,
    quote_seconds: Option<u16>,
    tolerance_bps: Option<Bps>,
    conversion_fee_bps: Option<Bps>,
    strict_buffer: Option<bool>,
}

impl WalletConfigured {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    #[must_use]
    pub fn new(id: FactId) -> Self {
        Self {
            id,
            networks: None,
            enabled: None,
            payments_enabled: None,
            pix_key: None,
            br_code: None,
            withdrawals_enabled: None,
            recipient_document_required: None,
            min_deposit: None,
            min_payment_brl: None,
            withdrawal_fee: None,
            deposit_validity_hours: None,
            open_deposits_max: None,
            quote_seconds: None,
            tolerance_bps: None,
            conversion_fee_bps: None,
            strict_buffer: None,
        }
    }

    /// Sets `networks`: the networks, required at first, at most 100.
    #[must_use]
    pub fn networks(mut self, networks: Vec<WalletConfiguredNetwork>) -> Self {
        self.networks = Some(networks);
        self
    }

    /// Sets `enabled`: whether it operates; at first true.
    #[must_use]
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = Some(enabled);
        self
    }

    /// Sets `payments_enabled`: at first true.
    #[must_use]
    pub fn payments_enabled(mut self, payments_enabled: bool) -> Self {
        self.payments_enabled = Some(payments_enabled);
        self
    }

    /// Sets `pix_key`: payments to a key; at first true.
    #[must_use]
    pub fn pix_key(mut self, pix_key: PixKey) -> Self {
        self.pix_key = Some(pix_key);
        self
    }

    /// Sets `br_code`: payments of a code; at first true.
    #[must_use]
    pub fn br_code(mut self, br_code: bool) -> Self {
        self.br_code = Some(br_code);
        self
    }

    /// Sets `withdrawals_enabled`: to external wallets; at first true.
    #[must_use]
    pub fn withdrawals_enabled(mut self, withdrawals_enabled: bool) -> Self {
        self.withdrawals_enabled = Some(withdrawals_enabled);
        self
    }

    /// Sets `recipient_document_required`: at first false.
    #[must_use]
    pub fn recipient_document_required(mut self, recipient_document_required: bool) -> Self {
        self.recipient_document_required = Some(recipient_document_required);
        self
    }

    /// Sets `min_deposit`: USDT; at first 1.000000.
    #[must_use]
    pub fn min_deposit(mut self, min_deposit: Decimal) -> Self {
        self.min_deposit = Some(min_deposit);
        self
    }

    /// Sets `min_payment_brl`: reais, a decimal string; at first 6.00.
    #[must_use]
    pub fn min_payment_brl(mut self, min_payment_brl: Decimal) -> Self {
        self.min_payment_brl = Some(min_payment_brl);
        self
    }

    /// Sets `withdrawal_fee`: USDT the network takes of a payment; at first none.
    #[must_use]
    pub fn withdrawal_fee(mut self, withdrawal_fee: Decimal) -> Self {
        self.withdrawal_fee = Some(withdrawal_fee);
        self
    }

    /// Sets `deposit_validity_hours`: at first 1.
    #[must_use]
    pub fn deposit_validity_hours(mut self, deposit_validity_hours: u16) -> Self {
        self.deposit_validity_hours = Some(deposit_validity_hours);
        self
    }

    /// Sets `open_deposits_max`: open deposit requests of an account; at first 5.
    #[must_use]
    pub fn open_deposits_max(mut self, open_deposits_max: u16) -> Self {
        self.open_deposits_max = Some(open_deposits_max);
        self
    }

    /// Sets `quote_seconds`: how long a quote is valid; at first 300.
    #[must_use]
    pub fn quote_seconds(mut self, quote_seconds: u16) -> Self {
        self.quote_seconds = Some(quote_seconds);
        self
    }

    /// Sets `tolerance_bps`: how far below its estimate a withdrawal may arrive; at first 50.
    #[must_use]
    pub fn tolerance_bps(mut self, tolerance_bps: Bps) -> Self {
        self.tolerance_bps = Some(tolerance_bps);
        self
    }

    /// Sets `conversion_fee_bps`: of a withdrawal in USDC; at first 0.
    #[must_use]
    pub fn conversion_fee_bps(mut self, conversion_fee_bps: Bps) -> Self {
        self.conversion_fee_bps = Some(conversion_fee_bps);
        self
    }

    /// Sets `strict_buffer`: a payment needs its whole buffer of 1%; at first false.
    #[must_use]
    pub fn strict_buffer(mut self, strict_buffer: bool) -> Self {
        self.strict_buffer = Some(strict_buffer);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("networks", &self.networks)
            .with("enabled", &self.enabled)
            .with("payments_enabled", &self.payments_enabled)
            .with("pix_key", &self.pix_key)
            .with("br_code", &self.br_code)
            .with("withdrawals_enabled", &self.withdrawals_enabled)
            .with("recipient_document_required", &self.recipient_document_required)
            .with("min_deposit", &self.min_deposit)
            .with("min_payment_brl", &self.min_payment_brl)
            .with("withdrawal_fee", &self.withdrawal_fee)
            .with("deposit_validity_hours", &self.deposit_validity_hours)
            .with("open_deposits_max", &self.open_deposits_max)
            .with("quote_seconds", &self.quote_seconds)
            .with("tolerance_bps", &self.tolerance_bps)
            .with("conversion_fee_bps", &self.conversion_fee_bps)
            .with("strict_buffer", &self.strict_buffer)
    }
}

crate::drawn!(WalletConfigured {
    id: FactId,
    networks: Option<Vec<WalletConfiguredNetwork>>,
    enabled: Option<bool>,
    payments_enabled: Option<bool>,
    pix_key: Option<PixKey>,
    br_code: Option<bool>,
    withdrawals_enabled: Option<bool>,
    recipient_document_required: Option<bool>,
    min_deposit: Option<Decimal>,
    min_payment_brl: Option<Decimal>,
    withdrawal_fee: Option<Decimal>,
    deposit_validity_hours: Option<u16>,
    open_deposits_max: Option<u16>,
    quote_seconds: Option<u16>,
    tolerance_bps: Option<Bps>,
    conversion_fee_bps: Option<Bps>,
    strict_buffer: Option<bool>,
});

impl Fact for WalletConfigured {
    const NAME: &'static str = "wallet.configured";
}

impl Reported for WalletConfigured {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An operator makes a deposit request for an account. (`wallet.deposit.assigned`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletDepositAssigned {
    id: FactId,
    account: AccountName,
    amount: Decimal,
    network: Option<Text<32>>,
    address: Text<128>,
    decided_by: DecidedBy,
}

impl WalletDepositAssigned {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `account`: the API account's name.
    /// - `amount`: USDT.
    /// - `address`: where to send.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(
        id: FactId,
        account: AccountName,
        amount: Decimal,
        address: Text<128>,
        decided_by: DecidedBy,
    ) -> Self {
        Self { id, account, amount, network: None, address, decided_by }
    }

    /// Sets `network`: the network; absent: polygon.
    #[must_use]
    pub fn network(mut self, network: Text<32>) -> Self {
        self.network = Some(network);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .with("amount", &self.amount)
            .with("network", &self.network)
            .with("address", &self.address)
            .and(self.decided_by.body())
    }
}

crate::drawn!(WalletDepositAssigned {
    id: FactId,
    account: AccountName,
    amount: Decimal,
    network: Option<Text<32>>,
    address: Text<128>,
    decided_by: DecidedBy,
});

impl Fact for WalletDepositAssigned {
    const NAME: &'static str = "wallet.deposit.assigned";
}

impl Reported for WalletDepositAssigned {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A transfer to the wallet was seen; what no request awaits exactly is under review.
/// (`wallet.deposit.seen`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletDepositSeen {
    deposit: Option<OperationId>,
    address: Option<Text<128>>,
    tx_hash: Text<128>,
    output_index: Option<u16>,
    asset: Text<32>,
    network: Text<32>,
    amount: Decimal,
}

impl WalletDepositSeen {
    /// What must be said:
    ///
    /// - `tx_hash`: the transaction.
    /// - `asset`: the token.
    /// - `network`: the network.
    /// - `amount`: how much.
    #[must_use]
    pub fn new(tx_hash: Text<128>, asset: Text<32>, network: Text<32>, amount: Decimal) -> Self {
        Self { deposit: None, address: None, tx_hash, output_index: None, asset, network, amount }
    }

    /// Sets `deposit_id`: the deposit, where the sender or the address tells it.
    #[must_use]
    pub fn deposit(mut self, deposit: OperationId) -> Self {
        self.deposit = Some(deposit);
        self
    }

    /// Sets `address`: where it arrived, which tells it otherwise.
    #[must_use]
    pub fn address(mut self, address: Text<128>) -> Self {
        self.address = Some(address);
        self
    }

    /// Sets `output_index`: the place of the output in it; absent: 0.
    #[must_use]
    pub fn output_index(mut self, output_index: u16) -> Self {
        self.output_index = Some(output_index);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("deposit_id", &self.deposit)
            .with("address", &self.address)
            .with("tx_hash", &self.tx_hash)
            .with("output_index", &self.output_index)
            .with("asset", &self.asset)
            .with("network", &self.network)
            .with("amount", &self.amount)
    }
}

crate::drawn!(WalletDepositSeen {
    deposit: Option<OperationId>,
    address: Option<Text<128>>,
    tx_hash: Text<128>,
    output_index: Option<u16>,
    asset: Text<32>,
    network: Text<32>,
    amount: Decimal,
});

impl Fact for WalletDepositSeen {
    const NAME: &'static str = "wallet.deposit.seen";
}

impl Reported for WalletDepositSeen {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The network confirmed a transfer; told with token, network and amount, it implies that it was
/// seen. (`wallet.deposit.confirmed`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletDepositConfirmed {
    id: FactId,
    deposit: OperationId,
    tx_hash: Text<128>,
    output_index: Option<u16>,
    asset: Option<Text<32>>,
    network: Option<Text<32>>,
    amount: Option<Decimal>,
}

impl WalletDepositConfirmed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `deposit`, on the wire `deposit_id`: the deposit.
    /// - `tx_hash`: the transaction.
    #[must_use]
    pub fn new(id: FactId, deposit: OperationId, tx_hash: Text<128>) -> Self {
        Self { id, deposit, tx_hash, output_index: None, asset: None, network: None, amount: None }
    }

    /// Sets `output_index`: the place of the output in it; absent: 0.
    #[must_use]
    pub fn output_index(mut self, output_index: u16) -> Self {
        self.output_index = Some(output_index);
        self
    }

    /// Sets `asset`: the token, when the news of the transfer may not have come.
    #[must_use]
    pub fn asset(mut self, asset: Text<32>) -> Self {
        self.asset = Some(asset);
        self
    }

    /// Sets `network`: the network, with asset.
    #[must_use]
    pub fn network(mut self, network: Text<32>) -> Self {
        self.network = Some(network);
        self
    }

    /// Sets `amount`: how much, with asset.
    #[must_use]
    pub fn amount(mut self, amount: Decimal) -> Self {
        self.amount = Some(amount);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("deposit_id", &self.deposit)
            .with("tx_hash", &self.tx_hash)
            .with("output_index", &self.output_index)
            .with("asset", &self.asset)
            .with("network", &self.network)
            .with("amount", &self.amount)
    }
}

crate::drawn!(WalletDepositConfirmed {
    id: FactId,
    deposit: OperationId,
    tx_hash: Text<128>,
    output_index: Option<u16>,
    asset: Option<Text<32>>,
    network: Option<Text<32>>,
    amount: Option<Decimal>,
});

impl Fact for WalletDepositConfirmed {
    const NAME: &'static str = "wallet.deposit.confirmed";
}

impl Reported for WalletDepositConfirmed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// What `cause` may say: reorg or compliance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WalletDepositDoubtedCause {
    /// On the wire `reorg`.
    Reorg,
    /// On the wire `compliance`.
    Compliance,
}

crate::drawn!(one WalletDepositDoubtedCause { Reorg, Compliance });

impl Wire for WalletDepositDoubtedCause {
    fn wire(&self) -> Value {
        match self {
            Self::Reorg => "reorg",
            Self::Compliance => "compliance",
        }
        .into()
    }
}

/// A transfer that was seen is in doubt: it is under review until an operator decides.
/// (`wallet.deposit.doubted`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletDepositDoubted {
    id: FactId,
    deposit: OperationId,
    tx_hash: Text<128>,
    output_index: Option<u16>,
    cause: WalletDepositDoubtedCause,
}

impl WalletDepositDoubted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `deposit`, on the wire `deposit_id`: the deposit.
    /// - `tx_hash`: the transaction.
    /// - `cause`: reorg or compliance.
    #[must_use]
    pub fn new(
        id: FactId,
        deposit: OperationId,
        tx_hash: Text<128>,
        cause: WalletDepositDoubtedCause,
    ) -> Self {
        Self { id, deposit, tx_hash, output_index: None, cause }
    }

    /// Sets `output_index`: the place of the output in it; absent: 0.
    #[must_use]
    pub fn output_index(mut self, output_index: u16) -> Self {
        self.output_index = Some(output_index);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("deposit_id", &self.deposit)
            .with("tx_hash", &self.tx_hash)
            .with("output_index", &self.output_index)
            .with("cause", &self.cause)
    }
}

crate::drawn!(WalletDepositDoubted {
    id: FactId,
    deposit: OperationId,
    tx_hash: Text<128>,
    output_index: Option<u16>,
    cause: WalletDepositDoubtedCause,
});

impl Fact for WalletDepositDoubted {
    const NAME: &'static str = "wallet.deposit.doubted";
}

impl Reported for WalletDepositDoubted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An operator lets a deposit under review in, or keeps it out. (`wallet.deposit.judged`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletDepositJudged {
    id: FactId,
    deposit: OperationId,
    outcome: Text<16>,
    account: Option<AccountName>,
    credited: Option<Decimal>,
    decided_by: DecidedBy,
}

impl WalletDepositJudged {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `deposit`, on the wire `deposit_id`: the deposit.
    /// - `outcome`: cleared, returned (sent back once confirmed) or vanished (never
    ///   confirmed).
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, deposit: OperationId, outcome: Text<16>, decided_by: DecidedBy) -> Self {
        Self { id, deposit, outcome, account: None, credited: None, decided_by }
    }

    /// Sets `account`: whose it is, when no request says it; with cleared.
    #[must_use]
    pub fn account(mut self, account: AccountName) -> Self {
        self.account = Some(account);
        self
    }

    /// Sets `credited`: how much of it, the rest being sent back; absent: all; with cleared.
    #[must_use]
    pub fn credited(mut self, credited: Decimal) -> Self {
        self.credited = Some(credited);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("deposit_id", &self.deposit)
            .with("outcome", &self.outcome)
            .with("account", &self.account)
            .with("credited", &self.credited)
            .and(self.decided_by.body())
    }
}

crate::drawn!(WalletDepositJudged {
    id: FactId,
    deposit: OperationId,
    outcome: Text<16>,
    account: Option<AccountName>,
    credited: Option<Decimal>,
    decided_by: DecidedBy,
});

impl Fact for WalletDepositJudged {
    const NAME: &'static str = "wallet.deposit.judged";
}

impl Reported for WalletDepositJudged {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A deposit is undone after it was credited: a forced debit. (`wallet.deposit.reversed`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletDepositReversed {
    id: FactId,
    deposit: OperationId,
    decided_by: DecidedBy,
}

impl WalletDepositReversed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `deposit`, on the wire `deposit_id`: the deposit.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, deposit: OperationId, decided_by: DecidedBy) -> Self {
        Self { id, deposit, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("deposit_id", &self.deposit)
            .and(self.decided_by.body())
    }
}

crate::drawn!(WalletDepositReversed { id: FactId, deposit: OperationId, decided_by: DecidedBy });

impl Fact for WalletDepositReversed {
    const NAME: &'static str = "wallet.deposit.reversed";
}

impl Reported for WalletDepositReversed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The funding of a withdrawal from a wallet began. (`wallet.withdrawal.started`)
#[derive(Clone, Debug, PartialEq)]
pub struct CryptoWithdrawalStarted {
    id: FactId,
    withdrawal: OperationId,
}

impl CryptoWithdrawalStarted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `withdrawal`, on the wire `withdrawal_id`: the withdrawal.
    #[must_use]
    pub fn new(id: FactId, withdrawal: OperationId) -> Self {
        Self { id, withdrawal }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("withdrawal_id", &self.withdrawal)
    }
}

crate::drawn!(CryptoWithdrawalStarted { id: FactId, withdrawal: OperationId });

impl Fact for CryptoWithdrawalStarted {
    const NAME: &'static str = "wallet.withdrawal.started";
}

impl Reported for CryptoWithdrawalStarted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A withdrawal was funded: it left the wallet, and is owed to the address.
/// (`wallet.withdrawal.funded`)
#[derive(Clone, Debug, PartialEq)]
pub struct CryptoWithdrawalFunded {
    id: FactId,
    withdrawal: OperationId,
}

impl CryptoWithdrawalFunded {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `withdrawal`, on the wire `withdrawal_id`: the withdrawal.
    #[must_use]
    pub fn new(id: FactId, withdrawal: OperationId) -> Self {
        Self { id, withdrawal }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("withdrawal_id", &self.withdrawal)
    }
}

crate::drawn!(CryptoWithdrawalFunded { id: FactId, withdrawal: OperationId });

impl Fact for CryptoWithdrawalFunded {
    const NAME: &'static str = "wallet.withdrawal.funded";
}

impl Reported for CryptoWithdrawalFunded {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The USDT of a withdrawal became USDC; what was lost on the way the client bears.
/// (`wallet.withdrawal.converted`)
#[derive(Clone, Debug, PartialEq)]
pub struct CryptoWithdrawalConverted {
    id: FactId,
    withdrawal: OperationId,
    obtained: Decimal,
}

impl CryptoWithdrawalConverted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `withdrawal`, on the wire `withdrawal_id`: the withdrawal.
    /// - `obtained`: USDC.
    #[must_use]
    pub fn new(id: FactId, withdrawal: OperationId, obtained: Decimal) -> Self {
        Self { id, withdrawal, obtained }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("withdrawal_id", &self.withdrawal)
            .with("obtained", &self.obtained)
    }
}

crate::drawn!(CryptoWithdrawalConverted { id: FactId, withdrawal: OperationId, obtained: Decimal });

impl Fact for CryptoWithdrawalConverted {
    const NAME: &'static str = "wallet.withdrawal.converted";
}

impl Reported for CryptoWithdrawalConverted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A withdrawal was sent and confirmed; less than its minimum waits for a person.
/// (`wallet.withdrawal.sent`)
#[derive(Clone, Debug, PartialEq)]
pub struct CryptoWithdrawalSent {
    id: FactId,
    withdrawal: OperationId,
    tx_hash: Text<128>,
    received: Decimal,
    network_fee: Option<Decimal>,
}

impl CryptoWithdrawalSent {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `withdrawal`, on the wire `withdrawal_id`: the withdrawal.
    /// - `tx_hash`: the transaction.
    /// - `received`: what arrived.
    #[must_use]
    pub fn new(id: FactId, withdrawal: OperationId, tx_hash: Text<128>, received: Decimal) -> Self {
        Self { id, withdrawal, tx_hash, received, network_fee: None }
    }

    /// Sets `network_fee`: what the network took; absent: as quoted.
    #[must_use]
    pub fn network_fee(mut self, network_fee: Decimal) -> Self {
        self.network_fee = Some(network_fee);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("withdrawal_id", &self.withdrawal)
            .with("tx_hash", &self.tx_hash)
            .with("received", &self.received)
            .with("network_fee", &self.network_fee)
    }
}

crate::drawn!(CryptoWithdrawalSent {
    id: FactId,
    withdrawal: OperationId,
    tx_hash: Text<128>,
    received: Decimal,
    network_fee: Option<Decimal>,
});

impl Fact for CryptoWithdrawalSent {
    const NAME: &'static str = "wallet.withdrawal.sent";
}

impl Reported for CryptoWithdrawalSent {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Nobody knows how a withdrawal stands: it waits for evidence, and nothing moves.
/// (`wallet.withdrawal.unknown`)
#[derive(Clone, Debug, PartialEq)]
pub struct CryptoWithdrawalUnknown {
    id: FactId,
    withdrawal: OperationId,
}

impl CryptoWithdrawalUnknown {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `withdrawal`, on the wire `withdrawal_id`: the withdrawal.
    #[must_use]
    pub fn new(id: FactId, withdrawal: OperationId) -> Self {
        Self { id, withdrawal }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("withdrawal_id", &self.withdrawal)
    }
}

crate::drawn!(CryptoWithdrawalUnknown { id: FactId, withdrawal: OperationId });

impl Fact for CryptoWithdrawalUnknown {
    const NAME: &'static str = "wallet.withdrawal.unknown";
}

impl Reported for CryptoWithdrawalUnknown {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An operator found out how a withdrawal stands, with proof. (`wallet.withdrawal.evidence`)
#[derive(Clone, Debug, PartialEq)]
pub struct CryptoWithdrawalEvidence {
    id: FactId,
    withdrawal: OperationId,
    outcome: Text<16>,
    tx_hash: Option<Text<128>>,
    received: Option<Decimal>,
    network_fee: Option<Decimal>,
    decided_by: DecidedBy,
}

impl CryptoWithdrawalEvidence {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `withdrawal`, on the wire `withdrawal_id`: the withdrawal.
    /// - `outcome`: resumed, completed, or failed: nothing left, and the whole reserve goes
    ///   back.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(
        id: FactId,
        withdrawal: OperationId,
        outcome: Text<16>,
        decided_by: DecidedBy,
    ) -> Self {
        Self {
            id,
            withdrawal,
            outcome,
            tx_hash: None,
            received: None,
            network_fee: None,
            decided_by,
        }
    }

    /// Sets `tx_hash`: the transaction, required when completed.
    #[must_use]
    pub fn tx_hash(mut self, tx_hash: Text<128>) -> Self {
        self.tx_hash = Some(tx_hash);
        self
    }

    /// Sets `received`: what arrived in all, required when completed.
    #[must_use]
    pub fn received(mut self, received: Decimal) -> Self {
        self.received = Some(received);
        self
    }

    /// Sets `network_fee`: what the network took, with received.
    #[must_use]
    pub fn network_fee(mut self, network_fee: Decimal) -> Self {
        self.network_fee = Some(network_fee);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("withdrawal_id", &self.withdrawal)
            .with("outcome", &self.outcome)
            .with("tx_hash", &self.tx_hash)
            .with("received", &self.received)
            .with("network_fee", &self.network_fee)
            .and(self.decided_by.body())
    }
}

crate::drawn!(CryptoWithdrawalEvidence {
    id: FactId,
    withdrawal: OperationId,
    outcome: Text<16>,
    tx_hash: Option<Text<128>>,
    received: Option<Decimal>,
    network_fee: Option<Decimal>,
    decided_by: DecidedBy,
});

impl Fact for CryptoWithdrawalEvidence {
    const NAME: &'static str = "wallet.withdrawal.evidence";
}

impl Reported for CryptoWithdrawalEvidence {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A payment from a wallet goes on: its order is created, accepted, or funded.
/// (`wallet.payment.started`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletPaymentStarted {
    id: FactId,
    payment: OperationId,
    step: Text<16>,
    address: Option<Text<128>>,
}

impl WalletPaymentStarted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payment`, on the wire `payment_id`: the payment.
    /// - `step`: `order_created`, accepted (which implies it) or started.
    #[must_use]
    pub fn new(id: FactId, payment: OperationId, step: Text<16>) -> Self {
        Self { id, payment, step, address: None }
    }

    /// Sets `address`: where the order is funded; required when accepted.
    #[must_use]
    pub fn address(mut self, address: Text<128>) -> Self {
        self.address = Some(address);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("payment_id", &self.payment)
            .with("step", &self.step)
            .with("address", &self.address)
    }
}

crate::drawn!(WalletPaymentStarted {
    id: FactId,
    payment: OperationId,
    step: Text<16>,
    address: Option<Text<128>>,
});

impl Fact for WalletPaymentStarted {
    const NAME: &'static str = "wallet.payment.started";
}

impl Reported for WalletPaymentStarted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// What a payment's order costs was sent to it; more than that is ours to bear.
/// (`wallet.payment.sent`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletPaymentSent {
    id: FactId,
    payment: OperationId,
    tx_hash: Text<128>,
    amount: Option<Decimal>,
}

impl WalletPaymentSent {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payment`, on the wire `payment_id`: the payment.
    /// - `tx_hash`: the transaction.
    #[must_use]
    pub fn new(id: FactId, payment: OperationId, tx_hash: Text<128>) -> Self {
        Self { id, payment, tx_hash, amount: None }
    }

    /// Sets `amount`: what left; absent: what it costs.
    #[must_use]
    pub fn amount(mut self, amount: Decimal) -> Self {
        self.amount = Some(amount);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("payment_id", &self.payment)
            .with("tx_hash", &self.tx_hash)
            .with("amount", &self.amount)
    }
}

crate::drawn!(WalletPaymentSent {
    id: FactId,
    payment: OperationId,
    tx_hash: Text<128>,
    amount: Option<Decimal>,
});

impl Fact for WalletPaymentSent {
    const NAME: &'static str = "wallet.payment.sent";
}

impl Reported for WalletPaymentSent {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The network confirmed what was sent for a payment. (`wallet.payment.confirmed`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletPaymentConfirmed {
    id: FactId,
    payment: OperationId,
}

impl WalletPaymentConfirmed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payment`, on the wire `payment_id`: the payment.
    #[must_use]
    pub fn new(id: FactId, payment: OperationId) -> Self {
        Self { id, payment }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("payment_id", &self.payment)
    }
}

crate::drawn!(WalletPaymentConfirmed { id: FactId, payment: OperationId });

impl Fact for WalletPaymentConfirmed {
    const NAME: &'static str = "wallet.payment.confirmed";
}

impl Reported for WalletPaymentConfirmed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The PIX of a payment was paid: its cost is taken, and the rest goes back.
/// (`wallet.payment.paid`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletPaymentPaid {
    payment: OperationId,
    end_to_end_id: EndToEndId,
    paid_at: Option<Instant>,
    receipt_url: Option<Text<512>>,
    recipient_name: Option<Text<255>>,
    recipient_document: Option<Text<32>>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
}

impl WalletPaymentPaid {
    /// What must be said:
    ///
    /// - `payment`, on the wire `payment_id`: the payment.
    /// - `end_to_end_id`, on the wire `e2e`: the end-to-end id, which makes it known for ever.
    #[must_use]
    pub fn new(payment: OperationId, end_to_end_id: EndToEndId) -> Self {
        Self {
            payment,
            end_to_end_id,
            paid_at: None,
            receipt_url: None,
            recipient_name: None,
            recipient_document: None,
            institution: None,
            settled_by: None,
        }
    }

    /// Sets `paid_at`: when, by the provider's clock; absent: now.
    #[must_use]
    pub fn paid_at(mut self, paid_at: Instant) -> Self {
        self.paid_at = Some(paid_at);
        self
    }

    /// Sets `receipt_url`: where its receipt is: an https:// address.
    #[must_use]
    pub fn receipt_url(mut self, receipt_url: Text<512>) -> Self {
        self.receipt_url = Some(receipt_url);
        self
    }

    /// Sets `recipient_name`: the recipient's name.
    #[must_use]
    pub fn recipient_name(mut self, recipient_name: Text<255>) -> Self {
        self.recipient_name = Some(recipient_name);
        self
    }

    /// Sets `recipient_document`: the recipient's CPF or CNPJ, digits only, or a masked CPF.
    #[must_use]
    pub fn recipient_document(mut self, recipient_document: Text<32>) -> Self {
        self.recipient_document = Some(recipient_document);
        self
    }

    /// Sets `institution`: the recipient's institution.
    #[must_use]
    pub fn institution(mut self, institution: Text<255>) -> Self {
        self.institution = Some(institution);
        self
    }

    /// Sets `settled_by`: who settled the PIX.
    #[must_use]
    pub fn settled_by(mut self, settled_by: Text<255>) -> Self {
        self.settled_by = Some(settled_by);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("payment_id", &self.payment)
            .with("e2e", &self.end_to_end_id)
            .with("paid_at", &self.paid_at)
            .with("receipt_url", &self.receipt_url)
            .with("recipient_name", &self.recipient_name)
            .with("recipient_document", &self.recipient_document)
            .with("institution", &self.institution)
            .with("settled_by", &self.settled_by)
    }
}

crate::drawn!(WalletPaymentPaid {
    payment: OperationId,
    end_to_end_id: EndToEndId,
    paid_at: Option<Instant>,
    receipt_url: Option<Text<512>>,
    recipient_name: Option<Text<255>>,
    recipient_document: Option<Text<32>>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
});

impl Fact for WalletPaymentPaid {
    const NAME: &'static str = "wallet.payment.paid";
}

impl Reported for WalletPaymentPaid {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A payment definitely failed: before it was sent the reserve goes back; after, it waits for an
/// operator. (`wallet.payment.failed`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletPaymentFailed {
    id: FactId,
    payment: OperationId,
    error: Option<Text<32>>,
}

impl WalletPaymentFailed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payment`, on the wire `payment_id`: the payment.
    #[must_use]
    pub fn new(id: FactId, payment: OperationId) -> Self {
        Self { id, payment, error: None }
    }

    /// Sets `error`: `provedor_indisponivel` (default), `pix_key_invalida`,
    /// `limite_diario_recebedor` or `cotacao_recusada`.
    #[must_use]
    pub fn error(mut self, error: Text<32>) -> Self {
        self.error = Some(error);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("payment_id", &self.payment)
            .with("error", &self.error)
    }
}

crate::drawn!(WalletPaymentFailed {
    id: FactId,
    payment: OperationId,
    error: Option<Text<32>>,
});

impl Fact for WalletPaymentFailed {
    const NAME: &'static str = "wallet.payment.failed";
}

impl Reported for WalletPaymentFailed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Nobody knows how a payment stands: it waits for evidence, and nothing moves.
/// (`wallet.payment.unknown`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletPaymentUnknown {
    id: FactId,
    payment: OperationId,
}

impl WalletPaymentUnknown {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payment`, on the wire `payment_id`: the payment.
    #[must_use]
    pub fn new(id: FactId, payment: OperationId) -> Self {
        Self { id, payment }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("payment_id", &self.payment)
    }
}

crate::drawn!(WalletPaymentUnknown { id: FactId, payment: OperationId });

impl Fact for WalletPaymentUnknown {
    const NAME: &'static str = "wallet.payment.unknown";
}

impl Reported for WalletPaymentUnknown {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// What `outcome` may say: sent, paid or failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WalletPaymentResolvedOutcome {
    /// On the wire `sent`.
    Sent,
    /// On the wire `paid`.
    Paid,
    /// On the wire `failed`.
    Failed,
}

crate::drawn!(one WalletPaymentResolvedOutcome { Sent, Paid, Failed });

impl Wire for WalletPaymentResolvedOutcome {
    fn wire(&self) -> Value {
        match self {
            Self::Sent => "sent",
            Self::Paid => "paid",
            Self::Failed => "failed",
        }
        .into()
    }
}

/// An operator found out how a payment under review stands; or decides, once, what becomes of the
/// reserve of one that failed after it was sent. (`wallet.payment.resolved`)
#[derive(Clone, Debug, PartialEq)]
pub struct WalletPaymentResolved {
    id: FactId,
    payment: OperationId,
    outcome: WalletPaymentResolvedOutcome,
    tx_hash: Option<Text<128>>,
    end_to_end_id: Option<EndToEndId>,
    paid_at: Option<Instant>,
    receipt_url: Option<Text<512>>,
    recipient_name: Option<Text<255>>,
    recipient_document: Option<Text<32>>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    coins_lost: Option<bool>,
    decided_by: DecidedBy,
}

impl WalletPaymentResolved {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payment`, on the wire `payment_id`: the payment.
    /// - `outcome`: sent, paid or failed; of a reserve: return, `consume_paid` or
    ///   `consume_lost`.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(
        id: FactId,
        payment: OperationId,
        outcome: WalletPaymentResolvedOutcome,
        decided_by: DecidedBy,
    ) -> Self {
        Self {
            id,
            payment,
            outcome,
            tx_hash: None,
            end_to_end_id: None,
            paid_at: None,
            receipt_url: None,
            recipient_name: None,
            recipient_document: None,
            institution: None,
            settled_by: None,
            coins_lost: None,
            decided_by,
        }
    }

    /// Sets `tx_hash`: the transaction, required when sent.
    #[must_use]
    pub fn tx_hash(mut self, tx_hash: Text<128>) -> Self {
        self.tx_hash = Some(tx_hash);
        self
    }

    /// Sets `e2e`: the PIX, required when paid or `consume_paid`.
    #[must_use]
    pub fn end_to_end_id(mut self, end_to_end_id: EndToEndId) -> Self {
        self.end_to_end_id = Some(end_to_end_id);
        self
    }

    /// Sets `paid_at`: when, with e2e.
    #[must_use]
    pub fn paid_at(mut self, paid_at: Instant) -> Self {
        self.paid_at = Some(paid_at);
        self
    }

    /// Sets `receipt_url`: where its receipt is: an https:// address.
    #[must_use]
    pub fn receipt_url(mut self, receipt_url: Text<512>) -> Self {
        self.receipt_url = Some(receipt_url);
        self
    }

    /// Sets `recipient_name`: the recipient's name.
    #[must_use]
    pub fn recipient_name(mut self, recipient_name: Text<255>) -> Self {
        self.recipient_name = Some(recipient_name);
        self
    }

    /// Sets `recipient_document`: the recipient's CPF or CNPJ, digits only, or a masked CPF.
    #[must_use]
    pub fn recipient_document(mut self, recipient_document: Text<32>) -> Self {
        self.recipient_document = Some(recipient_document);
        self
    }

    /// Sets `institution`: the recipient's institution.
    #[must_use]
    pub fn institution(mut self, institution: Text<255>) -> Self {
        self.institution = Some(institution);
        self
    }

    /// Sets `settled_by`: who settled the PIX.
    #[must_use]
    pub fn settled_by(mut self, settled_by: Text<255>) -> Self {
        self.settled_by = Some(settled_by);
        self
    }

    /// Sets `coins_lost`: with return: what was sent is our loss.
    #[must_use]
    pub fn coins_lost(mut self, coins_lost: bool) -> Self {
        self.coins_lost = Some(coins_lost);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("payment_id", &self.payment)
            .with("outcome", &self.outcome)
            .with("tx_hash", &self.tx_hash)
            .with("e2e", &self.end_to_end_id)
            .with("paid_at", &self.paid_at)
            .with("receipt_url", &self.receipt_url)
            .with("recipient_name", &self.recipient_name)
            .with("recipient_document", &self.recipient_document)
            .with("institution", &self.institution)
            .with("settled_by", &self.settled_by)
            .with("coins_lost", &self.coins_lost)
            .and(self.decided_by.body())
    }
}

crate::drawn!(WalletPaymentResolved {
    id: FactId,
    payment: OperationId,
    outcome: WalletPaymentResolvedOutcome,
    tx_hash: Option<Text<128>>,
    end_to_end_id: Option<EndToEndId>,
    paid_at: Option<Instant>,
    receipt_url: Option<Text<512>>,
    recipient_name: Option<Text<255>>,
    recipient_document: Option<Text<32>>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    coins_lost: Option<bool>,
    decided_by: DecidedBy,
});

impl Fact for WalletPaymentResolved {
    const NAME: &'static str = "wallet.payment.resolved";
}

impl Reported for WalletPaymentResolved {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}
