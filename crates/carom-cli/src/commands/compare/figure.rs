//! Both runs over time, and their differences below.

use carom_plot::{Axis, Curve, Figure, Look, Panel};
use carom_results::compare::{Comparison, Difference};
use carom_results::{Recorded, Track};

/// So many bodies are drawn: those that differ most.
const MOST: usize = 3;
/// Kinds of lines: run a is full, run b dashed.
const LINES: [usize; 2] = [0, 1];
/// Colours of what is drawn, in the order of [`Look::of`].
const COMPONENTS: [(&str, usize); 3] = [("x", 0), ("y", 1), ("z", 6)];
const SPEED: (&str, usize) = ("speed", 2);
const ENERGIES: [(&str, usize); 2] = [("total", 4), ("kinetic", 3)];
const LOST: [(&str, usize); 2] = [("dissipated_normal", 5), ("dissipated_friction", 2)];
const DIFFERENCES: [(&str, usize); 4] =
    [("position", 0), ("velocity", 1), ("orientation", 2), ("stretch", 3)];

/// A column a body, and one for the energies: position, speed, differences.
pub(super) fn figure(c: &Comparison, runs: &[Recorded; 2]) -> Figure {
    let bodies = bodies(c, runs);
    let mut rows: [Vec<Panel>; 3] = Default::default();
    for name in &bodies {
        let tracks = [0, 1].map(|i| runs[i].tracks.iter().find(|t| t.name == *name));
        rows[0].push(positions(name, runs, &tracks));
        rows[1].push(speeds(runs, &tracks));
        rows[2].push(differences(c, |d| d.of == *name));
    }
    rows[0].push(energies("energy", "energy [J]", runs, ENERGIES));
    rows[1].push(energies("", "energy lost [J]", runs, LOST));
    rows[2].push(differences(c, |d| d.of == "energy"));
    let figure = legend(Figure::new(rows[0].len()).panel_size(410.0, 290.0), c, runs);
    rows.into_iter().flatten().fold(figure, Figure::panel)
}

/// The bodies both have that differ most.
fn bodies(c: &Comparison, runs: &[Recorded; 2]) -> Vec<String> {
    let worst = |name: &str| {
        let of = c.differences.iter().filter(|d| d.of == name);
        of.map(Difference::relative).fold(0.0, f64::max)
    };
    let known = |t: &&Track| c.differences.iter().any(|d| d.of == t.name);
    let mut names: Vec<String> = runs[0].tracks.iter().filter(known).map(|t| t.name.clone()).collect();
    if names.len() > MOST {
        names.sort_by(|a, b| worst(b).total_cmp(&worst(a)));
        names.truncate(MOST);
    }
    names
}

fn time() -> Axis {
    Axis::linear("t [s]")
}

/// A colour for a quantity, a kind of line for a run.
fn legend(figure: Figure, c: &Comparison, runs: &[Recorded; 2]) -> Figure {
    let name =
        |r: &Recorded| r.path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let named = ["a", "b"].iter().zip(runs).map(|(letter, run)| format!("{letter}: {}", name(run)));
    let figure = named.zip(LINES).fold(figure, |f, (label, line)| f.entry(label, Look::of(2, line)));
    let drawn = |name: &str| c.differences.iter().any(|d| d.quantity == name);
    let energies = ENERGIES.iter().chain(&LOST).filter(|(name, _)| drawn(name));
    let motions = COMPONENTS.iter().chain([&SPEED]).map(|(name, colour)| ((*name).to_owned(), *colour));
    let all = motions.chain(energies.map(|(name, colour)| (spoken(name), *colour)));
    let figure = all.fold(figure, |f, (label, colour)| f.entry(label, Look::of(colour, 0)));
    let of_motion = DIFFERENCES.iter().filter(|(name, _)| drawn(name));
    of_motion.fold(figure, |f, (name, colour)| f.entry(format!("Δ {name}"), Look::of(*colour, 2)))
}

fn spoken(energy: &str) -> String {
    match energy.strip_prefix("dissipated_") {
        Some("normal") => "lost to damping".to_owned(),
        Some(what) => format!("lost to {what}"),
        None => format!("{energy} energy"),
    }
}

/// A quantity of both runs.
fn both(colour: usize, series: [Option<Vec<(f64, f64)>>; 2]) -> Vec<Curve> {
    let curves = series.into_iter().zip(LINES);
    curves
        .filter_map(|(points, line)| Some(Curve::new("", points?, 0).look(Look::of(colour, line))))
        .collect()
}

fn over_time(t: &[f64], values: impl Iterator<Item = f64>) -> Vec<(f64, f64)> {
    t.iter().copied().zip(values).collect()
}

fn positions(name: &str, runs: &[Recorded; 2], tracks: &[Option<&Track>; 2]) -> Panel {
    let mut panel = Panel::new(time(), Axis::linear("position [m]")).title(name);
    for (k, (_, colour)) in COMPONENTS.iter().enumerate() {
        let series =
            [0, 1].map(|i| tracks[i].map(|t| over_time(&runs[i].t, t.position.iter().map(|p| p[k]))));
        panel = panel.curves(both(*colour, series));
    }
    panel
}

fn speeds(runs: &[Recorded; 2], tracks: &[Option<&Track>; 2]) -> Panel {
    let speed = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let series = [0, 1].map(|i| tracks[i].map(|t| over_time(&runs[i].t, t.velocity.iter().map(speed))));
    Panel::new(time(), Axis::linear("speed [m/s]")).curves(both(SPEED.1, series))
}

fn energies(title: &str, label: &str, runs: &[Recorded; 2], names: [(&str, usize); 2]) -> Panel {
    let mut panel = Panel::new(time(), Axis::linear(label)).title(title);
    for (name, colour) in names {
        let series = [0, 1].map(|i| {
            let (_, values) =
                runs[i].energies.iter().find(|(n, v)| n == name && v.iter().any(|x| *x != 0.0))?;
            Some(over_time(&runs[i].energy_t, values.iter().copied()))
        });
        panel = panel.curves(both(colour, series));
    }
    panel
}

/// Differences over their scales; nothing is drawn where there is none.
fn differences(c: &Comparison, of: impl Fn(&Difference) -> bool) -> Panel {
    let known = DIFFERENCES.iter().chain(&ENERGIES).chain(&LOST);
    let curves = known.filter_map(|(name, colour)| {
        let d = c.differences.iter().find(|d| of(d) && d.quantity == *name)?;
        let points = over_time(&c.t, d.series.iter().map(|x| x / d.scale));
        Some(Curve::new("", points, 0).look(Look::of(*colour, 2)))
    });
    let tolerance =
        [c.t.first(), c.t.last()].into_iter().flatten().map(|t| (*t, c.times.trusted(c.tolerance)));
    Panel::new(time(), Axis::log("difference/scale [1]"))
        .curves(curves)
        .curve(Curve::new("tolerance", tolerance.collect(), 0).look(Look::faint()))
}
