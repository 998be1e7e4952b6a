//! The tables of a contact's laws, from their registries.

use carom::law::resistance::{self, ResistanceEntry};
use carom::law::{friction, normal};

use super::keys::{Details, Kind, Kinds, Shorthand, Table};
use super::own;
use super::tables::PLAIN;

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
