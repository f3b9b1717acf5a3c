//! The list of planted mistakes keeps up with the code it names.

#[path = "../src/bin/mutants/list.rs"]
mod list;

use std::fs;
use std::path::Path;

use list::Judge;

#[test]
fn every_planted_mistake_names_a_line_that_stands_there_once() {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tools.ancestors().nth(2).unwrap();
    let mutants = list::read(&fs::read_to_string(tools.join("mutants.txt")).unwrap()).unwrap();
    let of = |judge| mutants.iter().filter(|mutant| mutant.judge == judge).count();
    assert!(of(Judge::Everything) >= 20, "twenty mistakes at least");
    assert!(of(Judge::Outcome) >= 7, "what ledger and oracle got wrong alike");
    for mutant in mutants {
        for change in &mutant.changes {
            let code = fs::read_to_string(root.join(&change.file)).unwrap();
            let planted = change.planted(&code);
            assert_ne!(planted.as_ref(), Ok(&code), "{}", mutant.title);
            assert!(planted.is_ok(), "{}: {planted:?}", mutant.title);
        }
    }
}
