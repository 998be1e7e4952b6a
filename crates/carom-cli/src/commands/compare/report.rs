//! A comparison in words and numbers.

use std::fmt::Write;

use carom_results::Recorded;
use carom_results::compare::{Comparison, Difference, PointDifference, Times};
use serde_json::{Value, json};

use crate::human::{count, duration, si};
use crate::text::{Table, columns, hanging};

/// So many lines of a table are shown; JSON has all.
const MOST: usize = 15;

pub(super) fn text(c: &Comparison, runs: &[Recorded; 2], notes: &[String]) -> String {
    let mut text = String::new();
    for (letter, run) in ["a", "b"].iter().zip(runs) {
        let word = |key: &str| run.summary.get(key).map(shown).unwrap_or_default();
        let title = format!("{}, {}, rtol {}", word("title"), word("method"), word("rtol"));
        let _ = writeln!(text, "{letter}  {}    {title}", run.path.display());
    }
    notes.iter().for_each(|note| text += &hanging("note: ", note, columns()));
    text += &verdict(c);
    text.push('\n');
    text += &motion(c);
    text += &points(c);
    text += &summary(c);
    text
}

fn verdict(c: &Comparison) -> String {
    let n = c.t.len();
    let times = match c.times {
        Times::Common => format!("{} both have", count(n, "output time", "output times")),
        Times::Interpolated { which, error } => {
            let (fine, coarse) = if which == 0 { ("a", "b") } else { ("b", "a") };
            let of = count(n, "output time", "output times");
            format!(
                "{of} of {coarse}, {fine} interpolated there; below {error:.0e} of the scales no difference can be seen"
            )
        }
    };
    // two digits are enough of an estimate
    let trusted = format!("{:.1e}", c.times.trusted(c.tolerance)).replace(".0e", "e");
    let result = match (&c.first, c.same()) {
        (Some(first), _) => {
            let d = &c.differences[first.which];
            let share = first.difference / d.scale;
            format!(
                "they part at t = {}: {} by {}, {share:.1e} of its scale {}",
                precise(first.t),
                named(d),
                si(first.difference, d.unit),
                si(d.scale, d.unit)
            )
        }
        (None, true) => format!("the same within {trusted} of the scales"),
        (None, false) => format!("the motion is the same within {trusted} of the scales, but not all else"),
    };
    format!("{result}\n  compared at {times}, up to {}\n", duration(c.ends[0].min(c.ends[1])))
}

/// `velocity of ball`, `kinetic energy`.
fn named(d: &Difference) -> String {
    let quantity = d.quantity.replace('_', " ");
    if d.of == "energy" { format!("{quantity} energy") } else { format!("{quantity} of {}", d.of) }
}

/// `0.321 s`: nine digits, no rounding errors of the output times.
fn precise(t: f64) -> String {
    let text = format!("{t:.9}");
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

fn motion(c: &Comparison) -> String {
    let mut order: Vec<&Difference> = c.differences.iter().collect();
    let (bodies, energies): (Vec<&Difference>, Vec<&Difference>) =
        order.drain(..).partition(|d| d.of != "energy");
    let mut shown = bodies.clone();
    if bodies.len() > MOST {
        shown.sort_by(|x, y| y.relative().total_cmp(&x.relative()));
        shown.truncate(MOST);
    }
    let mut table = Table::new(["difference", "largest", "at", "RMS", "of scale"]);
    for d in shown.iter().chain(&energies) {
        let cells =
            [named(d), exact(d.max, d.unit), precise(d.at), exact(d.rms, d.unit), exact(d.relative(), "")];
        table.line(cells);
    }
    let more = match bodies.len().saturating_sub(shown.len()) {
        0 => String::new(),
        n => format!("  and {n} smaller ones of bodies\n"),
    };
    format!("{table}{more}")
}

/// `3.21e-7 m`: differences in powers of ten.
fn exact(x: f64, unit: &str) -> String {
    let number = if x == 0.0 { "0".to_owned() } else { format!("{x:.2e}") };
    format!("{number} {unit}").trim_end().to_owned()
}

fn points(c: &Comparison) -> String {
    if c.points.is_empty() {
        return "\n  no touches\n".to_owned();
    }
    let mut shown: Vec<&PointDifference> = c.points.iter().collect();
    if shown.len() > MOST {
        shown.sort_by(|x, y| {
            (x.same, y.shift).partial_cmp(&(y.same, x.shift)).unwrap_or(std::cmp::Ordering::Equal)
        });
        shown.truncate(MOST);
    }
    let mut table = Table::new(["touches of", "a", "b", "largest shift", "of speeds", "first alone"]);
    for p in &shown {
        let name =
            if p.feature.is_empty() { p.contact.clone() } else { format!("{} {}", p.contact, p.feature) };
        let alone = p.alone.map_or_else(|| "–".to_owned(), precise);
        let [a, b] = p.touches.map(|n| n.to_string());
        table.line([name, a, b, exact(p.shift, "s"), exact(p.speed, "m/s"), alone]);
    }
    let more = match c.points.len() - shown.len() {
        0 => String::new(),
        n => format!("  and {n} more\n"),
    };
    format!("\n{table}{more}")
}

fn summary(c: &Comparison) -> String {
    let mut table = Table::new(["summary", "a", "b", ""]);
    for (key, a, b) in &c.summary {
        let zero = |v: &Value| v.as_f64() == Some(0.0) || v.is_null();
        // counts of what a method does not do
        if (zero(a) && zero(b)) && ["jacobians", "factorisations", "rejected"].contains(key) {
            continue;
        }
        let mark = if a == b { "" } else { "≠" };
        table.line([key.replace('_', " "), shown(a), shown(b), mark.to_owned()]);
    }
    format!("\n{table}")
}

/// A value of a summary for people.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(n) if n.is_f64() => n.as_f64().map_or_else(String::new, |x| {
            if x != 0.0 && !(1e-3..1e6).contains(&x.abs()) {
                format!("{x:.5e}").replace(".00000e", "e")
            } else {
                format!("{}", (x * 1e9).round() / 1e9)
            }
        }),
        other => other.to_string(),
    }
}

pub(super) fn json(c: &Comparison, runs: &[Recorded; 2], notes: &[String]) -> Value {
    let first = c.first.as_ref().map(|f| {
        let d = &c.differences[f.which];
        json!({"t": f.t, "of": d.of, "quantity": d.quantity, "difference": f.difference, "unit": d.unit, "scale": d.scale})
    });
    let difference = |d: &Difference| json!({"of": d.of, "quantity": d.quantity, "unit": d.unit, "scale": d.scale, "max": d.max, "at": d.at, "rms": d.rms});
    let point = |p: &PointDifference| {
        json!({
            "contact": p.contact, "feature": p.feature, "touches": p.touches, "shift": p.shift, "speed": p.speed,
            "alone": p.alone, "same": p.same,
        })
    };
    let times = match c.times {
        Times::Common => json!({"how": "common", "count": c.t.len()}),
        Times::Interpolated { which, error } => json!({
            "how": "interpolated", "count": c.t.len(), "interpolated": if which == 0 { "a" } else { "b" }, "error": error,
        }),
    };
    json!({
        "a": runs[0].path.display().to_string(),
        "b": runs[1].path.display().to_string(),
        "tolerance": c.tolerance,
        "trusted": c.times.trusted(c.tolerance),
        "same": c.same(),
        "notes": notes,
        "times": times,
        "ends": c.ends,
        "first": first,
        "differences": c.differences.iter().map(difference).collect::<Vec<_>>(),
        "touches": c.points.iter().map(point).collect::<Vec<_>>(),
        "summary": c.summary.iter().map(|(key, a, b)| json!({"key": key, "a": a, "b": b})).collect::<Vec<_>>(),
    })
}
