//! What is done about the drift of joints.

/// What keeps the equations of joints from drifting: they are integrated as accelerations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stabilisation {
    /// the drift is taken out of positions and velocities after every step
    #[default]
    Projection,
    /// φ̈ = −2 α φ̇ − α² φ, with α [1/s]: to be compared with (Baumgarte 1972)
    Baumgarte(f64),
    /// nothing does
    None,
}
