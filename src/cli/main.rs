#![forbid(unsafe_code)]
//! The program of the custody ledger; `--help` lists its commands by what they are for.
//!
//! It drives the libraries by text: JSON lines in, answers out, both ledgers of a store side by
//! side. `docs/cli.md` explains every command with examples.
//!
//! In reading order:
//!
//! 1. `Command`: the commands with their help.
//! 2. [`store`]: a store by its name: `ledger.db`, `postgres://...`, `s3://...`, `memory:`.
//! 3. [`environments`]: the live and the sandbox ledger of a store, each with its engine.
//! 4. [`run`]: lines in, answers out, each durable before it is given.
//! 5. [`labels`]: the names by which later lines refer to earlier answers.
//! 6. [`provider`]: what only a provider can know, played.
//! 7. [`progress`]: where a run was left, so that it can go on.
//! 8. [`events`]: what clients are notified of and the world is asked.
//! 9. [`reading`]: what the commands that only read have in common.
//! 10. [`checkpoints`]: what `run` and `serve` sign for strangers.
//! 11. [`whole_file`]: files that are there whole, or as they were before.
//! 12. [`loss`]: going on from where a ledger ends of which later records are lost.
//! 13. [`failure`]: why a command could not do what it was asked.
//! 14. [`help`], [`commands`]: the commands by what they are for, and a file each.
//!
//! ```console
//! $ custody-ledger run examples/custody-day.jsonl --store ledger.db
//! ```

mod checkpoints;
mod commands;
mod environments;
mod events;
mod failure;
mod help;
mod labels;
mod loss;
mod progress;
mod provider;
mod reading;
mod run;
mod store;
mod table;
mod whole_file;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use failure::Failure;

/// A history makes and drops small things all the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
#[command(name = "custody-ledger", version, about = "A custody ledger between PIX and crypto")]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs JSON lines against a store: requests of the contract and facts of the world.
    #[command(after_help = "A line is a request, a command or a fact. A label (\"as\") names its \
        answer: `$label.field` in a later line stands for any text or number of it, and `$$` for a \
        dollar.\n\nA run that was stopped goes on when it is run again. Examples:\n  \
        custody-ledger run day.jsonl --store ledger.db --events events.jsonl\n  \
        custody-ledger run day.jsonl --store ledger.db --answers-from 120\n  \
        tail -f till.jsonl | custody-ledger run - --source till-7 --store ledger.db")]
    Run(run::Options),
    /// Replays a journal from its first record and proves it, or names the first record at fault.
    #[command(after_help = "Examples:\n  \
        custody-ledger audit ledger.db --heads /media/heads.txt\n  \
        custody-ledger audit ledger.db --html report.html\n  \
        custody-ledger audit ledger.db --invariant INV-07 --invariant CONTROL\n  \
        custody-ledger audit --list-invariants")]
    Audit(commands::audit::Options),
    /// Shows a balance: the house's, or one subaccount's.
    #[command(visible_alias = "saldo")]
    #[command(after_help = "Examples:\n  custody-ledger balance ledger.db loja --customer ana\n  \
        custody-ledger balance ledger.db loja --at 2026-11-20T23:59:59-03:00")]
    Balance(commands::books::balances::Options),
    /// Shows a statement, by entries or by operations.
    #[command(visible_alias = "extrato")]
    #[command(after_help = "Examples:\n  \
        custody-ledger statement ledger.db loja --customer ana --view operations\n  \
        custody-ledger statement ledger.db loja --format ofx --from 2026-11 --output loja.ofx")]
    Statement(commands::books::statement::Options),
    /// Shows every account of the chart that is not empty, by commodity.
    #[command(after_help = "Example:\n  custody-ledger trial-balance ledger.db --at 1200")]
    TrialBalance(commands::books::trial_balance::Options),
    /// Compares two moments: what each account had at both, and the entries between.
    #[command(after_help = "Examples:\n  custody-ledger compare ledger.db --from 40 --to 63\n  \
        custody-ledger compare ledger.db --from 2026-11-20T00:00:00-03:00")]
    Compare(commands::books::compare::Options),
    /// Shows days or months: opening, movement and closing of each account, and what was earned.
    #[command(after_help = "Examples:\n  \
        custody-ledger days ledger.db --from 2026-11-01 --to 2026-11-30\n  \
        custody-ledger days ledger.db --from 2026-01 --month --format csv")]
    Days(commands::books::days::Options),
    /// Traces a balance or an operation to the records that made it, leg by leg.
    #[command(after_help = "Example:\n  custody-ledger explain ledger.db loja --customer ana")]
    Explain(commands::books::explain::Options),
    /// Follows money: where a PIX or an operation's went, or where it came from, to the centavo.
    Trace(commands::trace::Options),
    #[command(flatten)]
    Report(commands::regulatory::ReportCommand),
    /// Shows a page of the console as text: what waits and why, what is owed and held, endpoints.
    #[command(after_help = "Examples:\n  custody-ledger look waiting kind=payout older=1h\n  \
        custody-ledger look solvency\n  custody-ledger look webhooks --ledger sandbox")]
    Look(commands::look::Options),
    /// Finds what a text names: an id or its beginning, a customer, a person, an amount, a PIX, a
    /// transaction, an address.
    #[command(after_help = commands::find::HELP)]
    Find(commands::find::Options),
    /// Writes a store's records to a file, proved on the way.
    #[command(after_help = "Examples:\n  \
        custody-ledger export ledger.db --format records --with-vault --output ledger.records\n  \
        custody-ledger export ledger.db --format hledger --output ledger.hledger")]
    Export(commands::export::Options),
    /// Makes a new store of a file of records, or brings opening balances from a CSV.
    #[command(after_help = commands::import::HELP)]
    Import(commands::import::Options),
    /// Fills SQL tables with what the ledgers know: operations, statements, balances, holds,
    /// outbox.
    #[command(after_help = "Example:\n  \
        custody-ledger project ledger.db --into reports.db --follow")]
    Project(commands::project::Options),
    /// Shows what clients are to be notified of and the world is to do, and acknowledges it.
    #[command(after_help = commands::outbox::HELP)]
    Outbox(commands::outbox::Options),
    /// Saves the ledgers as they stand, so that opening them later takes less time.
    #[command(after_help = "Example:\n  custody-ledger snapshot ledger.db")]
    Snapshot(commands::snapshot::Options),
    /// Proves the directory of cells, and shows its cells, accounts and moves.
    #[command(after_help = "Example:\n  custody-ledger directory cells.db")]
    Directory(commands::directory::Options),
    /// Writes a proof for a stranger: of a record, an operation, a balance, or what came since.
    #[command(after_help = commands::proof::prove::HELP)]
    Prove(commands::proof::prove::Options),
    /// Checks a proof against a checkpoint and a public key; needs no store.
    #[command(after_help = "Example:\n  custody-ledger verify-proof 12.proof \
        --checkpoint checkpoints --key ledger.example.com/live/live+1f2e3d4c+AQ...")]
    VerifyProof(commands::proof::verify::Options),
    /// Makes the key that checkpoints are signed with, and shows its public texts.
    #[command(after_help = "Example:\n  \
        custody-ledger checkpoint-key checkpoint.key --name ledger.example.com")]
    CheckpointKey(commands::proof::key::Options),
    /// Writes what is owed and what is held at one record, signed, for anybody to check.
    #[command(after_help = commands::reserves::HELP)]
    Reserves(commands::reserves::Options),
    /// Checks a file of reserves, and a holder's proof, by a public key; needs no store.
    #[command(after_help = commands::reserves::VERIFY_HELP)]
    VerifyReserves(commands::reserves::verify::Options),
    /// Has checkpoints cosigned by witnesses, or is one for the logs of others.
    #[command(after_help = commands::witness::HELP)]
    Witness(commands::witness::Options),
    /// Holds a provider's list of PIX against the ledger; exits with 1 where anything is open.
    #[command(after_help = "Examples:\n  \
        custody-ledger reconcile day.csv --columns provider.toml --store ledger.db\n  \
        custody-ledger reconcile camt053.xml --store ledger.db --json --propose facts.jsonl")]
    Reconcile(commands::reconcile::Options),
    /// Matches statements of provider, chains and exchanges with the ledger, movement by movement.
    #[command(after_help = commands::matching::HELP)]
    Match(commands::matching::Options),
    /// Closes a day with its evidence, a month over its days, or opens the last day again.
    #[command(after_help = commands::close::HELP)]
    Close(commands::close::Options),
    /// Erases a person's data from the vaults; every head stands, and every audit passes.
    #[command(after_help = "Example:\n  custody-ledger erase ledger.db --document 52998224725 \
        --actor bia --reason \"request 17 of the data subject\"\n  \
        custody-ledger erase ledger.db --document 52998224725 --by bia --reason \"request 17\" \
        --certificate 17.erased --checkpoint-key checkpoint.key")]
    Erase(commands::erasure::erase::Options),
    /// Checks a certificate of erasure against a public key; needs no store.
    #[command(after_help = "Example:\n  custody-ledger verify-erasure 17.erased \
        --key ledger.example.com/live/live+1f2e3d4c+AQ...")]
    VerifyErasure(commands::erasure::certificate::Options),
    /// Shows everything that a ledger keeps of a person: operations, holds, decisions, erasures.
    #[command(after_help = "It notes who read it and why. Examples:\n  \
        custody-ledger person ledger.db --document 52998224725 --by caio --reason \"case 0012\"\n  \
        custody-ledger person ledger.db --document 52998224725 --by caio --reason \"case 0012\" \
        --html dossier.html")]
    Person(commands::erasure::person::Options),
    /// Writes a store anew where copies of erased values may stand, and says what is left.
    #[command(after_help = "Example:\n  custody-ledger scrub postgres://postgres@localhost/ledger")]
    Scrub(commands::erasure::scrub::Options),
    /// Places a legal hold: the person is not erased until it is released.
    #[command(after_help = "Example:\n  custody-ledger hold-person ledger.db \
        --hold 0012345-11.2026 --document 52998224725 --by bia --reason \"order of 20 November\"")]
    HoldPerson(commands::erasure::hold::HoldOptions),
    /// Releases a legal hold.
    #[command(after_help = "Example:\n  custody-ledger release-person ledger.db \
        --hold 0012345-11.2026 --by bia --reason \"the case is closed\"")]
    ReleasePerson(commands::erasure::hold::ReleaseOptions),
    /// Lists the legal holds, released ones too.
    PersonHolds(commands::erasure::hold::ListOptions),
    /// Adds, lists and removes those who may look at the console and decide.
    #[command(
        after_help = "Examples:\n  custody-ledger operator add bia --role decide --role hold \
        --store ledger.db > bia.credential\n  custody-ledger operator role bia --role look\n  \
        custody-ledger operator remove bia"
    )]
    Operator(commands::operator::Options),
    /// Writes down with whom an operation of the inbox is, and a line beside it.
    #[command(after_help = "Examples:\n  custody-ledger assign po_1 --to me \
        --credential-file bia.credential\n  custody-ledger assign po_1 --to eva \
        --note \"asks the bank\" --credential-file bia.credential")]
    Assign(commands::operator::assign::Options),
    /// Takes a person's decision, which is refused where it decides about nothing.
    #[command(after_help = "Examples:\n  custody-ledger decide payout.stopped payout_id=po_1 \
        --id stop-1 --reason \"to be looked at\" --credential-file bia.credential --dry-run\n  \
        custody-ledger decide suspense.attached suspense_id=su_1 cashin_id=ci_1 --id att-1 \
        --reason \"a centavo too much\" --credential-file bia.credential --store ledger.db")]
    Decide(commands::decide::Options),
    /// Lists the facts with their JSON shapes, one example each.
    #[command(after_help = "Example:\n  custody-ledger facts pix.received")]
    Facts(commands::contract::facts::Options),
    /// Lists the routes and commands, with what each takes, answers and refuses for.
    Routes(commands::contract::routes::Options),
    /// Writes the contract as `OpenAPI` 3.1: every route, error and event.
    #[command(after_help = "Example:\n  \
        custody-ledger openapi --base-url https://api.example.com")]
    Openapi(commands::contract::openapi::Options),
    /// Serves both ledgers of a store over HTTP; for test keys bank, exchange and networks are
    /// played.
    #[command(after_help = "Examples:\n  custody-ledger serve\n  \
        custody-ledger serve --listen 127.0.0.1:8080 --store postgres://ledger@localhost/ledger\n  \
        custody-ledger serve --config serve.toml --print-config")]
    Serve(Box<commands::serve::Options>),
    /// Forwards the webhooks of a key to a URL, resent ones too: for development and CI.
    #[command(after_help = "Events come from a running service that keeps an outbox; the account \
        needs no webhook_url.\n\nExamples:\n  \
        custody-ledger listen --key $KEY --forward-to http://127.0.0.1:9000/hooks\n  \
        custody-ledger listen --key $KEY --forward-to http://127.0.0.1:9000 --exit-after 2")]
    Listen(commands::listen::Options),
    /// Runs the ledger through simulated faults: one seed, one history.
    #[command(
        after_help = "Examples:\n  custody-ledger simulate --seed 7 --days 30 --faults few\n  \
        custody-ledger simulate --seed 1 --seeds 300 --commands 1000 --faults many"
    )]
    Simulate(commands::simulate::Options),
    /// Says what to do when something pages, or when `serve` ended with an error.
    #[command(after_help = "Examples:\n  custody-ledger runbook\n  \
        custody-ledger runbook CommitsFailing")]
    Runbook(commands::runbook::Options),
    /// Writes what completes commands and options in a shell.
    #[command(after_help = "Example:\n  custody-ledger completions bash \
        > ~/.local/share/bash-completion/completions/custody-ledger")]
    Completions(commands::shell::Completions),
    /// Writes the manual pages.
    #[command(after_help = "Example:\n  custody-ledger man --to /usr/local/share/man/man1")]
    Man(commands::shell::Manual),
}

fn main() -> ExitCode {
    let matches = help::group_commands(Program::command()).get_matches();
    if store::is_said_twice(&matches) {
        let error = clap::Error::raw(
            clap::error::ErrorKind::ArgumentConflict,
            "the store is named twice, by place and by --store\n",
        );
        error.exit();
    }
    let command = matches.subcommand().map(|(_, command)| command);
    let takes_over = command.is_some_and(|it| it.try_contains_id("take_over").is_ok());
    let program = Program::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let done = match program.command {
        Command::Run(options) => run::run(&options),
        Command::Audit(options) => commands::audit::run(&options),
        Command::Balance(options) => commands::books::balances::run(&options),
        Command::Statement(options) => commands::books::statement::run(&options),
        Command::TrialBalance(options) => commands::books::trial_balance::run(&options),
        Command::Compare(options) => commands::books::compare::run(&options),
        Command::Days(options) => commands::books::days::run(&options),
        Command::Explain(options) => commands::books::explain::run(&options),
        Command::Trace(options) => commands::trace::run(&options),
        Command::Report(report) => commands::regulatory::run(&report),
        Command::Look(options) => commands::look::run(&options),
        Command::Find(options) => commands::find::run(&options),
        Command::Export(options) => commands::export::run(&options),
        Command::Import(options) => commands::import::run(&options),
        Command::Project(options) => commands::project::run(&options),
        Command::Outbox(options) => commands::outbox::run(&options),
        Command::Snapshot(options) => commands::snapshot::run(&options),
        Command::Directory(options) => commands::directory::run(&options),
        Command::Prove(options) => commands::proof::prove::run(&options),
        Command::VerifyProof(options) => commands::proof::verify::run(&options),
        Command::CheckpointKey(options) => commands::proof::key::run(&options),
        Command::Reserves(options) => commands::reserves::run(&options),
        Command::VerifyReserves(options) => commands::reserves::verify::run(&options),
        Command::Witness(options) => commands::witness::run(&options),
        Command::Reconcile(options) => commands::reconcile::run(&options),
        Command::Match(options) => commands::matching::run(&options),
        Command::Close(options) => commands::close::run(&options),
        Command::Erase(options) => commands::erasure::erase::run(&options),
        Command::Person(options) => commands::erasure::person::run(&options),
        Command::VerifyErasure(options) => commands::erasure::certificate::verify(&options),
        Command::Scrub(options) => commands::erasure::scrub::run(&options),
        Command::HoldPerson(options) => commands::erasure::hold::hold(&options),
        Command::ReleasePerson(options) => commands::erasure::hold::release(&options),
        Command::PersonHolds(options) => commands::erasure::hold::list(&options),
        Command::Operator(options) => commands::operator::run(&options),
        Command::Assign(options) => commands::operator::assign::run(&options),
        Command::Decide(options) => commands::decide::run(&options),
        Command::Facts(options) => commands::contract::facts::run(&options),
        Command::Routes(options) => commands::contract::routes::run(&options),
        Command::Openapi(options) => commands::contract::openapi::run(&options),
        Command::Serve(options) => {
            commands::serve::run(&options).map_err(commands::runbook::with_advice)
        }
        Command::Listen(options) => commands::listen::run(&options),
        Command::Simulate(options) => commands::simulate::run(&options),
        Command::Runbook(options) => commands::runbook::run(&options),
        Command::Completions(options) => commands::shell::complete(&options),
        Command::Man(options) => commands::shell::manual(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.end(takes_over),
    }
}

/// Says something to the person who started the program; whoever closed standard error hears
/// nothing.
fn say(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}
