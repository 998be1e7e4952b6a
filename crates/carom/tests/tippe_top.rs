//! A tippe top turns over: Jellett's invariant, where the energy that it leaves is least, and the same top on a rigid table (the book's page on toys that spin).

use crate::common::{close, first_zero, near};
use carom::ode::{Event as Zero, Ivp};
use carom::prelude::*;

const G: f64 = 9.81;

/// A sphere with its centre of mass off its centre, and a table. Its axis e points from the centre of mass to that of the sphere, up at the start.
#[derive(Clone, Copy, Debug)]
struct Top {
    m: f64,
    radius: f64,
    /// α: the distance of the two centres per radius
    off: f64,
    /// about the axis [kg m²]
    c: f64,
    /// across it
    a: f64,
    /// about the axis at the start [rad/s]
    spin: f64,
    /// of the axis at the start [rad]
    tilt: f64,
    mu: f64,
    /// of friction [s/m]
    k_t: f64,
    /// of the contact [N/m^1.5]
    stiffness: f64,
}

/// As in the example: A = C = 2/5 m R², α = 0.2.
const TOP: Top = Top {
    m: 0.015,
    radius: 0.02,
    off: 0.2,
    c: 0.4 * 0.015 * 0.02 * 0.02,
    a: 0.4 * 0.015 * 0.02 * 0.02,
    spin: 150.0,
    tilt: 0.1,
    mu: 0.3,
    k_t: 20.0,
    stiffness: 1e8,
};

impl Top {
    /// γ = A/C.
    fn with_ratio(self, gamma: f64) -> Top {
        Top { a: gamma * self.c, ..self }
    }

    fn axis(&self) -> Vec3 {
        Vec3::new(self.tilt.sin(), 0.0, self.tilt.cos())
    }

    fn model(&self) -> Model {
        let depth = (self.m * G / self.stiffness).powf(2.0 / 3.0);
        let mut b = ModelBuilder::new();
        b.gravity([0.0, 0.0, -G]).body(
            Body::new("top")
                .mass(self.m)
                .inertia([self.a, self.a, self.c])
                .centre_of_mass([0.0, 0.0, -self.off * self.radius])
                .position([0.0, 0.0, self.radius - depth])
                .orientation(Quat::from_axis_angle(&Vec3::y_axis(), self.tilt))
                .angular_velocity((self.axis() * self.spin).into())
                .surface(Sphere::new(self.radius).unwrap()),
        );
        b.body(Body::fixed("table").surface(Plane));
        let normal = HuntCrossley::damping(1.0).unwrap().stiffness(self.stiffness);
        let friction = Tanh::new(self.mu, self.k_t).unwrap();
        b.contact(
            ContactRule::between("top", "table")
                .normal(normal)
                .friction(friction)
                .friction_at(FrictionAt::Surfaces),
        );
        b.build().unwrap()
    }

    fn run(&self, duration: f64, rtol: f64) -> Recording {
        let mut r = Recording::default();
        let model = self.model();
        let sim = Simulation::new(&model).duration(duration).rtol(rtol).atol(0.01 * rtol);
        let run = sim.output_every(1e-3).run_into(&mut r).unwrap();
        assert!(run.summary.audit_relative < 1e-9 && run.summary.touches == 1, "{}", run.summary);
        r
    }

    /// J = L·ζ, ζ = R (ẑ − α e), from the contact point to the centre of mass.
    fn jellett(&self, frame: &Frame) -> f64 {
        let body = &frame.bodies[0];
        let e = body.orientation * Vec3::z();
        let w = body.angular_velocity;
        let l = w * self.a + e * ((self.c - self.a) * w.dot(&e));
        l.dot(&(Vec3::z() - e * self.off)) * self.radius
    }

    /// That at the start: C n R (cos θ − α).
    fn jellett_at_start(&self) -> f64 {
        self.c * self.spin * self.radius * (self.tilt.cos() - self.off)
    }

    /// ζ·Iζ [kg m⁴] at x = cos θ, R² (A (1 − x²) + C (x − α)²), and its slope by x.
    fn inertia_along_arm(&self, x: f64) -> (f64, f64) {
        let (r2, y) = (self.radius * self.radius, x - self.off);
        (r2 * (self.a * (1.0 - x * x) + self.c * y * y), 2.0 * r2 * (self.c * y - self.a * x))
    }

    /// The least energy that J leaves at x = cos θ: J²/(2 ζ·Iζ) + m g R (1 − α x) [J].
    fn least_energy(&self, j: f64, x: f64) -> f64 {
        j * j / (2.0 * self.inertia_along_arm(x).0) + self.m * G * self.radius * (1.0 - self.off * x)
    }

    /// Its slope by x, which is zero in steady motion.
    fn slope(&self, j: f64, x: f64) -> f64 {
        let (f, f_dot) = self.inertia_along_arm(x);
        -j * j * f_dot / (2.0 * f * f) - self.m * G * self.radius * self.off
    }

    /// On a rigid table: rates of L, e and the level velocity of the centre of mass. N is such that the lowest point stays on the table.
    fn rates(&self, y: &[f64], dy: &mut [f64]) {
        let at = |i: usize| Vec3::new(y[i], y[i + 1], y[i + 2]);
        let (l, e, z) = (at(0), at(3), Vec3::z());
        let across = 1.0 / self.c - 1.0 / self.a;
        // ω = I⁻¹ a of any vector a
        let turned = |a: &Vec3| a / self.a + e * (across * a.dot(&e));
        let (w, arm) = (turned(&l), self.off * self.radius);
        let e_dot = w.cross(&e);
        let r = e * arm - z * self.radius;
        let v = Vec3::new(y[6], y[7], 0.0);
        let mut u = v + w.cross(&r);
        u.z = 0.0;
        let s = u.norm();
        // the force per N
        let force = z - u * (self.mu * (self.k_t * s).tanh() / s);
        // z̈ = −α R ë_z = N/m − g, ë = ω̇×e + ω×ė, ω̇ = N I⁻¹(r×F/N) + (1/C − 1/A)(L·e) ė
        let by_n = turned(&r.cross(&force)).cross(&e).z;
        let rest = (e_dot * (across * l.dot(&e))).cross(&e).z + w.cross(&e_dot).z;
        let n = (G - arm * rest) / (1.0 / self.m + arm * by_n);
        let l_dot = r.cross(&force) * n;
        dy[..3].copy_from_slice(l_dot.as_slice());
        dy[3..6].copy_from_slice(e_dot.as_slice());
        dy[6..].copy_from_slice(&[n * force.x / self.m, n * force.y / self.m]);
    }

    /// When the axis is level, on a rigid table.
    fn level_when_rigid(&self, until: f64) -> f64 {
        let (l, e) = (self.axis() * (self.c * self.spin), self.axis());
        let start = [l.x, l.y, l.z, e.x, e.y, e.z, 0.0, 0.0];
        let rates = |_: f64, y: &[f64], dy: &mut [f64]| self.rates(y, dy);
        let ivp = Ivp::new(rates, 0.0, start).event(Zero::new(|_, y| y[5]).terminal());
        ivp.method("dop853").rtol(1e-12).atol(1e-14).solve_to(until).unwrap().events[0].t
    }
}

/// cos θ.
fn upright(frame: &Frame) -> f64 {
    (frame.bodies[0].orientation * Vec3::z()).z
}

/// The force acts at the sphere's own lowest point, whatever the depth: J is kept on a soft table as on a hard one. It leaves no less kinetic
/// energy than J²/(2 ζ·Iζ), as (ω·Iζ)² ≤ (ω·Iω)(ζ·Iζ).
#[test]
fn jellett_is_kept_at_any_depth() {
    for (stiffness, gamma) in [(1e6, 0.9), (1e6, 1.0), (1e6, 1.1), (1e8, 0.9), (1e8, 1.0), (1e8, 1.1)] {
        let top = Top { stiffness, ..TOP }.with_ratio(gamma);
        let j = top.jellett_at_start();
        let r = top.run(3.0, 1e-11);
        for frame in &r.frames {
            close("J", top.jellett(frame), j, 3e-12);
            let least = j * j / (2.0 * top.inertia_along_arm(upright(frame)).0);
            assert!(frame.energy.kinetic > least * (1.0 - 1e-10));
        }
        assert!(upright(&r.frames[0]) > 0.99 && upright(r.frames.last().unwrap()) < -0.9);
    }
}

/// Where the motion ends. What rolls slowly takes its time to die out, least of it with gentle friction; the end depends neither on that nor on the stiffness.
fn settled(top: &Top, duration: f64) -> Frame {
    let model = Top { k_t: 1.0, stiffness: SOFT, ..*top }.model();
    let run = Simulation::new(&model).duration(duration).rtol(1e-10).atol(1e-12).run().unwrap();
    assert!(run.summary.audit_relative < 1e-9, "{}", run.summary);
    let end = run.end.frame;
    close("J", top.jellett(&end), top.jellett_at_start(), 1e-10);
    end
}

const SOFT: f64 = 1e6;

/// Upside down it spins at J/(C R (1 + α)), its centre of mass 2αR higher. Friction has taken all that J lets it take; the table holds 2/5 m g δ of it, and the top
/// has sunk by δ.
#[test]
fn it_turns_over() {
    for gamma in [0.9, 1.0, 1.1] {
        let top = TOP.with_ratio(gamma);
        let end = settled(&top, 100.0);
        near("axis", upright(&end), -1.0, 1e-11);
        let n = top.spin * (top.tilt.cos() - top.off) / (1.0 + top.off);
        close("spin", end.bodies[0].angular_velocity.z, n, 1e-11);
        let weight = top.m * G;
        let depth = (weight / SOFT).powf(2.0 / 3.0);
        let least = top.least_energy(top.jellett_at_start(), -1.0);
        close("least", least, 0.5 * top.c * n * n + weight * top.radius * (1.0 + top.off), 1e-14);
        close("energy", end.energy.total(), least - 0.6 * weight * depth, 1e-10);
    }
}

/// Out of 1 − α < A/C < 1 + α it does not: below, it stays upright at any spin; above, it rises no farther than where the energy is least.
/// Nor does it where it is too slow: the spin must be above `rises` to leave the upright, and more to get all the way.
#[test]
fn it_turns_over_in_a_range_only() {
    let rises = |top: &Top| {
        let (share, gamma) = (1.0 - top.off, top.a / top.c);
        (top.m * G * top.radius * top.off * share * share / (top.c * (gamma - share))).sqrt()
    };
    let gets_there = |top: &Top| {
        let (share, gamma) = (1.0 + top.off, top.a / top.c);
        (top.m * G * top.radius * top.off * share * share / (top.c * (share - gamma))).sqrt() * share
            / (1.0 - top.off)
    };
    println!("rises from {:.2} rad/s on, turns over from {:.2}", rises(&TOP), gets_there(&TOP));
    assert!(20.0 < rises(&TOP) && rises(&TOP) < 55.0 && 55.0 < gets_there(&TOP) && gets_there(&TOP) < 150.0);
    for (gamma, spin) in [(0.7, 150.0), (1.0, 20.0)] {
        let top = Top { spin, ..TOP }.with_ratio(gamma);
        assert!(top.slope(top.jellett_at_start(), 1.0) < 0.0);
        near("stays", upright(&settled(&top, 100.0)), 1.0, 1e-8);
    }
    for (gamma, spin) in [(1.3, 150.0), (1.0, 55.0)] {
        let top = Top { spin, ..TOP }.with_ratio(gamma);
        let slope = |x: f64| top.slope(top.jellett_at_start(), x);
        assert!(slope(-1.0) < 0.0 && slope(1.0) > 0.0);
        let least = (0..60).fold([-1.0, 1.0], |[low, high], _| {
            let middle = 0.5 * (low + high);
            if slope(middle) < 0.0 { [middle, high] } else { [low, middle] }
        });
        println!("A/C = {gamma}, {spin} rad/s: rises to cos θ = {:.8}", least[0]);
        near("rises to", upright(&settled(&top, 100.0)), least[0], 1e-11);
    }
}

/// On a table ever stiffer the axis is level when it is on a rigid one: late in proportion to the depth.
#[test]
fn a_stiff_table_is_rigid() {
    let rigid = TOP.level_when_rigid(3.0);
    let late = [1.0, 2.0, 4.0, 8.0].map(|s: f64| {
        let top = Top { stiffness: TOP.stiffness * s.powf(1.5), ..TOP };
        let axis: Vec<_> = top.run(1.2, 1e-11).frames.iter().map(|f| (f.t, upright(f))).collect();
        let t = first_zero(&axis).unwrap();
        println!("{t:.9} s, late by {:.4e} s", t - rigid);
        t - rigid
    });
    for (k, share) in [(0, 1.0), (1, 0.5), (2, 0.25)] {
        near("first order", late[k] / late[k + 1], 2.0, 3e-3 * share);
    }
    near("limit", 2.0 * late[3] - late[2], 0.0, 1e-9);
}
