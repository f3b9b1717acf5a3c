//! The shapes of wallet addresses, network by network.

use ledger_core::terms::is_address;

const EVM: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const TRON: &str = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const SOLANA: &str = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";
const LIQUID: &str = "lq1qqf8er278e6nyvuwtgf39e6ewvdcnjupn9a86rzpx655y5lhkt0walu3djf9cklkxd3ryld97hu8h3xepw7sh2rlu7q45dcew5";
const BARE: &str = "ex1qha7zmqv3qzfk3lyqfkx8zpmxkz5x0hgknh3f7l";

const EVM_CHAINS: [&str; 14] = [
    "polygon",
    "eth",
    "bsc",
    "arbitrum",
    "optimism",
    "base",
    "avalanche",
    "celo",
    "plasma",
    "sonic",
    "seievm",
    "cfxevm",
    "klay",
    "arc",
];

#[test]
fn an_evm_address_is_0x_and_forty_hexadecimal_digits() {
    for chain in EVM_CHAINS {
        assert!(is_address(chain, EVM), "{chain}");
        assert!(is_address(chain, &EVM.to_lowercase()), "{chain}");
        for other in [
            &EVM[2..],
            &EVM[..41],
            &format!("{EVM}0"),
            &EVM.replace('0', "g"),
            &EVM.replace("0x", "0X"),
            &format!(" {EVM}"),
            TRON,
            SOLANA,
            LIQUID,
        ] {
            assert!(!is_address(chain, other), "{chain}: {other}");
        }
    }
}

#[test]
fn a_tron_address_is_t_and_thirty_three_digits_of_base_58() {
    assert!(is_address("tron", TRON));
    let other = [&TRON[..33], &format!("{TRON}1"), &TRON.replacen('T', "X", 1), EVM, SOLANA];
    for text in other {
        assert!(!is_address("tron", text), "{text}");
    }
    for no_digit in ['0', 'O', 'I', 'l'] {
        let mut text = TRON[..33].to_owned();
        text.push(no_digit);
        assert!(!is_address("tron", &text), "{text}");
    }
}

#[test]
fn a_solana_address_is_thirty_two_to_forty_four_digits_of_base_58() {
    assert!(is_address("solana", SOLANA));
    for (length, sound) in [(31, false), (32, true), (44, true), (45, false)] {
        assert_eq!(is_address("solana", &"2".repeat(length)), sound, "{length}");
    }
    assert!(!is_address("solana", EVM), "a zero is no digit of base 58");
}

#[test]
fn a_liquid_address_is_confidential_or_not_or_of_base_58() {
    assert!(is_address("liquid", LIQUID) && is_address("liquid", BARE));
    for first in ['V', 'G', 'H', 'Q', 'C'] {
        assert!(is_address("liquid", &format!("{first}{}", "2".repeat(32))), "{first}");
        assert!(!is_address("liquid", &format!("{first}{}", "2".repeat(31))), "{first}");
        assert!(!is_address("liquid", &format!("{first}{}", "0".repeat(32))), "{first}");
    }
    for other in [
        EVM,
        TRON,
        &LIQUID.to_uppercase(),
        "lq1qqf8er278",
        "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    ] {
        assert!(!is_address("liquid", other), "{other}");
    }
}

#[test]
fn another_network_takes_any_plain_text_of_8_to_128_characters() {
    for (length, sound) in [(7, false), (8, true), (128, true), (129, false)] {
        assert_eq!(is_address("near", &"a".repeat(length)), sound, "{length}");
    }
    for other in ["", "a b c d e f", "wallet-é-1234", "wallet\n123456", "wallet\u{7f}12345"] {
        assert!(!is_address("near", other), "{other:?}");
    }
}
