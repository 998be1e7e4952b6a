//! Derivatives of a contact point's force by the numbers of a deformable body.

use carom_base::Vec3;
use carom_geometry::PairFailure;
use carom_ode::Jacobian;

use super::{BristleRotation, Point};
use crate::layout::AffineRows;
use crate::slopes::{material_point, unit};

impl Point<'_> {
    /// Adds the derivatives by the numbers of a deformable body, A (0) or B (1), which are at `rows` in the state.
    /// `None`: the pair has no derivatives, or none that are finite here, or this point has bristles or resists
    /// rolling.
    pub(in crate::jacobian) fn add_deformed(
        &self,
        end: usize,
        rows: AffineRows,
        j: &mut Jacobian,
    ) -> Option<Result<(), PairFailure>> {
        if !self.elements.is_empty() || self.couple.is_some() {
            return None;
        }
        let moved = &self.wrench.ends[end];
        let x = material_point(&moved.k.x.r, &moved.arm);
        let none = BristleRotation::default();
        for half in 0..2 {
            let contact = self.pair.contact_deformed(self.index, self.wrench.kinematics(), end, half)?;
            let contact = match contact {
                Ok(contact) => contact,
                Err(e) => return Some(Err(e)),
            };
            let points = self.pair.friction_points(&contact);
            for i in 0..6 {
                // p0 and the columns of F are 12 numbers, six in each half
                let number = 6 * half + i;
                let mut arms = points.map(|p| p.map(|c| c.eps[i]));
                // the material point of the body moves by dp0 + dF X
                let (mut own, mut bent) = (Vec3::zeros(), Vec3::zeros());
                match number {
                    0..3 => own = unit(number),
                    _ => bent = unit(number % 3) * x[(number - 3) / 3],
                }
                arms[end] -= own;
                let [a, b] = self.wrench.kinematics();
                // v = ṗ0 + Ḟ X, X = F⁻¹ r: dv = L (dr − dF X)
                let dv = a.carried(&arms[0]) - b.carried(&arms[1]) - moved.k.carried(&bent) * moved.sign;
                let mut rate = 0.0;
                if let (Some((normal_moment, _)), 3..) = (&self.normal_moment, number) {
                    let (row, k) = (number % 3, (number - 3) / 3);
                    rate = normal_moment.rate_by_stretch(&moved.k.x.r, &moved.k.l, row, k);
                }
                let change = self.by_contact(&contact, i, arms, dv, rate, &none);
                change.is_finite().then_some(())?;
                self.add(&change, rows.pose().start + number, j);
            }
        }
        for i in 0..3 {
            self.add(&self.by_velocity(&(unit(i) * moved.sign), 0.0, &Vec3::zeros()), rows.velocity(i), j);
            for k in 0..3 {
                let dv = unit(i) * (x[k] * moved.sign);
                let normal_moment = self.normal_moment.as_ref();
                let rate = normal_moment.map_or(0.0, |(s, _)| s.rate_by_stretching(&moved.k.x.r, i, k));
                self.add(&self.by_velocity(&dv, rate, &Vec3::zeros()), rows.deformation_rate(i, k), j);
            }
        }
        Some(Ok(()))
    }
}
