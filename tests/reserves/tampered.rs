//! Files that a house or somebody else tampered with: each is refused by the program's library and by
//! the second implementation, for the same faults.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use custody_ledger::reserves::{
    Coverage, Holder, HolderProof, LeavesFile, ReservesFile, Statement,
};
use ledger_proofs::document::Digits;
use ledger_store::signing::key::Signer;
use ledger_store::signing::note::Note;

use crate::house::{House, ROOT, public, signer};
use crate::statements::{ETHEREUM, ethereum, signed, unsigned_float};

/// All that a stranger is handed.
#[derive(Clone)]
struct Handed {
    file: ReservesFile,
    leaves: String,
    proof: String,
}

/// A change, the choice to sign the file anew, and the faults that must name it.
struct Case {
    name: &'static str,
    change: fn(&mut Handed),
    house_signs: bool,
    faults: &'static [&'static str],
}

const fn case(
    name: &'static str,
    change: fn(&mut Handed),
    faults: &'static [&'static str],
) -> Case {
    Case { name, change, house_signs: true, faults }
}

const CASES: [Case; 27] = [
    case("nothing", |_| (), &[]),
    Case {
        name: "a stranger changed a number",
        change: |it| it.file.within_hours = 25,
        house_signs: false,
        faults: &["proof", "signature"],
    },
    case("one unit missing", |it| less(it, "suspense", 1, false), &["accounts", "root", "tree"]),
    case(
        "one unit missing, and every sum made to match",
        |it| less(it, "customers", 1, true),
        &["proof", "totals", "tree"],
    ),
    case(
        "one unit missing in a class without a total, with its leaves",
        |it| less(it, "suspense", 1, true),
        &["tree"],
    ),
    case(
        "one holder dropped",
        |it| less(it, "customers", 2_000, true),
        &["proof", "totals", "tree"],
    ),
    case("one leaf dropped", leaf_dropped, &["tree"]),
    case("one leaf twice", leaf_twice, &["tree"]),
    case("one wallet counted twice", wallet_twice, &["twice"]),
    case("one account counted twice, spelled apart", account_twice, &["twice"]),
    case("one class of liabilities left out", class_left_out, &["classes", "tree"]),
    case("one account left out of a class", account_left_out, &["accounts"]),
    case("one asset left out", asset_left_out, &["assets", "totals", "tree"]),
    case("wrong sum in an inner node", |it| step(it, |sum| sum + 1), &["proof"]),
    case("overflow in an inner node", |it| step(it, |_| u128::MAX), &["proof"]),
    case("negative sum in an inner node", negative_step, &["proof"]),
    case("another amount in a proof", |it| amount(it, "124001"), &["proof"]),
    case("negative leaf in a proof", |it| amount(it, "-124000"), &["proof"]),
    case("negative leaf", |it| leaf(it, "-5"), &["negative"]),
    case(
        "overflowing leaf",
        |it| leaf(it, "340282366920938463463374607431768211456"),
        &["overflow"],
    ),
    case("overflow of leaves", leaves_overflow, &["overflow"]),
    case(
        "overflow of classes",
        classes_overflow,
        &["accounts", "overflow", "proof", "root", "totals", "tree"],
    ),
    case("fewer leaves than hide anybody", few_leaves, &["leaves", "tree"]),
    case("a statement raised", |it| it.statement().clients = Digits(9), &["held", "statement"]),
    case("an old statement", old_statement, &["statement"]),
    case("covered where it is short", covered, &["coverage"]),
    case("another ledger's records", |it| it.file.record -= 1, &["checkpoint", "proof", "tree"]),
];

impl Handed {
    /// The first statement, which is the wallet's of bitcoin.
    fn statement(&mut self) -> &mut Statement {
        &mut self.file.statements[0]
    }

    /// Makes what is held and covered match statements and totals.
    fn settle(&mut self) {
        for asset in &mut self.file.assets {
            let mine: Vec<_> =
                self.file.statements.iter().filter(|it| it.asset == asset.asset).collect();
            asset.clients = Digits(mine.iter().map(|it| it.clients.0).sum());
            asset.own = Digits(mine.iter().map(|it| it.own.0).sum());
            asset.root = asset.root_over_classes();
            let (result, by) = Coverage::compare(asset.clients.0, asset.total.0);
            (asset.result, asset.by) = (result, Digits(by));
        }
    }

    /// The proof of a file that was signed anew names that file.
    fn rename(&mut self, before: &str) {
        self.proof = self.proof.replace(before, &self.file.digest().to_string());
    }
}

/// A class of reais comes to less; with `whole`, its account, the total and the root with it.
fn less(it: &mut Handed, class: &str, units: u128, whole: bool) {
    let asset = &mut it.file.assets[0];
    let stated = asset.owed.iter_mut().find(|known| known.class == class).unwrap();
    stated.owed.0 -= units;
    if whole {
        stated.accounts[0].balance.0 -= i128::try_from(units).unwrap();
        asset.total.0 -= units;
        it.settle();
    }
}

/// The line of the first leaf of a customer with a balance.
fn line_of_a_leaf(it: &Handed) -> String {
    let mut lines = it.leaves.lines().skip_while(|line| *line != "tree customers 16 BRL").skip(1);
    lines.find(|line| !line.ends_with(" 0")).unwrap().to_owned()
}

fn leaf(it: &mut Handed, amount: &str) {
    let line = line_of_a_leaf(it);
    let (key, _) = line.split_once(' ').unwrap();
    it.leaves = it.leaves.replace(&line, &format!("{key} {amount}"));
}

fn leaf_dropped(it: &mut Handed) {
    let line = line_of_a_leaf(it);
    it.leaves = it.leaves.replace(&format!("{line}\n"), "");
    it.leaves = it.leaves.replace("tree customers 16 BRL", "tree customers 15 BRL");
}

fn leaf_twice(it: &mut Handed) {
    let line = line_of_a_leaf(it);
    it.leaves = it.leaves.replace(&format!("{line}\n"), &format!("{line}\n{line}\n"));
    it.leaves = it.leaves.replace("tree customers 16 BRL", "tree customers 17 BRL");
}

/// Two leaves whose sum leaves 128 bits.
fn leaves_overflow(it: &mut Handed) {
    let most = u128::MAX.to_string();
    leaf(it, &most);
    let zero = it.leaves.lines().skip_while(|line| *line != "tree customers 16 BRL");
    let zero = zero.skip(1).find(|line| line.ends_with(" 0")).unwrap().to_owned();
    let (key, _) = zero.split_once(' ').unwrap();
    it.leaves = it.leaves.replace(&zero, &format!("{key} {most}"));
}

fn classes_overflow(it: &mut Handed) {
    for class in &mut it.file.assets[0].owed {
        class.owed = Digits(u128::MAX);
    }
}

fn few_leaves(it: &mut Handed) {
    it.file.assets[0].owed[5].leaves = 8;
    it.settle();
}

fn wallet_twice(it: &mut Handed) {
    let mut again = ethereum();
    again.source = ETHEREUM.to_uppercase().replace("0X", "0x");
    it.file.statements.push(signed(again));
    it.settle();
}

fn account_twice(it: &mut Handed) {
    let mut again = unsigned_float();
    again.source = again.source.to_lowercase().replace(' ', "  ");
    it.file.statements.push(signed(again));
    it.settle();
}

fn class_left_out(it: &mut Handed) {
    let asset = &mut it.file.assets[0];
    let place = asset.owed.iter().position(|class| class.class == "suspense").unwrap();
    let out = asset.owed.remove(place);
    asset.total.0 -= out.owed.0;
    it.settle();
}

fn account_left_out(it: &mut Handed) {
    it.file.assets[0].owed[0].accounts.pop();
}

/// The assets are `BRL`, `btc` and `usdt`.
fn asset_left_out(it: &mut Handed) {
    it.file.assets.pop();
}

fn old_statement(it: &mut Handed) {
    let mut old = unsigned_float();
    "2026-11-01T12:00:00Z".clone_into(&mut old.as_of);
    let place = it.file.statements.iter().position(|known| known.asset == "BRL").unwrap();
    it.file.statements[place] = signed(old);
}

fn covered(it: &mut Handed) {
    let asset = &mut it.file.assets[0];
    (asset.result, asset.by) = (Coverage::Covered, Digits(1));
}

/// Changes the sum of the second node beside the way.
fn step(it: &mut Handed, change: fn(u128) -> u128) {
    let mut proof = HolderProof::parse(&it.proof).unwrap();
    let sum = &mut proof.parts[0].path[1].sum;
    *sum = Digits(change(sum.0));
    it.proof = proof.text();
}

fn negative_step(it: &mut Handed) {
    let at = it.proof.find("\"sum\": \"").unwrap() + 8;
    it.proof.insert(at, '-');
}

fn amount(it: &mut Handed, amount: &str) {
    it.proof = it.proof.replace("\"amount\": \"124000\"", &format!("\"amount\": \"{amount}\""));
}

/// The words of the faults that the library finds.
fn ours(it: &Handed, signer: &Signer) -> BTreeSet<String> {
    let text = it.file.text();
    let leaves = match LeavesFile::parse(&it.leaves) {
        Ok(leaves) => leaves,
        Err(refused) => return words(&refused.to_string()),
    };
    let file = ReservesFile::parse(&text).unwrap();
    let faults = file.verify(&signer.verifier(), Some(&leaves));
    let mut found: BTreeSet<String> =
        faults.iter().flat_map(|fault| words(&fault.to_string())).collect();
    if HolderProof::parse(&it.proof).and_then(|proof| proof.check(&file)).is_err() {
        found.insert("proof".to_owned());
    }
    found
}

/// Writes a case for the second implementation.
fn write(it: &Handed, folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for (name, text) in [("file", &it.file.text()), ("leaves", &it.leaves), ("proof", &it.proof)] {
        fs::write(folder.join(name), text).unwrap();
    }
}

/// The words of the faults that the second implementation finds, case by case.
fn theirs(folder: &Path, key: &str) -> Vec<BTreeSet<String>> {
    let mut program = Command::new(python());
    program.arg(Path::new(ROOT).join("tests/verifier/reserves.py")).arg(folder);
    program.args(["--key", key, "--cases"]).env("PYTHONDONTWRITEBYTECODE", "1");
    let done = program.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let printed = String::from_utf8(done.stdout).unwrap();
    let words = |line: &str| line.split(' ').skip(1).map(str::to_owned).collect();
    printed.lines().map(words).collect()
}

/// The word before the colon of each line.
fn words(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| line.split_once(':').unwrap().0.to_owned()).collect()
}

/// A Python that has what the second implementation needs, installed once.
fn python() -> PathBuf {
    let folder = Path::new(ROOT).join("target/verifier");
    let setup = Command::new(Path::new(ROOT).join("tests/verifier/setup")).arg(&folder).status();
    assert!(setup.unwrap().success());
    folder.join("venv/bin/python3")
}

#[test]
fn whatever_was_tampered_with_is_named_alike_by_both_verifiers() {
    let house = House::new();
    let written = house.write(&[]);
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    house.proof("carla.proof", &["--account", "loja", "--customer", "carla"]);
    let proof = fs::read_to_string(house.path("carla.proof")).unwrap();
    let handed = Handed { file: house.file(), leaves: house.leaves(), proof };
    let (signer, before) = (signer(), handed.file.digest().to_string());
    let folder = PathBuf::from(house.path("cases"));
    let mut all = Vec::new();
    for (number, Case { name, change, house_signs, faults }) in (0..).zip(CASES) {
        let mut it = handed.clone();
        change(&mut it);
        if house_signs {
            it.file = it.file.sign(&signer);
            it.rename(&before);
        }
        write(&it, &folder.join(format!("{number:02}")));
        let expected: BTreeSet<String> = faults.iter().map(|word| (*word).to_owned()).collect();
        all.push((name, expected, ours(&it, &signer)));
    }
    let theirs = theirs(&folder, &public());
    assert_eq!(theirs.len(), all.len());
    let each = all.iter().zip(&theirs);
    let wrong =
        each.filter(|((_, expected, ours), theirs)| ours != expected || *theirs != expected);
    let wrong = wrong.map(|((name, expected, ours), theirs)| {
        format!("{name}: {expected:?}, and we find {ours:?}, and they {theirs:?}")
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A holder who was dropped, with every sum and leaf made to match, is found by their own proof.
#[test]
fn a_holder_who_was_dropped_has_a_proof_of_another_tree() {
    let house = House::new();
    house.write(&[]);
    let proof = house.proof("bia.proof", &["--account", "loja", "--customer", "bia"]);
    assert!(proof.parts.iter().any(|part| part.holder == Holder::subaccount("loja", Some("bia"))));
    let mut file = house.file();
    proof.check(&file).unwrap();
    // The tree of nobody stands where that of customers stood.
    let empty = file.assets[0].class("cells").unwrap().root;
    file.assets[0].owed[0].root = empty;
    let mut renamed = proof.clone();
    renamed.file = file.digest();
    assert!(renamed.check(&file).unwrap_err().to_string().starts_with("path: BRL customers"));
    assert!(proof.check(&file).unwrap_err().to_string().starts_with("file: "));
}

#[test]
fn another_form_another_key_and_another_checkpoint_are_refused() {
    let house = House::new();
    house.write(&[]);
    let file = house.file();
    let wide = file.text().replace("  \"record\"", "   \"record\"");
    assert!(ReservesFile::parse(&wide).unwrap_err().to_string().starts_with("form: "));
    let stranger = Signer::new("ledger.example.com", [8; 32]).unwrap().of_ledger("live", "live");
    let faults = file.verify(&stranger.verifier(), None);
    let found: BTreeSet<String> = faults.iter().flat_map(|it| words(&it.to_string())).collect();
    assert_eq!(found, ["checkpoint", "signature"].map(str::to_owned).into());
    let mut forged = file.clone();
    let text = Note::all(&file.checkpoint)[0].text.clone();
    forged.checkpoint = Note::sign(&text, &stranger).to_string();
    let faults = forged.sign(&signer()).verify(&signer().verifier(), None);
    assert!(faults[0].to_string().starts_with("checkpoint: "), "{faults:?}");
}
