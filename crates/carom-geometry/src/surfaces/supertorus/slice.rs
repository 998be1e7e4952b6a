//! The tube in slices.
//!
//! At φ the centre of the section is c = R D, D = (c_r(φ), s_r(φ), 0), and the section itself is the image of a superellipse,
//! c + a u D + b v e_z; what a plane meets of it is for [`Section`] to say.

use carom_base::Vec3;

use super::Supertorus;
use crate::shape::{Ring, Section};

impl Ring for Supertorus {
    fn section(&self, phi: f64) -> Section {
        let d = self.ring.barr(phi);
        let d = Vec3::new(d.x, d.y, 0.0);
        Section { centre: d * self.major, radial: d * self.a, axial: self.b, exponent: self.section.gamma }
    }
    fn length(&self, from: f64, to: f64) -> f64 {
        self.major * self.ring.length(from, to)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::super::SurfacePoint;
    use super::*;
    use carom_base::Dual;

    const LINKS: [(f64, [f64; 2], [f64; 2]); 4] = [
        (2.0, [0.5, 0.5], [2.0, 2.0]),
        (2.0, [0.5, 0.9], [2.5, 4.0]),
        (1.0, [0.8, 0.2], [6.0, 3.0]),
        (1.0, [0.3, 0.4], [20.0, 10.0]),
    ];

    fn lowest(link: &Supertorus, phi: f64, m: &Vec3) -> Vec3 {
        let section = Ring::section(link, phi);
        section.centre + section.lowest(m)
    }

    #[test]
    fn no_point_of_the_section_is_lower() {
        for (major, axes, exponents) in LINKS {
            let link = Supertorus::new(major, axes, exponents).unwrap();
            for (phi, m) in [
                (0.3, Vec3::new(0.48, 0.64, 0.6)),
                (2.5, Vec3::new(-0.1, 0.2, -0.9)),
                (0.0, Vec3::new(1.0, 0.0, 0.0)),
                (4.0, Vec3::new(0.3, -0.8, 1e-9)),
            ] {
                let p = lowest(&link, phi, &m);
                assert!(
                    link.implicit(&p).abs() < 1e-14 && m.dot(&(Ring::section(&link, phi).centre - p)) > 0.0
                );
                for i in 0..2000 {
                    let other = link.point(phi, 2.0 * PI * f64::from(i) / 2000.0);
                    assert!(m.dot(&(other - p)) > -1e-15, "{phi} {m} {i}");
                }
            }
        }
    }

    #[test]
    fn its_derivatives_are_those_of_differences_and_it_slides_across_the_normal() {
        for (major, axes, exponents) in LINKS {
            let link = Supertorus::new(major, axes, exponents).unwrap();
            let m = Vec3::new(0.48, 0.3, 0.6);
            let p = Ring::section(&link, 0.3).lowest(&Vec3::from_fn(|i, _| Dual::<3>::variable(m[i], i)));
            for i in 0..3 {
                let h = Vec3::ith(i, 1e-6);
                let difference = (lowest(&link, 0.3, &(m + h)) - lowest(&link, 0.3, &(m - h))) / 2e-6;
                let slides = p.map(|x| x.eps[i]);
                assert!((difference - slides).norm() < 1e-8 && m.dot(&slides).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn along_the_tube_there_is_a_point_and_every_number_is_finite() {
        let link = Supertorus::new(2.0, [0.5, 0.9], [2.5, 4.0]).unwrap();
        for m in [Vec3::y(), Vec3::zeros(), Vec3::z(), Vec3::x(), Vec3::x() * 1e-300] {
            let p = Ring::section(&link, 0.0).lowest(&Vec3::from_fn(|i, _| Dual::<3>::variable(m[i], i)));
            assert!(p.iter().all(|x| x.re.is_finite() && x.eps.iter().all(|e| e.is_finite())));
        }
        // a round section has its derivatives there, too
        let ring = Supertorus::new(2.0, [0.5, 0.25], [2.0, 2.0]).unwrap();
        let m = Vec3::from_fn(|i, _| Dual::<3>::variable(Vec3::<f64>::z()[i], i));
        assert_eq!(Ring::section(&ring, 0.0).lowest(&m).x.eps, [-1.0, 0.0, 0.0]);
    }

    /// The curve's turning by its own length, by differences of points.
    #[test]
    fn the_curvature_is_that_of_the_curve() {
        for (major, axes, exponents) in LINKS {
            let link = Supertorus::new(major, axes, exponents).unwrap();
            for (phi, m) in [(0.3, Vec3::new(0.48, 0.64, 0.6)), (2.5, Vec3::new(-0.4, 0.2, -0.5))] {
                let p = lowest(&link, phi, &m);
                let point = link.surface_point(&p);
                let t = point.section.y.atan2(point.section.x);
                let at = |t: f64| link.at(&SurfacePoint { ring: point.ring, section: link.section.jet(t).p });
                let h = 1e-4;
                let (before, here, after) = (at(t - h), at(t), at(t + h));
                let (d1, d2) = ((after - before) / (2.0 * h), (after + before - here * 2.0) / (h * h));
                let curvature = d1.cross(&d2).norm() / d1.norm().powi(3);
                assert!(
                    (Ring::section(&link, phi).curvature(&m) / curvature - 1.0).abs() < 1e-5,
                    "{curvature}"
                );
            }
        }
    }

    #[test]
    fn slices_are_of_equal_length_on_a_circle_and_sum_to_the_ring_on_any() {
        for (major, axes, exponents) in LINKS {
            let link = Supertorus::new(major, axes, exponents).unwrap();
            for (n, phase) in [(1, 0.0), (2, 0.25), (7, 0.0), (24, 0.5), (101, -0.3)] {
                let edge = |s: f64| 2.0 * PI * (s + phase) / f64::from(n);
                let slice = |s: i32| Ring::length(&link, edge(f64::from(s) - 0.5), edge(f64::from(s) + 0.5));
                let lengths: Vec<f64> = (0..n).map(slice).collect();
                let around = Ring::length(&link, 0.0, 2.0 * PI);
                assert!((lengths.iter().sum::<f64>() / around - 1.0).abs() < 1e-13);
                if exponents[1] == 2.0 {
                    let even = 2.0 * PI * major / f64::from(n);
                    assert!(lengths.iter().all(|l| (l / even - 1.0).abs() < 1e-12));
                }
            }
        }
    }
}
