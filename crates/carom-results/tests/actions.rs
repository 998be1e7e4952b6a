//! What is written of coordinates, drives, forces and signals, and read back by name.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use carom::base::Quantity;
use carom_results::film::Film;
use carom_results::{About, Existing, Folder, Memory, QuantityError, Recorded, ResultSet};
use carom_scene::{Format, Scene};

/// A pendulum on a hinge with a motor and a spring without a name, and a cart on a rail that is driven.
const TEXT: &str = r#"
[run]
duration = 3
output_every = 0.05
rtol = 1e-11

[[body]]
name = "ground"
fixed = true

[[body]]
name = "bob"
mass = 2
inertia = [0.05, 0.05, 0.05]
position = [0, 0, -0.6]
velocity = [-6, 0, 0]
angular_velocity = [0, 10, 0]

[[body]]
name = "cart"
mass = 4
inertia = [1, 1, 1]
position = [1, 0, 0]

[[joint]]
name = "hinge"
type = "revolute"
between = ["bob", "ground"]
point = [0, 0, 0]
axis = [0, 1, 0]

[[joint]]
name = "rail"
type = "prismatic"
between = ["cart", "ground"]
axis = [1, 0, 0]

[[drive]]
target = "joint/rail/speed"
expression = "0.3*sin(2*t)"

[[force]]
name = "engine"
type = "motor"
joint = "hinge"
torque = "0.5 - 0.1*hinge.rate"

[[input]]
name = "offset"
value = 0.25

[[controller]]
name = "brake"
type = "pid"
input = "rail.rate"
setpoint = "offset"
every = 0.05
gain = 2

[[force]]
type = "spring-damper"
between = ["bob", "ground"]
point_b = [0, 0, 1]
stiffness = 3
rest_length = 0.5
"#;

/// A folder of a test's own, taken away at the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn scene() -> Scene {
    Scene::from_text(TEXT, Format::Toml, "pendulum.toml", &[]).unwrap()
}

fn near(what: &str, found: &[f64], wanted: impl Fn(usize) -> f64, within: f64) {
    for (i, x) in found.iter().enumerate() {
        assert!((x - wanted(i)).abs() <= within, "{what} {i}: {x} is not {}", wanted(i));
    }
}

/// What every quantity of the run must be.
fn check(run: &Recorded) {
    let of = |name: &str| run.column(name).unwrap();
    let (t, angle, rate) = (of("t"), of("hinge.angle"), of("hinge.angle_rate"));
    assert!(angle.last().unwrap() > &(2.0 * std::f64::consts::TAU), "{angle:?}");
    // the place of the bob follows from the angle, whatever turns it has made
    near("x", &of("bob.x"), |i| -0.6 * angle[i].sin(), 1e-9);
    near("rate", &of("bob.wy"), |i| rate[i], 1e-9);
    assert_eq!(of("hinge.rate"), rate);
    near("effort", &of("engine.effort"), |i| 0.5 - 0.1 * rate[i], 1e-12);
    near("couple", &of("engine.my"), |i| 0.5 - 0.1 * rate[i], 1e-12);
    near("power", &of("engine.power"), |i| (0.5 - 0.1 * rate[i]) * rate[i], 1e-10);
    let (length, tension) = (of("force/bob~ground.length"), of("force/bob~ground.tension"));
    near("length", &length, |i| (0.6f64 * 0.6 + 1.0 + 1.2 * angle[i].cos()).sqrt(), 1e-9);
    near("tension", &tension, |i| 3.0 * (length[i] - 0.5), 1e-12);
    near("displacement", &of("rail.displacement"), |i| 0.15 * (1.0 - (2.0 * t[i]).cos()), 1e-9);
    near("drive", &of("rail/speed.force"), |i| 4.0 * 0.6 * (2.0 * t[i]).cos(), 1e-8);
    // the work of the ledger is that of the motor and the drive
    let drive = |i: usize| 0.5 * 4.0 * (0.3 * (2.0 * t[i]).sin()).powi(2);
    let (work, ledger) = (of("engine.work"), of("work"));
    near("work", &ledger, |i| work[i] + drive(i), 1e-8);
    // a sample at every output time: the frame has the output that follows from it
    near("output", &of("brake.u"), |i| 2.0 * (0.25 - 0.3 * (2.0 * t[i]).sin()), 1e-12);
    assert_eq!(of("offset"), vec![0.25; t.len()]);
    assert_eq!(run.summary["works"]["engine"].as_f64(), work.last().copied());
}

#[test]
fn coordinates_and_forces_are_written_and_read_back() {
    let scene = scene();
    let scratch = Scratch(std::env::temp_dir().join(format!("carom-actions-{}", std::process::id())));
    let path = scratch.0.join("run");
    let mut folder = Folder::new(&path, About::from(&scene), Existing::ReplaceResults).unwrap();
    let outcome = scene.simulation().run_into(&mut folder);
    folder.close(&outcome).unwrap();
    let run = Recorded::open(&path).unwrap();
    check(&run);
    let mut memory = Memory::new(About::from(&scene));
    let outcome = scene.simulation().run_into(&mut memory).unwrap();
    let kept = memory.close(&outcome).unwrap();
    check(&kept);
    assert_eq!((&kept.mechanism, &kept.forces), (&run.mechanism, &run.forces));
    assert_eq!(kept.signals, run.signals);
    let head = fs::read_to_string(path.join("signals.csv")).unwrap();
    assert_eq!(head.lines().next().unwrap(), "t,offset,brake.u");
    let head = fs::read_to_string(path.join("forces.csv")).unwrap();
    let wanted = "t,engine.fx,engine.fy,engine.fz,engine.mx,engine.my,engine.mz,engine.effort,engine.power,engine.work,\
         force/bob~ground.fx,force/bob~ground.fy,force/bob~ground.fz,force/bob~ground.mx,force/bob~ground.my,\
         force/bob~ground.mz,force/bob~ground.length,force/bob~ground.rate,force/bob~ground.tension,\
         force/bob~ground.power,rail/speed.force,rail/speed.power";
    assert_eq!(head.lines().next().unwrap(), wanted);
    // results of before these tables are read as ever
    for file in ["forces.csv", "kinematics.csv", "signals.csv"] {
        fs::remove_file(path.join(file)).unwrap();
    }
    let old = Recorded::open(&path).unwrap();
    assert_eq!(old.column("hinge.fx").unwrap(), run.column("hinge.fx").unwrap());
    assert!(matches!(old.column("hinge.angle"), Err(QuantityError::Unknown { .. })));
    assert!(matches!(old.column("hinge.rate"), Err(QuantityError::Unknown { .. })));
}

#[test]
fn coordinates_and_forces_have_names_and_units() {
    let scene = scene();
    let mut memory = Memory::new(About::from(&scene));
    let outcome = scene.simulation().run_into(&mut memory).unwrap();
    let run = memory.close(&outcome).unwrap();
    let all = run.quantities().unwrap();
    for (name, what, quantity) in [
        ("hinge.angle", "joint angle", Quantity::Angle),
        ("hinge.angle_second", "joint angular acceleration", Quantity::AngularAcceleration),
        ("rail.displacement_rate", "joint velocity", Quantity::Speed),
        // a slide's driven speed takes a force, no couple
        ("rail/speed.force", "driving force", Quantity::Force),
        ("rail/speed.power", "driving power", Quantity::Power),
        ("engine.effort", "couple along the coordinate", Quantity::Torque),
        ("engine.work", "work", Quantity::Energy),
        ("force/bob~ground.rate", "rate of the length", Quantity::Speed),
        ("force/bob~ground.tension", "tension", Quantity::Force),
    ] {
        let listed: Vec<_> = all.iter().filter(|m| m.name == name).collect();
        assert_eq!(listed.len(), 1, "{name}");
        for meaning in [listed[0].clone(), run.meaning(name).unwrap(), scene.names.meaning(name).unwrap()] {
            assert_eq!((meaning.what.as_str(), meaning.quantity), (what, Some(quantity)), "{name}");
        }
    }
    for meaning in [run.meaning("hinge.rate").unwrap(), scene.names.meaning("hinge.rate").unwrap()] {
        assert_eq!((meaning.name.as_str(), meaning.quantity), ("hinge.rate", Some(Quantity::AngularSpeed)));
    }
    for (name, of, what) in [("brake.u", "brake", "output u"), ("offset", "offset", "input")] {
        assert_eq!(all.iter().filter(|m| m.name == name).count(), 1, "{name}");
        for meaning in [run.meaning(name).unwrap(), scene.names.meaning(name).unwrap()] {
            let found = (meaning.of.as_str(), meaning.what.as_str(), meaning.quantity);
            assert_eq!(found, (of, what, None), "{name}");
        }
    }
    // the coordinates of a joint are its own
    assert!(scene.names.meaning("hinge.displacement").is_none());
    assert!(scene.names.meaning("engine.length").is_none());
    let refused = run.column("engine.efort").unwrap_err().to_string();
    assert_eq!(refused, "there is no quantity `engine.efort`; did you mean `engine.effort`?");
    // every one of those listed is there
    for meaning in &all {
        assert_eq!(run.column(&meaning.name).unwrap().len(), run.t.len(), "{}", meaning.name);
    }
    // and the page has curves of them
    let film = Film::of_run(&scene, run, None).unwrap();
    let series = |name: &str| film.series.iter().find(|s| s.name == name).map(|s| (s.group, s.unit));
    assert_eq!(series("hinge.angle"), Some(("joint", "rad")));
    assert_eq!(series("rail/speed.force"), Some(("joint", "N")));
    assert_eq!(series("engine.effort"), Some(("force", "N m")));
    assert_eq!(series("brake.u"), Some(("signal", "")));
}

/// A weight that hangs on a spring, and a lever that is turned against a torsion spring: static and inverse analyses record their forces.
#[test]
fn analyses_record_forces() {
    let found = |text: &str| {
        let scene = Scene::from_text(text, Format::Toml, "analysis.toml", &[]).unwrap();
        let found = scene.analyse(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
        ResultSet::of_analysis(&scene, &found).unwrap().recorded().unwrap()
    };
    let hung = found(
        r#"
        run = { duration = 1, analysis = "static" }
        body = [
            { name = "weight", mass = 2, dofs = ["z"], position = [0, 0, -1] },
            { name = "hook", fixed = true },
        ]
        force = [{ name = "spring", type = "spring-damper", between = ["weight", "hook"], stiffness = 400, rest_length = 0.5 }]
        "#,
    );
    let [tension, length] = ["spring.tension", "spring.length"].map(|name| hung.column(name).unwrap());
    assert!((tension[0] - 2.0 * 9.81).abs() < 1e-12 && tension.len() == 1, "{tension:?}");
    assert!((length[0] - (0.5 + 2.0 * 9.81 / 400.0)).abs() < 1e-14, "{length:?}");
    let turned = found(
        r#"
        run = { duration = 1, output_every = 0.25, analysis = "inverse" }
        world = { gravity = [0, 0, 0] }
        body = [{ name = "lever", mass = 1, inertia = [1, 1, 1] }, { name = "ground", fixed = true }]
        joint = [{ name = "hinge", type = "revolute", between = ["lever", "ground"], point = [0, 0, 0], axis = [0, 0, 1] }]
        force = [
            { name = "wire", type = "torsion-spring", joint = "hinge", stiffness = 3 },
            { name = "brake", type = "load", body = "lever", torque = [0, 0, "-0.5*hinge.rate"] },
        ]
        drive = [{ target = "joint/hinge/angle", expression = "2*t^2" }]
        "#,
    );
    let column = |name: &str| turned.column(name).unwrap();
    let (wire, brake, drive) = (column("wire.effort"), column("brake.mz"), column("hinge/angle.force"));
    assert_eq!(turned.t.len(), 5);
    for (i, t) in turned.t.iter().enumerate() {
        // θ = 2 t², I = 1: the drive carries spring, brake and inertia
        let (angle, rate, second) = (2.0 * t * t, 4.0 * t, 4.0);
        assert!((wire[i] + 3.0 * angle).abs() < 1e-11, "{t}: {}", wire[i]);
        assert!((brake[i] + 0.5 * rate).abs() < 1e-11, "{t}: {}", brake[i]);
        assert!((drive[i] - (second + 3.0 * angle + 0.5 * rate)).abs() < 1e-10, "{t}: {}", drive[i]);
    }
    // a work would have to be integrated
    assert!(matches!(turned.column("brake.work"), Err(QuantityError::Unknown { .. })));
}
