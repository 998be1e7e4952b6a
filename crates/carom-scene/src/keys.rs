//! The types with which tables of keys are described. The tables themselves are in `tables`; the reader, the schema, the
//! reference and `--set` are all derived from them.

use carom_base::param::{self, Allowed};
use carom_base::{Param, Quantity};

/// A table of a scene, as a description of its keys.
#[derive(Debug)]
pub struct Table {
    /// its name in messages and in the reference
    pub title: &'static str,
    /// what it describes, in a line or two
    pub doc: &'static str,
    /// its keys
    pub keys: &'static [Key],
    /// the key that names a kind; the parameters of that kind are keys of the table as well
    pub kinds: Option<Kinds>,
    /// sets of keys of which one must be given, or at most one may be given
    pub choices: &'static [Choice],
}

/// A table without kinds and choices, as a base for others.
pub const PLAIN: Table = Table { title: "", doc: "", keys: &[], kinds: None, choices: &[] };

/// The key of the parameters, which are removed from the tree before the rest is read.
pub const PARAMETER: &str = "parameter";

/// The form of a corner of a region: three coordinates [m].
const CORNER: Form = Form::Vector(3, Quantity::Length, Allowed::Finite);

/// A box-shaped region of space with faces normal to the axes.
pub static REGION: Table = Table {
    title: "region",
    doc: "A box of space, its faces across the axes: `{ min = [x, y, z], max = [x, y, z] }`.",
    keys: &[
        Key::required("min", CORNER, "the least x, y, z"),
        Key::required("max", CORNER, "the greatest x, y, z"),
    ],
    ..PLAIN
};

/// The kinds that a table can be of.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    /// the key that names the kind: `type`, `law`
    pub tag: &'static str,
    /// the noun for a kind in messages: surface type, normal law
    pub noun: &'static str,
    /// returns all kinds
    pub all: fn() -> Vec<Kind>,
    /// whether the name of a kind alone, as a string, stands for a table with no other keys
    pub shorthand: Shorthand,
}

/// Whether a string may stand for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shorthand {
    /// a string is accepted
    Allowed,
    /// a string is refused
    Refused,
}

/// A kind from one of the registries.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// its name in scenes
    pub name: &'static str,
    /// what it is, in one line
    pub summary: &'static str,
    /// details for the reference: a formula, its range of validity
    pub details: Details,
    /// the keys that it adds to the table
    pub params: &'static [Param],
}

/// What the reference says about a law in addition to its summary.
#[derive(Clone, Copy, Debug)]
pub struct Details {
    /// the formula, in one line
    pub formula: &'static str,
    /// its range of validity
    pub range: &'static str,
    /// the publication it is from
    pub source: &'static str,
}

impl Details {
    /// No details.
    pub const NONE: Details = Details { formula: "", range: "", source: "" };
}

/// Sets of keys that exclude each other.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// the keys of each set
    pub sets: &'static [&'static [&'static str]],
    /// whether one of the sets must be given
    pub at_least_one: AtLeastOne,
}

/// Whether one of the sets must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtLeastOne {
    /// one of the sets must be given
    Needed,
    /// all of them may be left out
    NotNeeded,
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// its name in scenes
    pub name: &'static str,
    /// the form of its value
    pub form: Form,
    /// whether it must be given, or its default
    pub presence: Presence,
    /// what it means, in one line
    pub doc: &'static str,
}

/// The words that a key accepts: fixed ones, or the names in a registry.
#[derive(Clone, Copy, Debug)]
pub enum Words {
    /// fixed words
    These(&'static [&'static str]),
    /// the names in a registry
    From(fn() -> Vec<&'static str>),
}

impl Words {
    /// Returns all accepted words.
    pub fn all(&self) -> Vec<&'static str> {
        match self {
            Words::These(words) => words.to_vec(),
            Words::From(registry) => registry(),
        }
    }
}

/// The form of a value.
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
    /// a whole number between the two limits, or the word
    CountOr(u32, u32, &'static str),
    /// an array of that many numbers
    Vector(usize, Quantity, Allowed),
    /// a number, or an array of that many numbers
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
    /// an array of that many texts
    Texts(usize),
    /// any number of texts
    TextList,
    /// a text, or any number of texts
    OneOrTexts,
    /// two sides, each a text or any number of texts
    Sides,
    /// a table that is read elsewhere
    Part,
    /// numbers by name, each with any unit
    Parameters,
    /// an expression in the time and in parameters
    Expression,
    /// a number, with a unit or in SI units, or an expression in the time and in quantities of the state
    Signal(Quantity),
    /// an array of that many such values
    Signals(usize, Quantity),
    /// points in time, two numbers each; the unit of the second may depend on other keys
    Points(Option<Quantity>),
    /// rows of numbers
    Matrix,
    /// an expression in the time and in quantities of the state, or any number of them
    Readings,
    /// points of a curve, two numbers each: of the first quantity, increasing, and of the second
    Curve(Quantity, Quantity),
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
    /// a table with a single key, which names a kind and holds the table of its parameters
    OneKind(&'static str, fn() -> Vec<Kind>),
}

/// Whether a key must be given, and its default otherwise.
#[derive(Clone, Copy, Debug)]
pub enum Presence {
    /// it must be given
    Required,
    /// it has this default, in SI units
    Number(f64),
    /// it has these defaults, in SI units
    Numbers(&'static [f64]),
    /// it has this word as its default
    Word(&'static str),
    /// it has this default
    Bool(bool),
    /// it may be left out; the text says what happens then
    Optional(&'static str),
}

impl Key {
    /// Describes a key that must be given.
    pub const fn required(name: &'static str, form: Form, doc: &'static str) -> Key {
        Key { name, form, presence: Presence::Required, doc }
    }

    /// Describes a key that may be left out; `absent` says what happens then.
    pub const fn optional(name: &'static str, form: Form, absent: &'static str, doc: &'static str) -> Key {
        Key { name, form, presence: Presence::Optional(absent), doc }
    }

    /// Describes a key with a default.
    pub const fn default(name: &'static str, form: Form, presence: Presence, doc: &'static str) -> Key {
        Key { name, form, presence, doc }
    }

    /// Makes a key from a parameter of a kind.
    pub fn of(p: &Param) -> Key {
        let form = match (p.allowed, p.length) {
            (Allowed::OneOf(words), _) => Form::Word(Words::These(words)),
            (Allowed::Region, _) => Form::Table(&REGION),
            (Allowed::Name, _) => Form::Text,
            (Allowed::Flag, _) => Form::Bool,
            (Allowed::Expression, _) => Form::Expression,
            (Allowed::Signal, 1) => Form::Signal(p.quantity),
            (Allowed::Signal, n) => Form::Signals(n, p.quantity),
            (Allowed::Table, _) => Form::Points(Some(p.quantity)),
            (Allowed::Matrix, _) => Form::Matrix,
            (Allowed::Curve(x), _) => Form::Curve(x, p.quantity),
            (allowed, n) if p.list => Form::Rows(n, p.quantity, allowed),
            (allowed, 1) => Form::Number(p.quantity, allowed),
            (allowed, n) if p.alike => Form::Each(n, p.quantity, allowed),
            (allowed, n) => Form::Vector(n, p.quantity, allowed),
        };
        Key { name: p.name, form, presence: Presence::of(p.presence), doc: p.doc }
    }
}

/// Joins lists of keys into one; N is the total number of keys.
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
    /// Returns the keys that the table has with this kind, or with all kinds together if the kind is not known.
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

    /// Returns the names of its keys, including the one that names the kind.
    pub fn names(&self, kind: Option<&str>) -> Vec<&'static str> {
        let tag = self.kinds.iter().map(|k| k.tag);
        tag.chain(self.keys_with(kind).iter().map(|k| k.name)).collect()
    }
}
