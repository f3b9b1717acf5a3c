//! Names in Rust are English, whatever the wire's words are.

use std::fs;
use std::path::Path;

/// Portuguese words of the contract, as parts of names: none stands in a name of ours.
const PORTUGUESE: [&str; 46] = [
    "acao",
    "acima",
    "aceita",
    "assinado",
    "ativa",
    "bloqueado",
    "campo",
    "carencia",
    "carteira",
    "casa",
    "chave",
    "cliente",
    "cobranca",
    "comissao",
    "concluido",
    "conversao",
    "cripto",
    "deposito",
    "desligado",
    "destino",
    "diario",
    "disponivel",
    "documento",
    "entregavel",
    "enviado",
    "fonte",
    "horas",
    "imediata",
    "liberacao",
    "motivo",
    "movimento",
    "operacao",
    "origem",
    "pago",
    "pais",
    "por",
    "proxima",
    "proximo",
    "responsavel",
    "retencao",
    "sacar",
    "saldo",
    "saque",
    "sem",
    "taxa",
    "valor",
];

/// The parts of a name: `sem_retencao` has two, and so has `ProximoDia`.
fn parts(name: &str) -> Vec<String> {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text.split('_').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The public name that a line declares: a function's, a field's, a type's or a variant's.
fn declared(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let after = ["pub const fn ", "pub fn ", "pub struct ", "pub enum ", "pub trait ", "pub "];
    let rest = after.iter().find_map(|before| line.strip_prefix(before));
    let end = |text: &str| text.find(|c: char| !c.is_alphanumeric() && c != '_');
    match rest {
        Some(rest) => Some(&rest[..end(rest).unwrap_or(rest.len())]),
        // A variant: a word in camel case with a comma or a bracket after it.
        None => {
            let stop = end(line)?;
            let variant = line.starts_with(|c: char| c.is_uppercase())
                && matches!(&line[stop..=stop], "," | "(" | "{");
            variant.then_some(&line[..stop])
        }
    }
}

#[test]
fn every_name_of_a_request_a_fact_or_an_answer_is_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src");
    let (mut seen, mut foreign) = (0, Vec::new());
    for folder in ["request", "fact", "view"] {
        for file in fs::read_dir(root.join(folder)).unwrap() {
            let path = file.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            for name in text.lines().filter_map(declared) {
                seen += 1;
                if parts(name).iter().any(|part| PORTUGUESE.contains(&part.as_str())) {
                    foreign.push(format!("{folder}: {name}"));
                }
            }
        }
    }
    assert!(seen > 1_000, "{seen} names were found");
    assert_eq!(foreign, [] as [String; 0], "names.rs and view_names.rs say what they are called");
}

#[test]
fn a_portuguese_name_would_be_seen() {
    for (line, name) in [
        ("    pub fn sem_retencao(mut self, it: bool) -> Self {", "sem_retencao"),
        ("    ProximoDia,", "ProximoDia"),
        ("    pub disponivel: Cents,", "disponivel"),
    ] {
        assert_eq!(declared(line), Some(name));
        assert!(parts(name).iter().any(|part| PORTUGUESE.contains(&part.as_str())), "{name}");
    }
    assert_eq!(declared("        Self { amount }"), None);
}
