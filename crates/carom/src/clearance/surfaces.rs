//! The surfaces of joints with clearance.

use std::sync::Arc;

use carom_base::{Mat3, Pose, Vec3};
use carom_geometry::surfaces::{Cuboid, Cylinder, Plane, Sphere};
use carom_geometry::{GeometryError, Surface};

use super::Clearance;
use crate::error::BuildError;
use crate::joint::Given;

/// By default a journal is this many times as long as its bearing, so that it passes through.
const THROUGH: f64 = 2.0;
/// A guide is about this many times as long as its slider, and in the plane as high as it is long.
const LONG: f64 = 1e3;

impl Clearance {
    /// Returns the pairs of surfaces, inner and outer, in the joint's frame, with the name of each pair's contact rule.
    pub(super) fn pairs(&self) -> Result<Vec<Pairing>, BuildError> {
        let gap = self.measure("gap", self.gap)?;
        match (self.joint.kind.name(), self.length) {
            ("revolute", Some(length)) => {
                if !matches!(self.joint.axis, Given::World(_) | Given::Bodies(_)) {
                    return Err(self.needs("`axis`, or `axis_a` and `axis_b`"));
                }
                self.journal(gap, self.measure("length", length)?)
            }
            ("revolute" | "spherical", None) => {
                let r = self.needed("radius", self.radius)?;
                let [ball, socket] = [r, r + gap].map(Sphere::new);
                Ok(vec![Pairing::one("journal", self.made(ball)?, "bearing", self.made(socket)?)])
            }
            ("prismatic", Some(length)) => self.slider(gap, self.measure("length", length)?),
            ("prismatic", None) => Err(self.needs("`length`")),
            ("spherical", Some(length)) => Err(self.bad("length", length, "none: a ball has none")),
            (kind, _) => {
                Err(self.bad("type", format!("{kind}, with clearance"), "revolute, spherical, prismatic"))
            }
        }
    }

    fn made<S>(&self, surface: Result<S, GeometryError>) -> Result<S, BuildError> {
        surface.map_err(|e| self.bad("radius", e, "measures of a surface"))
    }

    fn journal(&self, gap: f64, length: f64) -> Result<Vec<Pairing>, BuildError> {
        let r = self.needed("radius", self.radius)?;
        let through = self.through_length(length)?;
        let journal = self.made(Cylinder::new(r, through))?;
        let bearing = self.made(Cylinder::new(r + gap, length))?;
        let mut pairs = vec![Pairing::one("journal", journal, "bearing", bearing)];
        let Some(axial) = self.axial else { return Ok(pairs) };
        let height = 0.5 * through + self.measure("axial", axial)?;
        for (s, name) in [(1.0, "collar+"), (-1.0, "collar-")] {
            // the planes face each other
            let at = Pose { p: Vec3::z() * (s * height), r: Mat3::from_diagonal(&Vec3::new(1.0, -s, -s)) };
            let collar = Side { name: name.to_owned(), surface: Arc::new(Plane), at, inside: false };
            pairs.push(Pairing { inner: None, outer: collar, rule: Some(name), axial: true });
        }
        Ok(pairs)
    }

    /// Returns the length of the journal [m]; it must exceed that of the bearing.
    pub(super) fn through_length(&self, length: f64) -> Result<f64, BuildError> {
        let through = self.measure("journal_length", self.journal_length.unwrap_or(THROUGH * length))?;
        match through > length {
            true => Ok(through),
            false => Err(self.bad("journal_length", through, "more than the `length` of the bearing")),
        }
    }

    /// Returns the pairs of balls at the corners of a slider and of the long box that is its guide.
    fn slider(&self, gap: f64, length: f64) -> Result<Vec<Pairing>, BuildError> {
        if !matches!(self.joint.axis, Given::World(_) | Given::Bodies(_)) {
            return Err(self.needs("`axis`, or `axis_a` and `axis_b`"));
        }
        let (r, width) = (self.needed("radius", self.radius)?, self.needed("width", self.width)?);
        let height = self.height.map(|h| self.measure("height", h)).transpose()?;
        let least = height.unwrap_or(width).min(width).min(length);
        if 2.0 * r > least {
            return Err(self.bad("radius", r, "no more than half of length, width and height"));
        }
        let long = LONG * (length + width);
        let room = [width + 2.0 * gap, height.map_or(long, |h| h + 2.0 * gap), long];
        let guide = Arc::new(self.made(Cuboid::new(room))?);
        let ball = Arc::new(self.made(Sphere::new(r))?);
        let sides = |size: f64| [0.5 * size - r, r - 0.5 * size];
        let heights = height.map_or(vec![0.0], |h| sides(h).to_vec());
        let mut pairs = Vec::new();
        for x in sides(width) {
            for &y in &heights {
                for z in sides(length) {
                    let number = pairs.len();
                    let at = Pose::at(Vec3::new(x, y, z));
                    let name = format!("corner{}", number + 1);
                    let inner = Side { name, surface: ball.clone(), at, inside: false };
                    let outer = Side {
                        name: "guide".to_owned(),
                        surface: guide.clone(),
                        at: Pose::identity(),
                        inside: true,
                    };
                    pairs.push(Pairing { inner: Some(inner), outer, rule: Some("corner"), axial: false });
                }
            }
        }
        Ok(pairs)
    }
}

/// A surface of a joint, in the joint's frame.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) surface: Arc<dyn Surface>,
    pub(super) at: Pose,
    pub(super) inside: bool,
}

/// Two surfaces of a joint that may touch.
pub(super) struct Pairing {
    /// the inner surface; `None`: that of the pair before
    pub(super) inner: Option<Side>,
    pub(super) outer: Side,
    /// the name of its contact rule after that of the joint; `None`: the rule has the name of the joint
    pub(super) rule: Option<&'static str>,
    pub(super) axial: bool,
}

impl Pairing {
    fn one(inner: &str, a: impl Surface, outer: &str, b: impl Surface) -> Pairing {
        let at = Pose::identity();
        let side = |name: &str, surface: Arc<dyn Surface>, inside| Side {
            name: name.to_owned(),
            surface,
            at,
            inside,
        };
        Pairing {
            inner: Some(side(inner, Arc::new(a), false)),
            outer: side(outer, Arc::new(b), true),
            rule: None,
            axial: false,
        }
    }
}
