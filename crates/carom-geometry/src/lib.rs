//! WHERE two surfaces touch. Knows no mass, force or time.
//!
//! A [`Surface`] says what it can do through its capabilities ([`Project`] …); a [`PairSolver`] that
//! can use them binds two surfaces once and then gives, per contact point, a [`Contact`].
//!
//! ```
//! use carom_geometry::surfaces::{Cuboid, Plane};
//! use carom_geometry::{Pose, Shape, Vec3, pairs};
//!
//! let floor = Shape::outside(Plane);
//! let brick = Shape::outside(Cuboid::new([0.2, 0.1, 0.05])?); // full lengths [m]
//! let pair = pairs::bind(&floor, &brick)?;
//! let (k, contact) = pair.nearest(&Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 0.024)))?;
//! assert_eq!((pair.solver(), pair.feature_name(k).as_str()), ("plane-box", "corner ---"));
//! assert!((contact.delta - 0.001).abs() < 1e-15); // 1 mm deep
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A surface of your own
//!
//! Write its closest point once over [`Scalar`] ([`ProjectFormula`]); every algorithm that asks for
//! [`Project`] then knows it, with derivatives. A hill, its tip up at the origin, material below:
//!
//! ```
//! use carom_base::unit_or;
//! use carom_geometry::mesh::{Mesh, Profile};
//! use carom_geometry::surfaces::Sphere;
//! use carom_geometry::{Bounds, Curvature, ClosestPoint, Pose, Project, ProjectFormula, Scalar, Shape, Side};
//! use carom_geometry::{Surface, Vec3, pairs};
//!
//! /// A hill without end, as steep everywhere: half angle [rad] from the axis.
//! #[derive(Debug)]
//! struct Hill {
//!     angle: f64,
//! }
//!
//! impl Surface for Hill {
//!     fn kind(&self) -> &'static str {
//!         "hill"
//!     }
//!     fn bounds(&self) -> Bounds {
//!         Bounds { centre: Vec3::zeros(), radius: f64::INFINITY }
//!     }
//!     fn as_project(&self) -> Option<&dyn Project> {
//!         Some(self)
//!     }
//!     fn mesh(&self, n: usize, extent: f64) -> Mesh {
//!         let (sin, cos) = self.angle.sin_cos();
//!         let at = |t: f64| Profile { rho: t * sin, z: -t * cos, n_rho: cos, n_z: sin };
//!         Mesh::revolved(&[at(extent), at(0.0)], n)
//!     }
//! }
//!
//! impl ProjectFormula for Hill {
//!     fn features(&self, _side: Side) -> &'static [&'static str] {
//!         &["hill"]
//!     }
//!     fn closest_point<S: Scalar>(&self, _side: Side, _feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
//!         let zero = S::from_f64(0.0);
//!         let (sin, cos) = (S::from_f64(self.angle.sin()), S::from_f64(self.angle.cos()));
//!         let (e, rho) = unit_or(&Vec3::new(x.x, x.y, zero), Vec3::x());
//!         let t = rho * sin - x.z * cos; // how far down the mantle
//!         if t.value() <= 0.0 {
//!             let (n, d) = unit_or(x, Vec3::z());
//!             return ClosestPoint { p: Vec3::zeros(), n, d }; // the tip
//!         }
//!         let p = e * (t * sin) - Vec3::new(zero, zero, t * cos);
//!         ClosestPoint { p, n: e * cos + Vec3::new(zero, zero, sin), d: rho * cos + x.z * sin }
//!     }
//!     fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature {
//!         let closest = Project::closest_point(self, side, feature, x);
//!         let (e, rho) = unit_or(&Vec3::new(closest.p.x, closest.p.y, 0.0), Vec3::x());
//!         let k1 = if rho > 0.0 { self.angle.cos() / rho } else { 0.0 }; // the tip is sharp
//!         Curvature { k1, k2: 0.0, direction: Vec3::z().cross(&e) }
//!     }
//! }
//!
//! let hill = Shape::outside(Hill { angle: 45f64.to_radians() });
//! let ball = Shape::outside(Sphere::new(1.0)?);
//! let pair = pairs::bind(&hill, &ball)?;
//! let contact = pair.contact(0, &Pose::identity(), &Pose::at(Vec3::new(1.4, 0.0, 0.0)))?;
//! assert!((contact.delta - (1.0 - 1.4 / 2f64.sqrt())).abs() < 1e-15);
//! assert!((contact.p_a - Vec3::new(0.7, 0.0, -0.7)).norm() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # An algorithm of your own
//!
//! A [`PairSolver`] given to [`pairs::bind_with`] is asked before those of this crate. Here a carpet lies
//! on every plane; what is under it is found as before:
//!
//! ```
//! use carom_geometry::surfaces::{Plane, Sphere};
//! use carom_geometry::{BoundPair, Contact, GapBounds, PairFailure, PairFeatures, PairSolver, Pose};
//! use carom_geometry::{RelativeCurvature, Shape, Vec3, pairs};
//!
//! #[derive(Debug)]
//! struct Carpet {
//!     thickness: f64, // [m]
//! }
//!
//! #[derive(Debug)]
//! struct OnCarpet {
//!     thickness: f64,
//!     floor: Box<dyn BoundPair>,
//! }
//!
//! impl PairSolver for Carpet {
//!     fn name(&self) -> &'static str {
//!         "carpet"
//!     }
//!     fn reference(&self) -> &'static str {
//!         "the plane, raised"
//!     }
//!     fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
//!         a.surface.as_any().downcast_ref::<Plane>()?;
//!         Some(Box::new(OnCarpet { thickness: self.thickness, floor: pairs::bind(a, b).ok()? }))
//!     }
//! }
//!
//! impl PairFeatures for OnCarpet {
//!     fn solver(&self) -> &'static str {
//!         "carpet"
//!     }
//!     fn features(&self) -> usize {
//!         self.floor.features()
//!     }
//!     fn feature_name(&self, feature: usize) -> String {
//!         self.floor.feature_name(feature)
//!     }
//!     fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
//!         self.floor.curvature(feature, x_a, x_b)
//!     }
//!     fn bounds(&self) -> GapBounds {
//!         self.floor.bounds()
//!     }
//! }
//!
//! impl BoundPair for OnCarpet {
//!     fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
//!         let c = self.floor.contact(feature, x_a, x_b)?;
//!         Ok(Contact { p_a: c.p_a + c.n * self.thickness, delta: c.delta + self.thickness, ..c })
//!     }
//! }
//!
//! let (ball, floor) = (Shape::outside(Sphere::new(0.5)?), Shape::outside(Plane));
//! let pair = pairs::bind_with(&[&Carpet { thickness: 0.25 }], &ball, &floor)?; // in either order
//! let contact = pair.contact(0, &Pose::at(Vec3::new(0.0, 0.0, 0.5)), &Pose::identity())?;
//! assert_eq!((pair.solver(), contact.delta, contact.n), ("carpet", 0.25, -Vec3::z()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

// The properties of surfaces and of the points where they touch.
pub mod error;
mod quadrature;
mod anchors;
pub mod contact;
pub mod boundary;
pub mod mesh;
pub mod shape;
// What several surfaces share.
mod closest_point;
mod facets;
mod bend;
mod patch;
mod level_mesh;
// The kinds, and what is asked of two of them.
pub mod surfaces;
pub mod pressure;
pub mod pair;
pub mod pairs;
pub mod proximity;

pub use boundary::{BoundaryPart, PartShape};
pub use carom_base::{Pose, Quat, Scalar, Vec3};
pub use contact::{Common, Contact, Curvature, Found, RelativeCurvature, Seed};
pub use error::{GeometryError, PairFailure};
pub use mesh::Mesh;
pub use pair::{
    BoundPair, ContactResult, GapBounds, PairDual, PairFeatures, PairFormula, PairScalar, PairSolver, Sliding,
};
pub use patch::Region;
pub use pressure::PressurePatch;
pub use shape::{
    Bounds, ClosestPoint, ConvexCore, Implicit, Level, Octants, Project, ProjectFormula, Ring, Section,
    Shape, Shell, Side, Solid, Start, Support, Surface, Tip, Wall,
};
