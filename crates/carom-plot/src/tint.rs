//! The colours of bodies in pictures.

/// The colours of bodies: pale, so that lines stand out. The first is that of bodies that move.
const BODIES: [[f64; 3]; 4] =
    [[168.0, 196.0, 222.0], [236.0, 205.0, 150.0], [184.0, 214.0, 178.0], [222.0, 186.0, 206.0]];
const GROUND: [f64; 3] = [228.0, 228.0, 228.0];
const FIXED: [f64; 3] = [205.0, 205.0, 205.0];

/// The colour of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tint {
    /// the n-th colour of bodies
    Body(usize),
    /// a body that does not move
    Fixed,
    /// a plane without end
    Ground,
}

impl Tint {
    pub(crate) fn rgb(self) -> [f64; 3] {
        match self {
            Tint::Body(n) => BODIES[n % BODIES.len()],
            Tint::Fixed => FIXED,
            Tint::Ground => GROUND,
        }
    }
}
