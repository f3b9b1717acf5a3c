//! A database that fails before or after it wrote: what a projector makes of an answer that was
//! lost.

use super::target::Place;
use super::{Keeper, Step, TablesFailed, Written};
use crate::journal::{Commit, Journal, MemoryDisk, MemoryJournal, OpenMode};
use crate::projection::checkpoint::Checkpoint;
use crate::projection::error::ProjectError;
use crate::projection::projector::Projector;
use crate::projection::prove::prove;
use crate::projection::schema::table::{Cell, Cells};
use crate::sequencer::Sequencer;
use ledger_core::contract::Line;
use ledger_core::ledger::Origin;

/// What becomes of the next write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weather {
    Fair,
    /// Nothing is written, and that is told as a failure.
    FailsBefore,
    /// Everything is written, and the answer is lost.
    FailsAfter,
}

struct Failing {
    keeper: Box<dyn Keeper>,
    weather: std::vec::IntoIter<Weather>,
}

impl Keeper for Failing {
    fn has(&mut self, table: &str) -> Result<bool, TablesFailed> {
        self.keeper.has(table)
    }

    fn make_tables(&mut self) -> Result<(), TablesFailed> {
        self.keeper.make_tables()
    }

    fn read(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Cells>, TablesFailed> {
        self.keeper.read(sql, values)
    }

    fn begin(&mut self) -> Result<(), TablesFailed> {
        self.keeper.begin()
    }

    fn end(&mut self) -> Result<(), TablesFailed> {
        self.keeper.end()
    }

    fn write(&mut self, steps: &[Step<'_>]) -> Result<Written, TablesFailed> {
        let lost = || Err(TablesFailed("the connection is gone".into()));
        match self.weather.next().unwrap_or(Weather::Fair) {
            Weather::Fair => self.keeper.write(steps),
            Weather::FailsBefore => lost(),
            Weather::FailsAfter => self.keeper.write(steps).and_then(|_| lost()),
        }
    }
}

const LINES: [&str; 4] = [
    r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"a-1","account":"loja","terms":{"liberacao":"imediata","carencia_horas":0}},"supplied":{"key":"svc_live_loja"}}"#,
    r#"{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{"destino":"saldo","amount_cents":5000,"customer_ref":"ana","payer_tax_number":"52998224725"},"supplied":{"qr_copypaste":"code"}}"#,
    r#"{"at":"2026-11-20T12:00:02Z","fact":"pix.received","body":{"cashin_id":"ID","e2e":"E9040088820261120120300123873170","amount_cents":5000}}"#,
    r#"{"at":"2026-11-20T12:00:03Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"ana","to_customer_ref":"bia","amount_cents":700}}"#,
];

/// A journal of four commits, and they.
fn told() -> (MemoryJournal, Vec<Commit>) {
    let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create()).unwrap();
    journal.open_writer().unwrap();
    let mut sequencer = Sequencer::new("live", journal.identity());
    let mut charge = String::new();
    let tell = |line: &str| {
        let line = Line::parse(&line.replace("ID", &charge), |_| Ok(String::new())).unwrap();
        let answer = sequencer.call(&line.call(Origin::Call));
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        if let Some(id) = answer.body["cashin_id"].as_str() {
            id.clone_into(&mut charge);
        }
        let commit = sequencer.cut().unwrap();
        journal.append(&commit).unwrap();
        commit
    };
    let commits = LINES.map(tell).into();
    (journal, commits)
}

#[test]
fn whatever_the_weather_every_commit_is_projected_once() {
    use Weather::{FailsAfter, FailsBefore, Fair};
    let kinds = [Fair, FailsBefore, FailsAfter];
    let all = (0..81).map(|n| [n, n / 3, n / 9, n / 27].map(|place: usize| kinds[place % 3]));
    for weather in all {
        let (mut journal, commits) = told();
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Sqlite(folder.path().join("tables.db"));
        let mut nothing = MemoryJournal::open(
            &MemoryDisk::new(),
            "live",
            OpenMode::Create { vault_key: Some(journal.identity().vault_key), algorithm: None },
        )
        .unwrap();
        // The first write gives the ledger its checkpoint.
        let weather_ahead: Vec<_> = std::iter::once(Fair).chain(weather).collect();
        let keeper = place.writing().unwrap();
        let keeper = Failing { keeper, weather: weather_ahead.into_iter() };
        let mut projector = Projector::over(&mut nothing, "live", Box::new(keeper)).unwrap();
        for (commit, weather) in commits.iter().zip(weather) {
            let done = projector.follow(commit);
            let failed = matches!(done, Err(ProjectError::Tables(_)));
            assert_eq!(failed, weather != Fair, "{done:?}");
        }
        projector.catch_up(&mut journal).unwrap();
        assert_eq!(projector.at(), journal.head().unwrap(), "{weather:?}");
        prove(&mut journal, "live", &place).unwrap().expect("tables are there");
        let mut keeper = place.reading().unwrap().unwrap();
        let found = Checkpoint::find(&mut *keeper, "live").unwrap().unwrap();
        assert_eq!(found.head, journal.head().unwrap());
        let told = keeper.read("SELECT count(*) FROM outbox", &[]).unwrap();
        assert_eq!(told, [[Cell::Integer(2)]], "paid and settled");
    }
}
