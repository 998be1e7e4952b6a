//! Materials by name, with values from the literature.

use crate::material::Material;

/// A material with values from the literature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StandardMaterial {
    /// its name in scenes
    pub name: &'static str,
    /// what it is, in a few words
    pub summary: &'static str,
    /// Young's modulus E \[Pa\]
    pub youngs_modulus: f64,
    /// Poisson's ratio ν
    pub poisson_ratio: f64,
    /// density [kg/m^3]
    pub density: f64,
    /// where the values are from
    pub source: &'static str,
}

const SHIGLEY: &str = "Budynas & Nisbett, Shigley's Mechanical Engineering Design, table A-5 (density: unit weight / 9.81 m/s²)";
const DOWLING: &str = "E and ν: Dowling, Mechanical Behavior of Materials, table 5.2; density: Callister, Materials Science and Engineering, table B.1";
const CALLISTER: &str =
    "Callister, Materials Science and Engineering, tables B.1 to B.3, middle of the range 0.40 to 0.55 GPa";
const GERE: &str = "Gere, Mechanics of Materials, tables of properties: middle of the ranges 0.7 to 4 MPa, 0.45 to 0.50, 960 to 1300 kg/m³";

/// All of them, metals first.
///
/// ```
/// use carom_law::{MaterialPair, STANDARD_MATERIALS};
/// let steel = STANDARD_MATERIALS.iter().find(|m| m.name == "steel").unwrap().material();
/// let e_star = MaterialPair::new(&steel, &steel).e_star()?;
/// assert!((e_star - 0.5 * 210e9 / 0.91).abs() < 1.0); // [Pa]
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub static STANDARD_MATERIALS: &[StandardMaterial] = &[
    made("steel", "structural steel", 210e9, 0.3, 7850.0, "EN 1993-1-1, 3.2.6; density: EN 1993-1-2, 3.2.2"),
    made("stainless-steel", "stainless steel 18-8", 190e9, 0.305, 7750.0, SHIGLEY),
    made("cast-iron", "grey cast iron", 100e9, 0.211, 7200.0, SHIGLEY),
    made("aluminium", "aluminium alloys", 71.7e9, 0.333, 2710.0, SHIGLEY),
    made("brass", "brass", 106e9, 0.324, 8540.0, SHIGLEY),
    made("bronze", "phosphor bronze", 111e9, 0.349, 8170.0, SHIGLEY),
    made("copper", "copper", 119e9, 0.326, 8900.0, SHIGLEY),
    made("titanium", "titanium alloys", 114e9, 0.34, 4420.0, SHIGLEY),
    made("magnesium", "magnesium alloys", 44.8e9, 0.35, 1790.0, SHIGLEY),
    made("lead", "lead", 36.5e9, 0.425, 11400.0, SHIGLEY),
    made("glass", "soda-lime glass", 70e9, 0.2, 2500.0, "EN 572-1"),
    made("nylon", "nylon 66, dry", 2.7e9, 0.41, 1140.0, DOWLING),
    made("acrylic", "polymethyl methacrylate (PMMA)", 2.7e9, 0.35, 1190.0, DOWLING),
    made("polycarbonate", "polycarbonate (PC)", 2.4e9, 0.38, 1200.0, DOWLING),
    made("polyethylene", "high-density polyethylene (HDPE)", 1.08e9, 0.42, 959.0, DOWLING),
    made("ptfe", "polytetrafluoroethylene (PTFE)", 0.475e9, 0.46, 2170.0, CALLISTER),
    made("rubber", "rubber", 2.35e6, 0.475, 1130.0, GERE),
];

const fn made(
    name: &'static str,
    summary: &'static str,
    youngs_modulus: f64,
    poisson_ratio: f64,
    density: f64,
    source: &'static str,
) -> StandardMaterial {
    StandardMaterial { name, summary, youngs_modulus, poisson_ratio, density, source }
}

impl StandardMaterial {
    /// Returns the material with its values.
    pub fn material(&self) -> Material {
        Material::new(self.name)
            .youngs_modulus(self.youngs_modulus)
            .poisson_ratio(self.poisson_ratio)
            .density(self.density)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_possible_and_named_once() {
        for (i, m) in STANDARD_MATERIALS.iter().enumerate() {
            assert!(m.material().validate().is_ok(), "{}", m.name);
            assert!(STANDARD_MATERIALS[..i].iter().all(|n| n.name != m.name), "{}", m.name);
            assert!(!m.source.is_empty());
        }
    }
}
