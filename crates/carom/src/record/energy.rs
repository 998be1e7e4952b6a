//! The energy of a model in motion, as it is told.

/// Where the energy of a run is and where it has gone [J].
///
/// `total = kinetic + potential + elastic + field + strain` and `audit = total + dissipated − work − total(0)`: what the
/// integration itself has gained or lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// ½ m v² + ½ ω·I ω of all bodies, ½ m v² + ½ tr(Ḟ J Ḟᵀ) of those that deform
    pub kinetic: f64,
    /// −m g·x of all bodies
    pub potential: f64,
    /// stored in contacts, by normal laws and in the bristles of friction laws that remember, and in springs
    pub elastic: f64,
    /// stored in short-range fields on bodies that do not deform
    pub field: f64,
    /// stored in bodies that deform
    pub strain: f64,
    /// done so far by whoever moves the prescribed bodies and changes what is driven, and by repulsion and adhesion on bodies that deform, which have no
    /// potential
    pub work: f64,
    /// lost so far to normal damping
    pub dissipated_normal: f64,
    /// lost so far to friction, resistance to rolling and spinning included
    pub dissipated_friction: f64,
    /// lost so far in the dashpots of forces and to the viscosity of bodies
    pub dissipated_viscous: f64,
    /// lost so far to damping and friction of short-range fields
    pub dissipated_field: f64,
    /// lost so far to friction in joints
    pub dissipated_joint: f64,
    /// what the integration has gained (positive) or lost
    pub audit: f64,
}

impl Energy {
    /// kinetic + potential + elastic + field + strain [J].
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.stored()
    }

    /// elastic + field + strain [J].
    pub fn stored(&self) -> f64 {
        self.elastic + self.field + self.strain
    }

    /// All that was lost so far [J].
    pub fn dissipated(&self) -> f64 {
        self.dissipated_normal
            + self.dissipated_friction
            + self.dissipated_viscous
            + self.dissipated_field
            + self.dissipated_joint
    }
}
