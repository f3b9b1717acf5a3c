//! The commands by what they are for, as the program's own help lists them.

use std::fmt::Write as _;

use clap::Command;

/// Groups of commands, each with its heading; every command stands in one of them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Serve", &["run", "serve", "listen", "simulate"]),
    (
        "Look",
        &["balance", "statement", "trial-balance", "compare", "days", "explain", "find", "outbox"],
    ),
    ("Decide", &["operator", "decide", "reconcile"]),
    ("Prove", &["audit", "directory", "prove", "verify-proof", "checkpoint-key"]),
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
    ("This program", &["completions", "man", "help"]),
];

/// The program with its commands listed by group.
pub fn grouped(mut program: Command) -> Command {
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
}
