//! Parts of a sweep, for several machines.

use std::fmt;
use std::str::FromStr;

/// A part of a sweep: every n-th run.
///
/// ```
/// use carom_studies::sweep::Shard;
/// let second: Shard = "2/3".parse().unwrap();
/// assert_eq!((0..7).filter(|i| second.has(*i)).collect::<Vec<_>>(), [1, 4]);
/// assert!("4/3".parse::<Shard>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// its number, from 1
    pub i: usize,
    /// number of parts
    pub n: usize,
}

impl Shard {
    /// All runs.
    pub const WHOLE: Shard = Shard { i: 1, n: 1 };

    /// Returns whether the run belongs to it. Neighbours in the plan, which take about the same time, go to different parts.
    pub fn has(&self, index: usize) -> bool {
        index % self.n == self.i - 1
    }

    /// Returns how many of so many runs belong to it.
    pub fn len(&self, runs: usize) -> usize {
        (runs + self.n - self.i) / self.n
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.i, self.n)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let both =
            text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
        match both {
            Some((i, n)) if (1..=n).contains(&i) => Ok(Shard { i, n }),
            _ => Err("as in 2/8: which, from 1, of how many".to_owned()),
        }
    }
}
