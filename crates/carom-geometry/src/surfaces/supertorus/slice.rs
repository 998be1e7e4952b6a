//! The tube in slices: what a plane meets of each.
//!
//! At φ the centre of the section is c = R D, D = (c_r(φ), s_r(φ), 0), and the section itself is the image of a superellipse,
//! c + a u D + b v e_z. Against a plane of normal m its height over the centre is p u + q v with p = a m·D and q = b m_z, so the lowest
//! point is that of the dual norm,
//!
//!   h = (|p|^γ' + |q|^γ')^(1/γ'), γ' = γ_s/(γ_s − 1),    (u, v) = −∇h,
//!
//! h deep below the centre. Closed, for every exponent.

use std::f64::consts::PI;

use carom_base::{Scalar, Vec3};
use nalgebra::Vector2;

use super::Supertorus;

impl Supertorus {
    /// The centre of the section at φ [m].
    ///
    /// ```
    /// use carom_geometry::{Vec3, surfaces::Supertorus};
    /// let link = Supertorus::new(2.0, [0.5, 0.7], [3.0, 5.0])?;
    /// assert_eq!(link.ring_point(0.0), Vec3::new(2.0, 0.0, 0.0));
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn ring_point(&self, phi: f64) -> Vec3 {
        let d = self.ring.barr(phi);
        Vec3::new(d.x, d.y, 0.0) * self.major
    }

    /// The point of the section at φ that is lowest against a plane of normal `m`, and how deep it is below the section's centre
    /// along `m` [m, if m is a unit vector], all in the surface's frame. Where m lies along the tube all points are as low: the lower one on
    /// the section's axis is taken. Derivatives of the point are left out where they are infinite: p = 0 or q = 0 with γ_s > 2.
    ///
    /// ```
    /// use carom_geometry::{Vec3, surfaces::Supertorus};
    /// let link = Supertorus::new(2.0, [0.5, 0.7], [3.0, 5.0])?;
    /// let (p, depth) = link.section_support(0.0, &Vec3::z());
    /// assert_eq!((p, depth), (Vec3::new(2.0, 0.0, -0.7), 0.7));
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn section_support<S: Scalar>(&self, phi: f64, m: &Vec3<S>) -> (Vec3<S>, S) {
        let d = self.ring.barr(phi).map(S::from_f64);
        let (a, b, major) = (S::from_f64(self.a), S::from_f64(self.b), S::from_f64(self.major));
        let (h, [u, v]) = self.section.support(a * (m.x * d.x + m.y * d.y), b * m.z);
        let q = major - a * u;
        (Vec3::new(q * d.x, q * d.y, -(b * v)), h)
    }

    /// The curvature of the section at φ, in its plane, at the point that is lowest against a plane of normal `m` [1/m].
    ///
    /// ```
    /// use carom_geometry::{Vec3, surfaces::Supertorus};
    /// let ring = Supertorus::new(2.0, [0.5, 0.5], [2.0, 2.0])?;
    /// assert!((ring.section_curvature(0.3, &Vec3::new(0.6, 0.0, 0.8)) - 2.0).abs() < 1e-14);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn section_curvature(&self, phi: f64, m: &Vec3) -> f64 {
        let d = self.ring.barr(phi);
        let (_, [u, v]) = self.section.support(self.a * (m.x * d.x + m.y * d.y), self.b * m.z);
        // in the plane of D and e_z the semi axes are a |D| and b:
        // κ = (γ − 1) |u v|^(γ−2)/(a b)² over ((|u|^(γ−1)/a)² + (|v|^(γ−1)/b)²)^(3/2)
        let (a, b, g) = (self.a * d.norm(), self.b, self.section.gamma);
        let n = self.section.covector(&Vector2::new(u, v));
        let slope = (n.x / a).hypot(n.y / b);
        (g - 1.0) * (u * v).abs().powf(g - 2.0) / (a * b * a * b) / (slope * slope * slope)
    }

    /// The length of the ring that the section's centre follows [m].
    ///
    /// ```
    /// use carom_geometry::surfaces::Supertorus;
    /// let ring = Supertorus::new(2.0, [0.5, 0.7], [3.0, 2.0])?;
    /// assert!((ring.ring_length() - 4.0 * std::f64::consts::PI).abs() < 1e-13);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn ring_length(&self) -> f64 {
        self.major * self.ring.length(0.0, 2.0 * PI)
    }

    /// How much of the ring belongs to slice `s` of `n` at φ_s = 2π (s + phase)/n: that between the angles half way to its
    /// neighbours [m]. The lengths of all slices sum to that of the ring.
    ///
    /// ```
    /// use carom_geometry::surfaces::Supertorus;
    /// let link = Supertorus::new(2.0, [0.5, 0.7], [3.0, 5.0])?;
    /// let sum: f64 = (0..12).map(|s| link.slice_length(12, 0.3, s)).sum();
    /// assert!((sum / link.ring_length() - 1.0).abs() < 1e-13);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn slice_length(&self, n: usize, phase: f64, s: usize) -> f64 {
        let edge = |shift: f64| 2.0 * PI * (s as f64 + phase + shift) / n as f64;
        self.major * self.ring.length(edge(-0.5), edge(0.5))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Place;
    use super::*;
    use carom_base::Dual;

    const LINKS: [(f64, [f64; 2], [f64; 2]); 4] = [
        (2.0, [0.5, 0.5], [2.0, 2.0]),
        (2.0, [0.5, 0.9], [2.5, 4.0]),
        (1.0, [0.8, 0.2], [6.0, 3.0]),
        (1.0, [0.3, 0.4], [20.0, 10.0]),
    ];

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
                let (p, depth) = link.section_support(phi, &m);
                assert!(link.implicit(&p).abs() < 1e-14 && depth > 0.0);
                assert!((m.dot(&(link.ring_point(phi) - p)) - depth).abs() < 1e-15);
                for i in 0..2000 {
                    let other = link.point(phi, 2.0 * PI * f64::from(i) / 2000.0);
                    assert!(m.dot(&(other - p)) > -1e-15, "{phi} {m} {i}");
                }
            }
        }
    }

    #[test]
    fn its_derivatives_are_those_of_differences_and_the_depth_that_of_the_point() {
        for (major, axes, exponents) in LINKS {
            let link = Supertorus::new(major, axes, exponents).unwrap();
            let m = Vec3::new(0.48, 0.3, 0.6);
            let (p, depth) = link.section_support(0.3, &Vec3::from_fn(|i, _| Dual::<3>::variable(m[i], i)));
            let c = link.ring_point(0.3);
            // envelope: the point slides along the section, across m
            assert!((Vec3::from(depth.eps) - (c - p.map(|x| x.re))).norm() < 1e-14);
            for i in 0..3 {
                let h = Vec3::ith(i, 1e-6);
                let difference =
                    (link.section_support(0.3, &(m + h)).0 - link.section_support(0.3, &(m - h)).0) / 2e-6;
                assert!((difference - p.map(|x| x.eps[i])).norm() < 1e-8);
            }
        }
    }

    #[test]
    fn along_the_tube_there_is_a_point_and_every_number_is_finite() {
        let link = Supertorus::new(2.0, [0.5, 0.9], [2.5, 4.0]).unwrap();
        for m in [Vec3::y(), Vec3::zeros(), Vec3::z(), Vec3::x(), Vec3::x() * 1e-300] {
            let (p, depth) = link.section_support(0.0, &Vec3::from_fn(|i, _| Dual::<3>::variable(m[i], i)));
            assert!(
                p.iter().chain([&depth]).all(|x| x.re.is_finite() && x.eps.iter().all(|e| e.is_finite()))
            );
            assert!(link.section_curvature(0.0, &m).is_finite());
        }
        assert_eq!(link.section_support(0.0, &Vec3::y()).0, Vec3::new(2.0, 0.0, -0.9));
        // a round section has its derivatives there, too: u = −p/h
        let ring = Supertorus::new(2.0, [0.5, 0.25], [2.0, 2.0]).unwrap();
        let m = Vec3::from_fn(|i, _| Dual::<3>::variable(Vec3::<f64>::z()[i], i));
        assert_eq!(ring.section_support(0.0, &m).0.x.eps, [-1.0, 0.0, 0.0]);
    }

    /// The curve's turning by its own length, by differences of points.
    #[test]
    fn the_curvature_is_that_of_the_curve() {
        for (major, axes, exponents) in LINKS {
            let link = Supertorus::new(major, axes, exponents).unwrap();
            for (phi, m) in [(0.3, Vec3::new(0.48, 0.64, 0.6)), (2.5, Vec3::new(-0.4, 0.2, -0.5))] {
                let p = link.section_support(phi, &m).0;
                let place = link.place(&p);
                let t = place.section.y.atan2(place.section.x);
                let at = |t: f64| link.at(&Place { ring: place.ring, section: link.section.jet(t).p });
                let h = 1e-4;
                let (before, here, after) = (at(t - h), at(t), at(t + h));
                let (d1, d2) = ((after - before) / (2.0 * h), (after + before - here * 2.0) / (h * h));
                let curvature = d1.cross(&d2).norm() / d1.norm().powi(3);
                assert!((link.section_curvature(phi, &m) / curvature - 1.0).abs() < 1e-5, "{curvature}");
            }
        }
    }

    #[test]
    fn slices_are_of_equal_length_on_a_circle_and_sum_to_the_ring_on_any() {
        for (major, axes, exponents) in LINKS {
            let link = Supertorus::new(major, axes, exponents).unwrap();
            for (n, phase) in [(1, 0.0), (2, 0.25), (7, 0.0), (24, 0.5), (101, -0.3)] {
                let lengths: Vec<f64> = (0..n).map(|s| link.slice_length(n, phase, s)).collect();
                assert!((lengths.iter().sum::<f64>() / link.ring_length() - 1.0).abs() < 1e-13);
                if exponents[1] == 2.0 {
                    let even = 2.0 * PI * major / n as f64;
                    assert!(lengths.iter().all(|l| (l / even - 1.0).abs() < 1e-12));
                }
            }
        }
    }
}
