//! A ledger on a cluster that heals itself loses and doubles nothing, whatever becomes of the
//! leader; the long form is the program's own, or `ROUNDS=100` here (docs/CONTRIBUTING.md).

use std::env;
use std::process::{Command, Stdio};

#[test]
fn whatever_becomes_of_a_clusters_leader_nothing_acknowledged_is_lost_and_nothing_is_done_twice() {
    let rounds = env::var("ROUNDS").unwrap_or_else(|_| "10".to_owned());
    let mut command = Command::new(env!("CARGO_BIN_EXE_patroni"));
    command.args(["--rounds", &rounds]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{err}{out}");
    assert!(out.contains(&format!("\n{rounds} rounds; ")), "{out}");
    println!("{out}");
}
