//! The integrals that follow everything else in the state.

use crate::contact::{Rule, is_dashpot};
use crate::force::Integrals;
use crate::model::{BodyKind, BodyModel, Model};

/// The ledger's running integrals, the last components of the state, counted from the first of them. Those that stay zero
/// are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Quadratures {
    pub(crate) dissipated_normal: Option<usize>,
    /// whether there are dashpots, whose steps may not resolve it
    pub(crate) dashpots: bool,
    pub(crate) dissipated_friction: Option<usize>,
    pub(crate) dissipated_viscous: Option<usize>,
    pub(crate) dissipated_field: Option<usize>,
    pub(crate) dissipated_joint: Option<usize>,
    pub(crate) work: Option<usize>,
    /// whether it is work of drives and prescribed motions
    pub(crate) somebody_works: bool,
    /// the first of six: the impulse of all that acts from outside, and that of its torque about the origin
    pub(crate) impulse: Option<usize>,
    /// the first of the worn volumes, which are the last
    pub(crate) wear: usize,
    pub(crate) count: usize,
}

impl Quadratures {
    /// An integral only for what can happen.
    pub(crate) fn of(m: &Model) -> Quadratures {
        let mut q = Quadratures::default();
        let mut next = |wanted: bool| {
            // without a body that forces move nothing is done or lost
            (wanted && m.free().next().is_some()).then(|| {
                q.count += 1;
                q.count - 1
            })
        };
        let worn = |r: &Rule| r.wear.as_ref().and_then(|w| w.profile.as_ref()).is_some_and(|p| p.feedback);
        let dissipated_normal = next(m.rules.iter().any(|r| !r.normal.is_elastic() || worn(r)));
        let dissipated_friction = next(m.rules.iter().any(|r| r.friction.is_some() || r.resists()));
        let viscous = |b: &BodyModel| b.soft.as_ref().is_some_and(|s| s.elastic.is_viscous());
        let forces = |which: fn(Integrals) -> bool| m.forces.iter().any(|force| which(force.integrals(m)));
        let dissipated_viscous = next(forces(|f| f.viscous) || m.bodies.iter().any(viscous));
        let dissipated_field = next(forces(|f| f.field));
        let dissipated_joint = next(!m.linkage.rubs.is_empty());
        let prescribed = |b: &BodyModel| matches!(b.kind, BodyKind::Prescribed(_));
        let somebody_works = m.driven
            || m.bodies.iter().any(prescribed)
            || forces(|f| f.driven)
            || m.linkage.holds.iter().any(|h| h.works);
        let work = next(somebody_works || forces(|f| f.work));
        let impulse = next(m.integrates_impulses);
        (1..6).for_each(|_| {
            next(m.integrates_impulses);
        });
        let wear = q.count;
        let wears = if m.free().next().is_some() { m.wears().count() } else { 0 };
        Quadratures {
            dissipated_normal,
            // (a law by a function is first asked in a run, where its errors belong)
            dashpots: m.rules.iter().any(|r| !r.normal.is_formula() || is_dashpot(&*r.normal)),
            dissipated_friction,
            dissipated_joint,
            dissipated_viscous,
            dissipated_field,
            work,
            somebody_works,
            impulse,
            wear,
            count: wear + wears,
        }
    }
}
