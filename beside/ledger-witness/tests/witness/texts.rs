//! The texts of the protocols: those of the specifications, and those of another program.

use ledger_witness::{
    AddCheckpoint, KeyMalformed, PublicKey, SignatureType, Signed, SignedNote, TreeHead, WitnessKey,
};

use crate::log::{Log, witness_key};

/// The request of the specification of tlog-witness.
const REQUEST: &str = "old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
";

/// The cosigned checkpoint of the specification of tlog-cosignature.
const COSIGNED: &str = "example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
";

/// A checkpoint that `aics-tlog` 0.2.1 cosigned, by the secret key of 32 nines.
const OF_ANOTHER_PROGRAM: &str = "example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
time 2026-11-26T12:01:00Z

— witness.example.com/w1 S9x+qgAAAABkGFDLD/JBflVAvC0d1+grQCfXF8bzCPl/ktYaDToEmOzzqObqDu+QoxYBcP2VHPr8ZxcXaGOWr905l0xUb+gcPVXJBg==
";

const KEY_OF_ANOTHER_PROGRAM: &str =
    "witness.example.com/w1+4bdc7eaa+BP0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY";

#[test]
fn the_request_of_the_specification_is_read_and_written_alike() {
    let request: AddCheckpoint = REQUEST.parse().unwrap();
    assert_eq!((request.old, request.proof.len()), (20_852_014, 4));
    assert_eq!(request.to_string(), REQUEST);
    let head = TreeHead::parse(request.checkpoint.text()).unwrap();
    assert_eq!((&*head.origin, head.size), ("example.com/behind-the-sofa", 20_852_163));
}

#[test]
fn the_cosignature_of_the_specification_has_its_instant_and_its_key_s_id() {
    let note: SignedNote = COSIGNED.parse().unwrap();
    assert_eq!(note.to_string(), COSIGNED);
    let line = &note.signatures()[1];
    assert_eq!((&*line.name, line.id), ("witness.example.com/w1", [0x8d, 0x66, 0xcf, 0x3f]));
    let (time, signature) = line.signature.split_first_chunk::<8>().unwrap();
    assert_eq!((u64::from_be_bytes(*time), signature.len()), (1_679_315_147, 64));
}

#[test]
fn a_cosignature_of_another_program_is_verified_and_its_key_is_read() {
    let key: PublicKey = KEY_OF_ANOTHER_PROGRAM.parse().unwrap();
    assert_eq!(key.signature_type(), SignatureType::Cosignature);
    assert_eq!(key, WitnessKey::new("witness.example.com/w1", [9; 32]).unwrap().public());
    let note: SignedNote = OF_ANOTHER_PROGRAM.parse().unwrap();
    assert_eq!(note.verify(&key), Signed::Yes(Some(1_679_315_147)));
}

#[test]
fn a_cosigned_note_with_any_byte_changed_is_not_believed() {
    let key: PublicKey = KEY_OF_ANOTHER_PROGRAM.parse().unwrap();
    for place in 0..OF_ANOTHER_PROGRAM.len() {
        for flip in [1, 2, 0x20] {
            let mut bytes = OF_ANOTHER_PROGRAM.as_bytes().to_vec();
            bytes[place] ^= flip;
            let changed = String::from_utf8(bytes).ok();
            let note = changed.as_ref().and_then(|text| text.parse::<SignedNote>().ok());
            let verified = note.map(|note| note.verify(&key));
            assert!(!matches!(verified, Some(Signed::Yes(_))), "byte {place}: {changed:?}");
        }
    }
}

#[test]
fn a_key_that_was_changed_is_refused_and_so_is_one_that_anybody_signs_for() {
    for place in 0..KEY_OF_ANOTHER_PROGRAM.len() {
        let mut bytes = KEY_OF_ANOTHER_PROGRAM.as_bytes().to_vec();
        bytes[place] ^= 1;
        let Ok(changed) = String::from_utf8(bytes) else { continue };
        assert!(changed.parse::<PublicKey>().is_err(), "{changed}");
    }
    // The identity, under a name whose id is right.
    let weak = "weak.example+6ee080f1+AQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    assert_eq!(weak.parse::<PublicKey>(), Err(KeyMalformed::Weak));
    for name in ["", "a b", "a+b", "a\u{a0}b", "a\nb", &"a".repeat(256)] {
        assert_eq!(WitnessKey::new(name, [1; 32]).unwrap_err(), KeyMalformed::Name, "{name}");
    }
}

#[test]
fn the_secret_text_of_a_witness_is_read_again_and_never_shown() {
    let key = witness_key();
    let read: WitnessKey = key.secret_text().parse().unwrap();
    assert_eq!(read.public(), key.public());
    assert!(!format!("{key:?}").contains(&key.secret_text()[60..]));
    let of_a_log = key.secret_text().replacen("+BA", "+AQ", 1);
    assert!(of_a_log.parse::<WitnessKey>().is_err());
}

#[test]
fn a_line_added_of_a_known_key_takes_the_place_of_its_earlier_one() {
    let (mut note, other) = (Log::new(2, 0).checkpoint(2), Log::new(2, 0).checkpoint(1));
    let line = other.signatures()[0].clone();
    note.add(line.clone());
    assert_eq!(note.signatures(), [line]);
    let key = crate::log::log_key();
    assert_eq!(note.verify(&key), Signed::Forged);
    assert_eq!(note.verify(&witness_key().public()), Signed::No);
}
