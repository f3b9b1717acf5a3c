//! The names of the accounts of the chart, in both languages.

use crate::pages::lang::Lang;
use crate::pages::layout::Cell;

/// Names an account of the chart, with the code that the chart has for it.
pub(in crate::pages) fn chart_account(chart: &str, lang: Lang) -> Cell {
    match NAMES.iter().find(|(code, ..)| *code == chart) {
        Some((code, pt, en)) => Cell::text(format!("{} ({code})", lang.t(pt, en))),
        None => Cell::code(chart),
    }
}

const NAMES: &[(&str, &str, &str)] = &[
    ("prov.pix", "PIX recebidos, no provedor", "PIX collected, at the provider"),
    ("prov.pay", "Fundo de saques, no provedor", "Payout float, at the provider"),
    ("recv.prov", "A reaver do provedor", "Claim on the provider"),
    ("equity.funding", "Recursos próprios", "Own money"),
    ("cust.avail", "Clientes, disponível", "Customers, available"),
    ("cust.held", "Clientes, a liberar", "Customers, held"),
    ("cust.frozen", "Clientes, bloqueado", "Customers, blocked"),
    ("flight.pix_in", "PIX a atribuir", "PIX not yet allocated"),
    ("flight.payout", "Saques em curso", "Payouts under way"),
    ("flight.conv", "Conversões em curso", "Conversions under way"),
    ("comm", "Comissões de parceiros", "Partner commissions"),
    ("tariff.due", "Tarifas devidas ao provedor", "Tariffs due to the provider"),
    ("susp.pix", "PIX a esclarecer", "PIX in suspense"),
    ("rev.deposit", "Receita de depósitos", "Deposit fees"),
    ("rev.payout", "Receita de saques", "Payout fees"),
    ("rev.purchase", "Receita de compras", "Purchase fees"),
    ("rev.conv", "Receita de conversões", "Conversion fees"),
    ("fx", "Câmbio", "Exchanged"),
    ("exp.loss", "Perdas", "Losses"),
    ("flight.pixout", "Vendas a pagar em PIX", "Sales to pay by PIX"),
    ("rev.cashout", "Receita de vendas", "Sale fees"),
    ("rev.reserve", "Reservas ganhas", "Reserves earned"),
    ("rounding", "Arredondamento", "Rounding"),
    ("exch", "Na corretora", "At the exchange"),
    ("exp.reward", "Despesa com recompensas", "Rewards granted"),
    ("reward", "Recompensas devidas", "Rewards owed"),
    ("cells", "Entre livros", "Between ledgers"),
    ("prod.asset", "Produto, ativo", "Product, asset"),
    ("prod.liability", "Produto, passivo", "Product, liability"),
    ("prod.equity", "Produto, capital", "Product, equity"),
    ("prod.income", "Produto, receita", "Product, income"),
    ("prod.expense", "Produto, despesa", "Product, expense"),
    ("treas", "Estoque próprio na rede", "Own stock on the network"),
    ("flight.deliv", "Entregas em curso", "Deliveries under way"),
    ("exp.gas", "Custo de rede", "Network costs"),
    ("transit", "Depósitos a confirmar", "Deposits to confirm"),
    ("dep", "Recebido de vendas", "Received for sales"),
    ("refund", "A devolver", "Refunds due"),
    ("susp.crypto", "Cripto a esclarecer", "Crypto in suspense"),
    ("wal.avail", "Carteiras, disponível", "Wallets, available"),
    ("wal.reserved", "Carteiras, reservado", "Wallets, reserved"),
    ("wal.confirming", "Carteiras, a confirmar", "Wallets, confirming"),
    ("flight.wdr", "Retiradas em curso", "Withdrawals under way"),
    ("exp.slippage", "Custo acima da reserva", "Cost above the reserve"),
];

#[cfg(test)]
mod tests {
    use ledger_core::accounting::Control;

    use super::*;

    #[test]
    fn every_account_of_the_chart_has_a_name_in_both_languages() {
        for control in Control::ALL {
            let code = control.name();
            let names = [Lang::Pt, Lang::En].map(|lang| chart_account(code, lang).text);
            assert!(names.iter().all(|name| name.ends_with(&format!(" ({code})"))), "{names:?}");
        }
    }
}
