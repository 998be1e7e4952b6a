//! What a surface is: a kind, its bounds, and what it can do.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use carom_base::{Dual, Mat3, Scalar, Vec3};

use crate::boundary::BoundaryPart;
use crate::contact::Curvature;
use crate::convex::{Implicit, Support};
use crate::mesh::Mesh;

/// Which side of a closed surface is free: the outside of a ball, or the inside of a race or a tube. A sheet is touched from both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    /// the surface bounds a solid; others touch it from outside
    #[default]
    Outside,
    /// the surface bounds a cavity in a solid without end; others are in the cavity
    Inside,
}

impl Side {
    /// +1 outside, −1 inside: what turns an outward normal, a height or a curvature over.
    #[inline(always)]
    pub fn sign(self) -> f64 {
        match self {
            Side::Outside => 1.0,
            Side::Inside => -1.0,
        }
    }
}

/// A smooth surface, or one of smooth pieces, in its own frame.
///
/// The algorithms ask for capabilities, never for kinds, so a surface from outside this crate works
/// with every algorithm whose capability it offers.
pub trait Surface: Any + Debug + Send + Sync {
    /// The word for this kind in scenes and messages.
    fn kind(&self) -> &'static str;
    /// A ball that holds the surface.
    fn bounds(&self) -> Bounds;
    /// How far the surface stands off a core that it follows like a coat of even thickness [m]: a sphere is all
    /// coat, a capsule coats a line. Turning the surface about a point of its core moves only the core, so this
    /// much less has to be allowed for when gaps are bounded.
    fn skin(&self) -> f64 {
        0.0
    }
    /// Whether it encloses a volume.
    fn is_closed(&self) -> bool {
        false
    }
    /// Whether it is a thin sheet that ends somewhere, with free space on both sides of it. Both are touched; the [`Side`] only says
    /// which of them the normal of a point on the sheet itself looks to.
    fn is_sheet(&self) -> bool {
        false
    }
    /// Whether `side = inside` means something.
    fn has_inside(&self) -> bool {
        self.is_closed() || self.is_sheet()
    }
    /// For downcasts by closed-form pairs.
    fn as_any(&self) -> &dyn Any;
    /// Closest points, signed distances and normals.
    fn as_project(&self) -> Option<&dyn Project> {
        None
    }
    /// The furthest point along a direction, of a convex solid.
    fn as_support(&self) -> Option<&dyn Support> {
        None
    }
    /// The function whose zeros it is.
    fn as_implicit(&self) -> Option<&dyn Implicit> {
        None
    }
    /// Volume, centroid and inertia of the solid it bounds.
    fn solid(&self) -> Option<Solid> {
        None
    }
    /// The pieces its boundary consists of, of a closed surface that can tell them.
    ///
    /// ```
    /// use carom_geometry::{Surface, surfaces::Cuboid};
    /// let brick = Cuboid::new([0.2, 0.1, 0.05])?.boundary().unwrap(); // [m]
    /// let names: Vec<_> = brick.iter().map(|part| &*part.name).collect();
    /// assert_eq!(names, ["-x", "+x", "-y", "+y", "-z", "+z"]);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    fn boundary(&self) -> Option<Vec<BoundaryPart>> {
        None
    }
    /// The sections of a tube around a ring.
    fn as_ring(&self) -> Option<&dyn Ring> {
        None
    }
    /// Area, centroid and inertia of the surface itself as a thin shell; `None` for one without end.
    ///
    /// ```
    /// use carom_geometry::{Surface, surfaces::Sphere};
    /// let r: f64 = 0.5; // [m]
    /// let shell = Sphere::new(r)?.shell().unwrap();
    /// assert!((shell.inertia[(0, 0)] / shell.area - 2.0 / 3.0 * r * r).abs() < 1e-16); // I = 2/3 m r²
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    fn shell(&self) -> Option<Shell> {
        None
    }
    /// Triangles for viewing; `n` is the number of segments around a circle. An unbounded surface is
    /// drawn as a square of half side `extent` [m].
    fn mesh(&self, n: usize, extent: f64) -> Mesh;
}

/// A surface and its free side: what a pair is bound to.
#[derive(Clone, Debug)]
pub struct Shape {
    /// the surface
    pub surface: Arc<dyn Surface>,
    /// its free side
    pub side: Side,
}

impl Shape {
    /// The surface touched from outside.
    pub fn outside(surface: impl Surface) -> Shape {
        Shape { surface: Arc::new(surface), side: Side::Outside }
    }

    /// The surface as the wall of a cavity.
    pub fn inside(surface: impl Surface) -> Shape {
        Shape { surface: Arc::new(surface), side: Side::Inside }
    }

    /// `sphere`, or `cylinder (inside)`: the words for messages.
    pub fn describe(&self) -> String {
        match self.side {
            Side::Outside => self.surface.kind().to_owned(),
            Side::Inside => format!("{} (inside)", self.surface.kind()),
        }
    }

    /// The ball that holds all points where this shape can be touched; a cavity's solid has no end.
    pub fn bounds(&self) -> Bounds {
        match self.side {
            Side::Outside => self.surface.bounds(),
            Side::Inside if self.surface.is_sheet() => self.surface.bounds(),
            Side::Inside => Bounds { centre: self.surface.bounds().centre, radius: f64::INFINITY },
        }
    }
}

/// A ball around a surface, in the surface's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// its centre [m]
    pub centre: Vec3,
    /// its radius [m]; infinite for a surface without end
    pub radius: f64,
}

/// The foot of a point on a surface: x = p + d n.
#[derive(Clone, Copy, Debug)]
pub struct Foot<S: Scalar = f64> {
    /// the closest point of the surface [m]
    pub p: Vec3<S>,
    /// the unit normal there, out of the material into the free side
    pub n: Vec3<S>,
    /// the signed distance [m], negative within the material
    pub d: S,
}

/// The capability of closest points.
///
/// A convex solid seen from outside has one foot; a cavity with several walls has one for each wall
/// (barrel and both caps of a can), and a ball may touch all of them at once. They are the surface's
/// *features* and keep their numbers for good.
///
/// Within the material the nearest piece of the boundary wins. Where the foot is not unique (the
/// centre of a sphere) one is chosen, always the same.
pub trait Project: Surface {
    /// The names of the features on that side.
    fn features(&self, side: Side) -> &'static [&'static str];
    /// The foot of `x` on a feature, all in the surface's frame.
    fn foot(&self, side: Side, feature: usize, x: &Vec3) -> Foot;
    /// The same with the derivatives by the three coordinates of `x`.
    fn foot_dual(&self, side: Side, feature: usize, x: &Vec3<Dual<3>>) -> Foot<Dual<3>>;
    /// The principal curvatures at the foot of `x`, positive where the free side sees a bulge (a ball
    /// from outside), negative where it sees a hollow (a race). A sharp edge counts as flat: it has no
    /// curvature radius, and the other body's is what spreads the load.
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature;
    /// The smallest radius of a hollow on that side [m]: infinite unless a wall is concave. At the
    /// distance d from such a wall, that of a point moving straight on bends towards the wall by up to
    /// v²/(radius − d).
    fn hollow_radius(&self, side: Side) -> f64;
}

/// [`Project`], written once over [`Scalar`]; implement this and get both faces.
pub trait ProjectFormula: Surface {
    /// See [`Project::features`].
    fn features(&self, side: Side) -> &'static [&'static str];
    /// See [`Project::foot`].
    fn foot<S: Scalar>(&self, side: Side, feature: usize, x: &Vec3<S>) -> Foot<S>;
    /// See [`Project::curvature`].
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature;
    /// See [`Project::hollow_radius`].
    fn hollow_radius(&self, side: Side) -> f64 {
        let _ = side;
        f64::INFINITY
    }
}

impl<T: ProjectFormula> Project for T {
    fn features(&self, side: Side) -> &'static [&'static str] {
        ProjectFormula::features(self, side)
    }
    fn foot(&self, side: Side, feature: usize, x: &Vec3) -> Foot {
        ProjectFormula::foot(self, side, feature, x)
    }
    fn foot_dual(&self, side: Side, feature: usize, x: &Vec3<Dual<3>>) -> Foot<Dual<3>> {
        ProjectFormula::foot(self, side, feature, x)
    }
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature {
        ProjectFormula::curvature(self, side, feature, x)
    }
    fn hollow_radius(&self, side: Side) -> f64 {
        ProjectFormula::hollow_radius(self, side)
    }
}

/// The capability of being sliced: a tube around a closed line in the plane z = 0, whose sections are in half planes through the z axis.
pub trait Ring: Surface {
    /// The section at the angle φ [rad].
    fn section(&self, phi: f64) -> Section;
    /// The length of the centre line between two angles [m].
    fn length(&self, from: f64, to: f64) -> f64;
    /// Both radii of a circular tube around a circle [m]: of the ring, of the tube.
    fn round(&self) -> Option<[f64; 2]> {
        None
    }
}

/// A section of a tube: the points c + ξ a + ζ b ẑ with |ξ|^γ + |ζ|^γ = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// c, in the plane z = 0 [m]
    pub centre: Vec3,
    /// a, the semi-axis in that plane [m]
    pub radial: Vec3,
    /// b, the semi-axis along z [m]
    pub axial: f64,
    /// γ ≥ 2: 2 for an ellipse
    pub exponent: f64,
}

impl Section {
    /// The point of the section that is lowest over a plane of normal `m` (a unit vector, in the surface's frame), as an offset from
    /// its centre: that of the support function (|a·m|^γ' + |b m_z|^γ')^(1/γ'), 1/γ + 1/γ' = 1. Of a section that lies in such a
    /// plane all points are as low: that on the outer side is taken.
    #[inline(always)]
    pub fn lowest<S: Scalar>(&self, m: &Vec3<S>) -> Vec3<S> {
        let radial = self.radial.map(S::from_f64);
        let (p, q) = (radial.dot(m), m.z * S::from_f64(self.axial));
        let (xi, zeta) = match self.exponent == 2.0 {
            true => round(p, q),
            false => self.square(p, q),
        };
        let zero = S::from_f64(0.0);
        -(radial * xi + Vec3::new(zero, zero, zeta * S::from_f64(self.axial)))
    }

    /// ξ and ζ of the lowest point of a section that is no ellipse: the gradient of the support function.
    fn square<S: Scalar>(&self, p: S, q: S) -> (S, S) {
        let largest = p.abs().max(q.abs());
        if largest.value() == 0.0 {
            return (S::from_f64(-1.0), S::from_f64(0.0));
        }
        let (p, q) = (p / largest, q / largest);
        // |p|^(γ'−1) has no finite slope at p = 0 if γ > 2, nor has the lowest point a finite rate: the section is flat there
        let power = |x: S, e: f64| if x.value() == 0.0 { S::from_f64(0.0) } else { x.abs().powf(e) };
        let dual = self.exponent / (self.exponent - 1.0);
        let sum = power(p, dual) + power(q, dual);
        let scale = sum.powf(1.0 / dual - 1.0);
        let signed = |x: S| if x.value() < 0.0 { -power(x, dual - 1.0) } else { power(x, dual - 1.0) };
        (signed(p) * scale, signed(q) * scale)
    }

    /// The curvature of the section in its plane [1/m], where a plane of normal `m` touches it from below: zero where it is flat.
    pub fn curvature(&self, m: &Vec3) -> f64 {
        let (a, b, gamma) = (self.radial.norm(), self.axial, self.exponent);
        let lowest = self.lowest(m);
        let (x, z) = ((lowest.dot(&self.radial) / (a * a)).abs(), (lowest.z / b).abs());
        // F = ξ^γ + ζ^γ − 1, by x = a ξ and z = b ζ
        let (f_x, f_z) = (gamma * x.powf(gamma - 1.0) / a, gamma * z.powf(gamma - 1.0) / b);
        let second = |u: f64, l: f64| gamma * (gamma - 1.0) * u.powf(gamma - 2.0) / (l * l);
        (second(x, a) * f_z * f_z + second(z, b) * f_x * f_x) / (f_x * f_x + f_z * f_z).powf(1.5)
    }
}

/// ξ and ζ of the lowest point of an ellipse.
#[inline(always)]
fn round<S: Scalar>(p: S, q: S) -> (S, S) {
    let square = p * p + q * q;
    // a section parallel to the plane has no lowest point (Marques & Silva, Eq 13, divides by zero there)
    if square.value() < 1e-280 {
        return (S::from_f64(-1.0), S::from_f64(0.0));
    }
    let length = square.sqrt();
    (p / length, q / length)
}

/// Volume, centroid and inertia of a solid of density one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// [m³]
    pub volume: f64,
    /// in the surface's frame [m]
    pub centroid: Vec3,
    /// about the centroid, in the axes of the surface's frame [m⁵]: times the density, kg m²
    pub inertia: Mat3,
}

/// Area, centroid and inertia of a shell of mass one per area, in the limit of no thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shell {
    /// [m²]: times density and thickness, kg
    pub area: f64,
    /// in the surface's frame [m]
    pub centroid: Vec3,
    /// about the centroid, in the axes of the surface's frame [m⁴]: times density and thickness, kg m²
    pub inertia: Mat3,
}
