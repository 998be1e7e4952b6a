//! A scene says what the Rust interface says, in either language, with values replaced.

use std::sync::Arc;

use carom::geometry::surfaces::Polyhedron;
use carom::prelude::*;
use carom::{Formula, Guided, Linear, Orbit, Output, Shake, Spline};
use carom_scene::{Format, Scene};

const BALL: &str = include_str!("scenes/ball.toml");
const BALL_JSON: &str = include_str!("scenes/ball.json");
const EVERYTHING: &str = include_str!("scenes/everything.json");

fn toml(text: &str, set: &[&str]) -> Scene {
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    Scene::from_text(text, Format::Toml, "scene.toml", &set).unwrap_or_else(|e| panic!("{e}"))
}

fn json(text: &str) -> Scene {
    Scene::from_text(text, Format::Json, "scene.json", &[]).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn toml_and_json_say_the_same() {
    assert_eq!(format!("{:?}", toml(BALL, &[])), format!("{:?}", json(BALL_JSON)));
}

#[test]
fn a_scene_runs_as_the_model_built_by_hand_bit_for_bit() {
    let mut builder = ModelBuilder::new();
    builder.material(Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3).density(7850.0));
    builder.body(
        Body::new("ball")
            .position([0.0, 0.0, 0.5])
            .velocity([1.0, 0.0, 0.0])
            .orientation(Quat::from_axis_angle(&Vec3::z_axis(), 30f64.to_radians()))
            .surface(SurfaceSpec::new(Sphere::new(0.02).unwrap()).material("steel")),
    );
    builder.body(Body::fixed("floor").surface(SurfaceSpec::new(Plane).material("steel")));
    builder.contact(
        ContactRule::between("ball", "floor")
            .normal(LankaraniNikravesh::restitution(0.9).unwrap())
            .friction(Tanh::new(0.2, 1000.0).unwrap()),
    );
    let model = builder.build().unwrap();
    let scene = toml(BALL, &[]);
    assert_eq!(format!("{:?}", scene.model), format!("{model:?}"));

    let by_hand = Simulation::new(&model).duration(1.0).rtol(1e-10).output_every(0.01).run().unwrap();
    let run = scene.simulation().run().unwrap();
    assert_eq!(format!("{:?}", run.end), format!("{:?}", by_hand.end));
    assert_eq!(run.summary.stats, by_hand.summary.stats);
    assert_eq!(run.summary.peak_force.to_bits(), by_hand.summary.peak_force.to_bits());
}

/// What is a function of time.
fn in_time(b: &mut ModelBuilder) {
    let (mut lift, mut wheel) = (Guided::default(), Guided::default());
    lift.displacement[2] = Some(Arc::new(Spline::new(&[[0.0, 0.0], [0.01, 1e-3], [0.02, 0.0]]).unwrap()));
    wheel.displacement[0] = Some(Arc::new(Formula::new("0.1*t^2").unwrap()));
    wheel.turn = Some((Vec3::y_axis(), Arc::new(Formula::new("2[rad/s]*t").unwrap())));
    b.body(Body::prescribed("lift", lift)).body(Body::prescribed("wheel", wheel));
    b.body(Body::fixed("shelf").position([0.0, 9.0, 1.0]));
    let density = Linear::new(&[[0.0, 2000.0], [0.01, 1500.0], [1.0, 3000.0]]).unwrap();
    b.drive(Drive::new("body/brick/density", density));
    b.drive(Drive::new("body/pill/mass", Formula::new("0.03*(1 + t)").unwrap()));
    b.drive(Drive::new("world/gravity/0", Formula::new("2*2[rad/s]*max(0, t - 0.01)").unwrap()));
    b.drive(Drive::new("body/shelf/position/2", Spline::new(&[[0.0, 1.0], [1.0, 1.1]]).unwrap()));
}

/// A surface of a list of points, with units; what is no list of points is an error at its place.
#[test]
fn a_polyhedron_has_a_list_of_points() {
    let scene = |vertices: &str| {
        format!(
            "[run]\nduration = 1.0\n[[body]]\nname = \"wedge\"\nmass = 2.0\n\
             [[body.surface]]\ntype = \"polyhedron\"\nvertices = {vertices}\n"
        )
    };
    let points = r#"[[0, 0, 0], ["30 cm", 0, 0], [0, 0.3, 0], [0, 0, "300 mm"]]"#;
    let wedge = Polyhedron::new(&[[0.0; 3], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]]).unwrap();
    let text = format!("{:?}", toml(&scene(points), &[]).model);
    assert!(text.contains(&format!("{wedge:?}")), "{text}");
    for (bad, complaint) in [
        ("[0, 0, 0, 1]", "`vertices` cannot be a number"),
        ("[[0, 0], [1, 0]]", "`vertices` needs 3 values, and has 2"),
        ("[[0, 0, 0], [1, 0, 0], [0, 1, 0]]", "four points or more, finite and not in one plane"),
        ("0.3", "an array of arrays of 3 numbers in m"),
    ] {
        let error = Scene::from_text(&scene(bad), Format::Toml, "scene.toml", &[]).unwrap_err().to_string();
        assert!(error.contains(complaint), "{error}");
    }
}

/// Everything the engine can do, built by hand.
fn everything() -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -1.62]).length_scale(0.01).speed_scale(1.0);
    b.material(Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3).density(7850.0));
    b.material(Material::new("felt").density(300.0));
    let turned = Quat::from_axis_angle(&Vec3::x_axis(), 10f64.to_radians())
        * Quat::from_axis_angle(&Vec3::y_axis(), 0.0)
        * Quat::from_axis_angle(&Vec3::z_axis(), 0.1);
    b.body(
        Body::new("ball")
            .mass(0.1)
            .inertia([16e-6; 3])
            .centre_of_mass([0.0, 0.0, -0.001])
            .position([0.0, 0.0, 0.025])
            .velocity([0.1, 0.0, 0.0])
            .angular_velocity([0.0, 30.0 * (std::f64::consts::TAU / 60.0), 0.0])
            .dofs(&[Dof::X, Dof::Z, Dof::Ry])
            .surface(
                SurfaceSpec::new(Sphere::new(0.02).unwrap()).named("skin").material("steel").turned(turned),
            ),
    );
    let tensor = Mat3::new(1e-3, 0.0, 0.0, 0.0, 1e-3, 1e-5, 0.0, 1e-5, 1.5e-3);
    b.body(
        Body::new("brick")
            .density(2000.0)
            .inertia_tensor(tensor)
            .position([1.0, 0.0, 0.2])
            .surface(Cuboid::new([0.2, 0.1, 0.1]).unwrap()),
    );
    b.body(
        Body::new("pill")
            .density(1000.0)
            .position([2.0, 0.0, 1.0])
            .surface(Capsule::new(0.01, 0.05).unwrap()),
    );
    let spin = Spin { axis: Vec3::y_axis(), rate: 30.0 * (std::f64::consts::TAU / 60.0) };
    b.body(
        Body::prescribed("drum", spin)
            .position([0.0, 5.0, 0.0])
            .surface(SurfaceSpec::new(Cylinder::new(1.0, 2.0).unwrap()).inside()),
    );
    b.body(Body::prescribed("arm", Orbit { to_centre: Vec3::x(), axis: Vec3::z_axis(), rate: 1.0 }));
    let shake = Shake { amplitude: Vec3::new(0.0, 0.0, 1e-3), rate: 100.0, phase: 90f64.to_radians() };
    b.body(Body::prescribed("table", shake).surface(SurfaceSpec::new(Plane).material("steel")));
    b.body(Body::prescribed("belt", Slide { velocity: Vec3::new(0.01, 0.0, 0.0) }));
    in_time(&mut b);
    b.contact(
        ContactRule::between("ball/skin", "table")
            .named("landing")
            .normal(HuntCrossley::damping(0.5).unwrap().stiffness(1e8))
            .friction(Ambrosio::new(0.2, 1e-4, 1e-3).unwrap())
            .rolling(TanhCouple::new(1e-4, 0.5).unwrap())
            .spinning(ViscousCouple::new(1e-4).unwrap())
            .min_impact_speed(1e-3),
    );
    b.contact(ContactRule::between("ball", "*").normal(Flores::restitution(0.7).unwrap().stiffness(1e7)));
    let linear = LankaraniNikravesh::restitution(0.9).unwrap().stiffness(1e5).exponent(1.0);
    b.contact(ContactRule::between("brick", "table").normal(linear));
    b.force(Force::between("pill", "belt", SpringDamper::new(2000.0, 1.0).unwrap()));
    let leash = SpringDamper::new(5.0, 0.5).unwrap().damping(3.0);
    b.force(
        Force::between("pill", "brick", leash).points([0.0, 0.0, 0.025], [0.01, 0.0, 0.0]).named("leash"),
    );
    b.build().unwrap()
}

#[test]
fn everything_can_be_said() {
    let scene = json(EVERYTHING);
    assert_eq!(format!("{:?}", scene.model), format!("{:?}", everything()));
    assert_eq!((scene.duration, scene.method.as_str()), (0.02, "ode45"));
    assert_eq!((scene.rtol, scene.atol, scene.step, scene.max_step), (1e-7, 1e-9, Some(1e-6), Some(1e-3)));
    assert_eq!(scene.output, Output::At(vec![0.0, 0.005, 0.01, 0.02]));
    assert_eq!((scene.probes[0].body, scene.probes[0].point), (1, [0.1, 0.0, 0.0]));
    assert_eq!((scene.probes[1].body, scene.probes[1].name.as_str()), (0, "middle"));
    let (run, by_hand) = (scene.simulation().run().unwrap(), everything());
    let sim = Simulation::new(&by_hand).method("ode45").duration(0.02).rtol(1e-7).atol(1e-9);
    let by_hand = sim.step(1e-6).max_step(1e-3).output(scene.output.clone()).run().unwrap();
    assert_eq!(format!("{:?}", run.end), format!("{:?}", by_hand.end));
    assert_eq!(run.summary.stats, by_hand.summary.stats);
}

#[test]
fn defaults() {
    let text = "run.duration = 2\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n";
    let scene = toml(text, &[]);
    assert_eq!((scene.title.as_str(), scene.method.as_str()), ("scene", "auto"));
    assert_eq!((scene.rtol, scene.atol, scene.step, scene.max_step), (1e-8, 1e-8, None, None));
    assert!(scene.locate_contacts && !scene.plain && scene.probes.is_empty());
    assert_eq!(scene.output, Output::Steps);
    // as in Rust, the absolute tolerance goes with the relative one
    assert_eq!(toml(text, &["run/rtol=1e-5"]).atol, 1e-5);
}

#[test]
fn a_law_may_be_a_bare_word() {
    let short = BALL.replace("{ law = \"lankarani-nikravesh\", restitution = 0.9 }", "\"hertz\"");
    let long = BALL.replace("law = \"lankarani-nikravesh\", restitution = 0.9", "law = \"hertz\"");
    assert_eq!(format!("{:?}", toml(&short, &[])), format!("{:?}", toml(&long, &[])));
    let stiff = toml(&short, &["contact/ball~floor/normal/stiffness=1e9 N/m^1.5"]);
    assert!(format!("{:?}", stiff.model).contains("1000000000.0"));
}

/// A replaced value is the same as one written in the scene.
#[test]
fn replaced_values() {
    let cases: &[(&str, &str, &str)] = &[
        ("run/duration=10 ms", "duration = \"1 s\"", "duration = \"10 ms\""),
        ("run/duration=\"10 ms\"", "duration = \"1 s\"", "duration = 0.01"),
        ("run/method=ode45", "[run]", "[run]\nmethod = \"ode45\""),
        ("run/scale/length=1 cm", "[run]", "[run]\nscale.length = 0.01"),
        ("run/rtol = 1e-5", "1e-10", "1e-5"),
        ("title=Fall of a ball", "Bouncing ball", "Fall of a ball"),
        ("body/ball/mass=2", "name = \"ball\"", "name = \"ball\"\nmass = 2"),
        ("body/ball/position/2=0.1", "\"500 mm\"", "0.1"),
        (
            "body/ball/angular_velocity/1=3",
            "name = \"ball\"",
            "name = \"ball\"\nangular_velocity = [0, 3, 0]",
        ),
        ("body/ball/surface/sphere1/radius=1 cm", "radius = \"20 mm\"", "radius = 0.01"),
        ("body/ball/surface/0/radius=1 cm", "radius = \"20 mm\"", "radius = 0.01"),
        ("contact/0/friction/coefficient=0.5", "coefficient = 0.2", "coefficient = 0.5"),
        ("body/ball/orientation/angle=1", "\"30 deg\"", "1"),
        (
            "body/ball/orientation={ euler_xyz = [0, 0, 1] }",
            "axis = [0, 0, 1], angle = \"30 deg\"",
            "euler_xyz = [0, 0, 1]",
        ),
        ("contact/ball~floor/friction/coefficient=0.5", "coefficient = 0.2", "coefficient = 0.5"),
        (
            "contact/ball~floor/normal=hertz",
            "{ law = \"lankarani-nikravesh\", restitution = 0.9 }",
            "\"hertz\"",
        ),
        ("material/steel/density=1 g/cm^3", "density = 7850", "density = 1000"),
        ("world/gravity=[0, 0, 0]", "\"-9.81 m/s^2\"", "0"),
        ("world/gravity/2=-1.62", "\"-9.81 m/s^2\"", "-1.62"),
        ("probe/top/point/0=1", "[0, 0, \"20 mm\"]", "[1, 0, \"20 mm\"]"),
    ];
    for (set, piece, by) in cases {
        assert!(BALL.contains(piece), "{piece}");
        let edited = toml(&BALL.replacen(piece, by, 1), &[]);
        assert_eq!(format!("{:?}", toml(BALL, &[set])), format!("{edited:?}"), "{set}");
    }
    let moving = toml(
        BALL,
        &[
            "body/floor={ name = \"floor\" , motion = { spin = { axis = [0, 0, 1], rate = 1 } }, surface = [{ type = \"plane\", material = \"steel\" }] }",
            "body/floor/motion/spin/rate=30 rpm",
            "body/floor/motion/spin/axis/0=1",
        ],
    );
    assert!(format!("{:?}", moving.model).contains("rate: 3.14159"));
}

#[test]
fn names_with_slashes_are_found() {
    let text = BALL.replace("[\"ball\", \"floor\"]", "[\"ball/sphere1\", \"floor\"]");
    let scene = toml(&text, &["contact/ball/sphere1~floor/friction/coefficient=0"]);
    assert!(format!("{:?}", scene.model).contains("coefficient: 0.0"));
}

#[test]
fn files_are_told_apart_by_their_text_too() {
    let path = std::env::temp_dir().join(format!("carom-scene-{}.scene", std::process::id()));
    std::fs::write(&path, BALL_JSON).unwrap();
    let scene = Scene::from_file(&path, &[]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(scene.unwrap().title, "Bouncing ball");
}

#[test]
fn a_surface_can_be_a_shell() {
    let scene = toml(&BALL.replacen("type = \"sphere\"", "type = \"sphere\"\nshell = \"1 mm\"", 1), &[]);
    let (mass, inertia) = (scene.model.mass("ball").unwrap(), scene.model.inertia("ball").unwrap());
    let m = 7850.0 * 4.0 * std::f64::consts::PI * 4e-4 * 1e-3;
    assert!((mass / m - 1.0).abs() < 1e-14 && (inertia[(2, 2)] / (2.0 / 3.0 * m * 4e-4) - 1.0).abs() < 1e-14);
    scene.simulation().run().unwrap();
}

#[test]
fn a_shell_that_cannot_be_is_refused() {
    let ball =
        |shell: &str| BALL.replacen("type = \"sphere\"", &format!("type = \"sphere\"\nshell = {shell}"), 1);
    let plane = BALL.replacen("type = \"plane\"", "type = \"plane\"\nshell = 0.001", 1);
    for (text, words) in [
        (ball("0"), ["shell", "greater than 0"]),
        (ball("-1"), ["shell", "greater than 0"]),
        (ball("\"1 kg\""), ["shell", "a length"]),
        (plane, ["`floor`, surface `plane1`", "has an area"]),
    ] {
        let Err(error) = Scene::from_text(&text, Format::Toml, "scene.toml", &[]) else {
            panic!("this was read: {text}")
        };
        let error = error.to_string();
        assert!(words.iter().all(|w| error.contains(w)), "{error}");
    }
}

/// A rounded square ring on the floor of a scene, with a ball on top of it.
#[test]
fn a_supertorus_can_be_said() {
    let ring = "type = \"supertorus\"\nmajor_radius = \"50 mm\"\nsemi_axes = [\"10 mm\", \"15 mm\"]\nexponents = [4, 3]";
    let scene = toml(&BALL.replacen("type = \"plane\"", ring, 1), &["body/floor/position=[0.05, 0, 0]"]);
    scene.simulation().run().unwrap();
    for (from, to, word) in [
        ("[4, 3]", "[4, 1.9]", "2 or greater"),
        ("\"10 mm\"", "\"50 mm\"", "less than `major_radius`"),
        ("[4, 3]", "[4]", "exponents"),
    ] {
        let text = BALL.replacen("type = \"plane\"", &ring.replace(from, to), 1);
        let Err(error) = Scene::from_text(&text, Format::Toml, "scene.toml", &[]) else {
            panic!("this was read: {text}")
        };
        assert!(error.to_string().contains(word), "{error}");
    }
}

/// A scene that is written out and read again is the same to the bit, zeros below zero too: a run that was broken off is resumed from there.
#[test]
fn zeros_keep_their_sign() {
    let text = "run.duration = 1\nbody = [{ name = \"b\", mass = 1, inertia = [1, 1, 1], velocity = [-0.0, 0.0, 2.0] }]\n";
    let scene = Scene::from_text(text, Format::Toml, "a.toml", &[]).unwrap();
    let written = scene.source.json().to_string();
    assert!(written.contains("[-0.0,0,2]"), "{written}");
    let again = Scene::from_text(&written, Format::Json, "a.json", &[]).unwrap();
    let signs = |scene: &Scene| scene.model.start_bodies()[0].velocity.map(f64::to_bits);
    assert_eq!(signs(&scene), signs(&again));
}
