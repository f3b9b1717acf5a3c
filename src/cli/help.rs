//! The commands by what they are for, as the program's own help lists them.

use std::fmt::Write as _;

use clap::Command;

/// Groups of commands, each with its heading; every command stands in one of them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Serve", &["run", "serve", "listen", "simulate"]),
    (
        "Look",
        &[
            "look",
            "find",
            "balance",
            "statement",
            "trial-balance",
            "compare",
            "days",
            "explain",
            "trace",
            "outbox",
        ],
    ),
    ("Decide", &["operator", "assign", "decide", "reconcile", "match", "close"]),
    (
        "Prove",
        &[
            "audit",
            "directory",
            "prove",
            "verify-proof",
            "checkpoint-key",
            "reserves",
            "verify-reserves",
            "witness",
        ],
    ),
    ("Report", &["position", "client-report", "rows", "cosif"]),
    ("Copy", &["export", "import", "project", "snapshot"]),
    (
        "Persons",
        &[
            "person",
            "erase",
            "verify-erasure",
            "scrub",
            "hold-person",
            "release-person",
            "person-holds",
        ],
    ),
    ("Contract", &["facts", "routes", "openapi"]),
    ("This program", &["runbook", "completions", "man", "help"]),
];

/// The program with its commands listed by group.
pub fn group_commands(mut program: Command) -> Command {
    program.build();
    let names = GROUPS.iter().flat_map(|(_, names)| *names);
    let width = names.map(|name| name.len()).max().unwrap_or_default();
    let mut commands = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(commands, "{heading}:");
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let alias = command.get_visible_aliases().next();
            let alias = alias.map(|alias| format!(" [alias: {alias}]")).unwrap_or_default();
            let _ = writeln!(commands, "  {:width$}  {about}{alias}", command.get_name());
        }
        commands.push('\n');
    }
    program.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}Options:\n{{options}}\n"
    ))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::store;

    #[test]
    fn every_command_stands_in_one_group() {
        let mut program = crate::Program::command();
        program.build();
        let mut commands: Vec<_> = program.get_subcommands().map(Command::get_name).collect();
        let mut listed: Vec<_> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        commands.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, commands);
    }

    /// Every command that does something, by its words.
    fn leaves(command: &Command, words: &str, all: &mut Vec<(String, Command)>) {
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            let words = format!("{words} {}", sub.get_name());
            if sub.get_subcommands().next().is_none() {
                all.push((words.trim().to_owned(), sub.clone()));
            }
            leaves(sub, &words, all);
        }
    }

    #[test]
    fn every_command_takes_its_store_alike() {
        let (mut all, mut without) = (Vec::new(), Vec::new());
        leaves(&crate::Program::command(), "", &mut all);
        for (words, command) in &all {
            let long = |name| command.get_arguments().find(|arg| arg.get_long() == Some(name));
            let Some(option) = long("store") else {
                without.push(&**words);
                let mut places = command.get_positionals();
                assert!(places.all(|arg| !arg.get_id().as_str().contains("store")), "{words}");
                continue;
            };
            let help = option.get_help().unwrap().to_string();
            // A history that is made up is kept where nobody keeps a ledger.
            if words == "simulate" {
                assert!(help.contains("a simulated ledger") && option.get_env().is_none());
                continue;
            }
            assert_eq!(option.get_value_names().unwrap(), ["STORE"], "{words}");
            assert!(option.get_default_values().is_empty() && !option.is_required_set(), "{words}");
            // These ask the service, and look into a store where it is named.
            if ["decide", "find"].contains(&&**words) {
                assert!(help.contains("in this store instead") && option.get_env().is_none());
            } else {
                assert_eq!(help, store::HELP, "{words}");
                assert_eq!(option.get_env().unwrap(), store::VARIABLE, "{words}");
                assert!(option.is_hide_env_values_set(), "{words}: it may hold a password");
            }
        }
        let expected = [
            "look",
            "verify-proof",
            "checkpoint-key",
            "reserves statement",
            "reserves page",
            "verify-reserves",
            "witness verify",
            "witness create",
            "witness serve",
            "verify-erasure",
            "assign",
            "facts",
            "routes",
            "openapi",
            "listen",
            "runbook",
            "completions",
            "man",
        ];
        assert_eq!(without, expected);
        assert!(all.len() > 30);
    }

    #[test]
    fn a_store_that_is_named_twice_is_no_store() {
        let twice = |line: &str| {
            let words = line.split_whitespace();
            store::is_said_twice(&crate::Program::command().try_get_matches_from(words).unwrap())
        };
        for line in ["p audit a.db --store b.db", "p balance --store b.db a.db loja"] {
            assert!(twice(line), "{line}");
        }
        for line in ["p audit a.db", "p balance loja --store b.db", "p balance a.db --json loja"] {
            assert!(!twice(line), "{line}");
        }
    }
}
