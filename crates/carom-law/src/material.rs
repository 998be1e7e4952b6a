//! What a surface is made of, and what two materials give together.

use carom_base::param::Allowed;

use crate::error::LawError;

/// A linear elastic, isotropic material. Values not given are refused only where they are needed.
///
/// ```
/// use carom_law::{Material, MaterialPair};
/// let steel = Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3).density(7850.0);
/// let rubber = Material::new("rubber").youngs_modulus(5e6).poisson_ratio(0.5);
/// let e_star = MaterialPair::new(&steel, &rubber).e_star()?;
/// assert!((e_star - 5e6 / 0.75).abs() < 1e-4 * e_star); // the rubber alone, nearly
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// the name it is called by
    pub name: String,
    /// Young's modulus E \[Pa\]
    pub youngs_modulus: Option<f64>,
    /// Poisson's ratio ν
    pub poisson_ratio: Option<f64>,
    /// density [kg/m^3]
    pub density: Option<f64>,
}

const YOUNGS_MODULUS: (&str, Allowed) = ("youngs_modulus", Allowed::Positive);
// from the positive definiteness of the strain energy: −1 < ν; 0.5 is incompressible, good for contact
const POISSON_RATIO: (&str, Allowed) = ("poisson_ratio", Allowed::Above(-1.0, 0.5));
const DENSITY: (&str, Allowed) = ("density", Allowed::Positive);

impl Material {
    /// A material of that name, with no values yet.
    pub fn new(name: impl Into<String>) -> Material {
        Material { name: name.into(), youngs_modulus: None, poisson_ratio: None, density: None }
    }

    /// With Young's modulus E \[Pa\].
    pub fn youngs_modulus(mut self, e: f64) -> Material {
        self.youngs_modulus = Some(e);
        self
    }

    /// With Poisson's ratio ν, above −1 and up to 0.5.
    pub fn poisson_ratio(mut self, nu: f64) -> Material {
        self.poisson_ratio = Some(nu);
        self
    }

    /// With density [kg/m^3].
    pub fn density(mut self, rho: f64) -> Material {
        self.density = Some(rho);
        self
    }

    /// Checks the values that are given: E > 0, −1 < ν ≤ 0.5, density > 0, all finite.
    pub fn validate(&self) -> Result<(), LawError> {
        self.check(YOUNGS_MODULUS, self.youngs_modulus)?;
        self.check(POISSON_RATIO, self.poisson_ratio)?;
        self.check(DENSITY, self.density)
    }

    /// (1 − ν²)/E [1/Pa]: how much this side yields, 1/E* of the material against a rigid one.
    pub fn compliance(&self) -> Result<f64, LawError> {
        let e = self.needed(YOUNGS_MODULUS, self.youngs_modulus)?;
        let nu = self.needed(POISSON_RATIO, self.poisson_ratio)?;
        Ok((1.0 - nu * nu) / e)
    }

    /// The constrained modulus M = E (1 − ν)/((1 + ν)(1 − 2ν)) \[Pa\]: stress per strain of a layer that cannot yield sideways. Refuses ν = 0.5, of which it is infinite.
    ///
    /// ```
    /// use carom_law::Material;
    /// let steel = Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3);
    /// assert!((steel.constrained_modulus()? / (210e9 * 0.7 / (1.3 * 0.4)) - 1.0).abs() < 1e-15);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn constrained_modulus(&self) -> Result<f64, LawError> {
        let e = self.needed(YOUNGS_MODULUS, self.youngs_modulus)?;
        let nu = self.needed(POISSON_RATIO, self.poisson_ratio)?;
        if nu >= 0.5 {
            return Err(LawError::Incompressible { material: self.name.clone() });
        }
        Ok(e * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)))
    }

    /// (2 − ν)/G = 2 (2 − ν)(1 + ν)/E [1/Pa]: how much this side yields along its surface, 1/G* of the material against a rigid one.
    pub fn shear_compliance(&self) -> Result<f64, LawError> {
        let e = self.needed(YOUNGS_MODULUS, self.youngs_modulus)?;
        let nu = self.needed(POISSON_RATIO, self.poisson_ratio)?;
        Ok(2.0 * (2.0 - nu) * (1.0 + nu) / e)
    }

    /// 1/G = 2 (1 + ν)/E [1/Pa].
    fn torsion_compliance(&self) -> Result<f64, LawError> {
        let e = self.needed(YOUNGS_MODULUS, self.youngs_modulus)?;
        let nu = self.needed(POISSON_RATIO, self.poisson_ratio)?;
        Ok(2.0 * (1.0 + nu) / e)
    }

    fn needed(&self, key: (&'static str, Allowed), value: Option<f64>) -> Result<f64, LawError> {
        self.check(key, value)?;
        value.ok_or_else(|| LawError::MissingMaterialValue { material: self.name.clone(), name: key.0 })
    }

    fn check(&self, (name, allowed): (&'static str, Allowed), value: Option<f64>) -> Result<(), LawError> {
        match value {
            Some(value) if !allowed.number(value) => {
                Err(LawError::BadMaterialValue { material: self.name.clone(), name, value, allowed })
            }
            _ => Ok(()),
        }
    }
}

/// The two materials of a contact.
#[derive(Clone, Copy, Debug)]
pub struct MaterialPair<'a> {
    /// the material of the first surface
    pub a: &'a Material,
    /// the material of the second surface
    pub b: &'a Material,
}

impl<'a> MaterialPair<'a> {
    /// The pair of `a` and `b`; the order does not matter to what they give.
    pub fn new(a: &'a Material, b: &'a Material) -> MaterialPair<'a> {
        MaterialPair { a, b }
    }

    /// The contact modulus E* \[Pa\], 1/E* = (1 − ν_a²)/E_a + (1 − ν_b²)/E_b (Johnson, *Contact Mechanics*,
    /// 1985, section 4.2). Refuses a pair that lacks a value, naming the material and the value.
    pub fn e_star(&self) -> Result<f64, LawError> {
        Ok(1.0 / (self.a.compliance()? + self.b.compliance()?))
    }

    /// How stiff a contact is along the surface, as a part of how stiff it is along the normal: κ = 4G*/E*, 1/G* = (2 − ν_a)/G_a + (2 − ν_b)/G_b (Mindlin, *J. Appl. Mech.* 16 (1949)
    /// 259–268). Of like materials it is 2 (1 − ν)/(2 − ν).
    ///
    /// ```
    /// use carom_law::{Material, MaterialPair};
    /// let steel = Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3);
    /// assert!((MaterialPair::new(&steel, &steel).stiffness_ratio()? - 1.4 / 1.7).abs() < 1e-15);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn stiffness_ratio(&self) -> Result<f64, LawError> {
        let yields = self.a.shear_compliance()? + self.b.shear_compliance()?;
        Ok(4.0 / (yields * self.e_star()?))
    }

    /// How much more a slender contact yields along its length than across, as a part of how much it yields on the mean: Σ (ν/G)/Σ ((2 − ν)/G). Of like materials it is ν/(2 − ν).
    ///
    /// Along the axes a and b of an elliptical contact the stiffness is κ/(1 ± ε) times that along the normal, ε this number times the contact's
    /// [`elongation`](crate::hertz::PointContact::elongation) (Mindlin 1949, Deresiewicz 1957).
    ///
    /// ```
    /// use carom_law::{Material, MaterialPair};
    /// let steel = Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3);
    /// assert!((MaterialPair::new(&steel, &steel).shear_contrast()? - 0.3 / 1.7).abs() < 1e-15);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn shear_contrast(&self) -> Result<f64, LawError> {
        let mut sums = [0.0; 2];
        for material in [self.a, self.b] {
            // (2 − ν)/G, of which ν/(2 − ν) is ν/G
            let (yields, nu) = (material.shear_compliance()?, material.poisson_ratio.unwrap_or(0.0));
            sums[0] += yields * nu / (2.0 - nu);
            sums[1] += yields;
        }
        Ok(sums[0] / sums[1])
    }

    /// Poisson's ratio of both, each by how much its body yields along the surface: Σ (ν/G)/Σ (1/G). An elliptical contact spins as this lets it
    /// ([`PointContact::torsion`](crate::hertz::PointContact::torsion)).
    pub fn mean_poisson(&self) -> Result<f64, LawError> {
        let mut sums = [0.0; 2];
        for material in [self.a, self.b] {
            let yields = material.torsion_compliance()?;
            sums[0] += yields * material.poisson_ratio.unwrap_or(0.0);
            sums[1] += yields;
        }
        Ok(sums[0] / sums[1])
    }

    /// How stiff a contact is in torsion: its stiffness (16/3) G a³, 1/G = 1/G_a + 1/G_b, as a part of the normal stiffness 2E*a and of a²: 8G/(3E*) (E. Reissner, H. F. Sagoci,
    /// *J. Appl. Phys.* 15 (1944) 652–654, for a rigid disc on one body). Of like materials it is (4/3) (1 − ν).
    ///
    /// ```
    /// use carom_law::{Material, MaterialPair};
    /// let steel = Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3);
    /// assert!((MaterialPair::new(&steel, &steel).torsion_ratio()? - 4.0 / 3.0 * 0.7).abs() < 1e-15);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn torsion_ratio(&self) -> Result<f64, LawError> {
        let yields = self.a.torsion_compliance()? + self.b.torsion_compliance()?;
        Ok(8.0 / (3.0 * yields * self.e_star()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steel() -> Material {
        Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3).density(7850.0)
    }

    #[test]
    fn equal_materials_give_half_the_plane_modulus() {
        let (a, b) = (steel(), steel());
        let e_star = MaterialPair::new(&a, &b).e_star().unwrap();
        assert!((e_star - 0.5 * 210e9 / 0.91).abs() < 1e-5 * 1e-9 * e_star);
    }

    #[test]
    fn a_missing_value_is_named_with_its_material() {
        let (a, b) = (steel(), Material::new("cork").youngs_modulus(30e6));
        let error = MaterialPair::new(&a, &b).e_star().unwrap_err();
        assert_eq!(error, LawError::MissingMaterialValue { material: "cork".into(), name: "poisson_ratio" });
        let text = error.to_string();
        assert!(text.contains("`cork`") && text.contains("`poisson_ratio`"), "{text}");
    }

    #[test]
    fn only_possible_values_pass() {
        assert!(steel().validate().is_ok());
        assert!(steel().poisson_ratio(0.5).validate().is_ok());
        assert!(Material::new("unknown").validate().is_ok());
        let bad = [
            steel().youngs_modulus(0.0),
            steel().youngs_modulus(f64::NAN),
            steel().youngs_modulus(f64::INFINITY),
            steel().poisson_ratio(-1.0),
            steel().poisson_ratio(0.51),
            steel().density(-1.0),
        ];
        for material in bad {
            let error = material.validate().unwrap_err();
            assert!(matches!(error, LawError::BadMaterialValue { .. }), "{error}");
        }
    }
}
