//! Whose cosignatures count, and how many are enough: a file of C2SP tlog-policy.
//!
//! ```text
//! log ledger.example.com/live/live+64d6a759+Ae1L...
//! witness ana witness.example/ana+1f2e3d4c+BKxz... https://witness.example/ana
//! witness bia witness.example/bia+5b6a7980+BAbc... https://witness.example/bia
//! group both all ana bia
//! quorum both
//! ```

use std::str::FromStr;

use thiserror::Error;

use crate::key::{KeyMalformed, PublicKey, SignatureType};
use crate::note::{Signed, SignedNote};

/// The logs and witnesses that are trusted, and which witnesses are enough.
#[derive(Clone, Debug)]
pub struct Policy {
    logs: Vec<PublicKey>,
    witnesses: Vec<PolicyWitness>,
    /// Named sets, in the order of their definition: members stand before them.
    groups: Vec<Group>,
    quorum: Option<Member>,
}

/// A witness of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyWitness {
    /// The name that it has in the policy.
    pub name: String,
    /// The key of its cosignatures.
    pub key: PublicKey,
    /// The URL that it is asked at: its submission prefix.
    pub url: Option<String>,
}

#[derive(Clone, Debug)]
struct Group {
    name: String,
    threshold: usize,
    members: Vec<Member>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    Witness(usize),
    Group(usize),
}

/// The witnesses that cosigned a checkpoint, counted by a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The witnesses that cosigned, by name, each with the instant in seconds since 1970.
    pub cosigned: Vec<(String, u64)>,
    /// The witnesses that did not, by name.
    pub missing: Vec<String>,
    /// Tells whether they are as many as the quorum asks for.
    pub is_quorum: bool,
}

/// Why a file is no policy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the policy: {fault}")]
pub struct PolicyMalformed {
    /// The line, from 1; the last one where something is missing.
    pub line: usize,
    /// The fault of that line.
    pub fault: PolicyFault,
}

/// A fault of a policy's line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyFault {
    /// The line is of no known kind, or has other words than its kind.
    #[error(
        "it is none of `log KEY [URL]`, `witness NAME KEY [URL]`, `group NAME K NAME...`, `quorum NAME`"
    )]
    Line,
    /// The key is none.
    #[error(transparent)]
    Key(#[from] KeyMalformed),
    /// A log's key cosigns, or a witness's does not.
    #[error("the key of a log has type 1, and of a witness type 4")]
    KeyType,
    /// The name, or `the key of` a name, stands on an earlier line.
    #[error("{0} stands there already")]
    Twice(String),
    /// The name stands on no earlier line.
    #[error("{0} is defined on no earlier line")]
    Unknown(String),
    /// The number of a group is not between 1 and its members.
    #[error("a group asks for `any`, `all`, or from 1 to as many as it has members")]
    Threshold,
    /// There is no quorum, or a second one.
    #[error("a policy has one line `quorum`")]
    Quorum,
}

impl Policy {
    /// The keys of the logs.
    #[must_use]
    pub fn logs(&self) -> &[PublicKey] {
        &self.logs
    }

    /// The witnesses, in order.
    #[must_use]
    pub fn witnesses(&self) -> &[PolicyWitness] {
        &self.witnesses
    }

    /// Counts whose cosignatures a checkpoint has. A line that names a witness and is not its own
    /// counts for nothing.
    #[must_use]
    pub fn tally(&self, checkpoint: &SignedNote) -> Tally {
        let (mut cosigned, mut missing, mut by) = (Vec::new(), Vec::new(), Vec::new());
        for witness in &self.witnesses {
            let time = match checkpoint.verify(&witness.key) {
                Signed::Yes(time) => time,
                Signed::No | Signed::Forged => None,
            };
            by.push(time.is_some());
            match time {
                Some(time) => cosigned.push((witness.name.clone(), time)),
                None => missing.push(witness.name.clone()),
            }
        }
        let is_quorum = self.quorum.is_none_or(|quorum| self.is_met(quorum, &by));
        Tally { cosigned, missing, is_quorum }
    }

    fn is_met(&self, member: Member, by: &[bool]) -> bool {
        match member {
            Member::Witness(place) => by[place],
            Member::Group(place) => {
                let Group { threshold, members, .. } = &self.groups[place];
                members.iter().filter(|member| self.is_met(**member, by)).count() >= *threshold
            }
        }
    }

    fn member(&self, name: &str) -> Option<Member> {
        let witness = self.witnesses.iter().position(|known| known.name == name);
        let group = || self.groups.iter().position(|known| known.name == name);
        witness.map(Member::Witness).or_else(|| group().map(Member::Group))
    }

    fn find(&self, name: &str) -> Result<Member, PolicyFault> {
        self.member(name).ok_or_else(|| PolicyFault::Unknown(name.to_owned()))
    }

    fn check_new(&self, name: &str) -> Result<(), PolicyFault> {
        let is_new = name != "none" && self.member(name).is_none();
        if is_new { Ok(()) } else { Err(PolicyFault::Twice(name.to_owned())) }
    }

    fn add_log(&mut self, key: &str) -> Result<(), PolicyFault> {
        let key = key_of_type(key, SignatureType::Note)?;
        check_new_key(&key, self.logs.iter())?;
        self.logs.push(key);
        Ok(())
    }

    fn add_witness(&mut self, name: &str, key: &str, url: Option<&str>) -> Result<(), PolicyFault> {
        self.check_new(name)?;
        let key = key_of_type(key, SignatureType::Cosignature)?;
        check_new_key(&key, self.witnesses.iter().map(|known| &known.key))?;
        let (name, url) = (name.to_owned(), url.map(str::to_owned));
        self.witnesses.push(PolicyWitness { name, key, url });
        Ok(())
    }

    fn add_group(&mut self, name: &str, least: &str, names: &[&str]) -> Result<(), PolicyFault> {
        self.check_new(name)?;
        let mut members = Vec::new();
        for name in names {
            let member = self.find(name)?;
            let mut earlier = self.groups.iter().flat_map(|group| &group.members).chain(&members);
            if earlier.any(|known| *known == member) {
                return Err(PolicyFault::Twice((*name).to_owned()));
            }
            members.push(member);
        }
        let threshold = match least {
            "any" => 1,
            "all" => members.len(),
            number => number.parse().map_err(|_| PolicyFault::Threshold)?,
        };
        if !(1..=members.len()).contains(&threshold) {
            return Err(PolicyFault::Threshold);
        }
        self.groups.push(Group { name: name.to_owned(), threshold, members });
        Ok(())
    }
}

/// Checks that a key stands on no earlier line, under whatever name.
fn check_new_key<'a>(
    key: &PublicKey,
    mut known: impl Iterator<Item = &'a PublicKey>,
) -> Result<(), PolicyFault> {
    let same = known.find(|known| known.is_same_point(key));
    same.map_or(Ok(()), |same| Err(PolicyFault::Twice(format!("the key of {}", same.name()))))
}

fn key_of_type(text: &str, expected: SignatureType) -> Result<PublicKey, PolicyFault> {
    let key: PublicKey = text.parse()?;
    if key.signature_type() == expected { Ok(key) } else { Err(PolicyFault::KeyType) }
}

impl FromStr for Policy {
    type Err = PolicyMalformed;

    fn from_str(text: &str) -> Result<Self, PolicyMalformed> {
        let mut policy =
            Self { logs: Vec::new(), witnesses: Vec::new(), groups: Vec::new(), quorum: None };
        let mut has_quorum = false;
        for (line, content) in (1..).zip(text.lines()) {
            let words: Vec<&str> = content.split([' ', '\t']).filter(|it| !it.is_empty()).collect();
            let read = match words[..] {
                [] => Ok(()),
                [first, ..] if first.starts_with('#') => Ok(()),
                ["log", key] | ["log", key, _] => policy.add_log(key),
                ["witness", name, key] => policy.add_witness(name, key, None),
                ["witness", name, key, url] => policy.add_witness(name, key, Some(url)),
                ["group", name, least, ref names @ ..] => policy.add_group(name, least, names),
                ["quorum", _] if has_quorum => Err(PolicyFault::Quorum),
                ["quorum", "none"] => {
                    has_quorum = true;
                    Ok(())
                }
                ["quorum", name] => policy.find(name).map(|quorum| {
                    has_quorum = true;
                    policy.quorum = Some(quorum);
                }),
                _ => Err(PolicyFault::Line),
            };
            read.map_err(|fault| PolicyMalformed { line, fault })?;
        }
        if has_quorum {
            return Ok(policy);
        }
        Err(PolicyMalformed { line: text.lines().count().max(1), fault: PolicyFault::Quorum })
    }
}
