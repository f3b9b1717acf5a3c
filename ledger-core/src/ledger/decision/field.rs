//! Fields of requests, by the names that refusals call them.

macro_rules! fields {
    ($($field:ident $name:literal),+ $(,)?) => {
        /// What may differ between a request and its original.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Field {
            $(#[doc = concat!("`", $name, "`.")] $field,)+
        }

        impl Field {
            /// Its name in the request.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$field => $name,)+
                }
            }
        }
    };
}

// In the order that a refusal names them in.
fields! {
    Amount "amount_cents",
    Customer "customer_ref",
    From "from_customer_ref",
    To "to_customer_ref",
    Note "descricao",
    Payer "payer_tax_number",
    PayerName "payer_name",
    AllowHold "allow_hold",
    Asset "asset",
    Chain "chain",
    Address "payout_address",
    PixKey "pix_key",
    TaxNumber "tax_number",
    Destination "destino",
    Memo "payout_tag",
    Network "network",
    CryptoAmount "amount",
    BrlAmount "brl_amount",
    Code "br_code",
    PayeeTaxNumber "payee_tax_number",
    RefundAddress "refund_address",
    Quote "quote_id",
    WalletAddress "address",
    Legs "pernas",
    Metadata "metadata",
}
