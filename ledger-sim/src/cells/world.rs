//! The world of eight cells: its clock, its accounts, and who acts next.

use ledger_core::contract::{Call, CallKind, Response};
use ledger_core::id::{Designation, Environment, Kind};
use ledger_core::time::{Instant, Span};
use ledger_store::Algorithm;
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

use super::{CELLS, CellsReport, PlantedMistake};
use crate::rng::Rng;

/// How many accounts there are.
pub(super) const ACCOUNTS: usize = 12;

/// The customers of every account.
pub(super) const CUSTOMERS: [&str; 3] = ["ana", "bia", "carla"];

/// How often everything is tried again until it must be settled.
const ROUNDS: usize = 64;

pub(super) struct World {
    pub(super) rng: Rng,
    pub(super) now: Instant,
    pub(super) steps: u64,
    pub(super) cells: Vec<Sequencer>,
    pub(super) accounts: Vec<Account>,
    pub(super) asked: Vec<ClientRequest>,
    pub(super) late: Vec<Late>,
    /// Tells whether the network loses nothing any more.
    pub(super) healed: bool,
    pub(super) numbers: u64,
    pub(super) mistake: Option<PlantedMistake>,
    pub(super) report: CellsReport,
}

/// An account, as the directory knows it.
pub(super) struct Account {
    pub(super) name: String,
    pub(super) key: String,
    /// The cells it lived in, in order; the last is where it lives, or is on its way to.
    pub(super) homes: Vec<usize>,
    /// Its moves, in order; the last may be under way.
    pub(super) moves: Vec<Moving>,
}

/// A subaccount: an account, and a customer or the house.
pub(super) type Party = (usize, &'static str);

/// The centavos that one request which was carried out adds to balances.
pub(super) type Moved = fn(&mut World, number: usize) -> Vec<(Party, i64)>;

/// What is asked, under an id of the client's own.
pub(super) struct ClientRequest {
    pub(super) account: usize,
    pub(super) id: String,
    pub(super) kind: Kind,
    pub(super) target: &'static str,
    pub(super) body: Value,
    pub(super) supplied: Value,
    /// The answer, and the cell that gave it.
    pub(super) answer: Option<(usize, Response)>,
    /// What the world does with it, in order, and how much of that was acknowledged.
    pub(super) fate: Vec<(&'static str, Value)>,
    pub(super) acknowledged: usize,
    /// Its outcome once it was carried out.
    pub(super) moved: Moved,
}

impl ClientRequest {
    pub(super) fn is_settled(&self) -> bool {
        self.answer.is_some() && self.acknowledged >= self.fate.len()
    }

    /// Tells whether it was carried out.
    pub(super) fn is_done(&self) -> bool {
        self.answer.as_ref().is_some_and(|(_, answer)| answer.status == 200)
    }
}

/// An account's move from one cell to another.
pub(super) struct Moving {
    pub(super) id: String,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) done: bool,
}

impl Account {
    pub(super) fn is_moving(&self) -> bool {
        self.moves.last().is_some_and(|moving| !moving.done)
    }
}

/// A message that comes at a later step, and is answered to nobody.
pub(super) struct Late {
    pub(super) at: u64,
    pub(super) to: usize,
    pub(super) call: Call,
}

impl World {
    pub(super) fn new(seed: u64, mistake: Option<PlantedMistake>) -> Self {
        let cell = |number: usize| {
            let designation = Designation::Chosen(Environment::Live);
            let identity =
                Identity { algorithm: Algorithm::Blake3, vault_key: [7; 32], designation };
            Sequencer::new(&format!("cell-{number}"), identity)
        };
        let account = |number: usize| Account {
            name: format!("loja-{number}"),
            key: format!("svc_live_loja_{number}"),
            homes: vec![number % CELLS],
            moves: Vec::new(),
        };
        let mut world = Self {
            rng: Rng::new(seed),
            now: Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339"),
            steps: 0,
            cells: (0..CELLS).map(cell).collect(),
            accounts: (0..ACCOUNTS).map(account).collect(),
            asked: Vec::new(),
            late: Vec::new(),
            healed: true,
            numbers: 0,
            mistake,
            report: CellsReport { runs: 1, ..CellsReport::default() },
        };
        world.open();
        world.healed = false;
        world
    }

    /// Every cell serves without a ladder of payers, and the accounts are opened.
    fn open(&mut self) {
        for cell in 0..CELLS {
            self.tell(cell, "policy.adopted", json!({ "id": "policy", "payer_ladder": false }));
        }
        let terms = json!({
            "deposito_fee_bps": 0, "deposito_fee_fixed_cents": 0, "saque_fee_bps": 0,
            "partner_saque_fee_bps": 50, "saque_taxa_provedor_tipo": "fixo",
            "saque_taxa_estimada_cents": 0, "carencia_horas": 0, "liberacao": "imediata",
            "sem_retencao": true,
        });
        for number in 0..ACCOUNTS {
            let Account { name, key, homes, .. } = &self.accounts[number];
            let body = json!({ "id": format!("open-{number}"), "account": name, "terms": terms });
            let (cell, supplied) = (homes[0], json!({ "key": key }));
            let opened = self.send(cell, CallKind::Fact("account.opened".into()), body, supplied);
            assert_eq!(opened.map(|it| it.body["outcome"].clone()), Some(json!("applied")));
        }
    }

    /// Somebody acts, and time passes.
    pub(super) fn step(&mut self) {
        self.steps += 1;
        let seconds = u32::try_from(self.rng.below(4)).unwrap_or(0);
        self.now = self.now.after(Span::seconds(seconds));
        self.deliver_late();
        match self.rng.by_weight(&[20, 20, 40, 4, 16]) {
            0 => self.ask(),
            1 => self.ask_again(),
            2 => self.happen(),
            3 => self.begin_move(),
            _ => self.go_on_moving(),
        }
    }

    /// Until everything is settled: nothing is lost any more, whatever was asked is answered, what
    /// is open ends, and every move is done.
    pub(super) fn settle(&mut self) -> Result<(), String> {
        self.healed = true;
        self.deliver_late();
        self.ask_what_was_refused();
        for round in 0..ROUNDS {
            self.steps += 1;
            self.now = self.now.after(Span::hours(1));
            for cell in 0..CELLS {
                self.tell(cell, "time.passed", json!({}));
            }
            // The world takes its time: much comes when the account it is of has moved.
            for number in 0..self.asked.len() {
                if round + ROUNDS / 4 >= ROUNDS || self.rng.percent(10) {
                    self.finish(number);
                }
            }
            for account in 0..ACCOUNTS {
                self.move_on(account);
            }
        }
        let unanswered = self.asked.iter().filter(|asked| !asked.is_settled()).count();
        let moving = self.accounts.iter().filter(|account| account.is_moving()).count();
        match (unanswered, moving) {
            (0, 0) => Ok(()),
            _ => Err(format!("{unanswered} requests and {moving} moves never end")),
        }
    }

    pub(super) fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// Returns what a cell answers to a read of an account, straight.
    pub(super) fn read(&mut self, cell: usize, account: usize, target: String) -> Value {
        let key = Some(self.accounts[account].key.clone());
        let ask = CallKind::Request { method: "GET".to_owned(), target, key };
        let healed = std::mem::replace(&mut self.healed, true);
        let answer = self.send(cell, ask, Value::Null, Value::Null);
        self.healed = healed;
        answer.map(|answer| answer.body.into()).unwrap_or_default()
    }
}
