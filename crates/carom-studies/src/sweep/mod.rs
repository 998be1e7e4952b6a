//! Parameter studies: a scene is run many times with different values, and each run gives one row.
//!
//! | type | meaning |
//! |---|---|
//! | [`Vary`] | a path of the scene and the values it takes: `body/ring/position/2=1e-3:1e-1:9:log` |
//! | [`Plan`] | the combinations of values: a grid, a Latin hypercube, a Sobol sequence; its n-th point can be asked for at any time |
//! | [`Measure`] | a number of a run: `max(ring.z)`, `final(kinetic)/energy_start`, `count(touch)` |
//! | [`Study`] | a scene, a plan and measures; [`Study::run`] does one point, [`run_all`] many, on several threads |
//! | [`Journal`] | the finished rows, in a file to which they are appended, so that an interrupted sweep can be continued |
//! | [`Table`] | the rows in the order of the plan, and figures of them |
//!
//! The table is identical byte for byte whatever the number of threads, the shards and the interruptions, because a row depends
//! on its point alone, and rows are in the order of the plan.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use carom_studies::sweep::{Design, Measure, Plan, Study, Vary, run_all};
//! use carom_scene::Format;
//! let text = r#"
//!     [run]
//!     duration = "1 s"
//!     [[body]]
//!     name = "stone"
//!     mass = 1
//!     inertia = [1, 1, 1]
//!     velocity = [0, 0, 0]
//! "#;
//! let plan = Plan::new(vec![Vary::parse("body/stone/velocity/2=0:10:3")?], Design::Grid)?;
//! let measures = vec![Measure::parse("rise=final(stone.z) - initial(stone.z)")?];
//! let study = Study::new(text, Format::Toml, "stone.toml", &[], plan, measures)?;
//! let mut rows = Vec::new();
//! let all: Vec<usize> = (0..study.plan().len()).collect();
//! run_all(&study, &all, 2, None, &AtomicBool::new(false), |row| {
//!     rows.push((row.index, row.values.map(|v| v[0])));
//!     Ok::<(), std::io::Error>(())
//! })?;
//! rows.sort_by_key(|(index, _)| *index);
//! assert!((rows[2].1.clone()? - (10.0 - 4.905)).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod done;
mod error;
mod figure;
mod files;
mod formula;
mod given;
mod journal;
mod measure;
mod plan;
mod random;
mod reduce;
mod rows;
mod shard;
mod slurm;
mod sobol;
mod study;
mod table;
#[cfg(test)]
mod tests;
mod vary;
mod work;

pub use error::SweepError;
pub use figure::Wanted;
pub use given::{Failed, Finished, Given, MeasureFunction};
pub use journal::{Journal, merge};
pub use measure::{Measure, Measures};
pub use plan::{Design, Plan, Point, SEED};
pub use rows::JOURNAL;
pub use shard::Shard;
pub use slurm::slurm_script;
pub use sobol::MOST as SOBOL_DIMENSIONS;
pub use study::{Row, Study};
pub use table::{TABLE, Table};
pub use vary::{Over, Setting, Vary};
pub use work::run_all;
