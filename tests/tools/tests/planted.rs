//! The list of planted mistakes keeps up with the code it names.

#[path = "../src/bin/mutants/list.rs"]
mod list;

use std::fs;
use std::path::{Path, PathBuf};

use list::{Judge, Test};

#[test]
fn every_planted_mistake_names_a_line_that_stands_there_once() {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tools.ancestors().nth(2).unwrap();
    let mutants = list::read(&fs::read_to_string(tools.join("mutants.txt")).unwrap()).unwrap();
    let of = |judge: &Judge| mutants.iter().filter(|mutant| mutant.judge == *judge).count();
    assert!(of(&Judge::Everything) >= 20, "twenty mistakes at least");
    assert!(of(&Judge::Outcome) >= 7, "what ledger and oracle got wrong alike");
    for mutant in mutants {
        for change in &mutant.changes {
            let code = fs::read_to_string(root.join(&change.file)).unwrap();
            let planted = change.planted(&code);
            assert_ne!(planted.as_ref(), Ok(&code), "{}", mutant.title);
            assert!(planted.is_ok(), "{}: {planted:?}", mutant.title);
        }
    }
}

#[test]
fn every_test_that_is_to_notice_a_mistake_stands_where_the_list_says() {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tools.ancestors().nth(2).unwrap();
    let mutants = list::read(&fs::read_to_string(tools.join("mutants.txt")).unwrap()).unwrap();
    let named = mutants.iter().filter_map(|mutant| match &mutant.judge {
        Judge::Test(test) => Some(test),
        Judge::Everything | Judge::Outcome => None,
    });
    for test in named {
        let declared = format!("fn {}(", test.name.rsplit("::").next().unwrap());
        let mut places = sources(root, test);
        let mut stands = false;
        while let Some(place) = places.pop() {
            if place.is_dir() {
                places.extend(fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path()));
            } else if place.extension().is_some_and(|ending| ending == "rs") {
                stands |= fs::read_to_string(place).unwrap().contains(&declared);
            }
        }
        assert!(stands, "{test:?} is not there");
    }
}

/// Where the code of a test stands: files, and folders of them.
fn sources(root: &Path, test: &Test) -> Vec<PathBuf> {
    let package = match &*test.package {
        "custody-ledger" => root.to_owned(),
        "ledger-tools" => root.join("tests/tools"),
        package => {
            let beside = root.join("beside").join(package);
            if beside.exists() { beside } else { root.join(package) }
        }
    };
    let Some(file) = &test.file else { return vec![package.join("src")] };
    let all = [package.join("tests").join(file), package.join(format!("tests/{file}.rs"))];
    all.into_iter().filter(|place| place.exists()).collect()
}

#[test]
fn a_list_that_names_a_test_in_another_form_is_refused() {
    let list = |named: &str| list::read(&format!("= A title\n{named}\n@ a.rs\n- one\n+ two\n"));
    for right in ["-p ledger-http --test webhooks resends", "-p ledger-store --lib resends"] {
        let mutants = list(&format!("! {right}")).unwrap();
        let Judge::Test(test) = &mutants[0].judge else { panic!("{right} is a test") };
        assert_eq!(test.arguments().join(" "), right);
    }
    for wrong in ["! resends", "! -p ledger-http --test webhooks", "! cargo test -p a --lib b"] {
        assert!(list(wrong).is_err(), "{wrong}");
    }
    let twice = "! -p a --lib b\n! -p a --lib c";
    assert!(list(twice).is_err() && list::read("! -p a --lib b").is_err());
}
