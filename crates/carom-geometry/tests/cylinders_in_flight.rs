//! A can that falls on a fixed one, with springs at their contact points, integrated here by the classical method of Runge and Kutta: the energy is kept to the error of the steps, over barrels, rims and caps.

use carom_base::{Mat3, Pose, Quat, Vec3};
use carom_geometry::surfaces::Cylinder;
use carom_geometry::{BoundPair, Shape, pairs};

/// Of the springs, k δ^1.5 at each contact point by its share [N/m^1.5].
const STIFFNESS: f64 = 1e8;
const GRAVITY: f64 = 9.81;

/// The motion of the can, or its rate: place, axes, velocity and angular momentum about the centre, of 1 kg.
#[derive(Clone, Copy)]
struct State {
    x: Pose,
    v: Vec3,
    l: Vec3,
}

struct Can {
    pair: Box<dyn BoundPair>,
    /// principal moments of inertia [kg m²]
    inertia: Vec3,
}

impl Can {
    fn spin(&self, s: &State) -> Vec3 {
        s.x.r * (s.x.r.transpose() * s.l).component_div(&self.inertia)
    }

    fn energy_and_rate(&self, s: &State) -> (f64, State) {
        let spin = self.spin(s);
        let mut energy = 0.5 * s.v.norm_squared() + 0.5 * spin.dot(&s.l) + GRAVITY * s.x.p.z;
        let (mut f, mut t) = (Vec3::z() * -GRAVITY, Vec3::zeros());
        for k in 0..self.pair.features() {
            let c = self.pair.contact(k, &Pose::identity(), &s.x).unwrap();
            if c.delta > 0.0 {
                energy += 0.4 * STIFFNESS * c.share * c.delta.powf(2.5);
                let push = c.n * (STIFFNESS * c.share * c.delta.powf(1.5));
                f += push;
                t += (c.p_b - s.x.p).cross(&push);
            }
        }
        let turn = Mat3::from_columns(&[0, 1, 2].map(|i| spin.cross(&s.x.r.column(i))));
        (energy, State { x: Pose { p: s.v, r: turn }, v: f, l: t })
    }

    /// The largest change of energy in that time, in steps of h, and the number of steps in which it touches.
    fn drift(&self, start: &State, time: f64, h: f64) -> f64 {
        let along = |s: &State, d: &State, h: f64| State {
            x: Pose { p: s.x.p + d.x.p * h, r: s.x.r + d.x.r * h },
            v: s.v + d.v * h,
            l: s.l + d.l * h,
        };
        let (mut s, mut worst) = (*start, 0.0f64);
        let first = self.energy_and_rate(&s).0;
        for _ in 0..(time / h).round() as usize {
            let k1 = self.energy_and_rate(&s);
            worst = worst.max((k1.0 - first).abs());
            let k2 = self.energy_and_rate(&along(&s, &k1.1, 0.5 * h)).1;
            let k3 = self.energy_and_rate(&along(&s, &k2, 0.5 * h)).1;
            let k4 = self.energy_and_rate(&along(&s, &k3, h)).1;
            let sum = [(k1.1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)];
            sum.iter().for_each(|(k, weight)| s = along(&s, k, weight * h / 6.0));
        }
        worst
    }
}

#[test]
fn a_can_on_a_can_keeps_its_energy_to_the_error_of_the_steps() {
    let shape = |radius, length| Shape::outside(Cylinder::new(radius, length).unwrap());
    let (r, l) = (0.03f64, 0.08f64);
    let across = (3.0 * r * r + l * l) / 12.0;
    let can = Can {
        pair: pairs::bind(&shape(0.04, 0.12), &shape(r, l)).unwrap(),
        inertia: Vec3::new(across, across, 0.5 * r * r),
    };
    // on its rim beside the edge of the lower one; flat on its cap; lying, and rolling down; leaning on the barrel
    // and how fast a point of it touches about [m/s]
    for (name, p, turn, v, spin, fastest) in [
        ("rim", [0.03, 0.005, 0.115], [0.15, 0.3, 0.0], [0.0, 0.0, -0.2], [3.0, 5.0, 1.0], 0.1),
        ("cap", [0.0, 0.0, 0.1001], [0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.2, 0.1, 0.0], 0.1),
        ("lying", [0.01, 0.0, 0.0902], [1.57, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 4.0, 1.0], 0.2),
        ("barrel", [0.0705, 0.0, 0.03], [0.0, -0.02, 0.0], [-0.2, 0.0, 0.0], [1.0, 2.0, 0.0], 0.2),
    ] {
        let x = Pose::new(Vec3::from(p), &Quat::from_scaled_axis(Vec3::from(turn)));
        let l = x.r * (x.r.transpose() * Vec3::from(spin)).component_mul(&can.inertia);
        let start = State { x, v: Vec3::from(v), l };
        let drifts = [2e-5, 1e-5, 5e-6].map(|h| can.drift(&start, 0.04, h));
        // the force k δ^1.5 is not smooth where a point touches with the speed v: there a step of h errs by a share of k (v h)^2.5
        let most = STIFFNESS * f64::powf(fastest * 5e-6, 2.5);
        assert!(drifts[2] < most && drifts[2] < drifts[0], "{name}: {drifts:?} {most:e}");
    }
}
