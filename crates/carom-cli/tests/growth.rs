//! How the time of the program grows with what it is given: a table for the book, by `cargo xtask verify growth`.
//!
//! Times are those of the processor, as the shell counts them. `CAROM_PROGRAM` names another program to measure, an older one say.
#![cfg(unix)]

use std::fmt::Write;
use std::fs;
use std::process::Command;

use crate::common::Place;

/// What is done with inputs of four sizes, each twice the one before: makes the input in a folder, and returns the arguments of the program.
struct Job {
    what: &'static str,
    least: usize,
    make: fn(&Place, usize) -> Vec<String>,
}

const JOBS: [Job; 7] = [
    Job { what: "bodies, checked", least: 12_500, make: bodies },
    Job { what: "free bodies, run for a second", least: 1_250, make: free },
    Job { what: "bodies and forces that name them, checked", least: 1_250, make: names },
    Job { what: "rows of a table, drawn", least: 500_000, make: rows },
    Job { what: "triangles of a mesh, welded and checked", least: 62_500, make: triangles },
    Job { what: "keys of a JSON object, checked", least: 12_500, make: keys },
    Job { what: "terms of an expression, checked", least: 25_000, make: terms },
];

/// What has taken longer than this [s] is not done with twice as much.
const LONG: f64 = 100.0;

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn write(place: &Place, name: &str, text: impl AsRef<[u8]>) {
    fs::write(place.path(name), text).unwrap();
}

/// Numbers that look random, between 0 and 1.
fn noise(i: usize) -> f64 {
    (i as f64 * 0.618_033_988_749_895).fract()
}

fn ball(i: usize) -> String {
    let at = [i % 100, i / 100 % 100, i / 10_000].map(|n| 0.05 * n as f64 + 0.03);
    let v = [noise(i), noise(i + 7), noise(i + 31)];
    format!(
        "[[body]]\nname = \"ball{i}\"\nmass = 0.1\nposition = {at:?}\nvelocity = {v:?}\nsurface = [{{ type = \"sphere\", radius = 0.02 }}]\n"
    )
}

fn bodies(place: &Place, n: usize) -> Vec<String> {
    let balls: String = (0..n).map(ball).collect();
    let floor = "[[body]]\nname = \"floor\"\nfixed = true\nsurface = [{ type = \"plane\" }]\n";
    let rule = "[[contact]]\nbetween = [\"*\", \"*\"]\nnormal = { law = \"hertz\", stiffness = 1e6 }\n";
    write(place, "a.toml", format!("run.duration = 1\n{balls}{floor}{rule}"));
    words("check a.toml")
}

fn free(place: &Place, n: usize) -> Vec<String> {
    let balls: String = (0..n).map(ball).collect();
    write(place, "a.toml", format!("run.duration = 1\n{balls}"));
    words("run -q a.toml -o run --force")
}

fn names(place: &Place, n: usize) -> Vec<String> {
    let one = |i: usize| {
        let force = format!("[[force]]\ntype = \"load\"\nbody = \"ball{}\"\nforce = [1, 0, 0]\n", n - 1 - i);
        ball(i) + &force
    };
    let all: String = (0..n).map(one).collect();
    write(place, "a.toml", format!("run.duration = 1\n{all}"));
    words("check a.toml")
}

fn rows(place: &Place, n: usize) -> Vec<String> {
    write(place, "a.toml", format!("run = {{ duration = 1, output_every = 1 }}\n{}", ball(0)));
    place.carom(&["run", "-q", "a.toml", "-o", "run", "--force"]).done();
    for table in ["states", "energy", "momentum"] {
        let path = place.path(&format!("run/{table}.csv"));
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        let header = lines.next().unwrap();
        let columns = header.split(',').count();
        let mut out = format!("{header}\n");
        for i in 0..n {
            let (t, x) = (i as f64 / n as f64, noise(i) + (20.0 * i as f64 / n as f64).sin());
            out += &format!("{t}{}\n", format!(",{x:.4}").repeat(columns - 1));
        }
        fs::write(path, out).unwrap();
    }
    words("plot run ball0.z -o a.svg")
}

/// A ball in STL, each triangle with corners of its own.
fn triangles(place: &Place, n: usize) -> Vec<String> {
    let rows = ((n as f64 / 4.0).sqrt().round() as usize).max(4);
    let around = (n / (2 * (rows - 1))).max(4);
    let corner = |i: usize, j: usize| {
        let (up, about) = (
            std::f64::consts::PI * i as f64 / rows as f64,
            std::f64::consts::TAU * (j % around) as f64 / around as f64,
        );
        let (r, z) =
            if i == 0 || i == rows { (0.0, if i == 0 { 1.0 } else { -1.0 }) } else { (up.sin(), up.cos()) };
        [r * about.cos(), r * about.sin(), z].map(|x| (0.02 * x) as f32)
    };
    let mut all = Vec::new();
    for i in 0..rows {
        for j in 0..around {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            if i + 1 < rows {
                all.push([a, b, c]);
            }
            if i > 0 {
                all.push([a, c, d]);
            }
        }
    }
    let mut stl = vec![0; 80];
    stl.extend((all.len() as u32).to_le_bytes());
    for triangle in all {
        stl.extend([0; 12]);
        triangle.iter().flatten().for_each(|x| stl.extend(x.to_le_bytes()));
        stl.extend([0; 2]);
    }
    write(place, "ball.stl", stl);
    let body = "[[body]]\nname = \"mesh\"\ndensity = 1000\nposition = [0, 0, 1]\nsurface = [{ type = \"mesh\", file = \"ball.stl\" }]\n";
    let rule =
        "[[contact]]\nbetween = [\"mesh\", \"ball0\"]\nnormal = { law = \"hertz\", stiffness = 1e6 }\n";
    write(place, "a.toml", format!("run.duration = 0.1\n{}{body}{rule}", ball(0)));
    words("check a.toml")
}

fn keys(place: &Place, n: usize) -> Vec<String> {
    let mut text = "{\"run\": {\"duration\": 1}, \"body\": [{\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1]}], \"parameter\": {".to_owned();
    for i in 0..n {
        write!(text, "{}\"p{i}\": {i}", if i == 0 { "" } else { ", " }).unwrap();
    }
    write(place, "a.json", text + "}}");
    words("check a.json")
}

fn terms(place: &Place, n: usize) -> Vec<String> {
    let sum = "+1".repeat(n - 1);
    let body = format!("[[body]]\nname = \"b\"\nmass = \"= 1{sum}\"\ninertia = [1, 1, 1]\n");
    write(place, "a.toml", format!("run.duration = 1\n{body}"));
    words("check a.toml")
}

/// Returns the processor time of the program [s]; `None` if it failed.
fn time(place: &Place, args: &[String]) -> Option<f64> {
    let program = std::env::var("CAROM_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_carom").to_owned());
    let script = "ulimit -t 400; \"$@\" > said 2>&1 || exit 1; times";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", &program]).args(args).current_dir(place.path(""));
    let out = command.output().unwrap();
    // (the second line is that of what the shell has called: 0m1.23s of its own and 0m0.04s of the system for it)
    let text = String::from_utf8(out.stdout).unwrap();
    let seconds = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    };
    let both: Option<Vec<f64>> = text.lines().nth(1)?.split(' ').map(seconds).collect();
    both.filter(|_| out.status.success()).map(|both| both.iter().sum())
}

#[test]
#[ignore = "a table for the book: cargo xtask verify growth"]
fn growth_by_doubling() {
    let place = Place::new("growth");
    println!("| what | n | time [s] at n, 2n, 4n, 8n | last doubling |\n|---|---|---|---|");
    for Job { what, least, make } in JOBS {
        let (mut shown, mut last) = (Vec::new(), Vec::new());
        for i in 0..4 {
            if last.last().is_some_and(|t: &f64| *t > LONG) {
                break;
            }
            let args = make(&place, least << i);
            let Some(took) = time(&place, &args) else {
                let said = fs::read_to_string(place.path("said")).unwrap_or_default();
                shown.push(format!("– ({})", said.lines().next().unwrap_or("killed")));
                break;
            };
            shown.push(format!("{took:.2}"));
            last.push(took);
        }
        let growth = match last[..] {
            [.., a, b] if a > 0.0 => format!("{:.2}", b / a),
            _ => "–".to_owned(),
        };
        println!("| {what} | {least} | {} | {growth} |", shown.join(", "));
    }
}
