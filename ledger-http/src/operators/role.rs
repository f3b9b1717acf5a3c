//! Roles: what an operator may do beside looking.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What an operator may do; one without any role but [`Role::Look`] only looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Role {
    /// Looks at the console, as every operator may.
    Look,
    /// Decides what moves at most so many centavos, and no crypto.
    Decide,
    /// Decides whatever the amount.
    DecideAbove,
    /// Places and releases holds, and carries out orders of courts.
    HoldFunds,
}

/// The text is no role's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a role is look, decide, decide-above or hold")]
pub struct NoRole;

impl Role {
    /// All roles, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Look, Self::Decide, Self::DecideAbove, Self::HoldFunds];

    /// Its name, as the command line and the tables have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Decide => "decide",
            Self::DecideAbove => "decide-above",
            Self::HoldFunds => "hold",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = NoRole;

    fn from_str(text: &str) -> Result<Self, NoRole> {
        Self::ALL.into_iter().find(|role| role.name() == text).ok_or(NoRole)
    }
}

/// Whom a credential belongs to, and what they may do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Operator {
    /// The name that stands as `actor` beside what they decide.
    pub name: String,
    /// Their roles, in order.
    pub roles: Vec<Role>,
    /// The most centavos that [`Role::Decide`] lets them decide about.
    pub up_to_cents: i64,
}

/// What a decision asks of whoever takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// To decide; how much it is about counts.
    Decide,
    /// To block money and to let it go.
    HoldFunds,
}

impl Operator {
    /// Tells whether they may take decisions of a kind at all.
    pub(crate) fn has(&self, right: Right) -> bool {
        let roles: &[Role] = match right {
            Right::Decide => &[Role::Decide, Role::DecideAbove],
            Right::HoldFunds => &[Role::HoldFunds],
        };
        self.roles.iter().any(|role| roles.contains(role))
    }

    /// Tells whether they may decide about an amount; none is one that nobody can count in
    /// centavos.
    pub(crate) fn may_decide_about(&self, cents: Option<i64>) -> bool {
        let within = || cents.is_some_and(|cents| cents <= self.up_to_cents);
        self.roles.contains(&Role::DecideAbove) || self.roles.contains(&Role::Decide) && within()
    }
}

/// Roles as a row has them: `decide,hold`.
pub(super) fn to_text(roles: &[Role]) -> String {
    let mut roles = roles.to_vec();
    roles.sort_unstable();
    roles.dedup();
    let names: Vec<_> = roles.into_iter().map(Role::name).collect();
    names.join(",")
}

/// The roles of a row; none where it has another word.
pub(super) fn read(text: &str) -> Option<Vec<Role>> {
    text.split(',').map(|name| name.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_read_as_they_were_written_and_nothing_else_is() {
        let all = [Role::HoldFunds, Role::Look, Role::HoldFunds];
        assert_eq!(to_text(&all), "look,hold");
        assert_eq!(read("look,hold"), Some(vec![Role::Look, Role::HoldFunds]));
        assert_eq!((read(""), read("look,root"), read("Look")), (None, None, None));
    }

    #[test]
    fn what_nobody_can_count_is_above_every_amount() {
        let of = |role| Operator { name: "bia".into(), roles: vec![role], up_to_cents: 500 };
        for (role, up_to, above, uncounted) in [
            (Role::Look, false, false, false),
            (Role::Decide, true, false, false),
            (Role::DecideAbove, true, true, true),
            (Role::HoldFunds, false, false, false),
        ] {
            let may = [Some(500), Some(501), None].map(|cents| of(role).may_decide_about(cents));
            assert_eq!(may, [up_to, above, uncounted], "{role}");
            assert_eq!(of(role).has(Right::Decide), up_to, "{role}");
            assert_eq!(of(role).has(Right::HoldFunds), role == Role::HoldFunds, "{role}");
        }
    }
}
