//! Wallets of the simulated world, right ones and ones with a slip. They were made apart from the
//! ledger's own checks, which they therefore test.

use std::borrow::Cow;

use crate::rng::Rng;

/// On Ethereum and its kin, in lower case.
const EVM: [&str; 9] = [
    "0x2a9fd3e5254a3c480891ad6005c40e682bdeb3e7",
    "0xebad86297283f0bcfb3e98a64bd32f0649035438",
    "0x5c4e3847f4dc0e20e6d5a6b090a690276592d62f",
    "0xc78d08dd8fdf8a58a9abf1d8b21c774416e5aae1",
    "0x04d847b6d953377e6cadb9882cbf2287a6d293ad",
    "0xa3b5fb82b4606025fa454486bd6919002181d001",
    "0x75ee13f5cf78075d8a3f6d14f453edd78c0c0491",
    "0x648652d08117767253c404d752e979a9672d949c",
    "0x5fd679fead1fea3406052c9248afa4e8f0da95b2",
];

/// The same, as people copy them (EIP-55).
const CHECKSUMMED: [&str; 9] = [
    "0x2A9fD3E5254a3c480891aD6005C40e682BDeB3E7",
    "0xebad86297283f0bcFb3E98a64bD32F0649035438",
    "0x5C4e3847F4Dc0e20e6D5A6b090A690276592D62F",
    "0xC78d08DD8fdF8a58A9abF1D8b21C774416E5AaE1",
    "0x04d847b6d953377E6caDb9882Cbf2287a6D293ad",
    "0xa3b5Fb82B4606025fA454486bD6919002181d001",
    "0x75ee13f5cf78075D8A3F6D14F453EDD78c0c0491",
    "0x648652d08117767253C404d752e979a9672d949c",
    "0x5Fd679fEad1fEA3406052C9248Afa4e8F0Da95B2",
];

/// Addresses on Tron, in base58.
const TRON: [&str; 9] = [
    "TExiFtF2M1JqHdknDuAXcUyvTZtHBZY6c9",
    "TFn3ZAniEP4ix5fMkWtRz8YzvDZ514pi1k",
    "TSZMkRZfG3Z1bC4K5ftRnk8CTBCAsVVDCD",
    "TMD2kPRt7Fq5vNRMpfVxayQnqjwobzTb8G",
    "TBMMQTNPATxjdU43p8m65KzH2bLstCN4td",
    "TCWLyh6NaQ3hBZWXpVC2D32wGZ1PAJStPZ",
    "TQhSzLREbSw6yoq8SHqrAEkYD87BNgsMES",
    "TWPBwkYNyAbTRBgPx3g8QcqAkFx7ZAUmoE",
    "TD9ViTm3T1M1f951BKK8MFNMNXpqVR4wsj",
];

/// Addresses on Solana, in base58.
const SOLANA: [&str; 9] = [
    "2PrHPS3WqQkcBNMEt2o9BpJSj6ZEeaet6YnSmRjh6HYP",
    "22sHPi4XCSsexRR6JzyTV7uw7vjc4Qn7Q5Hg5nur3ava",
    "BFCxevy2aHg5x5k2yoNfWKULgjVSZLGTEGzBxntchFyX",
    "GPekynjwzK7859ztuNtprqMjJSfpPeyjobgGreitL7ft",
    "7ktKrp4ctj7tynFkeD1rmBQzdJfbm8QCQwZt1gh8SxQp",
    "6FWfvUSKQiQw9CbfFKAjk75uC1PcoNthRbusABqRgPb9",
    "7jcUN8HfmXChBYqBvgB6EYgoyzGBQyVs8UPsQoWZax6",
    "8F8bs5BF39edt2ZxZFcifvtXSkURPfUtdSTR4pnx8RsJ",
    "7smk9TNkxGTnEcWcFSPxDon7ZtwpKu52qNdEkj9emMFq",
];

/// On Liquid, confidential.
const LIQUID: [&str; 9] = [
    "lq1qqf7ujmmhdjzz8et6y7z53x3ln3plkmn4dpmddtv6njky4f889mqex2qyhtt0a999tuvt9vm7xqy3nf0a29ae2j5ul4jnqq0pg",
    "lq1qqfypfkfqjwkg5r62y936hp77u5ym5vr2tr6c3zlqah9jlng8zgpghzsuaepkewkpfzdp3q7fmzr0elzx7vpv2fd8a0qjklm7z",
    "lq1qqfm2sfmngl6j2v8pe7tezadp0zvqkwscp5tkzewfshv97ls59u0w6yx6ehx0apmacpjd2azzuma85n3sshwfgf4wv0l3gm97g",
    "lq1qqfyxhtx9ctv2wxnn65dl3efzm64zvnkzv2xu5224mg0fhrsq7gv588cs9l3604sclxtqwq0z2956lanpd8f8uec3mqf9xrzyt",
    "lq1qqg79vcvhf9pr09s5h9paqkf7ff0rlpvsp2elkn8qv3e9c9wvhyaqr2v7yludgrs3fl6gmjwyfvzv6aqcx2xp26xfh2fn2ae5g",
    "lq1qqgh4mfhfjgd65728t8hf7jeky42mev7pv3ht28m8zffmt47hzzm4aktrs4zpkmxzuvwqrtxjl6nnz5p7jxl5gn80rcunxql00",
    "lq1qqtsmpt8cdwtzrwxp8jshhvhj5g7kv2l6jsz98k8gj7nhuwweaz74jqcm2tla8ndks7tj2fueusjcsae8qryds3gx8mtp54c7q",
    "lq1qq2fway77qt4g0k6nq2v0f4nvvwvy7g9x3xgpnc76kxsc6gue9zg5pm07cphfml5ugg4gev0g4a8veg5ypqkqkh6psuzhr0aw6",
    "lq1qqt95grlz7lkzp420gunxxr8t4kuxwwt9ej6h5e9makn40pp06f3h2vrk02gj9pd248ufhxgez8aued5lx4p4crwx6prj0py30",
];

/// On TON, raw.
const TON: [&str; 9] = [
    "0:3efb8da72a147af475faa74632d815e3eb2f6c144e372c2e1eb9070b62f47232",
    "0:328e5c86db1f9a90bf2fa3b1e532fe48e58422201c7025afba1ddd738fe0f7ee",
    "0:6f1e0a4b6e9e0badcd8c30ce87f6b4930d3f97478f29449df6d5692df9bcdd32",
    "0:631fae8999a904b5107e1dbe2588e8f9d334407b55310855739b28461e149b42",
    "0:f6d8e75053b7e6d86f4fff9e49a9bbcc174fbbd4098954846f5705872fba9fae",
    "0:0889a8f47f9741aaaf096d58a5041f79e498fecc13b2803d6a2f0e35d1d2f470",
    "0:a8da55fef588de77342455219672ad43ea0d6cea2dc69f7864c7024d561ea30d",
    "0:c25f045c91d1bf5e006bf1fa7a13914347548560e28229cf9aa4a138c1d6f005",
    "0:4095b9ec0df7834d9fd23e0dd49f85e57a918499733e64d1663386fc89d05dda",
];

/// The same, as people copy them: the one that bounces and the one that does not.
const TON_FRIENDLY: [[&str; 2]; 9] = [
    [
        "EQA--42nKhR69HX6p0Yy2BXj6y9sFE43LC4euQcLYvRyMhET",
        "UQA--42nKhR69HX6p0Yy2BXj6y9sFE43LC4euQcLYvRyMkzW",
    ],
    [
        "EQAyjlyG2x-akL8vo7HlMv5I5YQiIBxwJa-6Hd1zj-D37lc3",
        "UQAyjlyG2x-akL8vo7HlMv5I5YQiIBxwJa-6Hd1zj-D37gry",
    ],
    [
        "EQBvHgpLbp4Lrc2MMM6H9rSTDT-XR48pRJ321Wkt-bzdMpn0",
        "UQBvHgpLbp4Lrc2MMM6H9rSTDT-XR48pRJ321Wkt-bzdMsQx",
    ],
    [
        "EQBjH66JmakEtRB-Hb4liOj50zRAe1UxCFVzmyhGHhSbQv6J",
        "UQBjH66JmakEtRB-Hb4liOj50zRAe1UxCFVzmyhGHhSbQqNM",
    ],
    [
        "EQD22OdQU7fm2G9P_55JqbvMF0-71AmJVIRvVwWHL7qfrroJ",
        "UQD22OdQU7fm2G9P_55JqbvMF0-71AmJVIRvVwWHL7qfrufM",
    ],
    [
        "EQAIiaj0f5dBqq8JbVilBB955Jj-zBOygD1qLw410dL0cG3q",
        "UQAIiaj0f5dBqq8JbVilBB955Jj-zBOygD1qLw410dL0cDAv",
    ],
    [
        "EQCo2lX-9YjedzQkVSGWcq1D6g1s6i3Gn3hkxwJNVh6jDX7j",
        "UQCo2lX-9YjedzQkVSGWcq1D6g1s6i3Gn3hkxwJNVh6jDSMm",
    ],
    [
        "EQDCXwRckdG_XgBr8fp6E5FDR1SFYOKCKc-apKE4wdbwBVMH",
        "UQDCXwRckdG_XgBr8fp6E5FDR1SFYOKCKc-apKE4wdbwBQ7C",
    ],
    [
        "EQBAlbnsDfeDTZ_SPg3Un4XlepGEmXM-ZNFmM4b8idBd2qvB",
        "UQBAlbnsDfeDTZ_SPg3Un4XlepGEmXM-ZNFmM4b8idBd2vYE",
    ],
];

/// One of nine wallets on a network, by a digit from 1 to 9; on NEAR a name, which nobody can
/// check.
pub(crate) fn wallet(network: &str, digit: i64) -> Box<str> {
    match of_network(network) {
        Some(all) => {
            let place = usize::try_from(digit - 1).unwrap_or(0) % all.len();
            all[place].into()
        }
        None => format!("wallet-{digit}").into(),
    }
}

/// A wallet with a slip of the hand: a letter of the other case, another letter, or some missing.
pub(crate) fn misspell_wallet(network: &str, digit: i64) -> Box<str> {
    let text = wallet(network, digit);
    match network {
        "polygon" | "eth" | "arbitrum" => {
            let letter = text.chars().skip(2).find(char::is_ascii_alphabetic).unwrap_or('a');
            let upper = letter.to_ascii_uppercase().to_string();
            text.replacen(letter, &upper, 1).into()
        }
        "tron" | "liquid" => {
            let other = if text.ends_with('8') { '9' } else { '8' };
            format!("{}{other}", &text[..text.len() - 1]).into()
        }
        _ => text[..text.len() - 4].into(),
    }
}

/// Tells whether a text is a wallet of the network: one of those here in any of its spellings, or
/// twenty bytes in letters of one case on Ethereum and its kin. A name on NEAR is taken as given.
pub(crate) fn is_wallet(network: &str, text: &str) -> bool {
    let Some(all) = of_network(network) else {
        return (2..=128).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic());
    };
    let digits = |digits: &str| digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let one_case = |text: &str| {
        let has = |test: fn(&u8) -> bool| text.as_bytes().iter().any(test);
        !(has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase))
    };
    let plain = text.strip_prefix("0x").is_some_and(|text| digits(text) && one_case(text));
    all == &EVM && plain || all.contains(&&*canonical_wallet(text))
}

/// Tells whether two texts name one wallet, or both none: what begins with `0x` is hexadecimal, and
/// says the same in letters of either case (rulings 64).
pub(crate) fn is_same(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one == other };
    let same = one == other || canonical_wallet(one) == canonical_wallet(other);
    same || one.starts_with("0x") && one.eq_ignore_ascii_case(other)
}

/// The same on a network, where that is known: a name that nobody can check has one spelling.
pub(crate) fn is_same_on(network: Option<&str>, one: &str, other: &str) -> bool {
    match network.map(of_network) {
        Some(None) => one == other,
        _ => is_same(Some(one), Some(other)),
    }
}

/// The wallet here that a text spells, as it stands in the lists; any other text as it is.
fn canonical_wallet(text: &str) -> Cow<'_, str> {
    let place = |all: &[&str; 9]| all.iter().position(|spelled| *spelled == text);
    let friendly = || TON_FRIENDLY.iter().position(|both| both.contains(&text));
    if let Some(place) = place(&CHECKSUMMED) {
        return EVM[place].into();
    }
    if let Some(place) = friendly() {
        return TON[place].into();
    }
    // Hexadecimal digits in either case; blech32 in one.
    let raw = text.starts_with("0:");
    let upper = text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    if raw || upper && text.starts_with("LQ1") {
        return text.to_ascii_lowercase().into();
    }
    text.into()
}

/// Another spelling of a wallet that is here, where its network has several.
pub(crate) fn in_some_spelling(text: &str, rng: &mut Rng) -> Option<Box<str>> {
    let wallet = canonical_wallet(text);
    let place = |all: &[&str; 9]| all.iter().position(|known| **known == *wallet);
    let spelled = if let Some(place) = place(&EVM) {
        let upper = format!("0x{}", EVM[place][2..].to_ascii_uppercase());
        rng.pick(&[EVM[place].to_owned(), CHECKSUMMED[place].to_owned(), upper]).cloned()
    } else if let Some(place) = place(&TON) {
        let [bounces, keeps] = TON_FRIENDLY[place].map(str::to_owned);
        rng.pick(&[TON[place].to_owned(), TON[place].to_ascii_uppercase(), bounces, keeps]).cloned()
    } else if let Some(place) = place(&LIQUID) {
        rng.pick(&[LIQUID[place].to_owned(), LIQUID[place].to_ascii_uppercase()]).cloned()
    } else {
        None
    };
    spelled.filter(|spelled| spelled != text).map(Into::into)
}

fn of_network(network: &str) -> Option<&'static [&'static str; 9]> {
    match network {
        "polygon" | "eth" | "arbitrum" => Some(&EVM),
        "tron" => Some(&TRON),
        "solana" => Some(&SOLANA),
        "liquid" => Some(&LIQUID),
        "ton" => Some(&TON),
        _ => None,
    }
}
