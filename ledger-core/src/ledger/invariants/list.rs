//! The list of invariants: each with its id, its sentence, and the checks that find where it does
//! not hold.

use super::Invariant;
use super::check::Check::{Entry, Outcome, Record, State, Subaccount, Walk};
use super::{controls, flights, mesh, operations, recoveries, subaccounts, totals, wallets};

/// Every invariant that runs, by id: those of requirements in the order of their numbers, those
/// with names of their own, and those of the outcome.
pub const INVARIANTS: &[Invariant] = &[
    Invariant {
        id: "INV-01",
        text: "every entry balances",
        checks: &[Entry(totals::entry_balances)],
    },
    Invariant {
        id: "INV-02",
        text: "the trial balance is zero in every commodity",
        checks: &[State(totals::reais_sum_to_nothing), Walk(totals::coins_sum_to_nothing)],
    },
    Invariant {
        id: "INV-07",
        text: "no bucket, flight or suspense is negative, available after a forced debit excepted",
        checks: &[Subaccount(subaccounts::is_not_negative), Walk(flights::are_not_negative)],
    },
    Invariant {
        id: "INV-08",
        text: "a balance is available and blocked together, and the sum of its statement rows",
        checks: &[Subaccount(subaccounts::last_row_says_the_balance)],
    },
    Invariant {
        id: "INV-14",
        text: "the release schedule equals the held bucket, open holds the frozen one, each \
               subaccount counts the holds that watch it, and each recovery what its holds block",
        checks: &[
            Subaccount(subaccounts::schedule_is_what_is_held),
            Subaccount(subaccounts::holds_are_what_is_frozen),
            Walk(subaccounts::watchers_are_counted),
            Walk(recoveries::count_what_their_holds_block),
        ],
    },
    Invariant {
        id: "INV-24",
        text: "a reward is a thousandth of what the agents referred settled, rounded down",
        checks: &[Walk(mesh::rewards_follow_volume)],
    },
    Invariant {
        id: "INV-33",
        text: "what is in flight belongs to an operation that is open",
        checks: &[Walk(flights::belong_to_open_operations)],
    },
    Invariant {
        id: "INV-36",
        text: "what of a wallet is reserved or confirming belongs to operations that are open",
        checks: &[Walk(wallets::buckets_belong_to_open_operations)],
    },
    Invariant {
        id: "INV-38",
        text: "open deposit requests at one address await different amounts",
        checks: &[Walk(wallets::requests_await_different_amounts)],
    },
    Invariant {
        id: "INV-40",
        text: "the ladder counts as pending exactly the charges that are",
        checks: &[Walk(operations::ladder_counts_pending_charges)],
    },
    Invariant {
        id: "INV-42",
        text: "what was let pass is within the platform's limit and the mandate",
        checks: &[Record(mesh::passed_within_mandate), Record(mesh::passed_within_platform_limit)],
    },
    Invariant {
        id: "AGENDA",
        text: "the agenda holds the deadline of every open operation, and no other",
        checks: &[Walk(operations::agenda_holds_every_deadline)],
    },
    Invariant {
        id: "ASIDE",
        text: "what waits for a person is found by the operation it names, and nothing else is",
        checks: &[Walk(operations::what_waits_is_found)],
    },
    Invariant {
        id: "CONTROL",
        text: "sub-ledgers equal their control accounts",
        checks: &[
            Walk(controls::buckets),
            Walk(controls::commissions),
            Walk(controls::flights),
            Walk(controls::rewards),
            Walk(controls::products),
            Walk(controls::suspense),
        ],
    },
    Invariant {
        id: "TIME",
        text: "nothing is overdue",
        checks: &[State(operations::nothing_is_overdue)],
    },
    Invariant {
        id: "OUT-01",
        text: "of each PIX received, what is sent on and what went back are never more than it",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-02",
        text: "what recipients are ordered sent is within the ceiling of the day of acceptance",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-03",
        text: "what an agent orders sent is within its mandate: an operation, a day, to whom",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-04",
        text: "nothing is instructed twice under one meaning",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-05",
        text: "what went back before a decision is booked by the decision that makes it possible",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-06",
        text: "what was requested is instructed, and each instruction answered or called off",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-07",
        text: "of each debit, what is sent and what is given back are never more than it",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-08",
        text: "of each deposit, what is sent back, credited or paid for is never more than it",
        checks: &[Outcome],
    },
    Invariant { id: "OUT-09", text: "no delivery is of more than was agreed", checks: &[Outcome] },
    Invariant {
        id: "OUT-10",
        text: "a sale of the Liquid stablecoin has its fee and its bounds on the gross",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-11",
        text: "the fee of a deposit is the one agreed, and a correction is of one share",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-12",
        text: "nothing is instructed that was reported done before, and is a claim",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-13",
        text: "what was handed out stood at that moment, and is called off by evidence alone",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-14",
        text: "a return takes from others than who was credited only what is blocked there for it",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-15",
        text: "one transaction is counted once, however it is spelled, and claimed whole",
        checks: &[Outcome],
    },
    Invariant { id: "OUT-16", text: "nothing that fits an order is sent back", checks: &[Outcome] },
    Invariant {
        id: "OUT-17",
        text: "no clock of a reporter or machine takes time ahead of what it has come to",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-18",
        text: "what a person lets go on counts at a price that is in force",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-19",
        text: "a group of transfers moves every one of its legs, and nothing besides",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-20",
        text: "what is captured, let go and left of a reservation is what was reserved",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-21",
        text: "a closed day states what entries add up to, and days are closed in their order",
        checks: &[Outcome],
    },
    Invariant {
        id: "OUT-22",
        text: "a recovery blocks at most what it claims, for its cause, and refunds from its holds",
        checks: &[Outcome],
    },
];
