//! BR Codes: the published vectors, each rule broken by itself, and what holds for any text.

use ledger_core::pix::{BrCode, BrCodeError, Payee, Reuse};
use proptest::prelude::*;

use BrCodeError::{
    Broken, Checksum, Missing, NotLast, NotPix, Repeated, TooLong, TwoPayees, Unfit,
};

const OPEN: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
                    5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
const DYNAMIC: &str = "00020101021226700014br.gov.bcb.pix\
                       2548pix.example.com/8b3da2f39a4140d1a91abd93113bd441\
                       5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4";
const COMPANY: &str = "00020104141234567890123426580014BR.GOV.BCB.PIX\
                       0136123e4567-e12b-12d1-a456-426655440000\
                       27300012BR.COM.OUTRO01100123456789\
                       5204000053039865406123.455802BR5917NOME DO RECEBEDOR6008BRASILIA\
                       61087007490062190515RP12345678-2019\
                       80390012BR.COM.OUTRO01190123.ABCD.3456.WXYZ6304AD38";
const FIXED: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000\
                     520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA\
                     62070503***630436D9";

/// The checksum as it is done on paper, bit by bit; the crate's tables are not asked.
fn on_paper(text: &str) -> u16 {
    let mut sum: u16 = 0xFFFF;
    for byte in text.bytes() {
        sum ^= u16::from(byte) << 8;
        for _ in 0..8 {
            let carry = sum & 0x8000 != 0;
            sum <<= 1;
            if carry {
                sum ^= 0x1021;
            }
        }
    }
    sum
}

/// `body` with its tag 63.
fn summed(body: &str) -> String {
    let open = format!("{body}6304");
    let sum = on_paper(&open);
    format!("{open}{sum:04X}")
}

fn tlv(tag: u8, value: &str) -> String {
    format!("{tag:02}{:02}{value}", value.len())
}

/// A code's fields, to be written: those of [`FIXED`], one of them changed.
#[derive(Clone, Debug)]
struct Fields(Vec<(u8, String)>);

impl Fields {
    fn new() -> Self {
        let account = tlv(0, "br.gov.bcb.pix") + &tlv(1, "123e4567-e12b-12d1-a456-426614174000");
        let given = [
            (0, "01"),
            (26, account.as_str()),
            (52, "0000"),
            (53, "986"),
            (54, "10.00"),
            (58, "BR"),
            (59, "FULANO DE TAL"),
            (60, "BRASILIA"),
            (62, "0503***"),
        ];
        Self(given.map(|(tag, value)| (tag, value.to_owned())).into())
    }

    fn with(mut self, tag: u8, value: &str) -> Self {
        self.0.retain(|(given, _)| *given != tag);
        let at = self.0.partition_point(|(given, _)| *given < tag);
        self.0.insert(at, (tag, value.to_owned()));
        self
    }

    fn without(mut self, tag: u8) -> Self {
        self.0.retain(|(given, _)| *given != tag);
        self
    }

    fn text(&self) -> String {
        summed(&self.0.iter().map(|(tag, value)| tlv(*tag, value)).collect::<String>())
    }

    fn read(&self) -> Result<BrCode, BrCodeError> {
        BrCode::parse(&self.text())
    }
}

/// A code written again from what was read of it.
fn written(code: &BrCode) -> String {
    let (tag, payee) = match code.payee() {
        Payee::Key(key) => (1, key.as_str()),
        Payee::Url(url) => (25, &**url),
    };
    let once = if code.reuse() == Reuse::Once { "12" } else { "11" };
    let fields = Fields::new()
        .with(1, once)
        .with(26, &(tlv(0, "br.gov.bcb.pix") + &tlv(tag, payee)))
        .with(59, code.merchant())
        .with(60, code.city())
        .with(62, &tlv(5, code.txid().unwrap_or("***")));
    match code.amount().map(ledger_core::money::Amount::cents) {
        Some(cents) => fields.with(54, &format!("{}.{:02}", cents / 100, cents % 100)),
        None => fields.without(54),
    }
    .text()
}

/// Returns what two codes that mean the same have in common.
fn meaning(code: &BrCode) -> impl PartialEq + std::fmt::Debug + use<'_> {
    let payee = match code.payee() {
        Payee::Key(key) => (Some(key.kind()), key.as_str()),
        Payee::Url(url) => (None, &**url),
    };
    (payee, code.reuse(), code.amount(), code.merchant(), code.city(), code.txid())
}

fn key(code: &BrCode) -> &str {
    match code.payee() {
        Payee::Key(key) => key.as_str(),
        Payee::Url(_) => panic!("a static code"),
    }
}

#[test]
fn the_checksum_is_the_one_of_the_check_value() {
    assert_eq!(on_paper("123456789"), 0x29B1);
    assert_eq!(summed(&FIXED[..FIXED.len() - 8]), FIXED);
}

#[test]
fn an_open_static_code_names_a_key_and_no_amount() {
    let code = BrCode::parse(OPEN).unwrap();
    assert_eq!(key(&code), "123e4567-e12b-12d1-a456-426655440000");
    assert_eq!((code.amount(), code.reuse(), code.txid()), (None, Reuse::Again, None));
    assert_eq!((code.merchant(), code.city()), ("Fulano de Tal", "BRASILIA"));
    assert_eq!(code.as_str(), OPEN);
}

#[test]
fn a_dynamic_code_names_a_url_and_is_paid_once() {
    let code = BrCode::parse(DYNAMIC).unwrap();
    let url = "pix.example.com/8b3da2f39a4140d1a91abd93113bd441";
    assert_eq!(*code.payee(), Payee::Url(url.into()));
    assert_eq!((code.amount(), code.reuse(), code.txid()), (None, Reuse::Once, None));
}

#[test]
fn a_code_with_other_accounts_and_templates_beside_pix_is_read() {
    let code = BrCode::parse(COMPANY).unwrap();
    assert_eq!(key(&code), "123e4567-e12b-12d1-a456-426655440000");
    assert_eq!(code.amount().unwrap().cents(), 12_345);
    assert_eq!(code.merchant(), "NOME DO RECEBEDOR");
    assert_eq!(code.txid(), Some("RP12345678-2019"));
}

#[test]
fn a_static_code_with_an_amount_fixes_it() {
    let code = BrCode::parse(FIXED).unwrap();
    assert_eq!(code.amount().unwrap().cents(), 1_000);
    assert_eq!(Fields::new().text(), FIXED, "what the tests below begin with");
}

#[test]
fn a_wrong_checksum_is_refused_and_its_case_does_not_matter() {
    let body = &FIXED[..FIXED.len() - 4];
    assert_eq!(BrCode::parse(&format!("{body}57B8")), Err(Checksum));
    assert!(BrCode::parse(&format!("{body}36d9")).is_ok());
    assert_eq!(BrCode::parse(&format!("{}630336D", &body[..body.len() - 4])), Err(Checksum));
}

#[test]
fn broken_lengths_under_a_right_checksum_are_refused_for_the_frame() {
    // A value loses its last byte and keeps its length: every field of every vector in turn.
    for vector in [OPEN, DYNAMIC, COMPANY, FIXED] {
        let body = &vector[..vector.len() - 8];
        let mut at = 0;
        while at < body.len() {
            let end = at + 4 + body[at + 2..at + 4].parse::<usize>().unwrap();
            let cut = format!("{}{}", &body[..end - 1], &body[end..]);
            let refused = BrCode::parse(&summed(&cut)).unwrap_err();
            let framed = matches!(refused, Broken { .. } | Repeated { .. } | NotLast);
            assert!(framed || refused == Missing { tag: 63 }, "{refused:?}: {cut}");
            at = end;
        }
    }
}

#[test]
fn a_sub_length_that_runs_over_its_template_is_refused_where_it_begins() {
    let overrun = tlv(0, "br.gov.bcb.pix") + "0137123e4567-e12b-12d1-a456-426614174000";
    // Six bytes of tag 00, four of tag 26, eighteen of its sub-tag 00.
    assert_eq!(Fields::new().with(26, &overrun).read(), Err(Broken { at: 28 }));
    assert!(matches!(Fields::new().with(62, "0504***").read(), Err(Broken { .. })));
    assert!(matches!(Fields::new().with(27, "00").read(), Err(Broken { .. })));
}

#[test]
fn a_tag_or_length_that_is_no_two_digits_is_refused() {
    for broken in ["0", "00", "000", "0002", "00020", "0a0201", "+10201", "00+201", "é0201"] {
        assert_eq!(BrCode::parse(broken), Err(Broken { at: 0 }), "{broken}");
    }
    assert_eq!(BrCode::parse(""), Err(Missing { tag: 63 }));
}

#[test]
fn lengths_count_bytes() {
    let code = Fields::new().with(59, "JOSÉ").read().unwrap();
    assert_eq!(code.merchant(), "JOSÉ");
    // Counted in characters the name would be of four.
    let counted = Fields::new().with(59, "JOSÉ").text().replace("5905JOSÉ", "5904JOSÉ");
    let body = &counted[..counted.len() - 8];
    assert!(matches!(BrCode::parse(&summed(body)), Err(Broken { .. })));
}

#[test]
fn a_tag_given_twice_is_refused() {
    let body = &FIXED[..FIXED.len() - 8];
    assert_eq!(BrCode::parse(&summed(&(body.to_owned() + "540510.00"))), Err(Repeated { tag: 54 }));
    let account = tlv(0, "br.gov.bcb.pix") + &tlv(1, "ana@exemplo.com.br");
    let twice = account.clone() + &tlv(1, "rui@exemplo.com.br");
    assert_eq!(Fields::new().with(26, &twice).read(), Err(Repeated { tag: 1 }));
}

#[test]
fn the_checksum_is_last_and_nothing_follows_it() {
    let after = summed(&FIXED[..FIXED.len() - 8]) + "6100";
    assert_eq!(BrCode::parse(&after), Err(NotLast));
    for trailing in ["\n", " ", "0", "000"] {
        let trailed = FIXED.to_owned() + trailing;
        assert_eq!(BrCode::parse(&trailed), Err(Broken { at: FIXED.len() }), "{trailing:?}");
    }
    assert_eq!(BrCode::parse(&FIXED[..FIXED.len() - 8]), Err(Missing { tag: 63 }));
}

#[test]
fn a_code_of_512_bytes_is_read_and_a_longer_one_refused() {
    let room = 512 - FIXED.len() - 4 * 4;
    let padded = |last: usize| {
        let (a, b, c) = ("x".repeat(99), "x".repeat(99), "x".repeat(99));
        let fields = Fields::new().with(80, &a).with(81, &b).with(82, &c);
        fields.with(83, &"x".repeat(last - 3 * 99)).text()
    };
    assert_eq!(padded(room).len(), 512);
    assert!(BrCode::parse(&padded(room)).is_ok());
    assert_eq!(BrCode::parse(&padded(room + 1)), Err(TooLong { bytes: 513 }));
}

#[test]
fn an_amount_has_a_dot_and_at_most_two_decimals() {
    let read = |text: &str| Fields::new().with(54, text).read();
    for (text, cents) in [
        ("10", 1_000),
        ("10.", 1_000),
        ("10.5", 1_050),
        ("10.05", 1_005),
        ("0.01", 1),
        ("9999999999.99", 999_999_999_999),
        ("9999999999999", 999_999_999_999_900),
    ] {
        assert_eq!(read(text).unwrap().amount().unwrap().cents(), cents, "{text}");
    }
    for text in [
        "",
        ".",
        ".0",
        "10,00",
        "+10.00",
        "-10.00",
        "10.005",
        "0.000",
        ".50",
        "1e3",
        "1 0",
        "1.0.0",
        "10000000000.00",
        "10.5é",
    ] {
        assert_eq!(read(text), Err(Unfit { tag: 54 }), "{text}");
    }
}

#[test]
fn a_code_of_zero_reais_is_open() {
    for text in ["0", "0.", "0.0", "0.00", "0000000000.00"] {
        let code = Fields::new().with(54, text).read().unwrap();
        assert_eq!(code.amount(), None, "{text}");
    }
}

#[test]
fn other_currencies_countries_versions_and_methods_are_refused() {
    for (tag, value) in [
        (0, "02"),
        (1, "13"),
        (1, ""),
        (52, "000"),
        (52, "00a0"),
        (53, "840"),
        (58, "US"),
        (58, "br"),
        (59, ""),
        (59, " "),
        (60, "BRA\u{7}"),
    ] {
        assert_eq!(Fields::new().with(tag, value).read(), Err(Unfit { tag }), "{tag} {value}");
    }
    assert_eq!(Fields::new().without(0).read(), Err(Unfit { tag: 0 }));
    for tag in [52, 53, 58, 59, 60] {
        assert_eq!(Fields::new().without(tag).read(), Err(Missing { tag }));
    }
}

#[test]
fn the_version_is_first() {
    let body = &FIXED[..FIXED.len() - 8];
    let moved = format!("{}{}", &body[6..], &body[..6]);
    assert_eq!(BrCode::parse(&summed(&moved)), Err(Unfit { tag: 0 }));
}

#[test]
fn the_payee_is_one_key_or_one_url_of_one_pix_account() {
    let id = tlv(0, "br.gov.bcb.pix");
    let account = |rest: &str| Fields::new().with(26, &(id.clone() + rest)).read();
    let (mail, url) = (tlv(1, "ana@exemplo.com.br"), tlv(25, "pix.example.com/1"));
    assert_eq!(account(&(mail.clone() + &url)), Err(TwoPayees));
    assert_eq!(account(""), Err(Unfit { tag: 26 }));
    assert_eq!(account(&tlv(25, "")), Err(Unfit { tag: 26 }));
    assert_eq!(account(&tlv(25, "pix.example.com/ 1")), Err(Unfit { tag: 26 }));
    assert_eq!(account(&tlv(1, "nobody")), Err(Unfit { tag: 26 }));
    let second = Fields::new().with(51, &(id.clone() + &mail)).read();
    assert_eq!(second, Err(TwoPayees));
    assert_eq!(Fields::new().without(26).read(), Err(NotPix));
    let other = tlv(0, "br.com.outro") + &mail;
    assert_eq!(Fields::new().with(26, &other).read(), Err(NotPix));
    // Before tag 26 and beyond tag 51 there are no merchant accounts.
    for tag in [25, 80] {
        let elsewhere = Fields::new().without(26).with(tag, &(id.clone() + &mail));
        assert_eq!(elsewhere.read(), Err(NotPix), "{tag}");
    }
}

#[test]
fn keys_are_made_canonical_and_eleven_digits_are_a_cpf() {
    let read = |text: &str| {
        let account = tlv(0, "br.gov.bcb.pix") + &tlv(1, text) + &tlv(2, "a word");
        Fields::new().with(26, &account).read().map(|code| key(&code).to_owned())
    };
    for (text, canonical) in [
        ("52998224725", "52998224725"),
        ("12ABC34501DE35", "12ABC34501DE35"),
        ("+5511987654321", "+5511987654321"),
        ("Ana@Exemplo.com.br", "ana@exemplo.com.br"),
        ("123E4567-E12B-12D1-A456-426614174000", "123e4567-e12b-12d1-a456-426614174000"),
    ] {
        assert_eq!(read(text).as_deref(), Ok(canonical));
    }
    assert_eq!(read("11987654321"), Err(Unfit { tag: 26 }));
    let longest = format!("{}@x.br", "a".repeat(72));
    let account = tlv(0, "br.gov.bcb.pix") + &tlv(1, &longest);
    assert_eq!((longest.len(), account.len()), (77, 99), "a longer key finds no room");
    assert_eq!(key(&Fields::new().with(26, &account).read().unwrap()), longest);
}

#[test]
fn the_transaction_id_is_short_in_a_static_code_and_longer_in_a_dynamic_one() {
    let url = tlv(0, "br.gov.bcb.pix") + &tlv(25, "pix.example.com/1");
    let id = |length: usize| tlv(5, &"a1".repeat(20)[..length]);
    let fixed = |inside: &str| Fields::new().with(62, inside).read();
    let dynamic = |inside: &str| Fields::new().with(26, &url).with(62, inside).read();
    assert_eq!(fixed(&id(25)).unwrap().txid().map(str::len), Some(25));
    assert_eq!(fixed(&id(26)), Err(Unfit { tag: 62 }));
    assert_eq!(dynamic(&id(35)).unwrap().txid().map(str::len), Some(35));
    assert_eq!(dynamic(&id(36)), Err(Unfit { tag: 62 }));
    for unfit in ["0500", "0503a b"] {
        assert_eq!(fixed(unfit), Err(Unfit { tag: 62 }), "{unfit}");
    }
    assert_eq!(fixed("0103abc").unwrap().txid(), None);
    assert_eq!(Fields::new().without(62).read().unwrap().txid(), None);
}

#[test]
fn no_debug_text_shows_a_whole_key_a_name_or_an_address() {
    for vector in [OPEN, DYNAMIC, COMPANY, FIXED] {
        let code = BrCode::parse(vector).unwrap();
        let shown = format!("{code:?} {:?}", code.payee());
        for secret in ["e4567-e12b", "8b3da2f3", "example.com", code.merchant(), vector] {
            assert!(!shown.contains(secret), "{shown} shows {secret}");
        }
    }
}

fn any_key() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9]{1,20}@[a-z]{1,20}\\.br",
        "\\+55[1-9]{2}9[0-9]{8}",
        "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        Just("52998224725".to_owned()),
        Just("12ABC34501DE35".to_owned()),
    ]
}

prop_compose! {
    /// Any code, of every kind, with what a code may have beside.
    fn any_code()(
        payee in prop_oneof![any_key().prop_map(|key| tlv(1, &key)),
                             "[a-z]{1,20}\\.br/[a-zA-Z0-9/]{1,40}".prop_map(|url| tlv(25, &url))],
        at in 26_u8..=51,
        reuse in prop::option::of(prop_oneof![Just("11"), Just("12")]),
        amount in prop::option::of("[1-9][0-9]{0,9}(\\.[0-9]{1,2})?"),
        merchant in "[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ ]{0,20}",
        city in "[A-Z][A-Z ]{0,14}",
        txid in prop::option::of("[A-Za-z0-9-]{1,25}"),
        beside in prop::option::of("[A-Za-z0-9 ]{1,30}"),
    ) -> String {
        let account = tlv(0, "BR.gov.bcb.PIX") + &payee;
        let mut fields = Fields::new().without(26).without(54).without(62);
        fields = fields.with(at, &account).with(59, &merchant).with(60, &city);
        if let Some(reuse) = reuse { fields = fields.with(1, reuse); }
        if let Some(amount) = amount { fields = fields.with(54, &amount); }
        if let Some(txid) = txid { fields = fields.with(62, &tlv(5, &txid)); }
        if let Some(beside) = beside { fields = fields.with(85, &beside).with(4, &beside); }
        fields.text()
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        let _ = BrCode::parse(&text);
    }

    #[test]
    fn no_text_of_tags_and_lengths_makes_the_reader_panic(
        fields in prop::collection::vec((0_u8..=99, "\\PC{0,30}"), 0..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let body: String = fields.iter().map(|(tag, value)| tlv(*tag, value)).collect();
        let whole = summed(&body);
        let _ = BrCode::parse(&whole);
        let at = cut.index(whole.len() + 1);
        if whole.is_char_boundary(at) {
            let _ = BrCode::parse(&whole[..at]);
            let _ = BrCode::parse(&summed(&whole[at..]));
        }
    }

    #[test]
    fn a_code_written_again_from_what_was_read_means_the_same(text in any_code()) {
        let code = BrCode::parse(&text).unwrap();
        let again = written(&code);
        let read = BrCode::parse(&again).unwrap();
        prop_assert_eq!(meaning(&read), meaning(&code));
        prop_assert_eq!(written(&read), again);
    }

    #[test]
    fn any_byte_changed_is_refused(
        text in any_code(),
        at in any::<prop::sample::Index>(),
        change in 1_u8..=255,
    ) {
        let mut bytes = text.clone().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= change;
        // What is no text is refused before it comes here, and the checksum has no case.
        if let Ok(changed) = String::from_utf8(bytes) {
            prop_assume!(!(changed.eq_ignore_ascii_case(&text) && at >= text.len() - 4));
            prop_assert!(BrCode::parse(&changed).is_err(), "{} at {}", changed, at);
        }
    }
}
