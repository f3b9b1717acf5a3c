//! The list of planted mistakes keeps up with the code it names.

use std::fs;
use std::path::Path;

#[test]
fn every_planted_mistake_names_a_line_that_stands_there_once() {
    let sim = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(sim.join("mutants.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let lines: Vec<&str> = lines.collect();
    assert!(lines.len() >= 4 * 20, "twenty mistakes at least");
    for block in lines.chunks(4) {
        let [title, file, line, mistake] = block else { panic!("{block:?} is no whole block") };
        let part = |text: &str, sign| text.strip_prefix(sign).unwrap().trim().to_owned();
        let (file, line, mistake) = (part(file, "@ "), part(line, "- "), part(mistake, "+ "));
        assert_ne!(line, mistake, "{title}");
        let code = fs::read_to_string(sim.join("..").join(&file)).unwrap();
        let places = code.lines().filter(|known| known.trim() == line).count();
        assert_eq!(places, 1, "{title}: {line:?} in {file}");
    }
}
