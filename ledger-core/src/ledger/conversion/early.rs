//! Reports of a conversion's attempts that came before these began.

use crate::id::OpId;
use crate::ledger::decision::fact_context::FactContext;
use crate::machine::{Verdict, conversion};

impl FactContext<'_> {
    /// The same of a conversion.
    pub(in crate::ledger) fn conversion_with_reports(
        &self,
        op: OpId,
        before: &conversion::State,
        steps: Vec<conversion::Event>,
    ) -> Vec<conversion::Event> {
        let evolve = |state: conversion::State, step: &conversion::Event| {
            conversion::evolve(&state, step, self.at)
        };
        let (mut all, mut kept) = (steps, self.state.early_reports(op).to_vec());
        while !kept.is_empty() {
            let state = all.iter().fold(before.clone(), evolve);
            let next = kept.iter().enumerate().find_map(|(place, report)| {
                let command = conversion::Command::Deliver(report.of_delivery()?);
                match conversion::decide(&state, command) {
                    Verdict::Applied(steps) => Some((place, steps)),
                    _ => None,
                }
            });
            let Some((place, steps)) = next else { break };
            kept.remove(place);
            all.extend(steps);
        }
        all
    }
}
