//! What a contact point wears off, and what a worn bearing does to it.

use carom_base::{Pose, Vec3};
use carom_geometry::Contact;

use super::bodies::PairBodies;
use super::moved::still;
use super::pair::ContactPair;
use super::point::PointForce;
use crate::loads::{Loads, add, push, twist};
use crate::model::Model;
use crate::state::{Kinematics, placed};
use crate::wear::{Groove, Splines, Sweep, angle};

/// What a contact point wears off at an instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worn {
    /// k F_n |v_t| [m³/s]
    volume: f64,
    /// where the end's depths start among all, the splines there, and how fast all of them grow together [m/s]
    depths: Option<(usize, Splines, f64)>,
    /// what a worn bearing does besides pressing back
    drawn: Option<Drawn>,
}

/// The part of the normal force that draws the journal to where its bearing is deeper, f_n h' ∂θ/∂q, and what the contact loses as its wall recedes.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    /// on A at its centre of mass [N], its opposite on B at the same place
    force: Vec3,
    /// on A [N m], its opposite on B
    couple: Vec3,
    /// f_e ḣ [W]
    lost: f64,
}

impl ContactPair {
    /// h and h' where a contact point is; both zero where nothing is worn.
    #[inline(always)]
    pub(crate) fn depth_and_slope(&self, k: usize, c: &Contact, bodies: PairBodies<'_>) -> (f64, f64) {
        match &self.groove {
            None => (0.0, 0.0),
            Some(groove) => self.in_groove(groove, k, c, bodies),
        }
    }

    #[cold]
    fn in_groove(&self, groove: &Groove, k: usize, c: &Contact, bodies: PairBodies<'_>) -> (f64, f64) {
        groove.at(bodies.worn, k, self.angle(c, bodies.b))
    }

    /// The angle of a contact point about the axis of B's surface, in its frame.
    fn angle(&self, c: &Contact, kb: &Kinematics) -> f64 {
        let rb: Pose;
        angle(placed!(self.local_b, kb.x, rb), &c.p_b)
    }

    /// ∂θ; none where the angle is not defined, in the middle of a bearing.
    fn sweep(&self, k: usize, ka: &Kinematics, kb: &Kinematics) -> Option<Sweep> {
        let rb: Pose;
        let x_b = still(placed!(self.local_b, kb.x, rb));
        let theta = angle(&x_b, &self.contact_dual(k, [ka, kb], 0)?.ok()?.p_b);
        let [x, y, z, a, b, c] = theta.eps;
        let sweep = Sweep { by_x: Vec3::new(x, y, z), by_turn: Vec3::new(a, b, c) };
        theta.eps.iter().all(|d| d.is_finite()).then_some(sweep)
    }

    /// h' θ̇: how fast the wall recedes as the point goes along it [m/s].
    #[inline(always)]
    pub(crate) fn receding(&self, k: usize, c: &Contact, bodies: PairBodies<'_>) -> f64 {
        if self.groove.is_none() { 0.0 } else { self.receding_in_groove(k, c, bodies) }
    }

    #[cold]
    fn receding_in_groove(&self, k: usize, c: &Contact, bodies: PairBodies<'_>) -> f64 {
        let (_, slope) = self.depth_and_slope(k, c, bodies);
        if slope == 0.0 {
            return 0.0;
        }
        let PairBodies { a: ka, b: kb, .. } = bodies;
        let rate = |s: Sweep| s.by_x.dot(&(ka.v - kb.velocity_at(&ka.x.p))) + s.by_turn.dot(&(ka.w - kb.w));
        slope * self.sweep(k, ka, kb).map_or(0.0, rate)
    }

    /// What a point wears off; `None` where its rule says nothing of wear.
    pub(crate) fn wear(
        &self,
        m: &Model,
        k: usize,
        bodies: PairBodies<'_>,
        point: PointForce,
    ) -> Option<Worn> {
        let law = m.rules[self.rule].wear.as_ref()?;
        let volume = law.k * point.load * point.v_t.norm();
        let Some(profile) = &law.profile else { return Some(Worn { volume, depths: None, drawn: None }) };
        let splines = Splines::at(self.angle(&point.contact, bodies.b), profile.sectors);
        let growth = volume / profile.area;
        let drawn = self.groove.as_ref().map(|_| {
            let slope = self.depth_and_slope(k, &point.contact, bodies).1;
            let sweep =
                if slope == 0.0 { None } else { self.sweep(k, bodies.a, bodies.b) }.unwrap_or_default();
            let f = point.f_n * slope;
            let lost = point.f_elastic * growth * splines.at_itself();
            Drawn { force: sweep.by_x * f, couple: sweep.by_turn * f, lost }
        });
        Some(Worn { volume, depths: Some((profile.of_end(k), splines, growth)), drawn })
    }

    /// Adds to the rates of the depths and to the integrals, and loads the bodies.
    pub(crate) fn add_wear(
        &self,
        m: &Model,
        loads: &mut Loads,
        worn: &Worn,
        depths: &mut [f64],
        integrals: &mut [f64],
    ) {
        let volume = m.rules[self.rule].wear.as_ref().map(|law| law.volume);
        add(integrals, volume, worn.volume);
        if let Some((first, splines, growth)) = &worn.depths {
            for (i, weight) in splines.at.iter().zip(&splines.weights) {
                depths[first + i] += growth * weight;
            }
        }
        if let Some(drawn) = &worn.drawn {
            add(integrals, m.world.quadratures.dissipated_normal, drawn.lost);
            let at = loads.body(self.body_a).x.p;
            push(&m.world, loads, integrals, self.body_a, &at, &drawn.force);
            push(&m.world, loads, integrals, self.body_b, &at, &-drawn.force);
            twist(&m.world, loads, integrals, [self.body_a, self.body_b], drawn.couple);
        }
    }

    /// Returns the depth by which the wall has receded at the angle of any contact of the surfaces [m], at the end where it is
    /// largest.
    pub(crate) fn deepest_wear_at(&self, c: &Contact, bodies: PairBodies<'_>) -> f64 {
        let Some(groove) = &self.groove else { return 0.0 };
        let theta = self.angle(c, bodies.b);
        (0..groove.ends()).map(|end| groove.at(bodies.worn, end, theta).0).fold(0.0, f64::max)
    }

    /// Whether contacts feel how a bearing is worn.
    pub(crate) fn is_worn(&self) -> bool {
        self.groove.is_some()
    }

    /// How much faster a gap can change than the points of its bodies move, with these wear depths.
    pub(super) fn rate_factor(&self, worn: &[f64]) -> f64 {
        self.groove.as_ref().map_or(1.0, |groove| groove.rate_factor(worn))
    }
}
