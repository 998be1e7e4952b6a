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

// Each source is one that was looked up; a value that a source gives as a range is the middle of it.
const STEEL: &str = "EN 1993-1-1, 3.2.6, and the usual density, as tabulated by eurocodeapplied.com, Table of design material properties for structural steel";
const STAINLESS: &str = "E and density: Callister, Materials Science and Engineering, tables B.1 and B.2, alloy 304; ν: Lai, Rubin & Krempl, Introduction to Continuum Mechanics, table 5.2, 18 % Cr, 8 % Ni";
const CAST_IRON: &str = "E and density: Callister, Materials Science and Engineering, tables B.1 and B.2, grade G3000 (90 to 113 GPa); ν: Philpot, Mechanics of Materials, table D.1a, ASTM A48 grade 20";
const ALUMINIUM: &str = "Gere, Mechanics of Materials, tables H-1 and H-2, 6061-T6";
const BRONZE: &str = "Carvill, Mechanical Engineer's Data Handbook, physical properties of common engineering materials, phosphor bronze, rolled";
const METALS: &str = "E and ν: Dowling, Mechanical Behavior of Materials, table 5.2; density: Gere, Mechanics of Materials, table H-1 (brass: 8400 to 8600 kg/m³)";
const TITANIUM: &str =
    "ASM Aerospace Specification Metals, asm.matweb.com, Ti-6Al-4V (grade 5), annealed bar";
const MAGNESIUM: &str =
    "Gere, Mechanics of Materials, tables H-1 and H-2, magnesium alloys (41 to 45 GPa, 1760 to 1830 kg/m³)";
const LEAD: &str = "matmake.com, Properties of Lead (after Cardarelli, Materials Handbook, and the CRC Handbook); E and ν as in Dowling, Mechanical Behavior of Materials, table 5.2";
const GLASS: &str = "EN 572, as given by vasglass.gr, Float glass: constituent materials and attributes";
const PLASTICS: &str = "E and ν: Dowling, Mechanical Behavior of Materials, table 5.2; density: Beer et al., Mechanics of Materials, appendix B (0.0412 and 0.0433 lb/in³)";
const ACRYLIC: &str = "E and ν: Dowling, Mechanical Behavior of Materials, table 5.2; density: Callister, Materials Science and Engineering, table B.1";
const POLYETHYLENE: &str = "E and ν: Dowling, Mechanical Behavior of Materials, table 5.2; density: kenaplasto.com, data sheet of HDPE 5502 (ASTM D-1505)";
const PTFE: &str = "E and density: Callister, Materials Science and Engineering, tables B.1 and B.2 (0.40 to 0.55 GPa); ν: kintek-solution.com, What are the tensile strength properties of PTFE?";
const RUBBER: &str =
    "Gere, Mechanics of Materials, tables H-1 and H-2 (0.7 to 4 MPa, 0.45 to 0.50, 960 to 1300 kg/m³)";

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
    made("steel", "structural steel", 210e9, 0.3, 7850.0, STEEL),
    made("stainless-steel", "stainless steel 304 (18-8)", 193e9, 0.3, 8000.0, STAINLESS),
    made("cast-iron", "grey cast iron", 101.5e9, 0.22, 7300.0, CAST_IRON),
    made("aluminium", "aluminium alloy 6061-T6", 70e9, 0.33, 2700.0, ALUMINIUM),
    made("brass", "brass, 70 % Cu, 30 % Zn", 101e9, 0.35, 8500.0, METALS),
    made("bronze", "phosphor bronze", 116e9, 0.33, 8800.0, BRONZE),
    made("copper", "copper", 130e9, 0.343, 8900.0, METALS),
    made("titanium", "titanium alloy Ti-6Al-4V", 114e9, 0.33, 4430.0, TITANIUM),
    made("magnesium", "magnesium alloys", 43e9, 0.35, 1795.0, MAGNESIUM),
    made("lead", "lead", 16.1e9, 0.44, 11350.0, LEAD),
    made("glass", "soda-lime glass", 70e9, 0.2, 2500.0, GLASS),
    made("nylon", "nylon 66, dry", 2.7e9, 0.41, 1140.0, PLASTICS),
    made("acrylic", "polymethyl methacrylate (PMMA)", 2.7e9, 0.35, 1190.0, ACRYLIC),
    made("polycarbonate", "polycarbonate (PC)", 2.4e9, 0.38, 1200.0, PLASTICS),
    made("polyethylene", "high-density polyethylene (HDPE)", 1.08e9, 0.42, 955.0, POLYETHYLENE),
    made("ptfe", "polytetrafluoroethylene (PTFE)", 0.475e9, 0.46, 2170.0, PTFE),
    made("rubber", "rubber", 2.35e6, 0.475, 1130.0, RUBBER),
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

    /// The middles of the ranges that sources give, and densities from pounds per cubic inch.
    #[test]
    fn values_computed_from_sources() {
        let of = |name: &str| STANDARD_MATERIALS.iter().find(|m| m.name == name).unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12 * b, "{a} {b}");
        close(of("cast-iron").youngs_modulus, 0.5 * (90e9 + 113e9));
        close(of("magnesium").youngs_modulus, 0.5 * (41e9 + 45e9));
        close(of("magnesium").density, 0.5 * (1760.0 + 1830.0));
        close(of("brass").density, 0.5 * (8400.0 + 8600.0));
        close(of("ptfe").youngs_modulus, 0.5 * (0.4e9 + 0.55e9));
        close(of("rubber").youngs_modulus, 0.5 * (0.7e6 + 4e6));
        close(of("rubber").poisson_ratio, 0.5 * (0.45 + 0.5));
        close(of("rubber").density, 0.5 * (960.0 + 1300.0));
        for (name, lb_per_in3) in [("nylon", 0.0412), ("polycarbonate", 0.0433)] {
            let density = lb_per_in3 * 0.453_592_37 / 0.0254_f64.powi(3);
            assert!((of(name).density - density).abs() < 5.0, "{name} {density}"); // rounded to 10 kg/m³
        }
    }
}
