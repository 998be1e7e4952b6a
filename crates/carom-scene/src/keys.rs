//! The words for tables of keys. The tables themselves are in `tables`; reader, schema, reference and
//! `--set` all speak from them.

use carom_base::param::{self, Allowed};
use carom_base::{Param, Quantity};

/// A table of a scene.
#[derive(Debug)]
pub struct Table {
    /// what messages and the reference call it
    pub title: &'static str,
    /// what it is, in a line or two
    pub doc: &'static str,
    /// its keys
    pub keys: &'static [Key],
    /// the key that names a kind, whose own keys then belong to the table as well
    pub kinds: Option<Kinds>,
    /// sets of keys of which one must be there, or may be
    pub choices: &'static [Choice],
}

/// A table without kinds and choices.
pub const PLAIN: Table = Table { title: "", doc: "", keys: &[], kinds: None, choices: &[] };

/// The key of the parameters, which are gone when the rest is read.
pub const PARAMETER: &str = "parameter";

/// A point.
const CORNER: Form = Form::Vector(3, Quantity::Length, Allowed::Finite);

/// A box of space.
pub static REGION: Table = Table {
    title: "region",
    doc: "A box of space, its faces across the axes: `{ min = [x, y, z], max = [x, y, z] }`.",
    keys: &[
        Key::required("min", CORNER, "the least x, y, z"),
        Key::required("max", CORNER, "the greatest x, y, z"),
    ],
    ..PLAIN
};

/// The kinds a table can be of.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    /// the key: `type`, `law`
    pub tag: &'static str,
    /// what a kind is called: surface type, normal law
    pub noun: &'static str,
    /// the kinds there are
    pub all: fn() -> Vec<Kind>,
    /// whether the bare name of a kind stands for a table with nothing else in it
    pub shorthand: Shorthand,
}

/// Whether a string may stand for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shorthand {
    /// it may
    Allowed,
    /// it may not
    Refused,
}

/// A kind from one of the registries.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// as texts name it
    pub name: &'static str,
    /// what it is, in a line
    pub summary: &'static str,
    /// more for the reference: a formula, where it holds
    pub details: Details,
    /// its own keys
    pub params: &'static [Param],
}

/// What the reference says of a law beyond its summary.
#[derive(Clone, Copy, Debug)]
pub struct Details {
    /// in a line
    pub formula: &'static str,
    /// where it holds
    pub range: &'static str,
    /// where it is from
    pub source: &'static str,
}

impl Details {
    /// Nothing.
    pub const NONE: Details = Details { formula: "", range: "", source: "" };
}

/// Sets of keys that exclude each other.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// the keys of each
    pub sets: &'static [&'static [&'static str]],
    /// whether one must be there
    pub at_least_one: AtLeastOne,
}

/// Whether one of the sets must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtLeastOne {
    /// it must
    Needed,
    /// it need not
    NotNeeded,
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// as texts write it
    pub name: &'static str,
    /// what its value looks like
    pub form: Form,
    /// whether it must be there
    pub presence: Presence,
    /// what it means, in a line
    pub doc: &'static str,
}

/// The words a key takes: fixed, or those of a registry.
#[derive(Clone, Copy, Debug)]
pub enum Words {
    /// fixed words
    These(&'static [&'static str]),
    /// those of a registry
    From(fn() -> Vec<&'static str>),
}

impl Words {
    /// All of them.
    pub fn all(&self) -> Vec<&'static str> {
        match self {
            Words::These(words) => words.to_vec(),
            Words::From(registry) => registry(),
        }
    }
}

/// What a value looks like.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// any text
    Text,
    /// a text that other parts of the scene and paths refer to
    Name,
    /// `true` or `false`
    Bool,
    /// a number, with a unit or in SI units
    Number(Quantity, Allowed),
    /// a whole number in a range, or a word
    CountOr(u32, u32, &'static str),
    /// that many numbers
    Vector(usize, Quantity, Allowed),
    /// a number, or that many of them
    Each(usize, Quantity, Allowed),
    /// any number of arrays of that many numbers
    Rows(usize, Quantity, Allowed),
    /// any number of numbers
    List(Quantity, Allowed),
    /// three moments or a 3 × 3 matrix
    Tensor(Quantity),
    /// one of these words
    Word(Words),
    /// any number of these words
    Words(Words),
    /// that many texts
    Texts(usize),
    /// any number of texts
    TextList,
    /// numbers by name, of any unit
    Parameters,
    /// an expression of the time, and of parameters
    Expression,
    /// points in time, two numbers each; the unit of the second may depend on other keys
    Points(Option<Quantity>),
    /// the path of a number that can be driven
    Target,
    /// `[run]`, or an inline table
    Table(&'static Table),
    /// `[[body]]`
    Array(&'static Table),
    /// a table, or any number of them
    Tables(&'static Table),
    /// `[material.NAME]`
    Map(&'static Table),
    /// a table with a single key, which names a kind, and the kind's own table
    OneKind(&'static str, fn() -> Vec<Kind>),
}

/// Whether a key must be there.
#[derive(Clone, Copy, Debug)]
pub enum Presence {
    /// it must
    Required,
    /// this number stands for it, in SI units
    Number(f64),
    /// these numbers stand for it, in SI units
    Numbers(&'static [f64]),
    /// this word stands for it
    Word(&'static str),
    /// this stands for it
    Bool(bool),
    /// the text says what happens without
    Optional(&'static str),
}

impl Key {
    /// A key that must be there.
    pub const fn required(name: &'static str, form: Form, doc: &'static str) -> Key {
        Key { name, form, presence: Presence::Required, doc }
    }

    /// A key that need not be there; `absent` says what happens without.
    pub const fn optional(name: &'static str, form: Form, absent: &'static str, doc: &'static str) -> Key {
        Key { name, form, presence: Presence::Optional(absent), doc }
    }

    /// A key with something that stands for it.
    pub const fn default(name: &'static str, form: Form, presence: Presence, doc: &'static str) -> Key {
        Key { name, form, presence, doc }
    }

    /// A parameter of a kind as a key.
    pub fn of(p: &Param) -> Key {
        let form = match (p.allowed, p.length) {
            (Allowed::OneOf(words), _) => Form::Word(Words::These(words)),
            (Allowed::Region, _) => Form::Table(&REGION),
            (Allowed::Name, _) => Form::Text,
            (Allowed::Expression, _) => Form::Expression,
            (Allowed::Table, _) => Form::Points(Some(p.quantity)),
            (allowed, n) if p.list => Form::Rows(n, p.quantity, allowed),
            (allowed, 1) => Form::Number(p.quantity, allowed),
            (allowed, n) if p.alike => Form::Each(n, p.quantity, allowed),
            (allowed, n) => Form::Vector(n, p.quantity, allowed),
        };
        Key { name: p.name, form, presence: Presence::of(p.presence), doc: p.doc }
    }
}

/// Lists of keys as one; N is how many they are together.
pub(crate) const fn joined<const N: usize>(lists: &[&[Key]]) -> [Key; N] {
    let mut keys = [Key::required("", Form::Text, ""); N];
    let (mut n, mut list) = (0, 0);
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            keys[n] = lists[list][i];
            n += 1;
            i += 1;
        }
        list += 1;
    }
    keys
}

impl Presence {
    fn of(presence: param::Presence) -> Presence {
        match presence {
            param::Presence::Required => Presence::Required,
            param::Presence::Default(x) => Presence::Number(x),
            param::Presence::DefaultText(word) => Presence::Word(word),
            param::Presence::Optional(absent) => Presence::Optional(absent),
        }
    }
}

impl Table {
    /// The keys it has with this kind; all kinds' keys where the kind is not known.
    pub fn keys_with(&self, kind: Option<&str>) -> Vec<Key> {
        let mut keys = self.keys.to_vec();
        let Some(kinds) = &self.kinds else { return keys };
        for k in (kinds.all)().iter().filter(|k| kind.is_none_or(|name| k.name == name)) {
            for p in k.params {
                if !keys.iter().any(|key| key.name == p.name) {
                    keys.push(Key::of(p));
                }
            }
        }
        keys
    }

    /// The names of its keys, the one that names the kind included.
    pub fn names(&self, kind: Option<&str>) -> Vec<&'static str> {
        let tag = self.kinds.iter().map(|k| k.tag);
        tag.chain(self.keys_with(kind).iter().map(|k| k.name)).collect()
    }
}
