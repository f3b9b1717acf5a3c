//! The list of planted mistakes keeps up with the code it names.

#[path = "../examples/mutants/list.rs"]
mod list;

use std::fs;
use std::path::Path;

#[test]
fn every_planted_mistake_names_a_line_that_stands_there_once() {
    let sim = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mutants = list::read(&fs::read_to_string(sim.join("mutants.txt")).unwrap()).unwrap();
    assert!(mutants.len() >= 20, "twenty mistakes at least");
    for mutant in mutants {
        let code = fs::read_to_string(sim.join("..").join(&mutant.file)).unwrap();
        let planted = mutant.planted(&code).unwrap();
        assert_ne!(planted, code, "{}", mutant.title);
    }
}
