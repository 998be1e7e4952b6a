//! Writes a film in the form that the viewer's page reads: a JSON text that describes the data, followed by the numbers.
//!
//! The numbers are little-endian, in one base 64 text: 64-bit floats for times and series, 32-bit floats and unsigned integers
//! otherwise. The JSON refers to them by the position of their first byte and their count.

use carom::Glyph;
use serde_json::{Value, json};

use super::{Bounds, Film, FilmBody, Look, Motion, Part};

/// The viewer, built from `viewer/`; `cargo xtask test` checks that it is current.
const VIEWER: &str = include_str!("../../../../viewer/dist/index.html");
/// The mark in the viewer that the film replaces.
const PLACE: &str = "<!--carom:film-->";

/// A film in the form that the viewer's page reads.
#[derive(Clone, Debug)]
pub struct Page {
    /// JSON text without `<`, so that it is valid within an element of HTML whatever names it contains
    pub film: String,
    /// the numbers in base 64
    pub numbers: String,
}

impl Film {
    /// Returns the whole HTML page: the viewer with the film in it.
    ///
    /// ```
    /// let page = carom_results::film::Film::default().html();
    /// assert!(page.starts_with("<!doctype html>") && page.contains("carom-film"));
    /// ```
    pub fn html(&self) -> String {
        let page = self.page();
        let (before, after) = VIEWER.split_once(PLACE).unwrap_or((VIEWER, ""));
        [
            before,
            "<script type=\"application/json\" id=\"carom-film\">",
            &page.film,
            "</script>\n<script type=\"text/plain\" id=\"carom-numbers\">",
            &page.numbers,
            "</script>",
            after,
        ]
        .concat()
    }

    /// Returns the film in the form that the viewer's page reads.
    ///
    /// ```
    /// use carom_results::film::Film;
    /// let page = Film { title: "</script><b>".to_owned(), ..Film::default() }.page();
    /// assert!(!page.film.contains('<'));
    /// ```
    pub fn page(&self) -> Page {
        let mut numbers = Numbers::default();
        let out = json!({
            "title": self.title,
            "notices": self.notices,
            "t": numbers.f64(self.t.iter().copied()),
            "meshes": self.meshes.iter().map(|m| json!({
                "vertices": numbers.f32(m.vertices.iter().flatten().copied()),
                "normals": numbers.f32(m.normals.iter().flatten().copied()),
                "triangles": numbers.u32(m.triangles.iter().flatten().copied()),
            })).collect::<Vec<_>>(),
            "bodies": self.bodies.iter().map(|b| body(b, &mut numbers)).collect::<Vec<_>>(),
            "probes": self.probes.iter().map(|p| json!({
                "name": p.name,
                "position": numbers.f32(p.position.iter().flatten().copied()),
                "velocity": numbers.f32(p.velocity.iter().flatten().copied()),
            })).collect::<Vec<_>>(),
            "joints": self.joints.iter().map(|j| json!({
                "name": j.name,
                "kind": j.kind,
                "glyph": glyph(&j.glyph),
                "bodies": j.bodies,
                "points": j.points,
                "axis": j.axis,
                "force": numbers.f32(j.force.iter().flatten().copied()),
                "couple": numbers.f32(j.couple.iter().flatten().copied()),
            })).collect::<Vec<_>>(),
            "lines": self.lines.iter().map(|l| json!({
                "name": l.name, "bodies": l.bodies, "points": l.points,
            })).collect::<Vec<_>>(),
            "actions": self.actions.iter().map(|a| json!({
                "name": a.name,
                "bodies": a.bodies,
                "points": a.points,
                "bushing": a.bushing,
                "end": a.end,
                "force": numbers.f32(a.force.iter().flatten().copied()),
                "couple": numbers.f32(a.couple.iter().flatten().copied()),
            })).collect::<Vec<_>>(),
            "fields": self.fields.iter().map(|f| json!({
                "name": f.name,
                "bodies": f.bodies,
                "position": f.plane.p.as_slice(),
                "normal": f.plane.axis(2).as_slice(),
                "tractions": numbers.f64(f.tractions.iter().flatten().copied()),
                "damping": numbers.f64(f.damping.iter().flatten().copied()),
            })).collect::<Vec<_>>(),
            "contacts": self.contacts_json(&mut numbers),
            "events": self.events.iter().map(|e| json!({
                "t": e.t, "kind": e.kind, "contact": e.contact, "feature": e.feature, "speed": finite(e.speed),
            })).collect::<Vec<_>>(),
            "series": self.series.iter().map(|s| json!({
                "name": s.name, "group": s.group, "unit": s.unit, "values": numbers.f64(s.values.iter().copied()),
            })).collect::<Vec<_>>(),
            "bounds": bounds(&self.bounds),
            "start": bounds(&self.start_bounds),
            "gravity": self.gravity,
            "modes": self.modes.iter().map(|m| json!({
                "kind": m.kind,
                "frequency": m.frequency,
                "damping_ratio": m.damping_ratio,
                "shape": m.shape,
                "first": m.frames.start,
                "last": m.frames.end.saturating_sub(1),
            })).collect::<Vec<_>>(),
        });
        // in JSON strings `<` may be written as an escape; elsewhere it does not occur
        Page { film: out.to_string().replace('<', "\\u003c"), numbers: base64(&numbers.bytes) }
    }

    fn contacts_json(&self, numbers: &mut Numbers) -> Value {
        let points = &self.contact_points;
        json!({
            "names": self.contact_names,
            "features": self.feature_names,
            "starts": numbers.u32(self.contact_starts.iter().map(|i| *i as u32)),
            "contact": numbers.u32(points.iter().map(|c| c.contact as u32)),
            "feature": numbers.u32(points.iter().map(|c| c.feature as u32)),
            // point, normal, indentation, normal force, friction force, couple
            "values": numbers.f32(points.iter().flat_map(|c| {
                let c = &c.at;
                let [p, n, f, m] = [c.point, c.normal, c.f_t, c.couple];
                [p[0], p[1], p[2], n[0], n[1], n[2], c.delta, c.f_n, f[0], f[1], f[2], m[0], m[1], m[2]]
            })),
        })
    }
}

fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

fn bounds(b: &Bounds) -> Value {
    if b.diagonal() > 0.0 { json!([b.min, b.max]) } else { Value::Null }
}

fn glyph(g: &Glyph) -> Value {
    match g {
        Glyph::Ball { radius } => json!({ "shape": "ball", "radius": radius }),
        Glyph::Cylinder { radius, length } => {
            json!({ "shape": "cylinder", "radius": radius, "length": length })
        }
        Glyph::Box { edges } => json!({ "shape": "box", "edges": edges }),
        Glyph::Octahedron { radius } => json!({ "shape": "octahedron", "radius": radius }),
        Glyph::Rod { radius } => json!({ "shape": "rod", "radius": radius }),
    }
}

fn body(b: &FilmBody, numbers: &mut Numbers) -> Value {
    let parts: Vec<Value> = b.parts.iter().map(|p| part(p, numbers)).collect();
    let mut out = json!({ "name": b.name, "colour": b.colour, "free": b.free, "parts": parts });
    match &b.motion {
        Motion::Fixed(p, q) => out["fixed"] = json!([p, q]),
        Motion::Moving(track) => {
            let (p, v) = (track.position.iter().flatten(), track.velocity.iter().flatten());
            out["position"] = numbers.f32(p.copied());
            out["velocity"] = numbers.f32(v.copied());
            if let Some(r) = &track.rotation {
                out["quaternion"] = numbers.f32(r.quaternion.iter().flatten().copied());
                out["spin"] = numbers.f32(r.angular_velocity.iter().flatten().copied());
            }
            if let Some(d) = &track.deformation {
                out["deformation"] = numbers.f32(d.f.iter().flatten().copied());
                out["deformation_rate"] = numbers.f32(d.f_dot.iter().flatten().copied());
            }
        }
    }
    out
}

fn part(p: &Part, numbers: &mut Numbers) -> Value {
    let look = match p.look {
        Look::Solid => "solid",
        Look::Shell => "shell",
        Look::Plane => "plane",
        Look::Decoration => "decoration",
    };
    let r = &p.pose.r;
    let rows: Vec<f64> = (0..3).flat_map(|i| [r[(i, 0)], r[(i, 1)], r[(i, 2)]]).collect();
    json!({
        "name": p.name,
        "kind": p.kind,
        "mesh": p.mesh,
        "look": look,
        "position": p.pose.p.as_slice(),
        "rotation": rows,
        "slices": p.slices.iter().map(|s| numbers.f32(s.iter().flatten().copied())).collect::<Vec<_>>(),
    })
}

/// The numbers of a film, one after the other.
#[derive(Default)]
struct Numbers {
    bytes: Vec<u8>,
}

impl Numbers {
    /// Adds numbers and returns `[first byte, count]`.
    fn put<const N: usize>(&mut self, all: impl Iterator<Item = [u8; N]>) -> Value {
        // typed arrays must begin at multiples of their size
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let start = self.bytes.len();
        all.for_each(|b| self.bytes.extend(b));
        json!([start, (self.bytes.len() - start) / N])
    }

    fn f32(&mut self, all: impl Iterator<Item = f64>) -> Value {
        self.put(all.map(|x| (x as f32).to_le_bytes()))
    }

    fn f64(&mut self, all: impl Iterator<Item = f64>) -> Value {
        self.put(all.map(f64::to_le_bytes))
    }

    fn u32(&mut self, all: impl Iterator<Item = u32>) -> Value {
        self.put(all.map(u32::to_le_bytes))
    }
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes bytes in base 64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let all = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let letter = LETTERS[(all >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= three.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Film, PLACE, VIEWER, base64};

    #[test]
    fn the_viewer_has_one_place_for_a_film_and_asks_for_nothing() {
        assert_eq!(VIEWER.matches(PLACE).count(), 1);
        assert!(!VIEWER.contains("src=\"") && !VIEWER.contains("rel=\"stylesheet\""));
    }

    #[test]
    fn names_stay_text() {
        let title = "</script><img src=x onerror=alert(1)>".to_owned();
        let empty = Film::default().html();
        let page = Film { title, ..Film::default() }.html();
        assert_eq!(page.matches("</script>").count(), empty.matches("</script>").count());
        assert!(!page.contains("<img"));
    }

    #[test]
    fn base_64_is_that_of_the_rfc() {
        let expected = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        for (n, text) in expected.iter().enumerate() {
            assert_eq!(base64(&b"foobar"[..n]), *text);
        }
    }
}
