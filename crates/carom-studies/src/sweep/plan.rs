//! Chooses the combinations of values, one per run.

use super::error::SweepError;
use super::random::Random;
use super::sobol::{self, Sobol};
use super::vary::Vary;

/// The default seed.
pub const SEED: u64 = 1;

/// Largest number of runs of a plan.
const MOST: usize = 1_000_000_000;

/// How the points of a plan are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Design {
    /// every value with every other; the last varied path changes fastest
    Grid,
    /// each range is divided into as many parts as there are runs, with one run in each part, at a random position in it (McKay,
    /// Beckman and Conover 1979)
    LatinHypercube {
        /// number of runs
        samples: usize,
        /// seed; [`SEED`] by default
        seed: u64,
    },
    /// the beginning of Sobol's sequence; best with a power of two as the number of runs
    Sobol {
        /// number of runs
        samples: usize,
        /// changes bits of all points in the same manner; without it the sequence is as published, and begins at the lower ends
        seed: Option<u64>,
    },
}

impl Design {
    /// The names of the designs with samples; the first is the default.
    pub const DRAWN: [&'static str; 2] = ["latin-hypercube", "sobol"];

    /// Makes a design by its name: a grid without `samples`, else one with so many samples. [`SEED`] and [`DRAWN`](Design::DRAWN)
    /// give the defaults.
    ///
    /// ```
    /// use carom_studies::sweep::Design;
    /// assert_eq!(Design::of(None, None, None)?, Design::Grid);
    /// assert_eq!(Design::of(Some("sobol"), Some(64), None)?, Design::Sobol { samples: 64, seed: None });
    /// assert!(Design::of(Some("sobl"), Some(64), None).unwrap_err().to_string().contains("did you mean `sobol`?"));
    /// # Ok::<(), carom_studies::sweep::SweepError>(())
    /// ```
    pub fn of(name: Option<&str>, samples: Option<usize>, seed: Option<u64>) -> Result<Design, SweepError> {
        match (name, samples) {
            (None | Some("grid"), None) if seed.is_none() => Ok(Design::Grid),
            (None | Some("latin-hypercube"), Some(samples)) => {
                Ok(Design::LatinHypercube { samples, seed: seed.unwrap_or(SEED) })
            }
            (Some("sobol"), Some(samples)) => Ok(Design::Sobol { samples, seed }),
            (Some("grid"), Some(_)) => Err(SweepError::Plan("a grid has no `samples`".to_owned())),
            (None | Some("latin-hypercube" | "sobol" | "grid"), None) => {
                Err(SweepError::Plan("`design` and `seed` need `samples`: how many runs?".to_owned()))
            }
            (Some(other), _) => {
                let known = ["grid", Design::DRAWN[0], Design::DRAWN[1]];
                let meant = carom::words::nearest(other, &known).map(|n| format!("did you mean `{n}`? "));
                let meant = meant.unwrap_or_default();
                Err(SweepError::Plan(format!(
                    "no design is called `{other}`; {meant}there are: {}",
                    known.join(", ")
                )))
            }
        }
    }

    /// Returns `grid`, `latin-hypercube` or `sobol`.
    pub fn name(&self) -> &'static str {
        match self {
            Design::Grid => "grid",
            Design::LatinHypercube { .. } => "latin-hypercube",
            Design::Sobol { .. } => "sobol",
        }
    }

    /// Returns the seed, if there is one.
    pub fn seed(&self) -> Option<u64> {
        match self {
            Design::Grid => None,
            Design::LatinHypercube { seed, .. } => Some(*seed),
            Design::Sobol { seed, .. } => *seed,
        }
    }
}

/// All points of a sweep.
///
/// ```
/// use carom_studies::sweep::{Design, Plan, Vary};
/// let varied = vec![Vary::parse("a=1,2,3")?, Vary::parse("b=0:1:2")?];
/// let plan = Plan::new(varied, Design::Grid)?;
/// assert_eq!(plan.len(), 6);
/// assert_eq!(plan.point(3).cells, ["2", "1"]);
/// # Ok::<(), carom_studies::sweep::SweepError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    varied: Vec<Vary>,
    design: Design,
    len: usize,
    /// for a Latin hypercube: the index of the part, by range and run
    orders: Vec<Vec<u32>>,
    sobol: Sobol,
    shifts: Vec<u32>,
}

/// A point of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// its index in the plan, from 0
    pub index: usize,
    /// settings `path=value`, one for each varied path
    pub set: Vec<String>,
    /// the values as written in the table
    pub cells: Vec<String>,
}

impl Plan {
    /// Makes a plan of these paths, which must differ.
    pub fn new(varied: Vec<Vary>, design: Design) -> Result<Plan, SweepError> {
        let wrong = |why: String| Err(SweepError::Plan(why));
        if varied.is_empty() {
            return wrong("nothing is varied: say vary PATH=VALUES".to_owned());
        }
        if let Some(twice) = (1..varied.len()).find(|&i| varied[..i].iter().any(|v| v.path == varied[i].path))
        {
            return wrong(format!("`{}` is varied twice", varied[twice].path));
        }
        let refuse =
            |vary: &Vary, why: &str| Err(SweepError::Vary { text: vary.text.clone(), why: why.to_owned() });
        let len = match design {
            Design::Grid => {
                let mut product = Some(1usize);
                for vary in &varied {
                    let Some(count) = vary.count() else {
                        return refuse(vary, "how many? FROM:TO:COUNT, or `samples` for all");
                    };
                    product = product.and_then(|p| p.checked_mul(count));
                }
                product
            }
            Design::LatinHypercube { samples, .. } | Design::Sobol { samples, .. } => {
                use super::vary::Over::Range;
                if let Some(vary) = varied.iter().find(|v| matches!(v.over, Range { count: Some(_), .. })) {
                    return refuse(vary, "with `samples` a range has no count: FROM:TO");
                }
                Some(samples)
            }
        };
        let Some(len) = len.filter(|n| (1..=MOST).contains(n)) else {
            return wrong(format!("a sweep has from 1 to {MOST} runs"));
        };
        let n = varied.len();
        if matches!(design, Design::Sobol { .. }) && n > sobol::MOST {
            return wrong(format!(
                "{n} are varied, and Sobol's sequence is known here up to {}",
                sobol::MOST
            ));
        }
        let orders = match design {
            Design::LatinHypercube { seed, .. } => {
                (0..n).map(|i| Random::new(seed, 2 * i as u64).order(len)).collect()
            }
            _ => Vec::new(),
        };
        let shift = |seed: u64, i: usize| (Random::new(seed, i as u64).next() >> 32) as u32;
        let seed = if let Design::Sobol { seed, .. } = design { seed } else { None };
        let shifts = (0..n).map(|i| seed.map_or(0, |seed| shift(seed, i))).collect();
        let sobol = Sobol::new(if matches!(design, Design::Sobol { .. }) { n } else { 0 });
        Ok(Plan { varied, design, len, orders, sobol, shifts })
    }

    /// Returns the varied paths.
    pub fn varied(&self) -> &[Vary] {
        &self.varied
    }

    /// Returns the design.
    pub fn design(&self) -> Design {
        self.design
    }

    /// Returns the number of runs, at least 1.
    #[allow(clippy::len_without_is_empty, reason = "no plan is empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the values of a run; `index` is below [`len`](Plan::len).
    pub fn point(&self, index: usize) -> Point {
        let mut settings = Vec::with_capacity(self.varied.len());
        // number of runs for each combination of the slower values
        let mut below = self.len;
        for (i, vary) in self.varied.iter().enumerate() {
            settings.push(match self.design {
                Design::Grid => {
                    let count = vary.count().unwrap_or(1);
                    below /= count;
                    vary.nth(index / below.max(1) % count)
                }
                Design::LatinHypercube { samples, seed } => {
                    let part = self.orders[i].get(index).copied().unwrap_or(0);
                    // a separate random stream for every run and range
                    let within = Random::new(seed ^ (index as u64) << 32, 2 * i as u64 + 1).share();
                    Some(vary.at((f64::from(part) + within) / samples as f64))
                }
                Design::Sobol { .. } => Some(vary.at(self.sobol.at(index, i, self.shifts[i]))),
            });
        }
        let settings: Vec<_> = settings.into_iter().flatten().collect();
        let (set, cells) = settings.into_iter().map(|s| (s.set, s.cell)).unzip();
        Point { index, set, cells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(varied: &[&str], design: Design) -> Result<Plan, SweepError> {
        Plan::new(varied.iter().map(|text| Vary::parse(text).unwrap()).collect(), design)
    }

    #[test]
    fn a_grid_has_every_pair_once() {
        let plan = plan(&["a=1,2,3", "b=x,y", "c=0:1:4"], Design::Grid).unwrap();
        let all: std::collections::BTreeSet<_> = (0..plan.len()).map(|i| plan.point(i).cells).collect();
        assert_eq!((plan.len(), all.len()), (24, 24));
        assert_eq!(plan.point(1).cells[0], "1");
        assert_ne!(plan.point(0).cells[2], plan.point(1).cells[2]);
    }

    /// McKay, Beckman and Conover: each of n parts of each range has one point.
    #[test]
    fn a_latin_hypercube_is_stratified() {
        for seed in [SEED, 7, u64::MAX] {
            let n = 257;
            let plan = plan(&["a=0:1", "b=-5:5", "c=1:1e4:log"], Design::LatinHypercube { samples: n, seed })
                .unwrap();
            let mut seen = vec![[0; 3]; n];
            for i in 0..n {
                let x: Vec<f64> = plan.point(i).cells.iter().map(|c| c.parse().unwrap()).collect();
                let shares = [x[0], (x[1] + 5.0) / 10.0, x[2].log10() / 4.0];
                for (k, share) in shares.iter().enumerate() {
                    seen[((share * n as f64) as usize).min(n - 1)][k] += 1;
                }
            }
            assert!(seen.iter().all(|s| *s == [1; 3]), "{seed}");
        }
    }

    #[test]
    fn seeds_change_points_and_are_repeated() {
        let cells = |design| {
            let plan = plan(&["a=0:1", "b=0:1"], design).unwrap();
            (0..plan.len()).map(|i| plan.point(i).cells).collect::<Vec<_>>()
        };
        let latin = |seed| cells(Design::LatinHypercube { samples: 16, seed });
        let sobol = |seed| cells(Design::Sobol { samples: 16, seed });
        assert_eq!((latin(1), sobol(Some(3))), (latin(1), sobol(Some(3))));
        assert!(latin(1) != latin(2) && sobol(Some(3)) != sobol(None) && sobol(Some(3)) != sobol(Some(4)));
        assert_eq!(sobol(None)[2], ["0.75", "0.25"]);
    }

    #[test]
    fn what_cannot_be_is_said() {
        let latin = Design::LatinHypercube { samples: 4, seed: 1 };
        for (varied, design, why) in [
            (&["a=0:1"][..], Design::Grid, "how many?"),
            (&["a=0:1:3"], latin, "no count"),
            (&["a=1", "a=2"], Design::Grid, "varied twice"),
            (&[], Design::Grid, "nothing is varied"),
            (&["a=0:1:100000", "b=0:1:100000"], Design::Grid, "from 1 to"),
        ] {
            let said = plan(varied, design).unwrap_err().to_string();
            assert!(said.contains(why), "{said}");
        }
    }
}
