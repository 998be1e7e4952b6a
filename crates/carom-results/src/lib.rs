//! Results: a folder, what is to be seen of it, what it is written to, how two of them differ.
//!
//! | file | what |
//! |---|---|
//! | `summary.json` | how the run went: steps, peaks, energies, the audit, warnings, the end state |
//! | `states.csv` | the moving bodies and the probes, one line an output time |
//! | `energy.csv` | the ledger, one line an output time |
//! | `momentum.csv` | momentum of all bodies that move by their forces, the impulses of all that acts on them from outside, and what these do not account for, one line an output time |
//! | `contacts.csv` | one line per contact point that carries a force, and output time; with `within` = 1, of a moment between output times ([`Moment`](carom::Moment)) |
//! | `states-within.csv` | as `states.csv`, at some moments of contacts between output times: touches, peaks, releases |
//! | `events.csv` | every touch and release |
//! | `distances.csv` | the distances a scene asks for, one line an output time |
//! | `fields.csv` | what short-range fields do, one line an output time |
//! | `joints.csv` | what joints do, one line per joint and output time: force and couple on the second body at the joint's point |
//! | `scene.json` | the scene as it was run, values replaced: what the bodies look like; it can be run again |
//! | `view.html` | the page that shows it, if `carom view` wrote one |
//! | `wear.csv` | what contacts have worn off, one line an output time: `NAME.volume`, and of a bearing the largest depth, `NAME.depth` |
//! | `wear-profile.csv` | how bearings are worn at the end: contact, end (1, or 2 of a bearing with a length), angle, depth |
//! | `modes.json`, `modes.csv`, `roots.csv` | an equilibrium and the small motions about it ([`modes_json`]), if asked for |
//! | `timing.json` | wall time, date and threads: all else is the same byte for byte when a run is repeated |
//!
//! SI units, world frame; numbers in the shortest form that reads back to the same double. Columns of a body
//! are `NAME.x .y .z .qw .qx .qy .qz .vx .vy .vz .wx .wy .wz`, of a probe `NAME.x .y .z .vx .vy .vz`,
//! of a distance `NAME.found .distance .ax .ay .az .bx .by .bz .nx .ny .nz .iterations` (1 or 0, both points, the normal from a to b, what the search
//! took); where the search failed all but the first are empty.
//!
//! The files are written as the run goes, whole lines at a time, at least twice a second: what is there can be
//! read at every moment. `summary.json` is there from the start and says `"failed": "the run was not finished"`
//! until the run is; after a run that failed it says why, and `t_end` how far it came (`"stopped": true` and
//! `t_end` after one that was stopped).
//!
//! A folder belongs to one run at a time: while it is written another is refused ([`ResultsError::Busy`]). The file `run.lock` is there meanwhile.
//!
//! A [`Folder`] replaces the results of an earlier run, and refuses a folder with files of someone else:
//! see [`Existing`].
//!
//! [`Recorded`] reads a folder back; [`Memory`] keeps in memory ([`ResultSet`]) what a folder would get.
//!
//! ```no_run
//! use carom_results::{About, Existing, Folder};
//! use carom_scene::Scene;
//!
//! let scene = Scene::from_file("bouncing-ball.toml".as_ref(), &[])?;
//! let mut folder = Folder::new("out/bouncing-ball", About::from(&scene), Existing::ReplaceResults)?;
//! let outcome = scene.simulation().run_into(&mut folder);
//! folder.close(&outcome)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

// Numbers, lines and files.
mod error;
pub mod number;
mod csv;
pub mod lock;
mod files;
// What is written of a run.
mod about;
mod summary;
mod scene;
mod data;
mod table;
mod tables;
mod record;
mod sinks;
// A run read back.
mod track;
mod contacts;
mod read;
pub mod quantity;
// Runs and analyses that are kept.
mod result_set;
mod memory;
mod folder;
mod modes;
mod analysis;
// What is made of them.
pub mod compare;
pub mod film;
pub mod export;

pub use about::About;
pub use analysis::tables_at_rest;
pub use contacts::{ContactPoint, RecordedContact, Touching};
pub use csv::records;
pub use data::{Column, ColumnValues, DataFile, data_files};
pub use error::{ReadError, ResultsError};
pub use files::{Existing, FILES, VIEW};
pub use folder::Folder;
pub use memory::Memory;
pub use modes::modes_json;
pub use quantity::{Curve, QuantityError};
pub use read::{Ending, Recorded, RecordedEvent, RecordedProfile};
pub use result_set::ResultSet;
pub use scene::write_scene;
pub use sinks::Sinks;
pub use summary::NUMBERS;
pub use track::{Deformed, Reaction, Rotation, Track};
