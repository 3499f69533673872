//! The words of the text form that stand for one thing each.

use super::{Action, Role, Strategy};

impl Role {
    /// Every role.
    pub(super) const ALL: [Role; 6] =
        [Role::Entry, Role::Loop, Role::Reducer, Role::Comparator, Role::Key, Role::Row];

    /// Its word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Role::Entry => "entry",
            Role::Loop => "loop",
            Role::Reducer => "reducer",
            Role::Comparator => "comparator",
            Role::Key => "key",
            Role::Row => "row",
        }
    }
}

impl Strategy {
    /// The strategies of which nothing more is to be said.
    pub(super) const PLAIN: [Strategy; 8] = [
        Strategy::Boxed,
        Strategy::Ordered,
        Strategy::Grow,
        Strategy::Ragged,
        Strategy::Hashed,
        Strategy::Groups,
        Strategy::InPlace,
        Strategy::Partial,
    ];

    /// Its word.
    pub(super) fn name(self) -> &'static str {
        match self {
            Strategy::Boxed => "boxed",
            Strategy::Exact { .. } => "exact",
            Strategy::Columns { .. } => "columns",
            Strategy::Ordered => "ordered",
            Strategy::Grow => "grow",
            Strategy::Ragged => "ragged",
            Strategy::Direct { .. } => "direct",
            Strategy::Small { .. } => "small",
            Strategy::Hashed => "hashed",
            Strategy::LastWins { .. } => "last_wins",
            Strategy::Groups => "groups",
            Strategy::InPlace => "in_place",
            Strategy::Partial => "partial",
        }
    }
}

impl Action {
    /// The actions without a function.
    pub(super) const PLAIN: [Action; 16] = [
        Action::Open,
        Action::Begin,
        Action::Expect,
        Action::Reserve,
        Action::Append,
        Action::AppendReserved,
        Action::Extend,
        Action::Put,
        Action::Merge,
        Action::HashAhead,
        Action::MergeBlock,
        Action::Covers,
        Action::Get,
        Action::Set,
        Action::Join,
        Action::Finish,
    ];

    /// Its word.
    pub(super) fn name(self) -> &'static str {
        match self {
            Action::Open => "open",
            Action::Begin => "begin",
            Action::Expect => "expect",
            Action::Reserve => "reserve",
            Action::Append => "append",
            Action::AppendReserved => "append_reserved",
            Action::Extend => "extend",
            Action::Put => "put",
            Action::Fill(_) => "fill",
            Action::Merge => "merge",
            Action::MergeEach(_) => "merge_each",
            Action::HashAhead => "hash_ahead",
            Action::MergeBlock => "merge_block",
            Action::Covers => "covers",
            Action::Get => "get",
            Action::Set => "set",
            Action::Join => "join",
            Action::Finish => "finish",
        }
    }
}
