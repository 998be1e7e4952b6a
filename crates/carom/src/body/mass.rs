//! Mass, centre of mass and inertia of a body, given or computed from its shapes.

use carom_base::elementary::{cos, sin};
use carom_base::{Mat3, Vec3};
use carom_geometry::Side;
use carom_law::Material;

use super::{Body, SurfaceSpec, euler_tensor};
use crate::error::{BuildError, Fault};

/// A body's inertia about its centre of mass, in its body axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Inertia {
    /// the same about every axis: no gyroscopic torque, and no rotation of the tensor is needed
    Isotropic {
        /// moment of inertia about any axis [kg m²]
        moment: f64,
        /// its inverse
        inverse: f64,
    },
    /// any other inertia
    General {
        /// the tensor [kg m²]
        tensor: Mat3,
        /// its inverse
        inverse: Mat3,
    },
}

impl Inertia {
    pub(crate) fn new(tensor: Mat3) -> Inertia {
        let i = tensor[(0, 0)];
        if tensor == Mat3::from_diagonal_element(i) {
            return Inertia::Isotropic { moment: i, inverse: 1.0 / i };
        }
        // a tensor checked to be positive definite has an inverse
        Inertia::General { tensor, inverse: tensor.try_inverse().unwrap_or_else(Mat3::zeros) }
    }

    pub(crate) fn tensor(&self) -> Mat3 {
        match self {
            Inertia::Isotropic { moment, .. } => Mat3::from_diagonal_element(*moment),
            Inertia::General { tensor, .. } => *tensor,
        }
    }
}

/// The mass properties of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MassProperties {
    pub(crate) mass: f64,
    pub(crate) centre: Vec3,
    pub(crate) inertia: Mat3,
    /// volume of the solids and shells [m³]; 0 if there are none
    pub(crate) volume: f64,
}

/// Returns the mass properties of a body that moves under forces: values given take precedence over those from the shapes.
pub(crate) fn mass_properties(
    body: &Body,
    materials: &[Material],
    turns: bool,
) -> Result<MassProperties, BuildError> {
    let missing = |what, hint| body.subject().fails(None, Fault::Missing { what, hint });
    if let Some(mass) = body.mass {
        positive(body, "mass", mass)?;
    }
    if let Some(density) = body.density {
        positive(body, "density", density)?;
    }
    // with a mass given, the shapes only determine its distribution: any density serves
    let shapes = from_shapes(body, materials, body.mass.map(|_| 1.0))?;
    let mass = match (body.mass, &shapes) {
        (Some(mass), _) => mass,
        (None, Some(s)) => s.mass,
        (None, None) => return Err(missing("mass", "give `mass`, or a density and a closed surface")),
    };
    let centre = match (body.centre_of_mass, body.mass, &shapes) {
        (Some(centre), _, _) => centre,
        (None, None, Some(s)) => s.centre,
        _ => Vec3::zeros(),
    };
    let inertia = match (body.inertia, &shapes) {
        (Some(tensor), _) => tensor,
        // about the actual centre of mass, if that is not the shapes' centroid
        (None, Some(s)) => s.inertia * (mass / s.mass) + steiner(mass, &(s.centre - centre)),
        (None, None) if !turns => Mat3::identity(),
        (None, None) => {
            return Err(missing("inertia", "give `inertia`, or a closed surface to take it from"));
        }
    };
    check_inertia(body, &inertia)?;
    Ok(MassProperties { mass, centre, inertia, volume: shapes.map_or(0.0, |s| s.volume) })
}

fn positive(body: &Body, field: &'static str, value: f64) -> Result<(), BuildError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(body.subject().bad(field, value, "a finite number greater than 0"))
}

/// Returns m(|d|²E − d dᵀ), which a shift of the axes by d adds to an inertia (Steiner's theorem).
fn steiner(mass: f64, d: &Vec3) -> Mat3 {
    (Mat3::identity() * d.norm_squared() - d * d.transpose()) * mass
}

/// Returns volume [m³], centroid, and inertia about it [m⁵] at density one, of a surface's shell or else of the solid that it
/// bounds. A cavity is in an unbounded solid, and has none of these except as a shell; nor has a surface of a joint.
fn content(s: &SurfaceSpec) -> Option<(f64, Vec3, Mat3)> {
    if s.of_joint {
        return None;
    }
    if let Some(thickness) = s.shell {
        // thin: all mass is on the surface
        return s.shape.surface.shell().map(|x| (x.area * thickness, x.centroid, x.inertia * thickness));
    }
    match s.shape.side {
        Side::Outside => s.shape.surface.solid().map(|x| (x.volume, x.centroid, x.inertia)),
        Side::Inside => None,
    }
}

/// Combines the solids that the body's surfaces bound and the shells. The density is `density` for all of them, else the
/// body's, else each material's. Returns `None` if there are no solids or no densities.
fn from_shapes(
    body: &Body,
    materials: &[Material],
    density: Option<f64>,
) -> Result<Option<MassProperties>, BuildError> {
    let mut parts = Vec::new();
    let mut whole = 0.0;
    for s in &body.surfaces {
        let Some((volume, centroid, inertia)) = content(s) else { continue };
        let material = s.material.as_ref().and_then(|m| materials.iter().find(|x| x.name == *m));
        let density = density.or(body.density).or(material.and_then(|m| m.density));
        let Some(density) = density else { return Ok(None) };
        let inertia = s.pose.r * inertia * s.pose.r.transpose();
        whole += volume;
        parts.push(graded(body, s, density, volume, s.pose.point(&centroid), inertia)?);
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let mass: f64 = parts.iter().map(|(m, _, _)| m).sum();
    let centre = parts.iter().map(|(m, c, _)| c * *m).sum::<Vec3>() / mass;
    let inertia = parts.iter().map(|(m, c, i)| i + steiner(*m, &(c - centre))).sum();
    Ok(Some(MassProperties { mass, centre, inertia, volume: whole }))
}

/// Returns mass, centre of mass and inertia about that of a solid whose density grows along the body's gradient γ, from its
/// volume, centroid c and inertia at density one. With K = ∫ x⊗x dV about the centroid, for a solid that is symmetric about
/// it: m = (ρ + γ·c) V, the centre of mass is K γ/m from the centroid, and the Euler tensor about the centroid is (ρ + γ·c)
/// K.
fn graded(
    body: &Body,
    s: &SurfaceSpec,
    density: f64,
    volume: f64,
    centroid: Vec3,
    inertia: Mat3,
) -> Result<(f64, Vec3, Mat3), BuildError> {
    let gradient = &body.density_gradient;
    let density = density + gradient.dot(&centroid);
    if *gradient == Vec3::zeros() {
        return Ok((density * volume, centroid, inertia * density));
    }
    let bad = |value: String, allowed| body.subject().bad("density_gradient", value, allowed);
    let value = || format!("[{}, {}, {}]", gradient.x, gradient.y, gradient.z);
    if body.mass.is_some() {
        return Err(bad(format!("{} with a mass", value()), "with a density"));
    }
    if s.shell.is_some() || !is_symmetric(s) {
        let what = format!("{} on a {}", value(), s.shape.describe());
        return Err(bad(what, "solids that are alike on both sides of their centroid"));
    }
    // the smallest density is on the surface
    let mesh = s.shape.surface.mesh(64, 1.0);
    let at = |v: &[f64; 3]| density + gradient.dot(&(s.pose.point(&(*v).into()) - centroid));
    if !mesh.vertices.iter().all(|v| at(v) > 0.0) {
        return Err(bad(value(), "a density greater than 0 everywhere"));
    }
    let mass = density * volume;
    let arm = euler_tensor(&inertia) * gradient / mass;
    Ok((mass, centroid + arm, inertia * density - steiner(mass, &arm)))
}

/// Whether a solid extends equally far in opposite directions from its centroid; true for those without a support function.
fn is_symmetric(s: &SurfaceSpec) -> bool {
    let (Some(solid), Some(support)) = (s.shape.surface.solid(), s.shape.surface.as_support()) else {
        return true;
    };
    let reach = |n: &Vec3| (support.support(n) - solid.centroid).dot(n);
    let size = s.shape.surface.bounds().radius;
    (0..64).all(|i| {
        // directions distributed evenly: a golden spiral
        let (z, a) = (1.0 - (f64::from(i) + 0.5) / 64.0, 2.399963229728653 * f64::from(i));
        let r = (1.0 - z * z).sqrt();
        let n = Vec3::new(r * cos(a), r * sin(a), z);
        (reach(&n) - reach(&-n)).abs() < 1e-9 * size
    })
}

/// Returns an error if an inertia tensor is invalid: it must be symmetric, its principal moments positive, and none larger
/// than the sum of the other two (each is a sum of squares of two coordinates).
fn check_inertia(body: &Body, i: &Mat3) -> Result<(), BuildError> {
    let bad = |allowed| {
        let diagonal = Mat3::from_diagonal(&i.diagonal()) == *i;
        let numbers: Vec<f64> =
            if diagonal { i.diagonal().as_slice().to_vec() } else { i.as_slice().to_vec() };
        let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
        Err(body.subject().bad("inertia", format!("[{}]", numbers.join(", ")), allowed))
    };
    if i.iter().any(|x| !x.is_finite()) {
        return bad("finite numbers");
    }
    if (i - i.transpose()).abs().max() > 1e-12 * i.abs().max() {
        return bad("a symmetric tensor");
    }
    let mut m: Vec<f64> = i.symmetric_eigenvalues().iter().copied().collect();
    m.sort_by(f64::total_cmp);
    if m[0] <= 0.0 {
        return bad("principal moments greater than 0");
    }
    // a flat body has equality: allow for rounding in printed values
    if m[2] > (m[0] + m[1]) * (1.0 + 1e-9) {
        return bad("principal moments of which none exceeds the sum of the other two");
    }
    Ok(())
}
