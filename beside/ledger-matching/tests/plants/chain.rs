//! Differences on a network.

use super::Plant;
use crate::world::statements::block_at;
use crate::world::time::{DAY, HOUR};
use crate::world::{HOT, TRON, Transfer};

const USDT: &str = "chain polygon usdt";

/// A wallet of nobody.
const NOBODY: &str = "0x00000000000000000000000000000000000000a1";

pub const PLANTS: &[Plant] = &[
    Plant {
        name: "a transfer is missing on the network",
        change: |case| {
            let hash = case.deposit().hash.clone();
            case.files.transfers.retain(|it| it.hash != hash);
        },
        findings: &[("ours only", "missing")],
        balances: &[(USDT, "arithmetic")],
    },
    Plant {
        name: "coins arrive that nobody told of",
        change: |case| {
            let strange =
                Transfer { hash: format!("0x{}", "ab".repeat(32)), ..case.deposit().clone() };
            case.chain_closes("usdt", strange.amount);
            case.files.transfers.push(strange);
        },
        findings: &[("theirs only", "unreported")],
        balances: &[],
    },
    Plant {
        name: "a transfer twice",
        change: |case| {
            let again = case.deposit().clone();
            case.files.transfers.push(again);
        },
        findings: &[("theirs only", "twice")],
        balances: &[],
    },
    Plant {
        name: "a millionth less",
        change: |case| {
            case.delivery().amount -= 1;
            case.chain_closes("usdt", 1);
        },
        findings: &[("differs", "amount")],
        balances: &[],
    },
    Plant {
        name: "another number of decimals",
        change: |case| {
            let amount = case.deposit().amount;
            case.deposit().amount = amount * 10;
            case.chain_closes("usdt", amount * 9);
        },
        findings: &[("differs", "scale")],
        balances: &[],
    },
    Plant {
        name: "another asset",
        change: |case| {
            case.deposit().asset = "usdc";
            let amount = case.deposit().amount;
            case.chain_closes("usdt", -amount);
        },
        findings: &[("differs", "asset")],
        balances: &[],
    },
    Plant {
        name: "sent instead of received",
        change: |case| {
            let transfer = case.deposit();
            (transfer.to, transfer.from) = (transfer.from.clone(), HOT.to_owned());
            let amount = transfer.amount;
            case.chain_closes("usdt", -2 * amount);
        },
        findings: &[("differs", "sign")],
        balances: &[],
    },
    Plant {
        name: "to another address",
        change: |case| NOBODY.clone_into(&mut case.delivery().to),
        findings: &[("differs", "address")],
        balances: &[],
    },
    Plant {
        name: "on another network",
        change: |case| {
            let transfer = case.deposit();
            (transfer.network, transfer.to) = ("tron", TRON.to_owned());
            let amount = transfer.amount;
            case.chain_closes("usdt", -amount);
            let end = case.files.chain_ends.iter_mut();
            let end = end.filter(|end| (end.0, end.1) == ("tron", "usdt"));
            end.for_each(|end| end.3 += amount);
        },
        findings: &[("differs", "network")],
        balances: &[],
    },
    Plant {
        name: "in a block that was reorganised away",
        change: |case| {
            let transfer = case.deposit();
            let (number, amount) = (block_at(transfer.at), transfer.amount);
            transfer.block_hash = Some(format!("0x{}", "ee".repeat(32)));
            case.files.blocks.push((number, format!("0x{number:064x}")));
            case.chain_closes("usdt", -amount);
        },
        findings: &[("differs", "reorganised")],
        balances: &[],
    },
    Plant {
        name: "removed by the network",
        change: |case| {
            case.deposit().status = "removed";
            let amount = case.deposit().amount;
            case.chain_closes("usdt", -amount);
        },
        findings: &[("differs", "reorganised")],
        balances: &[],
    },
    Plant {
        name: "a transaction that failed",
        change: |case| {
            case.delivery().status = "failed";
            let amount = case.delivery().amount;
            case.chain_closes("usdt", amount);
        },
        findings: &[("differs", "failed")],
        balances: &[],
    },
    Plant {
        name: "confirmed here and not there",
        change: |case| {
            case.deposit().status = "pending";
            let amount = case.deposit().amount;
            case.chain_closes("usdt", -amount);
        },
        findings: &[("differs", "unconfirmed")],
        balances: &[],
    },
    Plant {
        name: "on another day",
        change: |case| case.deposit().at += DAY + 3 * HOUR,
        findings: &[("differs", "day")],
        balances: &[],
    },
    Plant {
        name: "after the days of the statement",
        change: |case| case.deposit().at += 40 * DAY,
        findings: &[("differs", "day"), ("theirs only", "period")],
        balances: &[],
    },
    Plant {
        name: "more gas than was booked",
        change: |case| {
            let (asset, gas) = case.delivery().fee.expect("it has one");
            case.delivery().fee = Some((asset, gas + 500));
            case.chain_closes("pol", -500);
        },
        findings: &[("differs", "fee")],
        balances: &[],
    },
    Plant {
        name: "a wallet that has less at the block",
        change: |case| case.chain_closes("usdt", -1),
        findings: &[],
        balances: &[(USDT, "arithmetic")],
    },
    Plant {
        name: "a wallet that had more before",
        change: |case| {
            for end in case.files.chain_ends.iter_mut().filter(|end| end.1 == "pol") {
                (end.2, end.3) = (end.2 + 5, end.3 + 5);
            }
        },
        findings: &[],
        balances: &[("chain polygon pol", "opening")],
    },
];
