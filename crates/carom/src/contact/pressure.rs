//! Contacts that are integrals of pressure over the patch where two solids overlap.
//!
//! The points of the integral come from geometry anew in every state: each stands for a piece of area, and the pressure there is
//! a function of its depth and of the rate at which the two bodies close there. Friction acts at every point by a law without
//! memory. The gap of such a pair, by which touch and release are found, is that of its nearest points, as of any other pair.

use carom_base::{Pose, Vec3};
use carom_geometry::{Contact, PairFailure};

use super::bodies::PairBodies;
use super::closing::Closing;
use super::pair::ContactPair;
use super::point::{PointForce, Pressed, Sliding, load};
use crate::model::Model;
use crate::state::placed;

/// The largest number of trials of how large a patch becomes.
const TRIALS: usize = 8;
/// A patch is known as soon as its area changes by less than this factor from one trial to the next.
const ALIKE: f64 = 1.3;

/// The action of a patch on its two bodies, and what results show of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchForce {
    /// force on A [N]; that on B is the opposite
    pub(crate) force: Vec3,
    /// torques on A and on B about their centres of mass [N m]
    pub(crate) torques: [Vec3; 2],
    /// power dissipated by the normal forces [W]
    pub(crate) lost_normal: f64,
    /// power dissipated by friction [W]
    pub(crate) lost_friction: f64,
    /// sum of the normal forces f_n n, and of their elastic parts [N]
    normal: Vec3,
    elastic: Vec3,
    /// sum of the friction forces on A [N]
    f_t: Vec3,
    /// sum of the magnitudes f_n [N], and of f_n p [N m]
    load: f64,
    moment: Vec3,
    /// area [m²] and largest pressure [Pa]
    pub(crate) area: f64,
    pub(crate) pressure: f64,
}

impl PatchForce {
    const NONE: PatchForce = PatchForce {
        force: ZERO,
        torques: [ZERO; 2],
        lost_normal: 0.0,
        lost_friction: 0.0,
        normal: ZERO,
        elastic: ZERO,
        f_t: ZERO,
        load: 0.0,
        moment: ZERO,
        area: 0.0,
        pressure: 0.0,
    };

    /// Adds a point of the integral, `arms` being its places relative to the centres of mass of A and B.
    #[inline(always)]
    fn add(&mut self, c: &Contact, arms: [Vec3; 2], pressed: &Pressed, sliding: &Sliding) {
        let f = sliding.f_t - c.n * pressed.f_n;
        self.force += f;
        self.torques[0] += arms[0].cross(&f);
        self.torques[1] -= arms[1].cross(&f);
        self.lost_normal += pressed.lost(c);
        self.lost_friction -= sliding.f_t.dot(&sliding.v_t);
        self.normal += c.n * pressed.f_n;
        self.elastic += c.n * pressed.f_elastic;
        self.f_t += sliding.f_t;
        self.load += pressed.f_n;
        self.moment += c.p_a * pressed.f_n;
        self.area += c.share;
        self.pressure = self.pressure.max(pressed.f_n / c.share);
    }

    /// Returns the centre of pressure [m], or `None` without pressure.
    fn centre(&self) -> Option<Vec3> {
        (self.load > 0.0).then(|| self.moment / self.load)
    }
}

const ZERO: Vec3 = Vec3::new(0.0, 0.0, 0.0);

/// A patch as results show it: as one contact point at the centre of pressure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchPoint {
    /// the resultant forces there. The normal force is the magnitude of the resultant, along which the normal is; the depth is
    /// that of the deepest point
    pub(crate) point: PointForce,
    /// couple on A about the centre of pressure [N m]
    pub(crate) couple: Vec3,
    /// the sums over the patch
    pub(crate) force: PatchForce,
}

impl ContactPair {
    /// Whether its forces are an integral of pressure over a patch.
    #[inline(always)]
    pub(crate) fn presses(&self) -> bool {
        self.presses
    }

    /// Computes the action of a patch on its bodies; `points` is workspace.
    pub(crate) fn press(
        &self,
        m: &Model,
        bodies: PairBodies<'_>,
        points: &mut Vec<Contact>,
    ) -> Result<PatchForce, PairFailure> {
        let PairBodies { a: ka, b: kb, .. } = bodies;
        self.patch_points(&ka.x, &kb.x, points)?;
        let (rule, point) = (&m.rules[self.rule], &self.state.points[0]);
        let mut sum = PatchForce::NONE;
        for c in points.iter().filter(|c| c.delta > 0.0) {
            let arms = [c.p_a - ka.x.p, c.p_a - kb.x.p];
            let v = ka.velocity_at(&c.p_a) - kb.velocity_at(&c.p_a);
            let closing = Closing::rigid(v, &c.n);
            let pressed = Pressed::new(c, closing.delta_dot, rule, point);
            let sliding = Sliding::new(&c.n, &closing, &pressed, rule);
            sum.add(c, arms, &pressed, &sliding);
        }
        Ok(sum)
    }

    /// Computes a patch as one contact point.
    pub(crate) fn patch_point(
        &self,
        m: &Model,
        bodies: PairBodies<'_>,
        points: &mut Vec<Contact>,
    ) -> Result<PatchPoint, PairFailure> {
        let force = self.press(m, bodies, points)?;
        let gap = self.contact(0, bodies)?;
        let centre = force.centre().unwrap_or((gap.p_a + gap.p_b) * 0.5);
        let f_n = force.normal.norm();
        let n = if f_n > 0.0 { force.normal / f_n } else { gap.n };
        let v = bodies.a.velocity_at(&centre) - bodies.b.velocity_at(&centre);
        let contact =
            Contact { p_a: centre, p_b: centre, n, delta: gap.delta, share: force.area, common: None };
        let point = PointForce {
            contact,
            delta_dot: self.closing(0, &gap, bodies).delta_dot,
            f_n,
            f_elastic: force.elastic.dot(&n),
            load: load(f_n),
            f_t: force.f_t,
            v_t: v - n * v.dot(&n),
        };
        let couple = force.torques[0] - (centre - bodies.a.x.p).cross(&force.force);
        Ok(PatchPoint { point, couple, force })
    }

    /// Computes the forces of a contact point, or of a patch as if it were one.
    pub(crate) fn force_at(
        &self,
        m: &Model,
        k: usize,
        bodies: PairBodies<'_>,
    ) -> Result<PointForce, PairFailure> {
        match self.presses {
            true => self.patch_point(m, bodies, &mut Vec::new()).map(|patch| patch.point),
            false => self.point(m, k, bodies),
        }
    }

    /// Returns the elastic energy of contact point `k`, or of the patch [J].
    pub(crate) fn elastic_energy(
        &self,
        m: &Model,
        k: usize,
        bodies: PairBodies<'_>,
    ) -> Result<f64, PairFailure> {
        let touch = &self.state.points[k].touch;
        if let (true, Some(patch)) = (self.presses, self.geometry.patch()) {
            let (ra, rb);
            let xa = placed!(self.local_a, bodies.a.x, ra);
            let xb = placed!(self.local_b, bodies.b.x, rb);
            return Ok(touch.stiffness * patch.stored(xa, xb)?);
        }
        let c = self.contact(k, bodies)?;
        let least = if touch.floor < 0.0 { -self.state.points[k].latched.hold } else { 0.0 };
        Ok(c.share * c.lever() * m.rules[self.rule].normal.energy(c.delta.max(least), touch))
    }

    /// Returns the area [m²] over which a patch that closes at `speed` [m/s] and is pressed by `mass` [kg] along the normal acts
    /// where it is deepest: that of a flat punch of the same force there. From it follow time scales alone, and trials of a few
    /// depths are enough.
    pub(super) fn patch_area(&self, stiffness: f64, mass: f64, speed: f64, bodies: PairBodies<'_>) -> f64 {
        let most = self.size * self.size;
        let Ok(gap) = self.contact(0, bodies) else { return most };
        let (mut area, mut points) = (most, Vec::new());
        for _ in 0..TRIALS {
            let depth = (speed * (mass / (stiffness * area)).sqrt()).max(gap.delta).min(0.25 * self.size);
            let mut x_a = bodies.a.x;
            x_a.p += gap.n * (depth - gap.delta);
            if !(depth > 0.0) || self.patch_points(&x_a, &bodies.b.x, &mut points).is_err() {
                break;
            }
            let force: Vec3 = points.iter().map(|c| c.n * (c.share * c.delta)).sum();
            let next = force.norm() / depth;
            if !(next > f64::EPSILON * most) {
                break;
            }
            let ratio = next / area;
            area = next;
            if (1.0 / ALIKE..ALIKE).contains(&ratio) {
                break;
            }
        }
        area
    }

    /// Finds the points of the integral with the bodies at `x_a` and `x_b`.
    fn patch_points(&self, x_a: &Pose, x_b: &Pose, points: &mut Vec<Contact>) -> Result<(), PairFailure> {
        points.clear();
        let Some(patch) = self.geometry.patch() else { return Ok(()) };
        let (ra, rb);
        let xa = placed!(self.local_a, *x_a, ra);
        let xb = placed!(self.local_b, *x_b, rb);
        patch.points(xa, xb, points)
    }
}
