//! Answers queries for the distance between surfaces: reads one JSON object per line, writes one per line.
//!
//! Input: two surfaces with the keys of a scene (`"side":"inside"` for a cavity), and their poses; a missing pose is that of
//! the world. The `file` of a `mesh` is relative to the current folder. `solver` chooses the algorithm, otherwise the first that supports the surfaces is used: its name, or an object
//! with its `type` and parameters, as in a scene. An `id` is returned with the answer; other keys are ignored.
//!
//! ```json
//! {"a":{"type":"box","size":[2,2,2]},"b":{"type":"sphere","radius":1},
//!  "pose_b":{"position":[0,0,2.5],"quaternion":[1,0,0,0]}}
//! ```
//!
//! Output, in the world frame and SI units:
//!
//! | key | value |
//! |---|---|
//! | `distance` | distance between the surfaces, negative on overlap |
//! | `point_a`, `point_b` | the closest points, or the deepest |
//! | `normal` | the unit normal there, out of a into b (for a cavity: from its wall into it) |
//! | `method` | the algorithm that gave the answer |
//! | `iterations` | its number of iterations; 0 for a closed form |
//! | `unique` | false if other points are equally close |
//! | `certified` | true if bounds from both sides show that nothing is closer, as of convex solids; false of what was found by searching a surface, or by a formula alone (some convex solids deep in one another, as a ball on the axis of a cone) |
//! | `bounds` | if certified: two numbers that the distance is certainly between |
//! | `contacts` | all possible contact points of the pair, closest first, each with its name and the same keys |
//!
//! With `"all":true`, for two ellipsoids or balls from outside, the answer has two more keys:
//!
//! | key | value |
//! |---|---|
//! | `common_normals` | every line that meets both surfaces at right angles: first the one of `distance`, then by the distance of the points |
//! | `complete` | true if there are certainly no others; false if some are not isolated, as circles of them about a common axis |
//!
//! Each common normal has `distance`, `point_a`, `point_b` and `normal` (out of a; the distance is along it, from a), `kind` (`nearest`, `furthest` or `saddle`
//! among the pairs of points near by), `index` (in how many directions of four the distance of the points falls) and `opposite` (whether the outward
//! normals are opposite, as where surfaces touch from outside).
//!
//! Every pair of surfaces has a distance, but for two that both go on without end: a plane, the inside of a closed surface. Overlapping surfaces that have
//! a distance of their own in motion (see the pairs) give that; others, meshes among them, the depth of the deepest point of either surface below the other, and other convex solids the shortest way out.
//!
//! A line that cannot be read, or a pair without a distance, gives `{"error":"…"}`, and the next line follows.
//!
//! ```
//! let mut out = Vec::new();
//! let line = br#"{"a":{"type":"plane"},"b":{"type":"sphere","radius":1},"pose_b":{"position":[0,0,1.5]}}"#;
//! carom_studies::query::Query::default().answer(line, &mut out);
//! assert!(out.starts_with(br#"{"distance":0.5,"point_a":[0,0,0],"point_b":[0,0,0.5],"normal":[0,0,1],"#));
//! ```

mod common_normals;
mod request;
mod unique;

use std::io::{self, BufRead, Write};

use carom::base::Vec3;
use carom::geometry::{BoundPair, Contact, Found, pairs};

use carom_base::number::push_number;
use carom_scene::Own;
pub use request::rotation;
use request::{KindRequest, Request, SurfaceRequest};

/// Both surfaces, and the algorithm to use if one is given.
type Asked = (SurfaceRequest, SurfaceRequest, Option<KindRequest>);

/// Answers lines. It keeps the pair of the last line, for lines that only move the same two surfaces.
#[derive(Debug, Default)]
pub struct Query {
    last: Option<(Asked, Box<dyn BoundPair>)>,
    contacts: Vec<(usize, Contact)>,
}

impl Query {
    /// Appends the answer to a line, and a newline. Returns false if the answer is an error.
    pub fn answer(&mut self, line: &[u8], out: &mut Vec<u8>) -> bool {
        let start = out.len();
        let mut id = None;
        let error = match Request::read(line, &mut id) {
            Ok(request) => match self.solve(request, id, out) {
                Ok(()) => return true,
                Err(error) => error,
            },
            Err(error) => error,
        };
        out.truncate(start);
        out.push(b'{');
        push_id(out, id);
        out.extend_from_slice(b"\"error\":");
        push_text(out, &error);
        out.extend_from_slice(b"}\n");
        false
    }

    fn solve(&mut self, request: Request, id: Option<&str>, out: &mut Vec<u8>) -> Result<(), String> {
        let Request { a, b, solver, pose_a, pose_b, all } = request;
        let asked = (a, b, solver);
        let all = match all {
            true => Some(common_normals::of(&asked.0, &asked.1, &pose_a, &pose_b)?),
            false => None,
        };
        let fresh = match self.last.take() {
            Some((last, pair)) if last == asked => pair,
            _ => bound(&asked, &Own::default())?,
        };
        let (_, pair) = &*self.last.insert((asked, fresh));
        self.contacts.clear();
        let found = pair.search(&pose_a, &pose_b, None).map_err(|e| e.to_string())?;
        let nearest = found.contact;
        // bodies that overlap deeply have closest points, but not every contact point
        match pair.features() {
            1 => self.contacts.push((0, nearest)),
            n => self
                .contacts
                .extend((0..n).filter_map(|k| Some((k, pair.contact(k, &pose_a, &pose_b).ok()?)))),
        }
        self.contacts.sort_by(|a, b| b.1.delta.total_cmp(&a.1.delta));
        // a search over a whole surface has seen all places: others are not asked for again
        let unique = match found.steps == 0 || found.certified() || pair.is_iterative() {
            true => unique::is_unique(pair.as_ref(), &nearest, &self.contacts, &pose_a, &pose_b),
            false => found.unique,
        };
        write_answer(out, id, pair.as_ref(), &found, &self.contacts, unique);
        if let Some(all) = all {
            out.truncate(out.len() - "}\n".len());
            common_normals::push(out, &all);
            out.extend_from_slice(b"}\n");
        }
        Ok(())
    }
}

/// Makes the pair that a line describes, for use with many poses; poses in the line are ignored.
///
/// ```
/// use carom::base::{Pose, Vec3};
/// let pair = carom_studies::query::bind(br#"{"a":{"type":"plane"},"b":{"type":"sphere","radius":1}}"#)?;
/// let found = pair.search(&Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 1.5)), None).unwrap();
/// assert_eq!(found.contact.delta, -0.5);
/// # Ok::<(), String>(())
/// ```
pub fn bind(line: &[u8]) -> Result<Box<dyn BoundPair>, String> {
    bind_with(line, &Own::default())
}

/// Makes the pair that a line describes, as [`bind`] does, with user-defined surfaces: `{"type": "own", "object": "NAME"}`.
///
/// ```
/// use std::sync::Arc;
/// use carom::base::{Pose, Vec3};
/// use carom::geometry::{Region, surfaces::LevelFunction};
/// let ball = LevelFunction::new(Region::new([-1.2; 3], [1.2; 3])?, |x| x.norm_squared() - 1.0)?;
/// let own = carom_scene::Own::default().with_surface("ball", Arc::new(ball));
/// let line = br#"{"a":{"type":"plane"},"b":{"type":"own","object":"ball"}}"#;
/// let pair = carom_studies::query::bind_with(line, &own)?;
/// let found = pair.search(&Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 1.5)), None)?;
/// assert!((found.contact.delta + 0.5).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bind_with(line: &[u8], own: &Own) -> Result<Box<dyn BoundPair>, String> {
    let Request { a, b, solver, .. } = Request::read(line, &mut None)?;
    bound(&(a, b, solver), own)
}

/// Makes the pair that is asked for.
fn bound((a, b, solver): &Asked, own: &Own) -> Result<Box<dyn BoundPair>, String> {
    let (a, b) = (a.shape("a", own)?, b.shape("b", own)?);
    let pair = match solver {
        Some(solver) => pairs::bind_by(solver.made("solver", "solver", pairs::NAMED, &[])?.as_ref(), &a, &b),
        None => pairs::bind_for_query(&a, &b),
    };
    pair.map_err(|e| e.to_string())
}

fn write_answer(
    out: &mut Vec<u8>,
    id: Option<&str>,
    pair: &dyn BoundPair,
    found: &Found,
    contacts: &[(usize, Contact)],
    unique: bool,
) {
    out.push(b'{');
    push_id(out, id);
    push_contact(out, &found.contact);
    out.extend_from_slice(b",\"method\":");
    push_text(out, found.solver);
    out.extend_from_slice(b",\"iterations\":");
    push_number(out, found.steps as f64);
    out.extend_from_slice(b",\"unique\":");
    push_truth(out, unique);
    out.extend_from_slice(b",\"certified\":");
    push_truth(out, found.certified());
    if let Some(bounds) = found.bounds {
        out.extend_from_slice(b",\"bounds\":");
        push_numbers(out, &bounds);
    }
    out.extend_from_slice(b",\"contacts\":[");
    for (i, (k, contact)) in contacts.iter().enumerate() {
        out.extend_from_slice(if i == 0 { b"{\"feature\":" } else { b",{\"feature\":" });
        push_text(out, &pair.feature_name(*k));
        out.push(b',');
        push_contact(out, contact);
        out.push(b'}');
    }
    out.extend_from_slice(b"]}\n");
}

/// Writes `"distance":…,"point_a":…,"point_b":…,"normal":…`.
fn push_contact(out: &mut Vec<u8>, contact: &Contact) {
    out.extend_from_slice(b"\"distance\":");
    push_number(out, 0.0 - contact.delta); // not −delta, which would give −0 for a zero
    out.extend_from_slice(b",\"point_a\":");
    push_vector(out, &contact.p_a);
    out.extend_from_slice(b",\"point_b\":");
    push_vector(out, &contact.p_b);
    out.extend_from_slice(b",\"normal\":");
    push_vector(out, &contact.n);
}

fn push_truth(out: &mut Vec<u8>, truth: bool) {
    out.extend_from_slice(if truth { b"true" } else { b"false" });
}

fn push_vector(out: &mut Vec<u8>, v: &Vec3) {
    push_numbers(out, v.as_slice());
}

fn push_numbers(out: &mut Vec<u8>, all: &[f64]) {
    for (i, x) in all.iter().enumerate() {
        out.push(if i == 0 { b'[' } else { b',' });
        push_number(out, *x + 0.0); // turns −0 into 0
    }
    out.push(b']');
}

fn push_text(out: &mut Vec<u8>, text: &str) {
    if text.bytes().all(|b| b >= 0x20 && b != b'"' && b != b'\\') {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(serde_json::Value::from(text).to_string().as_bytes());
    }
}

fn push_id(out: &mut Vec<u8>, id: Option<&str>) {
    if let Some(id) = id {
        out.extend_from_slice(b"\"id\":");
        out.extend_from_slice(id.as_bytes());
        out.push(b',');
    }
}

/// A line is not longer \[bytes\]: a polyhedron of a hundred thousand corners has room.
const LONGEST: usize = 16 << 20;

/// The numbers of answered lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// lines with a distance
    pub answers: usize,
    /// lines with an error
    pub errors: usize,
}

/// The reason why a stream of lines broke off.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// reading failed
    #[error("{0}")]
    Read(io::Error),
    /// writing failed
    #[error("{0}")]
    Write(io::Error),
}

/// Answers all lines of the input. All lines received so far are answered before it waits for more.
pub fn answer_all(input: &mut dyn BufRead, output: &mut dyn Write) -> Result<Count, StreamError> {
    let (mut query, mut count) = (Query::default(), Count::default());
    let (mut rest, mut out) = (Vec::new(), Vec::new());
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(StreamError::Read(e)),
        };
        let mut answer = |line: &[u8], out: &mut Vec<u8>| match query.answer(line, out) {
            true => count.answers += 1,
            false => count.errors += 1,
        };
        let end = chunk.is_empty();
        for piece in chunk.split_inclusive(|b| *b == b'\n') {
            match piece.strip_suffix(b"\n") {
                None => rest.extend_from_slice(piece),
                Some(line) if rest.is_empty() => answer(line, &mut out),
                Some(tail) => {
                    rest.extend_from_slice(tail);
                    answer(&rest, &mut out);
                    rest.clear();
                }
            }
        }
        if end && !rest.is_empty() {
            answer(&rest, &mut out);
        }
        let used = chunk.len();
        input.consume(used);
        if rest.len() > LONGEST {
            return Err(StreamError::Read(io::Error::other(format!(
                "line {} is longer than {} MB: that is no query",
                count.answers + count.errors + 1,
                LONGEST >> 20
            ))));
        }
        output.write_all(&out).and_then(|()| output.flush()).map_err(StreamError::Write)?;
        out.clear();
        if end {
            return Ok(count);
        }
    }
}
