//! Reads a line directly into the data needed, and keeps nothing else.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use carom::base::{Args, Entry, Mat3, Value, Vec3};
use carom::geometry::{Pose, Shape, Side, surfaces};
use carom::words::nearest;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use carom_scene::{Own, mesh_surface};

/// The query in a line.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) a: SurfaceRequest,
    pub(super) b: SurfaceRequest,
    pub(super) solver: Option<KindRequest>,
    pub(super) pose_a: Pose,
    pub(super) pose_b: Pose,
    /// whether all common normals are wanted
    pub(super) all: bool,
}

/// A surface as a line describes it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct SurfaceRequest {
    kind: KindRequest,
    side: Side,
}

/// A kind of a registry as a line describes it: its name and parameters.
#[derive(Debug, Default, PartialEq)]
pub(super) struct KindRequest {
    name: String,
    args: Args,
}

impl Request {
    /// Reads a line, and its `id` even if the rest cannot be read.
    pub(super) fn read<'a>(line: &'a [u8], id: &mut Option<&'a str>) -> Result<Request, String> {
        if line.trim_ascii().is_empty() {
            return Err("the line is empty".to_owned());
        }
        match serde_json::from_slice::<AsMap<Line<'a>>>(line) {
            Ok(AsMap(line)) => {
                *id = line.id.filter(readable);
                let needed =
                    |what: Option<SurfaceRequest>, key| what.ok_or(format!("`{key}` is missing: a surface"));
                Ok(Request {
                    a: needed(line.a, "a")?,
                    b: needed(line.b, "b")?,
                    solver: line.solver,
                    pose_a: line.pose_a.unwrap_or_else(Pose::identity),
                    pose_b: line.pose_b.unwrap_or_else(Pose::identity),
                    all: line.all,
                })
            }
            Err(error) => {
                *id = serde_json::from_slice::<AsMap<OnlyId<'a>>>(line)
                    .ok()
                    .and_then(|line| line.0.0)
                    .filter(readable);
                Err(message(&error))
            }
        }
    }
}

/// Returns whether an `id` can be returned: valid JSON syntax may still not be a number (`1e999`).
fn readable(id: &&str) -> bool {
    serde_json::from_str::<serde_json::Value>(id).is_ok()
}

/// Returns the message without the line number, which is always 1.
fn message(error: &serde_json::Error) -> String {
    let (text, position) =
        (error.to_string(), format!(" at line {} column {}", error.line(), error.column()));
    match text.strip_suffix(&position) {
        Some(text) => format!("{text} (column {})", error.column()),
        None => text,
    }
}

impl SurfaceRequest {
    /// Makes the surface: a user-defined one, or one from the registry.
    pub(super) fn shape(&self, key: &str, own: &Own) -> Result<Shape, String> {
        let given = self.kind.args.text("object").and_then(|name| own.surface_named(name));
        let surface = match given.filter(|_| self.kind.name == Own::KIND) {
            Some(given) => given,
            None if self.kind.name == surfaces::MESH => {
                mesh_surface(&self.kind.args, Path::new("")).map_err(|e| format!("`{key}`: {e}"))?
            }
            None => self.kind.made(key, "surface", surfaces::ALL, &[surfaces::MESH])?,
        };
        Ok(Shape { surface, side: self.side })
    }
}

impl KindRequest {
    /// Makes the object from the registry; `noun` names the objects of the registry, `also` those that are made otherwise.
    pub(super) fn made<T>(
        &self,
        key: &str,
        noun: &str,
        registry: &[Entry<T>],
        also: &[&'static str],
    ) -> Result<T, String> {
        let entry = registry.iter().find(|e| e.name == self.name).ok_or_else(|| {
            let known: Vec<&str> = registry.iter().map(|e| e.name).chain(also.iter().copied()).collect();
            let meant =
                nearest(&self.name, &known).map_or(".".to_owned(), |w| format!("; did you mean `{w}`?"));
            format!("`{key}`: no {noun} is called `{}`{meant} There are {}", self.name, known.join(", "))
        })?;
        entry.make(&self.args).map_err(|e| format!("`{key}`: {e}"))
    }
}

/// The keys of a line that are used.
#[derive(Default)]
struct Line<'de> {
    id: Option<&'de str>,
    a: Option<SurfaceRequest>,
    b: Option<SurfaceRequest>,
    solver: Option<KindRequest>,
    pose_a: Option<Pose>,
    pose_b: Option<Pose>,
    all: bool,
}

/// A line of which only the `id` is used.
struct OnlyId<'de>(Option<&'de str>);

/// A key.
struct Key<'de>(Cow<'de, str>);

/// The value of a parameter.
struct Parameter(Value);

/// A box-shaped region: the least x, y, z and the greatest.
struct BoxOfSpace {
    min: [f64; 3],
    max: [f64; 3],
}

/// The keys of an object so far: each may be given once.
#[derive(Default)]
struct Once(Vec<String>);

/// An object with more keys is none of a query.
const MOST_KEYS: usize = 100;

impl Once {
    fn check<E: de::Error>(&mut self, key: &str) -> Result<(), E> {
        if self.0.iter().any(|known| known == key) {
            return Err(de::Error::custom(format!("the key `{key}` is given twice")));
        }
        if self.0.len() == MOST_KEYS {
            return Err(de::Error::custom(format!("an object has more than {MOST_KEYS} keys")));
        }
        self.0.push(key.to_owned());
        Ok(())
    }
}

/// A type that is read from a JSON object key by key.
trait FromMap<'de>: Sized {
    const EXPECTED: &'static str;
    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>;
}

/// A wrapper with which serde reads such a type.
struct AsMap<T>(T);

impl<'de, T: FromMap<'de>> Deserialize<'de> for AsMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MapVisitor<T>(PhantomData<T>);
        impl<'de, T: FromMap<'de>> Visitor<'de> for MapVisitor<T> {
            type Value = T;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::EXPECTED)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::from_map(map)
            }
        }
        deserializer.deserialize_map(MapVisitor(PhantomData)).map(AsMap)
    }
}

impl<'de> FromMap<'de> for Line<'de> {
    const EXPECTED: &'static str = "an object with `a` and `b`";
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut line = Line::default();
        let mut known = Once::default();
        while let Some(Key(key)) = map.next_key()? {
            known.check(&key)?;
            match &*key {
                "id" => line.id = Some(map.next_value::<&RawValue>()?.get()),
                "a" => line.a = Some(map.next_value::<AsMap<_>>()?.0),
                "b" => line.b = Some(map.next_value::<AsMap<_>>()?.0),
                "pose_a" => line.pose_a = Some(map.next_value::<AsMap<Pose>>()?.0),
                "pose_b" => line.pose_b = Some(map.next_value::<AsMap<Pose>>()?.0),
                "solver" => line.solver = Some(map.next_value()?),
                "all" => {
                    let wrong = |_| de::Error::custom("`all` is no truth value; allowed: true, false");
                    line.all = map.next_value().map_err(wrong)?;
                }
                // other programs may have their own keys; a key similar to one of these is a mistake
                key => match carom::words::nearest(key, &["pose_a", "pose_b", "solver"]) {
                    Some(word) => {
                        let message = format!("there is no key `{key}`; did you mean `{word}`?");
                        return Err(serde::de::Error::custom(message));
                    }
                    None => {
                        map.next_value::<IgnoredAny>()?;
                    }
                },
            }
        }
        Ok(line)
    }
}

impl<'de> FromMap<'de> for OnlyId<'de> {
    const EXPECTED: &'static str = "an object";
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut id = None;
        while let Some(Key(key)) = map.next_key()? {
            if key == "id" {
                id = Some(map.next_value::<&RawValue>()?.get());
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(OnlyId(id))
    }
}

impl<'de> FromMap<'de> for SurfaceRequest {
    const EXPECTED: &'static str = "a surface: an object with a `type`";
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut surface = SurfaceRequest::default();
        let mut known = Once::default();
        while let Some(Key(key)) = map.next_key()? {
            known.check(&key)?;
            match &*key {
                "type" => surface.kind.name = map.next_value()?,
                "side" => {
                    surface.side = match &*map.next_value::<Key<'_>>()?.0 {
                        "outside" => Side::Outside,
                        "inside" => Side::Inside,
                        other => {
                            let text = format!("`side` is \"{other}\"; allowed: outside, inside");
                            return Err(de::Error::custom(text));
                        }
                    }
                }
                name => surface.kind.args.set(name, map.next_value::<Parameter>()?.0),
            }
        }
        if surface.kind.name.is_empty() {
            return Err(de::Error::custom("a surface needs its `type`"));
        }
        Ok(surface)
    }
}

impl<'de> FromMap<'de> for KindRequest {
    const EXPECTED: &'static str = "a solver: its name, or an object with a `type`";
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut kind = KindRequest::default();
        let mut known = Once::default();
        while let Some(Key(key)) = map.next_key()? {
            known.check(&key)?;
            match &*key {
                "type" => kind.name = map.next_value()?,
                name => kind.args.set(name, map.next_value::<Parameter>()?.0),
            }
        }
        if kind.name.is_empty() {
            return Err(de::Error::custom("a solver needs its `type`"));
        }
        Ok(kind)
    }
}

impl<'de> FromMap<'de> for Pose {
    const EXPECTED: &'static str = "a pose: an object with `position` and `quaternion`";
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut pose = Pose::identity();
        let mut known = Once::default();
        while let Some(Key(key)) = map.next_key()? {
            known.check(&key)?;
            match &*key {
                "position" => pose.p = Vec3::from(map.next_value::<[f64; 3]>()?),
                "quaternion" => {
                    pose.r = rotation(map.next_value()?).map_err(de::Error::custom)?;
                }
                other => {
                    let text = format!("a pose has no `{other}`; it has position, quaternion");
                    return Err(de::Error::custom(text));
                }
            }
        }
        Ok(pose)
    }
}

impl<'de> FromMap<'de> for BoxOfSpace {
    const EXPECTED: &'static str = "a box: an object with `min` and `max`";
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let (mut min, mut max) = (None, None);
        let mut known = Once::default();
        while let Some(Key(key)) = map.next_key()? {
            known.check(&key)?;
            match &*key {
                "min" => min = Some(map.next_value()?),
                "max" => max = Some(map.next_value()?),
                other => {
                    let text = format!("a box has no `{other}`; it has min, max");
                    return Err(de::Error::custom(text));
                }
            }
        }
        match (min, max) {
            (Some(min), Some(max)) => Ok(BoxOfSpace { min, max }),
            _ => Err(de::Error::custom("a box needs `min` and `max`, three numbers each")),
        }
    }
}

/// Returns the rotation matrix of a quaternion (w, x, y, z), whose length may have a small rounding error.
pub fn rotation([w, x, y, z]: [f64; 4]) -> Result<Mat3, String> {
    let square = w * w + x * x + y * y + z * z;
    if !((square.sqrt() - 1.0).abs() < 1e-6) {
        let length = square.sqrt();
        return Err(format!("`quaternion` is [{w}, {x}, {y}, {z}], of length {length}; allowed: length 1"));
    }
    let s = 2.0 / square;
    let (sx, sy, sz) = (s * x, s * y, s * z);
    Ok(Mat3::new(
        1.0 - (y * sy + z * sz),
        x * sy - w * sz,
        x * sz + w * sy,
        x * sy + w * sz,
        1.0 - (x * sx + z * sz),
        y * sz - w * sx,
        x * sz - w * sy,
        y * sz + w * sx,
        1.0 - (x * sx + y * sy),
    ))
}

impl<'de> Deserialize<'de> for KindRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KindVisitor;
        impl<'de> Visitor<'de> for KindVisitor {
            type Value = KindRequest;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(KindRequest::EXPECTED)
            }
            fn visit_str<E>(self, name: &str) -> Result<KindRequest, E> {
                Ok(KindRequest { name: name.to_owned(), args: Args::new() })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<KindRequest, A::Error> {
                KindRequest::from_map(map)
            }
        }
        deserializer.deserialize_any(KindVisitor)
    }
}

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

impl<'de> Deserialize<'de> for Parameter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ParameterVisitor;
        impl<'de> Visitor<'de> for ParameterVisitor {
            type Value = Parameter;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, an array of numbers or of such arrays, a word, a truth value or a box")
            }
            fn visit_bool<E>(self, x: bool) -> Result<Parameter, E> {
                Ok(Parameter(Value::Flag(x)))
            }
            fn visit_f64<E>(self, x: f64) -> Result<Parameter, E> {
                Ok(Parameter(Value::Number(x)))
            }
            fn visit_u64<E>(self, x: u64) -> Result<Parameter, E> {
                Ok(Parameter(Value::Number(x as f64)))
            }
            fn visit_i64<E>(self, x: i64) -> Result<Parameter, E> {
                Ok(Parameter(Value::Number(x as f64)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Parameter, E> {
                Ok(Parameter(Value::Text(text.to_owned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Parameter, A::Error> {
                let mut numbers = Vec::with_capacity(3);
                while let Some(Parameter(item)) = seq.next_element()? {
                    match item {
                        Value::Number(x) => numbers.push(x),
                        Value::Numbers(row) => numbers.extend(row),
                        _ => return Err(de::Error::custom("an array has numbers, or arrays of numbers")),
                    }
                }
                Ok(Parameter(Value::Numbers(numbers)))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Parameter, A::Error> {
                BoxOfSpace::from_map(map).map(|BoxOfSpace { min, max }| Parameter(Value::Region { min, max }))
            }
        }
        deserializer.deserialize_any(ParameterVisitor)
    }
}
