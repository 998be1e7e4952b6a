//! The torus paper's cases against an independent quad-precision solution.

use crate::common::{near, number, numbers, reference};
use carom::geometry::{Shape, pairs};
use carom::prelude::*;
use carom::{Frame, Summary};
use serde_json::Value;

/// The paper's ring 50 mm above its plane, turned by `tilt` [rad] about x.
struct Case {
    tilt: f64,
    chi: f64,
    mu: f64,
    slices: Slices,
    upright: bool,
}

impl Case {
    /// Lying flat, without friction.
    fn flat(chi: f64, upright: bool) -> Case {
        Case { tilt: 0.0, chi, mu: 0.0, slices: Slices::new(36).unwrap(), upright }
    }

    /// At 60 degrees, with friction.
    fn tilted(slices: Slices) -> Case {
        Case { tilt: std::f64::consts::FRAC_PI_3, chi: 0.05, mu: 0.2, slices, upright: false }
    }

    fn model(&self) -> Model {
        let mut b = ModelBuilder::new();
        b.material(Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3));
        b.material(Material::new("support").youngs_modulus(10e9).poisson_ratio(0.3));
        let surface = SurfaceSpec::new(Torus::new(0.025, 0.005).unwrap()).material("steel");
        let turn = Quat::from_axis_angle(&Vec3::x_axis(), self.tilt);
        let ring = Body::new("ring").mass(0.0968).inertia([3.9e-5, 3.9e-5, 6.23e-5]).surface(surface);
        let ring = ring.position([0.0, 0.0, 0.05]).orientation(turn);
        b.body(if self.upright { ring.dofs(&[Dof::Z]) } else { ring });
        b.body(Body::fixed("floor").surface(SurfaceSpec::new(Plane).material("support")));
        let law = ElasticFoundation::depth(1.0).unwrap().damping(self.chi);
        let rule = ContactRule::between("ring", "floor").normal(law).solver(self.slices);
        b.contact(rule.friction(Tanh::new(self.mu, 1000.0).unwrap()).friction_at(FrictionAt::Surfaces));
        b.build().unwrap()
    }

    fn run(&self, times: &[f64], rtol: f64, located: bool) -> (Recording, Summary) {
        let model = self.model();
        let mut r = Recording::default();
        let last = times.iter().copied().fold(0.0, f64::max);
        let sim = Simulation::new(&model).duration(last).method("dop853").rtol(rtol);
        let sim = sim.locate_contacts(located).output(Output::At(times.to_vec()));
        let run = sim.run_into(&mut r).unwrap();
        (r, run.summary)
    }
}

/// The times at which the ring, apart before, touches and then parts again.
fn episodes(events: &[Event]) -> Vec<[f64; 2]> {
    let (mut touching, mut all) = (0, Vec::new());
    let mut since = 0.0;
    for e in events {
        match e.kind {
            EventKind::Touch => {
                if touching == 0 {
                    since = e.t;
                }
                touching += 1;
            }
            EventKind::Release => {
                touching -= 1;
                if touching == 0 {
                    all.push([since, e.t]);
                }
            }
        }
    }
    all
}

fn flat_run_against(chi: &str, upright: bool) {
    let data = &reference("torus.json")["case1"][chi];
    let samples = &data["samples"];
    let times: Vec<f64> = numbers(&samples["t"]).into_iter().filter(|t| upright || *t <= 0.9).collect();
    let (r, summary) = Case::flat(number(&data["chi_bar"]), upright).run(&times, 1e-12, true);
    let (z, e) = (numbers(&samples["z"]), numbers(&samples["E_total"]));
    let tolerance = if upright { 1e-9 } else { 1e-8 };
    for (i, frame) in r.frames.iter().enumerate() {
        near(&format!("z at {}", frame.t), frame.bodies[0].position.z, z[i], tolerance);
        near(&format!("energy at {}", frame.t), frame.energy.total() / e[i], 1.0, tolerance);
    }
    let want = data["contacts"].as_array().unwrap();
    // in 3-D a tilt grows 339-fold a bounce: the last contacts are those of another motion
    let within = |i: usize| if upright { 1e-10 } else { [1e-8, 1e-6, 1e-4][i.saturating_sub(4).min(2)] };
    let got = episodes(&r.events);
    assert!(got.len() >= 5, "{got:?}");
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        near("touch", got[0], number(&want["t_start"]), within(i));
        near("release", got[1], number(&want["t_end"]), within(i));
    }
    assert!(summary.audit_relative < 1e-9, "{summary}");
}

#[test]
fn flat_and_free_of_tilt() {
    ["0", "0.05"].into_iter().for_each(|chi| flat_run_against(chi, true));
}

#[test]
fn flat_in_space_within_its_horizon() {
    ["0", "0.05"].into_iter().for_each(|chi| flat_run_against(chi, false));
}

/// The closed forms of the first bounce.
#[test]
fn the_first_elastic_bounce() {
    let want = &reference("torus.json")["closed_form_checks_case1"];
    let (r, summary) = Case::flat(0.0, true).run(&[0.15], 1e-12, true);
    let [touch, release] = episodes(&r.events)[0];
    near("fall", touch, number(&want["fall_time"]), 1e-15);
    near("duration", release - touch, number(&want["contact_duration_chi0"]), 1e-12);
    near("depth", summary.max_indentation, number(&want["delta_max_chi0"]), 1e-13);
    let force = number(&want["K_total"]) * number(&want["delta_max_chi0"]).powf(1.5);
    near("peak force of all slices", summary.peak_force / force, 1.0, 1e-9);
    assert_eq!((summary.contacts, summary.touches), (1, 36));
}

/// What may differ: position, quaternion, velocity, angular velocity, energy.
struct Accept {
    r: f64,
    q: f64,
    v: f64,
    omega: f64,
    e: f64,
}

impl Accept {
    fn row(i: usize) -> Accept {
        let row = &reference("torus.json")["comparison_tolerances"]["rows"][i];
        let [r, q, v, omega, e] = ["r", "q", "v", "omega", "E"].map(|k| number(&row[k]));
        Accept { r, q, v, omega, e }
    }

    fn check(&self, frame: &Frame, want: &Value) {
        let b = &frame.bodies[0];
        let all = |name: &str, got: &[f64], key: &str, tolerance: f64| {
            for (got, want) in got.iter().zip(numbers(&want[key])) {
                near(&format!("{name} at {}", frame.t), *got, want, tolerance);
            }
        };
        all("position", b.position.as_slice(), "position", self.r);
        let [w, x, y, z] = numbers(&want["quaternion"])[..] else { unreachable!() };
        let q = &b.orientation;
        let sign = if q.w * w + q.i * x + q.j * y + q.k * z < 0.0 { -1.0 } else { 1.0 };
        all("quaternion", &[q.w, q.i, q.j, q.k].map(|c| sign * c), "quaternion", self.q);
        all("velocity", b.velocity.as_slice(), "velocity", self.v);
        // the reference has it in the body frame
        all("omega", (b.orientation.inverse() * b.angular_velocity).as_slice(), "omega_body", self.omega);
        near("energy", frame.energy.total(), number(&want["E_total"]), self.e);
    }
}

fn tilted_run_against(data: &Value, slices: Slices, until: f64, accept: &Accept) -> Recording {
    let states = data["states"].as_array().unwrap();
    let states: Vec<&Value> = states.iter().filter(|s| number(&s["t"]) <= until).collect();
    let times: Vec<f64> = states.iter().map(|s| number(&s["t"])).collect();
    let (r, summary) = Case::tilted(slices).run(&times, 1e-12, true);
    assert_eq!(r.frames.len(), states.len());
    r.frames.iter().zip(states).for_each(|(frame, want)| accept.check(frame, want));
    assert!(summary.audit_relative < 1e-10, "{summary}");
    r
}

#[test]
fn tilted_with_36_slices() {
    let data = &reference("torus.json")["case2"]["36"];
    let r = tilted_run_against(data, Slices::new(36).unwrap(), 1.0, &Accept::row(0));
    let want = data["contacts"].as_array().unwrap();
    let got = episodes(&r.events);
    assert_eq!(got.len(), want.len());
    for (got, want) in got.iter().zip(want) {
        near("touch", got[0], number(&want["t_start"]), 1e-9);
        near("release", got[1], number(&want["t_end"]), 1e-9);
    }
}

/// Chaotic after about 0.6 s.
#[test]
fn tilted_with_18_slices() {
    let data = &reference("torus.json")["case2"]["18"];
    tilted_run_against(data, Slices::new(18).unwrap(), 0.5, &Accept::row(3));
}

#[test]
fn slices_turned_by_half_a_slice() {
    let all = &reference("torus.json")["case2"];
    let half = |n: usize| Slices::new(n).unwrap().phase(0.5);
    tilted_run_against(&all["36"]["half_offset_variant"], half(36), 1.0, &Accept::row(0));
    tilted_run_against(&all["18"]["half_offset_variant"], half(18), 0.5, &Accept::row(3));
}

/// Without located contacts, at the tolerance the reference names for that.
#[test]
fn tilted_without_located_contacts() {
    let data = &reference("torus.json")["case2"]["36"];
    let states = data["states"].as_array().unwrap();
    let times: Vec<f64> = states.iter().map(|s| number(&s["t"])).collect();
    let (r, _) = Case::tilted(Slices::new(36).unwrap()).run(&times, 1e-11, false);
    let accept = Accept::row(1);
    r.frames.iter().zip(states).for_each(|(frame, want)| accept.check(frame, want));
}

/// The continuous ring, as far from 36 slices as the reference's own limit is.
#[test]
fn the_limit_of_many_slices() {
    let data = &reference("torus.json")["case2"];
    for n in ["18", "36"] {
        let apart = &data[n]["distance_to_ring_limit"];
        let times = numbers(&apart["t"]);
        let (r, summary) = Case::tilted(Slices::exact(1e-9).unwrap()).run(&times, 1e-12, true);
        let states = data[n]["states"].as_array().unwrap();
        for (frame, want) in r.frames.iter().zip(numbers(&apart["dr"])) {
            let at = states.iter().find(|s| (number(&s["t"]) - frame.t).abs() < 1e-12).unwrap();
            let place = Vec3::from_iterator(numbers(&at["position"]));
            let dr = (frame.bodies[0].position - place).norm();
            near(&format!("{n} slices at {}", frame.t), dr, want, 1e-9);
        }
        assert!(summary.audit_relative < 1e-10, "{summary}");
        assert_eq!((summary.contacts, summary.touches), (15, 15));
    }
}

/// Ten points in the patch are enough for 3e-9 m over the second, and fewer converge faster than any power, down to what integration leaves.
#[test]
fn few_nodes_are_enough() {
    let times: Vec<f64> = (1..=20).map(|i| 0.05 * f64::from(i)).collect();
    let way = |tolerance: f64| Case::tilted(Slices::exact(tolerance).unwrap()).run(&times, 1e-12, true).0;
    let nodes = |tolerance: f64| {
        let (floor, ring) = (Shape::outside(Plane), Shape::outside(Torus::new(0.025, 0.005).unwrap()));
        pairs::bind_by(&Slices::exact(tolerance).unwrap(), &floor, &ring).unwrap().parts()
    };
    let fine = way(1e-13);
    let off = |tolerance: f64| {
        let apart = |(a, b): (&Frame, &Frame)| (a.bodies[0].position - b.bodies[0].position).norm();
        way(tolerance).frames.iter().zip(&fine.frames).map(apart).fold(0.0, f64::max)
    };
    assert!(nodes(1e-8) <= 10 && off(1e-8) < 3e-9, "{} nodes: {:e}", nodes(1e-8), off(1e-8));
    let coarse = [1e-3, 1e-5].map(|tolerance| (nodes(tolerance), off(tolerance)));
    assert!(coarse.is_sorted_by(|a, b| a.0 < b.0 && a.1 > 10.0 * b.1), "{coarse:?}");
}

/// Neither damping nor friction: energy is kept, however many slices.
#[test]
fn energy_is_kept() {
    for slices in [Slices::new(9), Slices::new(36), Slices::new(144), Slices::exact(1e-10)] {
        let case = Case { chi: 0.0, mu: 0.0, ..Case::tilted(slices.unwrap()) };
        let (r, summary) = case.run(&[0.0, 0.25, 0.5, 0.75, 1.0], 1e-11, true);
        let start = r.frames[0].energy.total();
        for frame in &r.frames {
            near("energy", frame.energy.total() / start, 1.0, 1e-9);
        }
        assert!(summary.contacts > 5, "{summary}");
    }
}
