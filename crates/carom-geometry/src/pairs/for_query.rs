//! How far two shapes are apart, for those who ask for nothing else.

use carom_base::Pose;

use super::cavity::Cavity;
use super::{ALL, apart, convex, either_way, mesh};
use crate::contact::{Contact, Found, RelativeCurvature, Seed};
use crate::error::{GeometryError, PairFailure};
use crate::pair::{
    BoundPair, ContactResult, GapBounds, PairDual, PairFeatures, PairSolver, with_derivatives,
};
use crate::shape::{Shape, Side};

/// The algorithms that know distances alone, nothing of forces in motion: they are asked after all others, and by [`bind_for_query`] only.
pub static FOR_QUERIES: &[&dyn PairSolver] = &[&mesh::Mesh, &convex::AnyConvex, &apart::Apart];

/// Binds two shapes to find how far they are apart, not to press them on one another: every pair of shapes has a distance, but for two solids without end (a plane, the solid around
/// a cavity). Pairs that [`bind`](super::bind) knows are bound as it binds them; where such a pair refuses an answer, a general algorithm gives one.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::{Cuboid, Cylinder}};
/// let (brick, can) = (Shape::outside(Cuboid::new([0.2, 0.2, 0.2])?), Shape::outside(Cylinder::new(0.1, 0.3)?)); // [m]
/// let pair = pairs::bind_for_query(&brick, &can)?;
/// let found = pair.search(&Pose::identity(), &Pose::at(Vec3::new(0.25, 0.0, 0.0)), None)?;
/// assert!((found.contact.delta + 0.05).abs() < 1e-15 && found.certified());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bind_for_query(a: &Shape, b: &Shape) -> Result<Box<dyn BoundPair>, GeometryError> {
    let has_side = |s: &Shape| s.side == Side::Outside || s.surface.is_closed() || s.surface.is_sheet();
    if let Some(open) = [a, b].into_iter().find(|s| !has_side(s)) {
        return Err(GeometryError::NotClosed { kind: open.surface.kind() });
    }
    let known = [a, b].iter().all(|s| s.side == Side::Outside || s.surface.has_inside());
    let usual = ALL.iter().filter(|_| known).find_map(|solver| either_way(*solver, a, b));
    // (along the walls of a cavity the nearest point is found downhill only if it is convex: in a ring, or over a saddle, that may lead elsewhere)
    let convex = |s: &&Shape| s.side == Side::Outside || s.surface.as_support().is_some();
    let usual = usual.filter(|pair| pair.solver() != Cavity.name() || [a, b].iter().all(convex));
    let general = FOR_QUERIES.iter().find_map(|solver| either_way(*solver, a, b));
    match (usual, general) {
        (Some(usual), general) => Ok(Box::new(Asked { usual, general, shapes: [a.clone(), b.clone()] })),
        (None, Some(pair)) => Ok(pair),
        (None, None) => Err(GeometryError::Endless { a: a.describe(), b: b.describe() }),
    }
}

/// A pair for motion, and one that answers where that refuses to.
#[derive(Debug)]
struct Asked {
    usual: Box<dyn BoundPair>,
    general: Option<Box<dyn BoundPair>>,
    shapes: [Shape; 2],
}

impl Asked {
    /// The answer of the general pair, where the other one has refused.
    fn otherwise<T>(
        &self,
        refused: PairFailure,
        ask: impl Fn(&dyn BoundPair) -> Result<T, PairFailure>,
    ) -> Result<T, PairFailure> {
        self.general.as_deref().map_or(Err(refused), ask)
    }

    /// Bounds of a distance that came without: of convex solids that are apart, or a little in one another, by their tangent planes and points; of others by the general search, if it finds the same.
    fn bounds(&self, contact: &Contact, x_a: &Pose, x_b: &Pose) -> Option<[f64; 2]> {
        let [a, b] = &self.shapes;
        let at_once = convex::certificate(a, b, x_a, x_b, contact);
        at_once.or_else(|| {
            let convex = |s: &Shape| s.side == Side::Outside && s.surface.as_support().is_some();
            let general = self.general.as_deref().filter(|_| convex(a) && convex(b))?;
            let bounds = general.search(x_a, x_b, None).ok()?.bounds?;
            let size = a.bounds().radius + b.bounds().radius;
            let is_same = |bound: f64| (bound + contact.delta).abs() <= convex::SURE * size;
            // (both are rounded: what was found is within them)
            let found = -contact.delta;
            bounds.into_iter().all(is_same).then_some([bounds[0].min(found), bounds[1].max(found)])
        })
    }
}

impl PairFeatures for Asked {
    fn solver(&self) -> &'static str {
        self.usual.solver()
    }
    fn features(&self) -> usize {
        self.usual.features()
    }
    fn feature_name(&self, feature: usize) -> String {
        self.usual.feature_name(feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        self.usual.curvature(feature, x_a, x_b)
    }
    fn parts(&self) -> usize {
        self.usual.parts()
    }
    fn bounds(&self) -> GapBounds {
        self.usual.bounds()
    }
    fn late(&self) -> f64 {
        self.usual.late()
    }
    fn crown(&self) -> f64 {
        self.usual.crown()
    }
    fn fine(&self) -> f64 {
        self.usual.fine()
    }
}

impl BoundPair for Asked {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        self.usual.contact(feature, x_a, x_b)
    }
    fn contact_from(&self, feature: usize, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> ContactResult {
        self.usual.contact_from(feature, x_a, x_b, seed)
    }
    fn is_iterative(&self) -> bool {
        self.usual.is_iterative()
    }
    with_derivatives!(|pair, k, x_a, x_b, seed| PairDual::contact(&*pair.usual, k, x_a, x_b, seed));
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.closest_by(x_a, x_b).map(|(contact, _)| contact)
    }
    fn closest_by(&self, x_a: &Pose, x_b: &Pose) -> Result<(Contact, &'static str), PairFailure> {
        let found = self.usual.closest_by(x_a, x_b);
        found.or_else(|e| self.otherwise(e, |pair| pair.closest_by(x_a, x_b)))
    }
    fn search(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Found, PairFailure> {
        let found = self.usual.search(x_a, x_b, seed);
        let found = found.or_else(|e| self.otherwise(e, |pair| pair.search(x_a, x_b, None)))?;
        let bounds = found.bounds.or_else(|| self.bounds(&found.contact, x_a, x_b));
        Ok(Found { bounds, ..found })
    }
}
