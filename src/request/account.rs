//! Requests of accounts, their keys and terms, and the policy.

use crate::declared::list;
use crate::request::{Account, Anybody, request};
use crate::value::{EndToEndId, PixKey, Text};

list! { AnyRequest:
    CreateKey, CreateSandboxKey, SendPanelLink, GetAccount, UpdateAccount, RotateKey, TestWebhook,
    ListWebhookDeliveries, VerifyPix, LookUpKey,
}

request! {
    /// Create a production key: `POST /keys`.
    ///
    /// Opens an account. The key is shown once.
    ///
    /// It may be refused for `conflito`, `documento_invalido`, `email_invalido`, `nao_encontrado`
    /// or `rate_limit`.
    CreateKey: "POST /keys", Anybody => CreatedKey;
    body {
        name: Text<255>, "whose account it is";
        email?: Text<254>, "an e-mail address";
        document?: Text<32> as "documento", "a CPF or CNPJ, or what another country has";
        document_country?: Text<16> as "documento_pais", "that country, by its code of two letters";
        legal_representative?: Text<255> as "responsavel_legal", "who answers for it";
    }
    supplied {
        entropy?: Text<1024>,
            "64 hexadecimal digits, fresh each time, of which a new key or secret is made";
    }
}

request! {
    /// Create a test key: `POST /keys/sandbox`.
    ///
    /// Opens an account of the sandbox, in which nothing moves. The key is shown once.
    ///
    /// It may be refused for `email_obrigatorio`, `limite_de_chaves_teste` or `nao_encontrado`.
    CreateSandboxKey: "POST /keys/sandbox", Anybody => CreatedSandboxKey;
    body {
        email: Text<254>, "an e-mail address";
        name?: Text<255>, "whose account it is";
    }
    supplied {
        entropy?: Text<1024>,
            "64 hexadecimal digits, fresh each time, of which a new key or secret is made";
    }
}

request! {
    /// Send the link of the private monitor: `POST /keys/painel-link`.
    ///
    /// Sends the link to a registered address. The answer never says whether it is registered.
    ///
    /// It may be refused for `email_obrigatorio` or `muitas_tentativas`.
    SendPanelLink: "POST /keys/painel-link", Anybody => PanelLink;
    body {
        email: Text<254>, "the e-mail address of an account";
    }
}

request! {
    /// Show the account: `GET /keys/me`.
    ///
    /// Effective limits, fees and settings of this key.
    GetAccount: "GET /keys/me", Account => Account;
}

request! {
    /// Change settings: `PATCH /keys/me`.
    ///
    /// Changes the settings that the body names, and no others. A new webhook secret is shown once.
    ///
    /// It may be refused for `conflito`, `payout_address_invalido`, `valor_invalido` or
    /// `webhook_url_invalida`.
    UpdateAccount: "PATCH /keys/me", Account => UpdatedAccount;
    body {
        webhook_url?: Text<2048>, "where webhooks go: an https:// address";
        settlement_address?: Text<128>, "the wallet that is settled to";
        rotate_webhook_secret?: bool, "whether webhooks get another secret";
        rotate_monitor_token?: bool, "whether the monitor gets another address";
        partner_fee_bps?: u16, "the partner's percentage of a purchase";
        partner_cashout_fee_bps?: u16, "the partner's percentage of a sale";
        partner_payout_fee_bps?: u16 as "partner_saque_fee_bps",
            "the partner's percentage of a payout";
    }
    supplied {
        entropy?: Text<1024>,
            "64 hexadecimal digits, fresh each time, of which a new key or secret is made";
    }
}

request! {
    /// Replace the key: `key.rotate`.
    ///
    /// The next key is shown once, and the one that asked is dead.
    ///
    /// It may be refused for `conflito`.
    RotateKey: "key.rotate", Account => RotatedKey;
    supplied {
        entropy?: Text<1024>,
            "64 hexadecimal digits, fresh each time, of which a new key or secret is made";
    }
}

request! {
    /// Send a test event: `POST /webhooks/test`.
    ///
    /// Sends `webhook.test` to the endpoint that is set, and says what it answered.
    ///
    /// It may be refused for `endpoint_nao_respondeu` or `webhook_nao_configurado`.
    TestWebhook: "POST /webhooks/test", Account => WebhookTest;
}

request! {
    /// List deliveries: `GET /webhooks/deliveries`.
    ///
    /// The queue of webhooks. That an event is not in it proves no failed payment.
    ///
    /// It may be refused for `consulta_indisponivel`.
    ListWebhookDeliveries: "GET /webhooks/deliveries", Account => WebhookDeliveries;
}

request! {
    /// Verify a PIX: `GET /v1/verificar/{e2e}`.
    ///
    /// Whether a PIX is known and paid, without a key and without personal data.
    ///
    /// It may be refused for `nao_encontrado`.
    VerifyPix: "GET /v1/verificar/{e2e}", Anybody => Verification;
    target {
        end_to_end_id: EndToEndId as "e2e", "which: `e2e`";
    }
}

request! {
    /// Look up a PIX key: `GET /pix/keys/lookup`.
    ///
    /// Whose a key is, as the provider reports it. With `available: false` show the recipient as
    /// not verified.
    ///
    /// It may be refused for `chave_nao_encontrada`, `limite_consultas`, `pix_key_invalida`,
    /// `pix_key_obrigatoria` or `tipo_ambiguo`.
    LookUpKey: "GET /pix/keys/lookup", Account => KeyOwner;
    target {
        key: PixKey, "which: `key`";
        kind?: Text<255> as "type", "the parameter `type`";
    }
}
