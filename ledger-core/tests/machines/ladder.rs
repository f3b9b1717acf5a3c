//! The payer ladder: bands, windows and days (LIM-04 to LIM-14, rulings 12; INV-40).

use ledger_core::money::Cents;
use ledger_core::terms::{Allowance, Band, Ladder, Payer, Review, Stage};
use ledger_core::time::{Instant, Span};
use proptest::prelude::*;

use crate::samples::{amount, as_cents, at};

fn ladder() -> Ladder {
    Ladder::default()
}

fn known() -> Payer {
    Payer { review: Review::Identified, ..Payer::default() }
}

/// A document that paid first long ago.
fn mature() -> Payer {
    let mut payer = Payer::default();
    payer.pay(amount(1), at("2016-01-01T12:00:00Z"), at("2016-01-01T12:00:00Z"));
    payer
}

fn admits(payer: &Payer, now: &str, cents: i64) -> Option<Band> {
    ladder().allowance(payer, at(now)).admits(amount(cents))
}

const HELD: Option<Band> = Some(Band::Held(24));
const INSTANT: Option<Band> = Some(Band::Instant);

#[test]
fn the_band_is_instant_and_what_passes_it_is_held_as_a_whole() {
    // W39: 15,000 paid today.
    let mut payer = mature();
    payer.pay(amount(15_000), at("2026-10-20T12:00:00Z"), at("2026-10-20T12:00:00Z"));
    let now = "2026-10-20T13:00:00Z";
    assert_eq!((admits(&payer, now, 5_000), admits(&payer, now, 5_001)), (INSTANT, HELD));
}

#[test]
fn what_is_pending_counts_and_what_came_to_nothing_is_released() {
    // W40.
    let mut payer = known();
    payer.issue(amount(10_000));
    let now = "2026-10-20T13:00:00Z";
    assert_eq!((admits(&payer, now, 10_000), admits(&payer, now, 10_001)), (INSTANT, HELD));
    payer.release(amount(10_000));
    assert_eq!((admits(&payer, now, 10_001), payer.pending), (INSTANT, Cents::ZERO));
    assert_eq!(payer.first_paid_at, None);
}

#[test]
fn the_top_of_the_ladder_is_inclusive() {
    // W41: 580,000 counted.
    let mut payer = mature();
    payer.pay(amount(580_000), at("2026-10-20T12:00:00Z"), at("2026-10-20T12:00:00Z"));
    let now = "2026-10-20T13:00:00Z";
    assert_eq!((admits(&payer, now, 20_000), admits(&payer, now, 20_001)), (HELD, None));
    let allowance = ladder().allowance(&payer, at(now));
    assert_eq!((allowance.held, allowance.at_once), (as_cents(20_000), Cents::ZERO));
    assert_eq!((allowance.most, allowance.used), (as_cents(20_000), as_cents(580_000)));
}

#[test]
fn the_first_qr_of_an_unknown_document_is_capped_and_never_held() {
    // W42, LIM-14.
    let now = "2026-10-20T13:00:00Z";
    let stranger = Payer::default();
    assert_eq!(stranger.stage(at(now)), Stage::FirstQr);
    assert_eq!((admits(&stranger, now, 20_000), admits(&stranger, now, 20_001)), (INSTANT, None));
    let mut pending = stranger;
    pending.issue(amount(15_000));
    assert_eq!((admits(&pending, now, 5_000), admits(&pending, now, 5_001)), (INSTANT, HELD));
    // Known by a review, or by a payment of its own, it may be held.
    assert_eq!(known().stage(at(now)), Stage::FirstTransaction);
    assert_eq!(admits(&known(), now, 20_001), HELD);
    let mut paid = stranger;
    paid.pay(amount(1), at("2026-10-20T12:00:00Z"), at("2026-10-20T12:00:00Z"));
    assert_eq!((paid.stage(at(now)), admits(&paid, now, 20_000)), (Stage::FirstDay, HELD));
}

#[test]
fn every_stage_has_its_band() {
    let ladder = Ladder {
        first_qr: amount(1_000),
        first_transaction: amount(2_000),
        first_day: amount(3_000),
        mature_day: amount(4_000),
        held: amount(10_000),
        hours: 48,
    };
    let at_once = |payer: &Payer, now| ladder.allowance(payer, at(now)).at_once.cents();
    let mut payer = Payer::default();
    assert_eq!(at_once(&payer, "2026-10-20T12:00:00Z"), 1_000);
    payer.review = Review::Identified;
    assert_eq!(at_once(&payer, "2026-10-20T12:00:00Z"), 2_000);
    payer.pay(amount(500), at("2026-10-20T12:00:00Z"), at("2026-10-20T12:00:00Z"));
    assert_eq!(at_once(&payer, "2026-10-20T12:00:00Z"), 2_500);
    assert_eq!(at_once(&payer, "2026-10-21T12:00:00Z"), 4_000);
    let passed = ladder.allowance(&payer, at("2026-10-21T12:00:00Z"));
    assert_eq!(passed.admits(amount(4_001)), Some(Band::Held(48)));
    // Never more for a stranger than for somebody known.
    let odd = Ladder { first_qr: amount(5_000), ..ladder };
    assert_eq!(odd.band(Stage::FirstQr), amount(2_000));
}

#[test]
fn the_first_day_is_twenty_four_hours_to_the_microsecond() {
    // LIM-06, rulings 12: it rolls across midnight of Brasília.
    let first = "2026-10-20T15:00:00.000001Z";
    let mut payer = known();
    payer.pay(amount(20_000), at(first), at(first));
    let last = "2026-10-21T15:00:00Z";
    let next = "2026-10-21T15:00:00.000001Z";
    assert_eq!(
        (payer.stage(at(last)), payer.amount_used(at(last))),
        (Stage::FirstDay, as_cents(20_000))
    );
    assert_eq!((payer.stage(at(next)), payer.amount_used(at(next))), (Stage::Mature, Cents::ZERO));
    let matures = |now| ladder().allowance(&payer, at(now)).matures_at;
    assert_eq!((matures(last), matures(next)), (Some(at(next)), None));
    assert_eq!(ladder().allowance(&known(), at(last)).matures_at, None);
}

#[test]
fn what_was_paid_at_the_last_instant_of_the_first_day_counts_to_it_and_to_its_own_day() {
    let mut payer = known();
    payer.pay(amount(1_000), at("2026-10-20T15:00:00Z"), at("2026-10-20T15:00:00Z"));
    payer.pay(amount(2_000), at("2026-10-21T14:59:59.999999Z"), at("2026-10-21T14:59:59.999999Z"));
    assert_eq!(payer.amount_used(at("2026-10-21T14:59:59.999999Z")), as_cents(3_000));
    // The 21st in Brasília has 2,000 of it.
    assert_eq!(payer.amount_used(at("2026-10-21T15:00:00Z")), as_cents(2_000));
    payer.pay(amount(4_000), at("2026-10-21T15:00:00Z"), at("2026-10-21T15:00:00Z"));
    assert_eq!((payer.first_day, payer.today), (as_cents(3_000), as_cents(6_000)));
    assert_eq!(payer.amount_used(at("2026-10-22T02:59:59.999999Z")), as_cents(6_000));
    assert_eq!(payer.amount_used(at("2026-10-22T03:00:00Z")), Cents::ZERO);
}

/// Returns what counts just before and at this instant, of what was paid the hour before.
fn around(midnight: &str) -> [i64; 2] {
    let begins = at(midnight);
    let mut payer = mature();
    let before = |micros: i64| Instant::from_micros(begins.micros() - micros).unwrap();
    payer.pay(amount(700), before(3_600_000_000), before(3_600_000_000));
    [before(1), begins].map(|now| payer.amount_used(now).cents())
}

#[test]
fn a_day_begins_at_midnight_of_brasilia() {
    // P:PayerDay, INV-48: UTC-3 today; UTC-2 in the summer times until 2019 (tz database).
    assert_eq!(around("2026-10-21T03:00:00Z"), [700, 0]);
    assert_eq!(around("2018-12-10T02:00:00Z"), [700, 0]);
    assert_eq!(around("2018-07-10T03:00:00Z"), [700, 0]);
    assert_eq!(around("2018-12-10T03:00:00Z"), [700, 700]);
}

#[test]
fn where_midnight_did_not_exist_the_day_begins_at_one() {
    // 2018-11-04: at 00:00 -03:00 it was 01:00 -02:00; that day has 23 hours.
    assert_eq!(around("2018-11-04T03:00:00Z"), [700, 0]);
    let day = |text| at(text).day_begins_in_brasilia();
    assert_eq!(day("2018-11-04T03:00:00Z"), at("2018-11-04T03:00:00Z"));
    assert_eq!(day("2018-11-05T01:59:59.999999Z"), at("2018-11-04T03:00:00Z"));
    assert_eq!(day("2018-11-05T02:00:00Z"), at("2018-11-05T02:00:00Z"));
    assert_eq!(at("2018-11-03T12:00:00Z").next_day_in_brasilia(), at("2018-11-04T03:00:00Z"));
}

#[test]
fn where_an_hour_came_twice_the_day_has_twenty_five() {
    // 2019-02-17: at 00:00 -02:00 it was 23:00 -03:00 of the 16th again.
    let day = |text| at(text).day_begins_in_brasilia();
    assert_eq!(day("2019-02-16T02:00:00Z"), at("2019-02-16T02:00:00Z"));
    assert_eq!(day("2019-02-17T02:59:59.999999Z"), at("2019-02-16T02:00:00Z"));
    assert_eq!(day("2019-02-17T03:00:00Z"), at("2019-02-17T03:00:00Z"));
    assert_eq!(around("2019-02-17T03:00:00Z"), [700, 0]);
    assert_eq!(around("2019-02-17T02:00:00Z"), [700, 700]);
}

#[test]
fn a_document_of_which_nothing_is_known_is_forgotten() {
    let mut payer = Payer::default();
    assert!(payer.is_blank());
    payer.issue(amount(1));
    assert!(!payer.is_blank());
    payer.release(amount(1));
    assert!(payer.is_blank() && !known().is_blank() && !mature().is_blank());
}

#[test]
fn sums_beyond_counting_stay_at_the_most() {
    let mut payer = mature();
    for _ in 0..3 {
        payer.issue(amount(i64::MAX));
        payer.pay(amount(i64::MAX), at("2026-10-20T12:00:00Z"), at("2026-10-20T12:00:00Z"));
    }
    let allowance: Allowance = ladder().allowance(&payer, at("2026-10-20T12:00:00Z"));
    assert_eq!((allowance.used, allowance.most), (as_cents(i64::MAX), Cents::ZERO));
    assert_eq!(allowance.admits(amount(1)), None);
}

/// One thing that happens to a charge of the document.
#[derive(Clone, Debug)]
enum Step {
    Issue(i64),
    Expire,
    Pay,
    Wait(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (1..30_000_i64).prop_map(Step::Issue),
        1 => Just(Step::Expire),
        3 => Just(Step::Pay),
        2 => (0..60_000_u32).prop_map(Step::Wait),
    ];
    proptest::collection::vec(step, 0..60)
}

proptest! {
    #[test]
    fn what_counts_is_what_a_plain_list_says(steps in steps(), start in 0..400_u32) {
        // INV-40: pending, and what was paid in the window, by a list of every payment.
        let mut now = at("2018-10-20T12:00:00Z").after(Span::hours(start));
        let mut payer = known();
        let (mut pending, mut paid): (Vec<i64>, Vec<(Instant, i64)>) = (Vec::new(), Vec::new());
        for step in steps {
            match step {
                Step::Issue(cents) => {
                    payer.issue(amount(cents));
                    pending.push(cents);
                }
                Step::Expire => {
                    if let Some(cents) = pending.pop() {
                        payer.release(amount(cents));
                    }
                }
                Step::Pay => {
                    if let Some(cents) = pending.pop() {
                        payer.release(amount(cents));
                        payer.pay(amount(cents), now, now);
                        paid.push((now, cents));
                    }
                }
                Step::Wait(seconds) => now = now.after(Span::seconds(seconds)),
            }
            let first = paid.first().map(|(first, _)| *first);
            let ends = first.map(|first| first.after(Span::hours(24)));
            let within = |then: Instant| match ends {
                Some(ends) if now < ends => true,
                _ => then.day_in_brasilia() == now.day_in_brasilia(),
            };
            let window: i64 = paid.iter().filter(|(then, _)| within(*then)).map(|(_, c)| c).sum();
            prop_assert_eq!(payer.amount_used(now).cents(), window + pending.iter().sum::<i64>());
            prop_assert_eq!(payer.first_paid_at, first);
            let stage = match ends {
                None => Stage::FirstTransaction,
                Some(ends) if now < ends => Stage::FirstDay,
                Some(_) => Stage::Mature,
            };
            prop_assert_eq!(payer.stage(now), stage);
        }
    }
}

#[test]
fn a_payment_counts_on_the_day_it_was_made_however_late_it_is_confirmed() {
    let mut payer = Payer::default();
    payer.pay(amount(100), at("2026-10-18T12:00:00Z"), at("2026-10-18T12:00:00Z"));
    let (eve, told) = (at("2026-10-21T02:59:50Z"), at("2026-10-21T03:00:10Z"));
    payer.pay(amount(700), eve, told);
    assert_eq!(payer.amount_used(told), Cents::ZERO);
    payer.pay(amount(300), told, told);
    payer.pay(amount(700), eve, told);
    assert_eq!(payer.amount_used(told), amount(300).as_cents());
}
