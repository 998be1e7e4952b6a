//! The tables of a contact's laws, from their registries.

use carom::FrictionAt;
use carom::law::resistance::{self, ResistanceEntry};
use carom::law::{friction, normal};

use super::PLAIN;
use crate::keys::{Details, Form, Key, Kind, Kinds, Presence, Shorthand, Table, Words};
use crate::own;

pub(super) static NORMAL: Table = Table {
    title: "contact.normal",
    doc: "The force along the normal: `{ law = \"hertz\", … }`, or the law's name alone.",
    kinds: Some(Kinds {
        tag: "law",
        noun: "normal law",
        all: || {
            let kind = |e: &normal::NormalEntry| Kind {
                name: e.entry.name,
                summary: e.entry.summary,
                details: Details { formula: e.formula, range: e.range, source: e.reference.source },
                params: e.entry.params,
            };
            normal::ALL.iter().map(kind).chain([own::LAW]).collect()
        },
        shorthand: Shorthand::Allowed,
    }),
    ..PLAIN
};

/// The points at which friction acts on the two bodies, in contacts and in joints with clearance.
pub(super) const FRICTION_AT: Key = Key::default(
    "friction_at",
    Form::Word(Words::From(friction_points)),
    Presence::Word("middle"),
    "where friction acts on the two bodies: on both at the `middle` of their contact points, so that angular momentum is conserved; or on each at its own point, on the `surfaces`, as papers have it",
);

fn friction_points() -> Vec<&'static str> {
    FrictionAt::ALL.iter().map(|(name, _)| *name).collect()
}

pub(super) static FRICTION: Table = Table {
    title: "contact.friction",
    doc: "The force across the normal: `{ law = \"tanh\", … }`.",
    kinds: Some(Kinds {
        tag: "law",
        noun: "friction law",
        all: || {
            let kind = |e: &friction::FrictionEntry| Kind {
                name: e.entry.name,
                summary: e.entry.summary,
                details: Details { formula: e.formula, range: e.range, source: e.reference.source },
                params: e.entry.params,
            };
            friction::ALL.iter().map(kind).chain([own::LAW]).collect()
        },
        shorthand: Shorthand::Allowed,
    }),
    ..PLAIN
};

pub(super) static ROLLING: Table = Table {
    title: "contact.rolling",
    doc: "A couple against the part across the normal of the bodies' relative angular velocity: `{ law = \"tanh\", … }`.",
    kinds: Some(Kinds {
        tag: "law",
        noun: "law of rolling resistance",
        all: || resistance::ROLLING.iter().map(resisting).collect(),
        shorthand: Shorthand::Allowed,
    }),
    ..PLAIN
};

pub(super) static SPINNING: Table = Table {
    title: "contact.spinning",
    doc: "A couple against the part along the normal of the bodies' relative angular velocity: `{ law = \"tanh\", … }`.",
    kinds: Some(Kinds {
        tag: "law",
        noun: "law of spinning resistance",
        all: || resistance::SPINNING.iter().map(resisting).collect(),
        shorthand: Shorthand::Allowed,
    }),
    ..PLAIN
};

fn resisting(e: &ResistanceEntry) -> Kind {
    Kind {
        name: e.entry.name,
        summary: e.entry.summary,
        details: Details { formula: e.formula, range: e.range, source: e.reference.source },
        params: e.entry.params,
    }
}
