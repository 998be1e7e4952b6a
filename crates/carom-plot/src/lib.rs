//! Figures of curves: panels side by side, axes with units, legends; and above them [`View`]s of objects in space.
//! They are written as SVG, PNG or PDF.
//!
//! A figure is first described, with [`Figure`], [`Panel`], [`Axis`] and [`Curve`], and drawn when it is written. The caller
//! gives the content of the axes and the names of the curves. The appearance is decided here, the same for all figures:
//! colours that the colour-blind can tell apart, each with several line styles so that a grey copy can be read too, round
//! tick values, and legends where they cover no curve.
//!
//! Drawing needs the feature `kuva`; without it [`Figure::write`] returns an error.
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
// without drawing, the fields of the description are never read
#![cfg_attr(not(feature = "kuva"), allow(dead_code))]

// The description of a figure.
mod error;
mod markup;
mod axis;
mod look;
mod heat;
mod tint;
mod solid;
mod figure;
// The drawing of a figure.
#[cfg(feature = "kuva")]
mod thin;
#[cfg(feature = "kuva")]
mod dashes;
#[cfg(feature = "kuva")]
mod raster;
#[cfg(feature = "kuva")]
mod pixels;
#[cfg(feature = "kuva")]
mod upright;
#[cfg(feature = "kuva")]
mod font;
#[cfg(feature = "kuva")]
mod scripts;
#[cfg(feature = "kuva")]
mod scale;
#[cfg(feature = "kuva")]
mod texts;
#[cfg(feature = "kuva")]
mod room;
#[cfg(feature = "kuva")]
mod legend;
#[cfg(feature = "kuva")]
mod box_axes;
#[cfg(feature = "kuva")]
mod paint;
#[cfg(feature = "kuva")]
mod short;
#[cfg(feature = "kuva")]
mod pdf_font;
#[cfg(feature = "kuva")]
mod pdf;
#[cfg(feature = "kuva")]
mod draw;
mod file;

pub use axis::Axis;
pub use error::PlotError;
pub use figure::{Curve, Figure, Panel, Width};
pub use file::check;
pub use heat::Heat;
pub use look::{Look, Mark};
pub use markup::{marked, plain, powers};
pub use solid::{Point, View};
