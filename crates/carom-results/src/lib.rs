//! Results of runs: the folder they are written to, reading it back, exporting and showing it, and comparing two of them.
//!
//! | file | content |
//! |---|---|
//! | `summary.json` | how the run went: steps, peaks, energies, the audit, warnings, the end state |
//! | `states.csv` | the moving bodies and the probes, one line per output time |
//! | `energy.csv` | the energy balance, one line per output time |
//! | `momentum.csv` | momentum of all freely moving bodies, impulses of external actions, and the remaining error, per output time |
//! | `contacts.csv` | one line per loaded contact point and output time; `within` = 1: between output times ([`Moment`](carom::Moment)) |
//! | `states-within.csv` | as `states.csv`, at some moments of contacts between output times: touches, peaks, releases |
//! | `events.csv` | every touch and release |
//! | `distances.csv` | the distances a scene asks for, one line per output time |
//! | `fields.csv` | gaps, forces and torques of short-range fields, one line per output time |
//! | `joints.csv` | force and couple of each joint on its second body at the joint's point, one line per joint and output time |
//! | `kinematics.csv` | the coordinates that joints leave free, with full turns counted, their rates and second rates, one line per output time |
//! | `forces.csv` | the actions of springs, motors, loads and other forces, and of the drives of joints, one line per output time |
//! | `signals.csv` | the inputs and the outputs of controllers, one line per output time |
//! | `scene.json` | the scene as it was run, with values replaced: it gives the shapes of the bodies and can be run again |
//! | `view.html` | the page that shows the run, if `carom view` wrote one |
//! | `wear.csv` | wear of contacts, one line per output time: `NAME.volume`, and for a bearing its largest depth, `NAME.depth` |
//! | `wear-profile.csv` | the wear of bearings at the end: contact, end (1, or 2 of a bearing with a length), angle, depth |
//! | `modes.json`, `modes.csv`, `roots.csv` | an equilibrium and the small motions about it ([`modes_json`]), if asked for |
//! | `timing.json` | wall time, date and threads; all other files are identical byte for byte when a run is repeated |
//!
//! All values are in SI units and in the world frame; numbers have the shortest form that reads back to the same double.
//! Columns of a body are `NAME.x .y .z .qw .qx .qy .qz .vx .vy .vz .wx .wy .wz`, of a probe `NAME.x .y .z .vx .vy .vz`,
//! of a distance `NAME.found .distance .ax .ay .az .bx .by .bz .nx .ny .nz .iterations` (1 or 0, both points, the normal
//! from a to b, the iterations of the search); if the search failed, all but the first are empty.
//!
//! Columns of a coordinate are `JOINT.angle .angle_rate .angle_second`, and so for `displacement` and the others. Columns of a
//! force are `NAME.fx .fy .fz` and `.mx .my .mz`, force and couple on its first body, the couple about that body's centre of
//! mass; `.length .rate .tension` if it acts along a line; `.effort`, the generalised force, if it acts along one coordinate;
//! `.power`, of its forces on all its bodies; and `.work`, the integral of that, of a load, a motor or an actuator. Columns of
//! a drive are `JOINT/DRIVEN.force`, along its coordinate, and `.power`. Columns of inputs and controllers have the names that
//! expressions use: `push`, `balance.u`; at an instant at which an output changes it is the new one.
//!
//! The files are written during the run, in whole lines, at least twice a second, so that they can be read at any moment.
//! `summary.json` is there from the start and says `"failed": "the run was not finished"` until the run is finished. After a
//! run that failed it gives the reason, and in `t_end` the time reached (`"stopped": true` and `t_end` after one that was
//! stopped).
//!
//! A folder belongs to one run at a time: while it is being written, another run is refused ([`ResultsError::Busy`]). The file
//! `run.lock` exists meanwhile.
//!
//! A [`Folder`] replaces the results of an earlier run, and refuses a folder with other files: see [`Existing`].
//!
//! [`Recorded`] reads a folder back; [`Memory`] keeps the same data in memory ([`ResultSet`]).
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
mod csv;
pub mod lock;
mod files;
// The files written from a run.
mod about;
mod summary;
mod figures;
mod scene;
mod data;
mod table;
mod actions;
mod tables;
mod record;
mod checkpoint;
mod sinks;
// A run read back.
mod track;
mod contacts;
mod read;
pub mod quantity;
// Runs and analyses in a folder or in memory.
mod result_set;
mod memory;
mod folder;
mod modes;
mod analysis;
// Comparison, the page, and export to other formats.
pub mod compare;
pub mod film;
pub mod export;

pub use about::About;
pub use analysis::tables_at_rest;
pub use contacts::{PointHistory, RecordedContact, RecordedPoint};
pub use csv::records;
pub use data::{Column, ColumnValues, DataFile, data_files};
pub use error::{ReadError, ResultsError};
pub use figures::{figures, note_figures};
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
