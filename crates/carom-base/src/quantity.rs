//! Physical dimensions.

/// The physical dimension of a parameter; it determines which units its value may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// a plain number
    Number,
    /// a number of any dimension, in SI units
    Any,
    /// [m]
    Length,
    /// [kg]
    Mass,
    /// [s]
    Time,
    /// [m/s]
    Speed,
    /// [s/m], one over a speed
    InverseSpeed,
    /// [rad]
    Angle,
    /// [rad/s]
    AngularSpeed,
    /// [1/s]
    Rate,
    /// [Pa]
    Pressure,
    /// [kg/m³]
    Density,
    /// [N/mⁿ], n the value of the parameter named `exponent`
    Stiffness,
    /// [N/m], of a spring
    LinearStiffness,
    /// [N/m^(3/2)], of a point contact
    PointStiffness,
    /// [Pa/m], pressure per indentation of an elastic foundation
    FoundationStiffness,
    /// [J/m²], energy of a surface per area
    SurfaceEnergy,
    /// [N]
    Force,
    /// [N m]
    Torque,
    /// [N s/m], of a dashpot
    LinearDamping,
    /// [N s²/m²], of a drag proportional to the square of the speed
    QuadraticDamping,
    /// [N s/m^(5/4)], of a dashpot proportional to the fourth root of the indentation
    PointDamping,
    /// [N m/rad], of a torsion spring
    TorsionStiffness,
    /// [N m s/rad], of a torsion dashpot
    TorsionDamping,
    /// [m s/rad], couple per normal force and angular speed
    RollingDamping,
    /// [m/s²]
    Acceleration,
    /// [kg m²], a moment of inertia
    Inertia,
    /// [Pa s]
    Viscosity,
    /// [kg/m⁴]
    DensityGradient,
    /// [J]
    Energy,
    /// [W]
    Power,
    /// [rad/s²]
    AngularAcceleration,
    /// [1/Pa], worn volume per load and sliding distance
    WearCoefficient,
    /// [m²]
    Area,
    /// [m³]
    Volume,
    /// gravitational parameter G M [m³/s²]
    GravitationalParameter,
}

impl Quantity {
    /// The SI unit, as written in tables.
    pub fn unit(self) -> &'static str {
        match self {
            Quantity::Number => "1",
            Quantity::Length => "m",
            Quantity::Mass => "kg",
            Quantity::Time => "s",
            Quantity::Speed => "m/s",
            Quantity::InverseSpeed => "s/m",
            Quantity::Angle => "rad",
            Quantity::AngularSpeed => "rad/s",
            Quantity::Rate => "1/s",
            Quantity::Pressure => "Pa",
            Quantity::Density => "kg/m^3",
            Quantity::Stiffness => "N/m^exponent",
            Quantity::LinearStiffness => "N/m",
            Quantity::PointStiffness => "N/m^1.5",
            Quantity::FoundationStiffness => "Pa/m",
            Quantity::SurfaceEnergy => "J/m^2",
            Quantity::Force => "N",
            Quantity::Torque => "N m",
            Quantity::LinearDamping => "N s/m",
            Quantity::QuadraticDamping => "N s^2/m^2",
            Quantity::PointDamping => "N s/m^1.25",
            Quantity::TorsionStiffness => "N m/rad",
            Quantity::TorsionDamping => "N m s/rad",
            Quantity::RollingDamping => "m s/rad",
            Quantity::Acceleration => "m/s^2",
            Quantity::Inertia => "kg m^2",
            Quantity::Viscosity => "Pa s",
            Quantity::DensityGradient => "kg/m^4",
            Quantity::Energy => "J",
            Quantity::Power => "W",
            Quantity::AngularAcceleration => "rad/s^2",
            Quantity::WearCoefficient => "1/Pa",
            Quantity::Area => "m^2",
            Quantity::Volume => "m^3",
            Quantity::Any => "SI units",
            Quantity::GravitationalParameter => "m^3/s^2",
        }
    }
}
