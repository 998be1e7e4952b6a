//! Figures and how they are printed: as Markdown.

use crate::Contender;
use crate::ball::Outcome;
use crate::peer::Peer;

/// The energy errors to be reached.
pub(crate) const CLASSES: [f64; 4] = [1e-3, 1e-6, 1e-9, 1e-12];

/// What is known of a contender at a tolerance.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    pub(crate) contender: Contender,
    pub(crate) rtol: f64,
    outcome: Outcome,
    /// energy error in flight
    pub(crate) error: f64,
    /// runs per measurement
    pub(crate) batch: usize,
    /// CPU time of a run [s], one a round
    pub(crate) times: Vec<f64>,
}

impl Figures {
    pub(crate) fn new(contender: Contender, rtol: f64, (outcome, error): (Outcome, f64)) -> Figures {
        Figures { contender, rtol, outcome, error, batch: 1, times: Vec::new() }
    }

    /// The same, not yet measured.
    pub(crate) fn anew(&self) -> Figures {
        Figures { times: Vec::new(), ..self.clone() }
    }

    /// The fastest measurement: what the others add is the machine's.
    pub(crate) fn least(&self) -> f64 {
        least(&self.times)
    }
}

fn median(values: &[f64]) -> f64 {
    let mut v = values.to_vec();
    v.sort_by(f64::total_cmp);
    v.get(v.len() / 2).copied().unwrap_or(f64::NAN)
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The median of the ratios round by round: what slows the machine down in a round hits both.
fn ratio(a: &[f64], b: &[f64]) -> f64 {
    median(&a.iter().zip(b).map(|(a, b)| a / b).collect::<Vec<_>>())
}

/// `median (minimum)` [ms].
fn milliseconds(seconds: &[f64]) -> String {
    format!("{:.3} ({:.3})", 1e3 * median(seconds), 1e3 * least(seconds))
}

/// Every contender at every tolerance.
pub(crate) fn tolerances(all: &[Figures]) {
    println!("CPU ms of a run, median (minimum); energy error; evaluations:\n");
    println!("| rtol | a: carom | | | b: same integrator, hand-written ball | | | c: bare loop | | |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for row in all.chunks(Contender::ALL.len()) {
        let cells = row
            .iter()
            .map(|f| format!(" {} | {:.1e} | {} |", milliseconds(&f.times), f.error, f.outcome.evaluations));
        println!("| {:.0e} |{}", row[0].rtol, cells.collect::<String>());
    }
}

/// The cheapest settings, side by side.
pub(crate) fn classes(best: &[[Option<Figures>; 3]]) {
    println!("\nThe cheapest setting that reaches an energy error, ms and (rtol, evaluations):\n");
    println!(
        "| energy error | a: carom | b: same integrator, hand-written ball | c: bare loop | a/b | a/c |"
    );
    println!("|---|---|---|---|---|---|");
    for (class, row) in CLASSES.iter().zip(best) {
        let cell = |f: &Option<Figures>| match f {
            None => "not reached".to_owned(),
            Some(f) => {
                format!("{:.3} ({:.0e}, {})", 1e3 * median(&f.times), f.rtol, f.outcome.evaluations)
            }
        };
        let [a, b, c] = row;
        let over = |other: &Option<Figures>| match (a, other) {
            (Some(a), Some(other)) => format!("{:.2}", ratio(&a.times, &other.times)),
            _ => "–".to_owned(),
        };
        println!("| {class:.0e} | {} | {} | {} | {} | {} |", cell(a), cell(b), cell(c), over(b), over(c));
    }
}

/// Carom beside Exudyn.
pub(crate) fn peer(best: &[[Option<Figures>; 3]], peer: &Peer) {
    println!("\nExudyn {}, its cheapest settings in the same class:\n", peer.version);
    println!("| energy error | carom, ms | Exudyn, ms | its setting | its energy error | Exudyn / carom |");
    println!("|---|---|---|---|---|---|");
    for (class, [a, ..]) in CLASSES.iter().zip(best) {
        let carom = a.as_ref().map_or("not reached".to_owned(), |a| milliseconds(&a.times));
        let mut reached = false;
        for s in peer.settings.iter().filter(|s| s.class == *class) {
            reached = true;
            let over = a.as_ref().map_or("–".to_owned(), |a| format!("{:.1}", ratio(&s.times, &a.times)));
            let ms = milliseconds(&s.times);
            println!("| {class:.0e} | {carom} | {ms} | {} | {:.1e} | {over} |", s.setting, s.error);
        }
        if !reached {
            println!("| {class:.0e} | {carom} | not reached | – | {:.1e} at best | – |", peer.best_error);
        }
    }
}
