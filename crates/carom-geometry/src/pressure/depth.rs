//! The depth below the surface of a solid, as the least of smooth functions.
//!
//! A convex solid whose boundary is in parts has one function a part, as if that part went on: d = min d_k. The functions change by no more than the way a point goes; so do depths by
//! closest points, one function for the whole.

use std::cell::Cell;
use std::sync::Arc;

use carom_base::{Dual, Mat3, Pose, Vec3, unit_or};

use super::cells::{Cells, HalfSpace};
use crate::boundary::{BoundaryPart, PartShape};
use crate::shape::{ClosestPoint, Shape, Side, Start, Surface};
use crate::surfaces::{Plane, TriangleMesh};

/// The depth below one part of a surface.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Flat(HalfSpace),
    /// within a cylinder or a cone: in the frame `at` the depth is (radius + growth z − ρ) lean, ρ the distance from the z axis
    Round {
        at: Pose,
        radius: f64,
        growth: f64,
        lean: f64,
    },
    /// by closest points, outside the surface if it is the wall of a cavity
    Whole {
        surface: Arc<dyn Surface>,
        side: Side,
        /// up to these distances [m], outside and within, a point that is straight above another is so above the closest one alone
        only: [f64; 2],
        /// whether it is a convex solid
        convex: bool,
    },
}

/// The closest point of a surface that was found last, from which the next one, near to it, is found in fewer steps, and the normal there. It is kept for one cell and its halves only, so that results do not depend on what was computed before.
pub(crate) type Last = Cell<Option<Nearest>>;

/// The point of a surface closest to another, and the normal out of the surface there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// of which it is the closest point
    x: Vec3,
    p: Vec3,
    n: Vec3,
    /// how far x is above it [m]
    d: f64,
    /// where to look for the next one from
    start: Start,
}

/// A depth [m] and its gradient.
pub(crate) type Slope = (f64, Vec3);

impl Part {
    /// The depth of a point of the solid's frame.
    #[inline]
    pub(crate) fn at(&self, x: &Vec3) -> Slope {
        match self {
            Part::Flat(face) => (face.depth(x), -face.n),
            Part::Round { at, radius, growth, lean } => {
                let local = at.point_to_local(x);
                let (e, rho) = unit_or(&Vec3::new(local.x, local.y, 0.0), Vec3::x());
                let depth = (radius + growth * local.z - rho) * lean;
                (depth, at.direction(&(Vec3::z() * *growth - e)) * *lean)
            }
            Part::Whole { .. } => self.at_near(x, &Last::default()),
        }
    }

    /// The same, from the closest point found last.
    #[inline]
    pub(crate) fn at_near(&self, x: &Vec3, last: &Last) -> Slope {
        let Part::Whole { surface, side, only, .. } = self else { return self.at(x) };
        let Some(project) = surface.as_project() else { return (f64::NEG_INFINITY, Vec3::z()) };
        if let Some(known) = last.get().filter(|known| known.x == *x) {
            return (-known.d * side.sign(), known.n * -side.sign());
        }
        let is_closest = |found: &ClosestPoint| found.d < only[0] && -found.d < only[1];
        let near = last.get().and_then(|known| project.closest_point_near(x, &known.start));
        let (found, start) = near.filter(|(found, _)| is_closest(found)).unwrap_or_else(|| {
            let found = project.closest_point(Side::Outside, 0, x);
            (found, Start::at(found.p))
        });
        last.set(Some(Nearest { x: *x, p: found.p, n: found.n, d: found.d, start }));
        (-found.d * side.sign(), found.n * -side.sign())
    }

    /// A bound of the depth from above, by the ball around the solid, and, if that is convex, by the plane that touches it where a closest point was found last; `None` for the solid around a cavity.
    fn at_most(&self, x: &Vec3, last: &Last) -> Option<f64> {
        match self {
            Part::Whole { surface, side: Side::Outside, convex, .. } => {
                let ball = surface.bounds();
                let by_ball = ball.radius - (x - ball.centre).norm();
                let plane = last.get().filter(|_| *convex).map(|known| known.n.dot(&(known.p - x)));
                Some(plane.map_or(by_ball, |by_plane| by_ball.min(by_plane)))
            }
            _ => None,
        }
    }

    /// A seam of its surface ([`Project::seam`]).
    fn seam(&self, k: usize, x: &Vec3) -> Option<Slope> {
        match self {
            Part::Whole { surface, .. } => surface.as_project()?.seam(k, x),
            _ => None,
        }
    }

    /// The first part of a solid, with those two of its seams that are nearest within the distance `reach` of a point.
    fn seams_near(&self, x: &Vec3, reach: f64) -> Below {
        let (mut near, mut far) = ([None; 2], [reach; 2]);
        for (k, (value, _)) in (0..).map_while(|k| Some((k, self.seam(k, x)?))) {
            if value.abs() <= far[0] {
                (near, far) = ([Some(k), near[0]], [value.abs(), far[0]]);
            } else if value.abs() <= far[1] {
                (near[1], far[1]) = (Some(k), value.abs());
            }
        }
        near[0].map_or(Below::One(0), |first| Below::Seamed(0, first, near[1]))
    }

    /// Down to which depth [m] it is smooth for certain: further down the nearest point may leap.
    fn smooth_to(&self) -> f64 {
        match self {
            Part::Whole { side: Side::Outside, only, .. } => only[1],
            Part::Whole { only, .. } => only[0],
            _ => f64::INFINITY,
        }
    }

    /// By closest points of a shape.
    fn whole(shape: &Shape) -> Part {
        let round = |side: Side| shape.surface.as_project().map_or(0.0, |p| 0.9 * p.hollow_radius(side));
        let only = [round(Side::Outside), round(Side::Inside)];
        let convex = shape.surface.as_support().is_some();
        Part::Whole { surface: shape.surface.clone(), side: shape.side, only, convex }
    }

    /// A field along the gradient of the depth s whose divergence is s: f ∇s with f = s²/2 + (κ₁ + κ₂) s³/6 + κ₁ κ₂ s⁴/12, κ₁ and κ₂ the curvatures of the surface of equal depth through the point, positive where it bulges out of the
    /// solid. For along a normal the area of that surface grows, on a way t towards the solid's surface, by (1 + κ₁ t)(1 + κ₂ t), and f is the integral of (s − t) times that from t = 0 to s.
    fn field(&self, x: &Vec3, last: &Last) -> Vec3 {
        let (s, gradient) = self.at_near(x, last);
        let (sum, product) = match self {
            Part::Flat(_) => (0.0, 0.0),
            Part::Round { at, lean, .. } => {
                let local = at.point_to_local(x);
                (lean / Vec3::new(local.x, local.y, 0.0).norm(), 0.0)
            }
            Part::Whole { surface, side, .. } => {
                let Some(project) = surface.as_project() else { return Vec3::zeros() };
                if let Some((sum, product)) = last.get().and_then(|known| project.curvatures_at(&known.p)) {
                    let sum = sum * side.sign();
                    // κ/(1 − s κ) of the surface at the depth s
                    let spread = 1.0 - s * (sum - s * product);
                    let field = (sum - 2.0 * s * product) / spread / 6.0 + s * product / spread / 12.0;
                    return gradient * (s * s * (0.5 + s * field));
                }
                let dual = Vec3::from_fn(|i, _| Dual::<3>::variable(x[i], i));
                let n = project.closest_point_dual(Side::Outside, 0, &dual).n;
                let m = Mat3::from_fn(|i, j| n[i].eps[j] * side.sign());
                let trace = m.trace();
                (trace, 0.5 * (trace * trace - (m * m).trace()))
            }
        };
        gradient * (s * s * (0.5 + s * (sum / 6.0 + s * product / 12.0)))
    }

    fn of(part: &BoundaryPart) -> Option<Part> {
        let flat = |x: &Vec3| {
            let n = part.normal()?;
            Some(Part::Flat(HalfSpace { n, h: n.dot(&part.at.point(x)) }))
        };
        match &part.shape {
            PartShape::Polygon(corners) => flat(corners.first()?),
            PartShape::Disc { .. } => flat(&Vec3::zeros()),
            PartShape::Barrel { radius, .. } => {
                Some(Part::Round { at: part.at, radius: *radius, growth: 0.0, lean: 1.0 })
            }
            PartShape::Mantle { radii: [below, above], length } => {
                let growth = (above - below) / length;
                let lean = 1.0 / (1.0 + growth * growth).sqrt();
                Some(Part::Round { at: part.at, radius: 0.5 * (below + above), growth, lean })
            }
            PartShape::Ellipsoid { .. } => None,
        }
    }
}

/// The depth in a solid.
#[derive(Clone, Debug)]
pub(crate) enum Depth {
    /// all of its faces are flat
    Cells(Cells),
    Parts(Vec<Part>),
    /// of the solid around a convex cavity: the parts of its wall, of which the depth is that below the highest one where the closest point is within that part; and the depth by closest points, which holds everywhere
    Around(Vec<Part>, Part),
}

/// What the depth is in some region: below these parts of the solid.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Below {
    One(usize),
    Two(usize, usize),
    /// below one part, whose depth is smooth but on these seams
    Seamed(usize, usize, Option<usize>),
    Many,
}

impl Below {
    /// These parts.
    pub(crate) fn of(mut parts: impl Iterator<Item = usize>) -> Below {
        match (parts.next(), parts.next(), parts.next()) {
            (Some(a), None, _) => Below::One(a),
            (Some(a), Some(b), None) => Below::Two(a, b),
            _ => Below::Many,
        }
    }
}

/// Meshes with more faces than this are not taken for polyhedra.
const MOST_FACES: usize = 64;

impl Depth {
    /// That of a shape.
    pub(crate) fn new(shape: &Shape) -> Depth {
        let whole = || Depth::Parts(vec![Part::whole(shape)]);
        let bounds = shape.surface.bounds();
        let size = bounds.centre.norm() + bounds.radius;
        let outside = shape.side == Side::Outside;
        if outside && shape.surface.as_any().downcast_ref::<Plane>().is_some() {
            return Depth::Cells(Cells::new(vec![HalfSpace { n: Vec3::z(), h: 0.0 }], 0.0));
        }
        if let Some(mesh) = shape.surface.as_any().downcast_ref::<TriangleMesh>() {
            let flat = if outside { flat_mesh(mesh) } else { None };
            return flat.map_or_else(whole, |faces| Depth::Cells(Cells::new(faces, size)));
        }
        let boundary = shape.surface.as_support().and_then(|_| shape.surface.boundary());
        let parts: Option<Vec<Part>> =
            boundary.as_ref().and_then(|parts| parts.iter().map(Part::of).collect());
        let Some(parts) = parts else { return whole() };
        if !outside && boundary.iter().flatten().any(has_tip) {
            return whole();
        }
        if !outside {
            return Depth::Around(parts, Part::whole(shape));
        }
        let face = |part: &Part| match part {
            Part::Flat(face) => Some(*face),
            _ => None,
        };
        match parts.iter().map(face).collect() {
            Some(faces) => Depth::Cells(Cells::new(faces, size)),
            None => Depth::Parts(parts),
        }
    }

    /// Whether it is smooth but where one part meets another: of a mesh it is not.
    pub(crate) fn is_smooth(&self) -> bool {
        let mesh = |part: &Part| match part {
            Part::Whole { surface, .. } => surface.as_any().downcast_ref::<TriangleMesh>().is_some(),
            _ => false,
        };
        match self {
            Depth::Cells(_) => true,
            Depth::Parts(parts) => !parts.iter().any(mesh),
            Depth::Around(_, whole) => !mesh(whole),
        }
    }

    /// Down to which depth [m] it is smooth for certain but where one part meets another.
    pub(crate) fn smooth_to(&self) -> f64 {
        match self {
            Depth::Cells(_) => f64::INFINITY,
            Depth::Parts(parts) => parts.iter().map(Part::smooth_to).fold(f64::INFINITY, f64::min),
            Depth::Around(_, whole) => whole.smooth_to(),
        }
    }

    /// How many parts there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Depth::Cells(cells) => cells.faces.len(),
            Depth::Parts(parts) => parts.len(),
            Depth::Around(parts, _) => parts.len() + 1,
        }
    }

    /// A function that is zero on a seam of a part, and its gradient.
    pub(crate) fn seam(&self, part: usize, k: usize, x: &Vec3) -> Slope {
        let seam = match self {
            Depth::Parts(parts) => parts[part].seam(k, x),
            _ => None,
        };
        seam.unwrap_or((f64::INFINITY, Vec3::zeros()))
    }

    /// The depth below a part.
    #[inline]
    pub(crate) fn part(&self, k: usize, x: &Vec3) -> Slope {
        self.part_near(k, x, &Last::default())
    }

    /// The same, from the closest point found last.
    #[inline]
    pub(crate) fn part_near(&self, k: usize, x: &Vec3, last: &Last) -> Slope {
        match self {
            Depth::Cells(cells) => (cells.faces[k].depth(x), -cells.faces[k].n),
            Depth::Parts(parts) => parts[k].at_near(x, last),
            Depth::Around(parts, whole) => match parts.get(k) {
                Some(part) => {
                    let (depth, gradient) = part.at(x);
                    (-depth, -gradient)
                }
                None => whole.at_near(x, last),
            },
        }
    }

    /// A field along the gradient of the depth whose divergence is the depth; from the closest point found last.
    pub(crate) fn field(&self, x: &Vec3, last: &Last) -> Vec3 {
        match self {
            Depth::Parts(parts) if parts.len() == 1 => parts[0].field(x, last),
            Depth::Around(_, whole) => whole.field(x, last),
            _ => self.field_below(self.nearest_two(x)[0], x),
        }
    }

    /// The gradient of the depth.
    pub(crate) fn gradient(&self, x: &Vec3) -> Vec3 {
        match self {
            Depth::Around(_, whole) => whole.at(x).1,
            _ => self.part(self.nearest_two(x)[0], x).1,
        }
    }

    /// By how much more of that field flows into a wall between two parts, where their depths are equal, than flows out of it.
    pub(crate) fn jump(&self, x: &Vec3) -> f64 {
        let [j, k] = self.nearest_two(x);
        let apart = self.part(j, x).1 - self.part(k, x).1;
        apart.try_normalize(0.0).map_or(0.0, |n| n.dot(&(self.field_below(j, x) - self.field_below(k, x))))
    }

    fn field_below(&self, k: usize, x: &Vec3) -> Vec3 {
        match self {
            Depth::Cells(cells) => Part::Flat(cells.faces[k]).field(x, &Last::default()),
            Depth::Parts(parts) => parts[k].field(x, &Last::default()),
            Depth::Around(_, whole) => whole.field(x, &Last::default()),
        }
    }

    /// The parts below which a point is least deep: the first, and the next.
    fn nearest_two(&self, x: &Vec3) -> [usize; 2] {
        let (mut best, mut depths) = ([0, 0], [f64::INFINITY; 2]);
        for k in 0..self.len() {
            let depth = self.part(k, x).0;
            if depth < depths[0] {
                (best, depths) = ([k, best[0]], [depth, depths[0]]);
            } else if depth < depths[1] {
                (best[1], depths[1]) = (k, depth);
            }
        }
        best
    }

    /// The depth of a point, and the parts below which it is within the distance `reach` of it.
    pub(crate) fn near(&self, x: &Vec3, reach: f64, last: &Last) -> (f64, Below) {
        match self {
            Depth::Around(parts, _) => return self.around(parts, x, reach),
            Depth::Parts(parts) if parts.len() == 1 => {
                // a search is spared beyond what the solid is known to be within
                let depth = parts[0].at_most(x, last).filter(|depth| *depth <= -reach);
                if let Some(outside) = depth {
                    return (outside, Below::One(0));
                }
                return (parts[0].at_near(x, last).0, parts[0].seams_near(x, reach));
            }
            _ => {}
        }
        let depth = self.least(x);
        // the difference of two depths changes by twice the way at most
        let near = |k: usize| self.part(k, x).0 <= depth + 2.0 * reach;
        (depth, Below::of((0..self.len()).filter(|k| near(*k))))
    }

    /// The same around a cavity. The closest point to x is within the part of the wall above which x is highest, by g, if it is further than g within all others.
    fn around(&self, parts: &[Part], x: &Vec3, reach: f64) -> (f64, Below) {
        let (mut best, mut highest, mut next) = (0, f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (k, part) in parts.iter().enumerate() {
            let height = -part.at(x).0;
            if height > highest {
                (best, next, highest) = (k, highest, height);
            } else {
                next = next.max(height);
            }
        }
        if highest <= 0.0 || next + highest < -2.0 * reach {
            // (within the cavity the depth is that below the highest part, whichever it is)
            let only = next + highest.max(0.0) < -2.0 * reach;
            return (highest, Below::One(if only { best } else { parts.len() }));
        }
        (self.part(parts.len(), x).0, Below::One(parts.len()))
    }

    /// The depth below the surface [m].
    pub(crate) fn least(&self, x: &Vec3) -> f64 {
        if let Depth::Around(_, whole) = self {
            return whole.at(x).0;
        }
        (0..self.len()).map(|k| self.part(k, x).0).fold(f64::INFINITY, f64::min)
    }
}

/// Whether it is the mantle of a cone with a tip: around it there are points whose closest point is the tip.
fn has_tip(part: &BoundaryPart) -> bool {
    matches!(&part.shape, PartShape::Mantle { radii, .. } if radii.contains(&0.0))
}

/// The faces of a convex mesh that has few, each once.
fn flat_mesh(mesh: &TriangleMesh) -> Option<Vec<HalfSpace>> {
    if !mesh.is_convex() {
        return None;
    }
    let size = mesh.bounds().radius;
    let mut faces: Vec<HalfSpace> = Vec::new();
    for (t, n) in mesh.triangles().iter().zip(mesh.normals()) {
        let h = n.dot(&mesh.vertices()[t[0] as usize]);
        let same = |f: &HalfSpace| (f.n - n).norm() < 1e-12 && (f.h - h).abs() < 1e-12 * size;
        if !faces.iter().any(same) {
            faces.push(HalfSpace { n: *n, h });
        }
        if faces.len() > MOST_FACES {
            return None;
        }
    }
    Some(faces)
}
