//! Storage of the rows of joints: φ, φ̇, the known part of φ̈, and gradients.

use carom_base::Vec3;

use crate::joint::{Arm, End, GeneralizedForce, Rows};

/// Writes the rows of a constraint into the arrays of [`super::Multipliers`].
pub(super) struct Writer<'w> {
    pub(super) value: &'w mut [f64],
    pub(super) rate: &'w mut [f64],
    pub(super) bias: &'w mut [f64],
    pub(super) loads: &'w mut [f64],
    pub(super) ends: &'w [End],
    pub(super) next: usize,
}

impl Rows<f64> for Writer<'_> {
    #[inline(always)]
    fn row(&mut self, value: f64, rate: f64, bias: f64) {
        (self.value[self.next], self.rate[self.next], self.bias[self.next]) = (value, rate, bias);
        self.next += 1;
    }

    #[inline(always)]
    fn gradient(&mut self, body: usize, force: &GeneralizedForce) {
        let end = &self.ends[body];
        let load = &mut self.loads[end.at + (self.next - 1) * end.stored..];
        match end.stored {
            6 => {
                let Some(load) = load.first_chunk_mut::<6>() else { return };
                let (f, torque) = (&force.f, force.torque());
                *load = [f.x, f.y, f.z, torque.x, torque.y, torque.z];
            }
            12 => {
                load[..3].copy_from_slice(force.f.as_slice());
                load[3..12].copy_from_slice(&force.moment());
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn gradient_along(&mut self, body: usize, axis: usize, sign: f64, r: &Vec3, x: &Vec3) {
        let end = &self.ends[body];
        if end.stored != 6 {
            let g = Vec3::ith(axis, sign);
            return self
                .gradient(body, &GeneralizedForce { f: g, arms: [Arm { g, r: *r, x: *x }, Arm::none()] });
        }
        let Some(load) = self.loads[end.at + (self.next - 1) * 6..].first_chunk_mut::<6>() else { return };
        let r = r * sign;
        // the unit force e, and its torque r × e
        *load = match axis {
            0 => [sign, 0.0, 0.0, 0.0, r.z, -r.y],
            1 => [0.0, sign, 0.0, -r.z, 0.0, r.x],
            _ => [0.0, 0.0, sign, r.y, -r.x, 0.0],
        };
    }

    fn add(&mut self, body: usize, factor: f64, force: &GeneralizedForce) {
        let end = &self.ends[body];
        let stored = end.stored;
        let at = end.at + (self.next - 1) * stored;
        let was: [f64; 12] = std::array::from_fn(|i| if i < stored { self.loads[at + i] } else { 0.0 });
        self.gradient(body, force);
        for (x, was) in self.loads[at..at + stored].iter_mut().zip(was) {
            *x = was + factor * *x;
        }
    }

    fn clear(&mut self) {
        for end in self.ends {
            let at = end.at + (self.next - 1) * end.stored;
            self.loads[at..at + end.stored].fill(0.0);
        }
    }
}
