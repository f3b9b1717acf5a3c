//! The chart of accounts and the kinds of operations, from the core's own tables.

use std::fmt::Write as _;

use ledger_core::accounting::{Account, Class, CoinAccount};
use ledger_core::id::{Environment, Kind, LedgerName, OpId, Seq};

use super::source::{Shape, Variant, modules};

/// The accounts in reais, and those of crypto.
pub fn accounts() -> String {
    let reais = variants("chart", "Account").into_iter().map(|variant| {
        let account: Account = read(&variant);
        let control = account.control();
        row(&variant, control.name(), control.class())
    });
    let crypto = variants("coins", "CoinAccount").into_iter().map(|variant| {
        let account: CoinAccount = read(&variant);
        row(&variant, account.name(), account.class())
    });
    let head = "| Name | In the chart | Kept for | Class | Meaning |\n|---|---|---|---|---|\n";
    let (reais, crypto): (String, String) = (reais.collect(), crypto.collect());
    format!("\n#### Accounts in reais\n\n{head}{reais}\n#### Accounts of crypto\n\n{head}{crypto}")
}

/// The kinds of operations and how their ids look.
pub fn kinds() -> String {
    let mut text =
        "\n#### Ids of operations\n\n| No. | Kind | Begins with | Digits of the tag | In \
                    a scripted sandbox |\n|---|---|---|---|---|\n"
            .to_owned();
    for kind in Kind::all() {
        let id = |ledger: LedgerName| OpId::new(kind, Seq(1)).text(&ledger);
        let live = id(LedgerName::new("live", Environment::Live));
        let scripted = id(LedgerName::new("sandbox", Environment::Sandbox));
        let prefix = |id: &str| id[..=id.find('_').expect("an id has a prefix")].to_owned();
        let (begins, within) = (prefix(&live), prefix(&scripted));
        let digits = live.len() - begins.len() - 12;
        let _ =
            writeln!(text, "| {} | `{kind:?}` | `{begins}` | {digits} | `{within}` |", kind as u64);
    }
    text
}

fn variants(file: &str, name: &str) -> Vec<Variant> {
    let modules = modules();
    let module = &modules[&["accounting", file].map(str::to_owned).to_vec()];
    match &module.types[name].shape {
        Shape::Variants(variants) => variants.clone(),
        _ => panic!("{name} is no longer one of several accounts"),
    }
}

/// The account of this variant, kept for number 16, which any kind of id may have.
fn read<T: for<'b> minicbor::Decode<'b, ()>>(variant: &Variant) -> T {
    let bytes = match variant.fields.first() {
        None => minicbor::to_vec((variant.number, [0_u8; 0])),
        Some(field) if is_named(&field.kind, "ProductAccount") => {
            minicbor::to_vec((variant.number, [[16_u8]]))
        }
        Some(_) => minicbor::to_vec((variant.number, [16_u8])),
    };
    let read = minicbor::decode(&bytes.expect("memory takes it"));
    read.unwrap_or_else(|error| panic!("account {}: {error}", variant.name))
}

fn is_named(kind: &syn::Type, name: &str) -> bool {
    matches!(kind, syn::Type::Path(it) if it.path.is_ident(name))
}

fn row(variant: &Variant, chart: &str, class: Class) -> String {
    let kept_for = variant.fields.first().map_or("", |field| match &field.kind {
        kind if is_named(kind, "SubaccountId") => "subaccount",
        kind if is_named(kind, "OpId") => "operation",
        kind if is_named(kind, "AccountId") => "API account",
        kind if is_named(kind, "AgentId") => "agent",
        kind if is_named(kind, "ChainId") => "network",
        kind if is_named(kind, "ProductAccount") => "product account",
        _ => panic!("account {} is kept for what no table can say", variant.name),
    });
    let class = format!("{class:?}").to_lowercase();
    let meaning =
        variant.meaning.split_once(": ").map_or(&*variant.meaning, |(_, meaning)| meaning);
    format!("| `{}` | `{chart}` | {kept_for} | {class} | {meaning} |\n", variant.name)
}
