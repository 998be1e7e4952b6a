//! Methods against the drift of joints.

/// How the drift of the joints' equations is prevented. Drift arises because the equations are integrated as
/// accelerations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stabilisation {
    /// the drift is removed from positions and velocities after every step
    #[default]
    Projection,
    /// φ̈ = −2 α φ̇ − α² φ, with α [1/s]: for comparison (Baumgarte 1972)
    Baumgarte(f64),
    /// the drift is not removed
    None,
}
