//! Joints of scenes.

use carom::{JOINTS, Stabilisation};
use carom_scene::{Format, Scene};

/// A crank on a hinge, with a rod whose joint is to be said.
fn scene(joint: &str, set: &[&str]) -> Scene {
    let text = format!("{}\n{joint}\n", include_str!("scenes/crank.toml"));
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    match Scene::from_text(&text, Format::Toml, "crank.toml", &set) {
        Ok(scene) => scene,
        Err(e) => panic!("{e}"),
    }
}

/// Every kind of the registry can be said, by points of the world or of the bodies.
#[test]
fn every_kind_can_be_said() {
    for entry in JOINTS {
        let params: String = entry
            .params
            .iter()
            .filter(|p| matches!(p.presence, carom_base::param::Presence::Required))
            .map(|p| format!("{} = 2\n", p.name))
            .collect();
        let kind = entry.make(
            &entry
                .params
                .iter()
                .fold(carom_base::Args::new(), |args, p| args.with(p.name, carom_base::Value::Number(2.0))),
        );
        let kind = kind.unwrap();
        // (it is of surfaces: below)
        if kind.rolls() {
            continue;
        }
        let gear = kind.couples().is_some();
        let between = if gear { "[\"bearing\", \"slide\"]" } else { "[\"rod\", \"crank\"]" };
        let mut ways = vec![String::new()];
        if !gear {
            let second = if kind.has_second_axis() { "second_axis = [1, 0, 0]\n" } else { "" };
            let axis = if kind.has_axis() { "axis = [0, 1, 0]\n" } else { "" };
            let axes = if kind.has_axis() { "axis_a = [0, 1, 0]\naxis_b = [0, 1, 0]\n" } else { "" };
            // a rod has its points apart, the others have one
            let x = if kind.has_two_points() { 0.2 } else { 1.0 };
            let apart = format!("point_a = [0, 0, 0.1]\npoint_b = [{x}, 0, 0.6]\n");
            ways = vec![format!("{apart}{axis}{second}")];
            if !kind.has_two_points() {
                ways.push(format!("point = [1, 0, 0.6]\n{axis}{second}"));
            }
            if !kind.has_second_axis() {
                ways.push(format!("{apart}{axes}"));
            }
        }
        for way in ways {
            let joint = format!(
                "[[joint]]\nname = \"pin\"\ntype = \"{}\"\nbetween = {between}\n{params}{way}",
                entry.name
            );
            let names: Vec<String> = scene(&joint, &[]).model.joint_names().map(str::to_owned).collect();
            assert_eq!(names, ["bearing", "slide", "pin"], "{joint}");
        }
    }
}

const ROD: &str = "[[joint]]\nname = \"link\"\ntype = \"distance\"\nbetween = [\"rod\", \"crank\"]\npoint_a = [0, 0, 0]\npoint_b = [0.3, 0, 0]\n";

#[test]
fn values_of_joints_and_the_stabilisation_can_be_replaced() {
    let length = |set: &[&str]| {
        let end = scene(ROD, set).simulation().run().unwrap().end;
        let (rod, crank) = (end.body("rod").unwrap(), end.body("crank").unwrap());
        let pin = crank.point(&carom_base::Vec3::new(0.3, 0.0, 0.0)).0;
        (rod.position - pin).norm()
    };
    let away = 0.7f64.hypot(0.5);
    assert!((length(&[]) - away).abs() < 1e-12);
    assert!((length(&["joint/link/length=0.9"]) - 0.9).abs() < 1e-12);
    let other = length(&["joint/link/point_b=[0.2, 0, 0]"]);
    assert!((other - 0.8f64.hypot(0.5)).abs() > 1e-3, "the point is another one: {other}");
    assert_eq!(scene(ROD, &[]).stabilisation, Stabilisation::Projection);
    assert_eq!(scene(ROD, &["run/stabilisation=none"]).stabilisation, Stabilisation::None);
    let baumgarte = ["run/stabilisation=baumgarte", "run/baumgarte=\"20 1/s\""];
    assert_eq!(scene(ROD, &baumgarte).stabilisation, Stabilisation::Baumgarte(20.0));
}

/// A speed has the unit of the coordinate that is driven.
#[test]
fn a_speed_is_read_in_its_own_unit() {
    let drive = |joint: &str, value: &str| {
        format!("[[drive]]\ntarget = \"joint/{joint}/speed\"\ntable = [[0, \"{value}\"], [1, \"{value}\"]]\n")
    };
    let end = scene(&drive("bearing", "60 rpm"), &[]).simulation().run().unwrap().end;
    assert!((end.body("crank").unwrap().angular_velocity.y - std::f64::consts::TAU).abs() < 1e-12);
    let end = scene(&drive("slide", "20 cm/s"), &[]).simulation().run().unwrap().end;
    assert!((end.body("rod").unwrap().velocity.z - 0.2).abs() < 1e-12);
}

/// Springs, bushings, limits and rotors, in the units a scene gives them.
#[test]
fn springs_and_limits_are_read_in_their_units() {
    let text = r#"
[[force]]
type = "torsion-spring"
joint = "bearing"
stiffness = "2 N mm/deg"
damping = "3 N mm s/deg"
rest_angle = "90 deg"

[[force]]
type = "slide-spring"
joint = "slide"
stiffness = "0.5 N/mm"
damping = "2 N s/m"
rest_displacement = "-30 mm"

[[force]]
name = "wire"
type = "torsion-spring"
between = ["rod", "crank"]
axis = [0, 1, 0]
stiffness = 0.4

[[force]]
name = "rubber"
type = "bushing"
between = ["rod", "crank"]
point = [0.5, 0, 0]
axis = [1, 0, 0]
x_axis = [0, 1, 0]
stiffness = ["1 N/mm", "2 N/mm", "3 N/mm"]
damping = "4 N s/m"
torsion_stiffness = "5 N m/rad"
torsion_damping = [0.1, 0.2, 0.3]
rest_offset = ["1 mm", "2 mm", "3 mm"]
rest_angles = ["1 deg", "2 deg", "3 deg"]
"#;
    let read = scene(
        text,
        &[
            "joint/bearing/max_angle=\"2 deg\"",
            "joint/bearing/stop={ law = \"hertz\", stiffness = 1e5 }",
            "joint/bearing/rotor_inertia=\"39000 kg*mm^2\"",
            "joint/slide/rotor_mass=\"700 g\"",
        ],
    );
    let scene = read.simulation().run().unwrap();
    let mut b = carom::ModelBuilder::new();
    let body = |name: &str, mass: f64| carom::Body::new(name).mass(mass).inertia([0.1, 0.2, 0.3]);
    b.body(body("crank", 1.0))
        .body(body("rod", 2.0).position([1.0, 0.0, 0.5]))
        .body(carom::Body::fixed("ground"));
    let degree = 1f64.to_radians();
    let hinge = carom::Joint::between("crank", "ground", carom::Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]);
    let law = carom::law::normal::Hertz::new().stiffness(1e5);
    b.joint(hinge.named("bearing").upper("angle", 2.0 * degree).stop(law).rotor_inertia(0.039));
    let slide = carom::Joint::between("rod", "ground", carom::Prismatic).axis([0.0, 0.0, 1.0]);
    b.joint(slide.named("slide").rotor_mass(0.7));
    let spring = |k: f64| carom::CoordinateSpring::new(k).unwrap();
    let torsion = spring(2e-3 / degree).damping(3e-3 / degree).rest(90.0 * degree);
    b.force(carom::Force::torsion("bearing", torsion));
    b.force(carom::Force::slide("slide", spring(500.0).damping(2.0).rest(-0.03)));
    b.force(carom::Force::torsion_about("rod", "crank", [0.0, 1.0, 0.0], spring(0.4)).named("wire"));
    let rubber = carom::Bushing::new([1e3, 2e3, 3e3], [5.0; 3]).unwrap().damping([4.0; 3], [0.1, 0.2, 0.3]);
    let rubber = rubber.rest_offset([1e-3, 2e-3, 3e-3]).rest_angles([degree, 2.0 * degree, 3.0 * degree]);
    let rubber = carom::Force::bushing("rod", "crank", rubber).at([0.5, 0.0, 0.0]).named("rubber");
    b.force(rubber.axis([1.0, 0.0, 0.0]).x_axis([0.0, 1.0, 0.0]));
    let said = carom::Simulation::new(&b.build().unwrap()).duration(0.5).rtol(1e-10).run().unwrap();
    assert!(scene.summary.contacts > 0);
    for name in ["crank", "rod"] {
        let (a, b) = (scene.end.body(name).unwrap(), said.end.body(name).unwrap());
        assert!((a.position - b.position).norm() < 1e-8, "{name}: {} {}", a.position, b.position);
        assert!((a.angular_velocity - b.angular_velocity).norm() < 1e-7, "{name}");
    }
}

/// Rolling is between surfaces, by name where there are several; friction has its own keys.
#[test]
fn surfaces_roll_and_bearings_rub() {
    let text = |between: &str, more: &str| {
        format!(
            r#"
            run = {{ duration = 1 }}
            body = [
              {{ name = "ball", mass = 1, position = [0, 0, 0.1], surface = [{{ type = "sphere", radius = 0.1 }}] }},
              {{ name = "table", fixed = true, surface = [{{ name = "top", type = "plane" }}, {{ name = "post", type = "sphere", radius = 0.1, position = [5, 0, 0] }}] }},
            ]
            [[joint]]
            name = "roll"
            type = "rolling"
            between = {between}
            {more}
            "#
        )
    };
    let read = |text: String| Scene::from_text(&text, Format::Toml, "roll.toml", &[]);
    let rolls = read(text(r#"["ball", "table/top"]"#, "")).unwrap();
    assert_eq!(rolls.model.joint_names().collect::<Vec<_>>(), ["roll"]);
    let refused = |between: &str, more: &str| read(text(between, more)).unwrap_err().to_string();
    assert!(refused(r#"["ball", "table"]"#, "").contains("2 surfaces"));
    assert!(refused(r#"["ball", "table/tip"]"#, "").contains("table/top"));
    assert!(refused(r#"["ball", "table/top"]"#, "axis = [0, 0, 1]").contains("no point and no axis"));
    let law = r#"friction = { law = "tanh", coefficient = 0.1, slope = 100 }"#;
    assert!(refused(r#"["ball", "table/top"]"#, law).contains("nothing in it slips"));
    let hinge = |more: &str| {
        let text = text(r#"["ball", "table"]"#, &format!("point = [0, 0, 0]\naxis = [0, 1, 0]\n{more}"));
        read(text.replace("\"rolling\"", "\"revolute\"")).map(|_| ()).map_err(|e| e.to_string())
    };
    assert!(hinge(&format!("{law}\nfriction_radius = \"5 mm\"\nfriction_preload = \"3 N\"")).is_ok());
    assert!(hinge(law).unwrap_err().contains("`friction_radius`"));
    assert!(hinge("friction_radius = 0.01").unwrap_err().contains("without `friction`"));
}

/// Integrated impulses see errors of the integration, which sums of forces cannot: these cancel in every evaluation, whatever the tolerance.
#[test]
fn impulses_are_integrated_if_a_scene_asks_for_it() {
    let audit = |set: &[&str]| {
        let scene = scene(ROD, &[&["run/rtol=1e-3"], set].concat());
        scene.simulation().run().unwrap().summary.audit.angular_momentum_relative
    };
    let (summed, integrated) = (audit(&[]), audit(&["run/integrate_impulses=true"]));
    assert!(summed < 1e-14, "{summed:e}");
    assert!(integrated > 1e-12 && integrated < 1e-3, "{integrated:e}");
    let tight = audit(&["run/integrate_impulses=true", "run/rtol=1e-10"]);
    assert!(tight < 1e-9, "{tight:e}");
}

/// Every coordinate that a joint leaves free can be driven, limited where it says so, drawn, and drawn against its rate, which is the joint's and not a body's.
#[test]
fn every_coordinate_of_every_joint_can_be_named() {
    let mut seen = Vec::new();
    for entry in JOINTS {
        let values = entry
            .params
            .iter()
            .fold(carom_base::Args::new(), |args, p| args.with(p.name, carom_base::Value::Number(2.0)));
        let kind = entry.make(&values).unwrap();
        for c in kind.coordinates() {
            let of = c.names;
            assert!(carom::COORDINATES.iter().any(|known| known.names == of), "{}", of.name);
            let params: String = entry.params.iter().map(|p| format!("{} = 2\n", p.name)).collect();
            let second = if kind.has_second_axis() { "second_axis = [1, 0, 0]\n" } else { "" };
            let unit = if c.is_angle() { "deg" } else { "mm" };
            let limits = format!("{} = \"-7 {unit}\"\n{} = \"7 {unit}\"\n", of.min, of.max);
            let text = format!(
                "[[joint]]\nname = \"pin\"\ntype = \"{}\"\nbetween = [\"rod\", \"crank\"]\npoint = [1, 0, 0.5]\naxis = [0, 1, 0]\n{second}{params}{limits}
                stop = {{ law = \"hunt-crossley\", stiffness = 1e5, restitution = 0.5 }}\n
                [[drive]]\ntarget = \"joint/pin/{}\"\nexpression = \"0.001*t^3\"\n
                [[plot]]\nphase = [\"pin.{}\"]\n[[plot]]\nfile = \"rates\"\nquantities = [\"pin.{}\", \"pin.{}\"]\n",
                entry.name, of.name, of.name, of.rate, of.second
            );
            let scene = scene(&text, &[]);
            let drawn: Vec<(&str, Option<&str>)> = scene
                .plots
                .iter()
                .flat_map(|plot| &plot.wanted)
                .map(|w| (w.y.as_str(), w.x.as_deref()))
                .collect();
            let [value, rate, second] = [of.name, of.rate, of.second].map(|name| format!("pin.{name}"));
            assert_eq!(drawn, [(&*rate, Some(&*value)), (&*rate, None), (&*second, None)]);
            for (name, quantity) in [(&value, c.quantity()), (&rate, c.rate()), (&second, c.second())] {
                assert_eq!(scene.names.meaning(name).unwrap().quantity, Some(quantity), "{name}");
            }
            seen.push(of.name);
        }
    }
    for c in carom::COORDINATES.iter().filter(|c| c.driven.is_some()) {
        assert!(seen.contains(&c.names.name), "no joint leaves {} free", c.names.name);
    }
}
