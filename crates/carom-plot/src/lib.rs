//! Figures of curves: panels side by side, axes with units, a legend beside them; and above them [`View`]s of things in space. As SVG or PNG.
//!
//! A figure is described first, [`Figure`], [`Panel`], [`Axis`], [`Curve`], and drawn when it is written. Whoever
//! describes one says what is on the axes and what a curve is called; how it looks is decided here, once for all
//! figures: colours that the colour-blind tell apart, each with several kinds of lines so that a grey copy can be
//! read too, nice ticks, the legend beside the panels and never on a curve.
//!
//! Drawing needs the feature `kuva`; without it [`Figure::write`] says so.
//!
//! ```
//! use carom_plot::{Axis, Curve, Figure, Panel};
//! let fall = (0..=50).map(|i| f64::from(i) / 100.0).map(|t| (t, 1.0 - 0.5 * 9.81 * t * t));
//! let panel = Panel::new(Axis::linear("t [s]"), Axis::linear("height [m]"))
//!     .title("a ball that falls")
//!     .curve(Curve::new("ball", fall.collect(), 0));
//! let figure = Figure::new(1).panel(panel);
//! assert!(figure.svg()?.starts_with("<svg"));
//! # Ok::<(), carom_plot::PlotError>(())
//! ```
#![allow(clippy::disallowed_methods, reason = "figures are looked at")]
// what is described is read when it is drawn
#![cfg_attr(not(feature = "kuva"), allow(dead_code))]

// What a figure is.
mod error;
mod axis;
mod look;
mod heat;
mod solid;
mod figure;
// How it is drawn.
#[cfg(feature = "kuva")]
mod thin;
#[cfg(feature = "kuva")]
mod dashes;
#[cfg(feature = "kuva")]
mod upright;
#[cfg(feature = "kuva")]
mod scale;
#[cfg(feature = "kuva")]
mod legend;
#[cfg(feature = "kuva")]
mod facets;
#[cfg(feature = "kuva")]
mod paint;
#[cfg(feature = "kuva")]
mod short;
#[cfg(feature = "kuva")]
mod draw;
mod file;

pub use axis::Axis;
pub use error::PlotError;
pub use figure::{Curve, Figure, Panel};
pub use file::check;
pub use heat::Heat;
pub use look::{Look, Mark};
pub use solid::{Point, View};
