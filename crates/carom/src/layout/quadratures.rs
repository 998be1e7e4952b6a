//! The integrals at the end of the state.

/// The running integrals, the last components of the state, as indices counted from the first of them. Those that would stay
/// zero are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Quadratures {
    pub(crate) dissipated_normal: Option<usize>,
    /// whether there are dashpots, whose dissipation the steps may not resolve
    pub(crate) dashpots: bool,
    pub(crate) dissipated_friction: Option<usize>,
    pub(crate) dissipated_viscous: Option<usize>,
    pub(crate) dissipated_field: Option<usize>,
    pub(crate) dissipated_joint: Option<usize>,
    pub(crate) work: Option<usize>,
    /// the first of the works of loads that are integrated by themselves; `work` includes them
    pub(crate) named: Option<usize>,
    /// whether `work` includes that of drives and prescribed motions
    pub(crate) somebody_works: bool,
    /// the first of six: the impulse of all external forces, and that of their torques about the origin
    pub(crate) impulse: Option<usize>,
    /// the first of the worn volumes, which are the last
    pub(crate) wear: usize,
    pub(crate) count: usize,
}

/// The integrals that a model needs: one only for each quantity that can change in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) dissipated_normal: bool,
    pub(crate) dashpots: bool,
    pub(crate) dissipated_friction: bool,
    pub(crate) dissipated_viscous: bool,
    pub(crate) dissipated_field: bool,
    pub(crate) dissipated_joint: bool,
    pub(crate) work: bool,
    pub(crate) somebody_works: bool,
    pub(crate) impulse: bool,
    /// number of loads whose work is integrated by itself
    pub(crate) named: usize,
    /// number of contacts that wear
    pub(crate) wears: usize,
}

impl Quadratures {
    /// Assigns consecutive indices to these integrals.
    pub(crate) fn new(wanted: &Wanted) -> Quadratures {
        let mut count = 0;
        let mut next = |wanted: bool, numbers: usize| {
            wanted.then(|| {
                count += numbers;
                count - numbers
            })
        };
        Quadratures {
            dissipated_normal: next(wanted.dissipated_normal, 1),
            dissipated_friction: next(wanted.dissipated_friction, 1),
            dissipated_viscous: next(wanted.dissipated_viscous, 1),
            dissipated_field: next(wanted.dissipated_field, 1),
            dissipated_joint: next(wanted.dissipated_joint, 1),
            work: next(wanted.work, 1),
            named: next(wanted.named > 0, wanted.named),
            impulse: next(wanted.impulse, 6),
            dashpots: wanted.dashpots,
            somebody_works: wanted.somebody_works,
            wear: next(true, wanted.wears).unwrap_or_default(),
            count,
        }
    }
}
