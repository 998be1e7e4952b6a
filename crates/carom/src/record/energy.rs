//! The energies of a model in motion, as frames report them.

/// The energies of a run, and the work and dissipation so far [J].
///
/// `total = kinetic + potential + elastic + field + strain` and `audit = total + dissipated − work − total(0)`: the energy
/// that the integration itself has gained or lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// kinetic energy: ½ m v² + ½ ω·I ω of rigid bodies, ½ m v² + ½ tr(Ḟ J Ḟᵀ) of those that deform
    pub kinetic: f64,
    /// potential energy of gravity, −m g·x of all bodies
    pub potential: f64,
    /// stored in contacts, by normal laws and in the bristles of friction laws with memory, and in springs
    pub elastic: f64,
    /// stored in short-range fields on bodies that do not deform
    pub field: f64,
    /// stored in bodies that deform
    pub strain: f64,
    /// work done so far by prescribed motions and drives, by loads, torques and user-defined loads, and by repulsion and
    /// adhesion on bodies that deform, which have no potential
    pub work: f64,
    /// dissipated so far by normal damping
    pub dissipated_normal: f64,
    /// dissipated so far by friction, including rolling and spinning resistance
    pub dissipated_friction: f64,
    /// dissipated so far in the dashpots of forces and by the viscosity of bodies
    pub dissipated_viscous: f64,
    /// dissipated so far by damping and friction of short-range fields
    pub dissipated_field: f64,
    /// dissipated so far by joint friction
    pub dissipated_joint: f64,
    /// energy-balance error: what the integration has gained (positive) or lost
    pub audit: f64,
}

carom_base::plain!(Energy {
    kinetic,
    potential,
    elastic,
    field,
    strain,
    work,
    dissipated_normal,
    dissipated_friction,
    dissipated_viscous,
    dissipated_field,
    dissipated_joint,
    audit
});

/// A column of the energy ledger.
#[derive(Clone, Copy, Debug)]
pub struct EnergyColumn {
    /// its name, which is also its heading in result files
    pub name: &'static str,
    /// in words, for figures
    pub what: &'static str,
    /// its value in a record [J]
    pub value: fn(&Energy) -> f64,
}

impl Energy {
    /// The columns of the ledger, in the order of result files. Result files, quantities and figures follow from this list.
    ///
    /// ```
    /// let energy = carom::Energy { kinetic: 2.0, ..Default::default() };
    /// let total = carom::Energy::COLUMNS.iter().find(|c| c.name == "total").unwrap();
    /// assert_eq!((total.value)(&energy), 2.0);
    /// ```
    pub const COLUMNS: &[EnergyColumn] = &[
        column("kinetic", "kinetic energy", |e| e.kinetic),
        column("potential", "potential energy", |e| e.potential),
        column("elastic", "elastic energy", |e| e.elastic),
        column("field", "field energy", |e| e.field),
        column("strain", "strain energy", |e| e.strain),
        column("work", "work", |e| e.work),
        column("dissipated_normal", "energy lost to damping", |e| e.dissipated_normal),
        column("dissipated_friction", "energy lost to friction", |e| e.dissipated_friction),
        column("dissipated_field", "energy lost to fields", |e| e.dissipated_field),
        column("dissipated_viscous", "energy lost to viscosity", |e| e.dissipated_viscous),
        column("dissipated_joint", "energy lost in joints", |e| e.dissipated_joint),
        column("total", "total energy", Energy::total),
        column("audit", "energy audit", |e| e.audit),
    ];

    /// Returns kinetic + potential + elastic + field + strain [J].
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.stored()
    }

    /// Returns elastic + field + strain [J].
    pub fn stored(&self) -> f64 {
        self.elastic + self.field + self.strain
    }

    /// Returns all energy dissipated so far [J].
    pub fn dissipated(&self) -> f64 {
        self.dissipated_normal
            + self.dissipated_friction
            + self.dissipated_viscous
            + self.dissipated_field
            + self.dissipated_joint
    }
}

const fn column(name: &'static str, what: &'static str, value: fn(&Energy) -> f64) -> EnergyColumn {
    EnergyColumn { name, what, value }
}
