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

/// The names in a source: what stands neither in a comment nor in a text.
fn names(source: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut within = false;
    for line in code {
        for part in line.split('"') {
            if !within {
                names.extend(part.split(|c: char| !c.is_alphanumeric() && c != '_'));
            }
            within = !within;
        }
        // A text goes on in the next line, or has ended with this.
        within = !within;
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Those of the names that have a Portuguese part.
fn foreign<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let portuguese = |name: &&&str| parts(name).iter().any(|part| PORTUGUESE.contains(&&**part));
    names.iter().filter(portuguese).copied().collect()
}

#[test]
fn every_name_of_a_request_a_fact_or_an_answer_is_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src");
    let mut seen = 0;
    for folder in ["request", "fact", "view"] {
        for file in fs::read_dir(root.join(folder)).unwrap() {
            let path = file.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let names = names(&text);
            seen += names.len();
            assert_eq!(foreign(&names), [] as [&str; 0], "{}", path.display());
        }
    }
    assert!(seen > 5_000, "{seen} names were found");
}

#[test]
fn a_portuguese_name_would_be_seen() {
    let source = r#"
        /// Sets `disponivel`.
        sem_retencao?: bool as "retencao",
            "that motivo \
             and saldo";
        ProximoDia = "proximo_dia",
        pub disponivel: Cents,
    "#;
    assert_eq!(foreign(&names(source)), ["sem_retencao", "ProximoDia", "disponivel"]);
}
