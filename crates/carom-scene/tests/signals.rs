//! Expressions of loads and controllers in copies and parts: what they name is renamed, and what they give is turned.

use std::fs;

use carom_scene::{Format, Scene};

use crate::patterns::{RUN, end, folder, scene};

/// A part whose motor follows a controller of its own, with a parameter and an input; the names are no plain words with the prefix.
const DRIVEN: &str = r#"
[parameter]
k = "2 N m"
[[body]]
name = "hub"
fixed = true
[[body]]
name = "arm"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [1, 0, 0]
[[joint]]
type = "revolute"
between = ["arm", "hub"]
point = [0, 0, 0]
axis = [0, 1, 0]
[[input]]
name = "extra"
value = 0.5
[[controller]]
name = "hold"
type = "pid"
input = "arm~hub.angle"
every = "1 ms"
gain = 20
[[force]]
type = "motor"
joint = "arm~hub"
torque = "hold.u + extra - k*tanh(arm~hub.rate) + 1[N m s]*master.wz"
"#;

#[test]
fn names_in_expressions_of_a_part() {
    let place = folder("part-signals");
    fs::write(place.join("part.toml"), DRIVEN).unwrap();
    let whole = format!(
        "{RUN}[[body]]\nname = \"master\"\nmass = 1\ninertia = [1, 1, 1]\nangular_velocity = [0, 0, 0.3]\n\
         [[include]]\nfile = \"part.toml\"\nprefix = \"left-\"\n\
         [[include]]\nfile = \"part.toml\"\nprefix = \"right+\"\nposition = [0, 2, 0]\nparameter = {{ k = 1 }}\n"
    );
    fs::write(place.join("whole.toml"), &whole).unwrap();
    let path = place.join("whole.toml");
    let read = Scene::from_file(&path, &[]).unwrap_or_else(|e| panic!("{e}"));
    let out = Scene::written_out(&whole, Format::Toml, &path.display().to_string(), &[]).unwrap();
    for name in ["left-", "right+"] {
        let torque = format!(
            "'{name}hold'.u + '{name}extra' - {}k*tanh('{name}arm~{name}hub'.rate) + 1[N m s]*master.wz",
            name.replace(['-', '+'], "_")
        );
        assert!(out.contains(&torque), "{torque}\n{out}");
        assert!(out.contains(&format!("input = \"'{name}arm~{name}hub'.angle\"")), "{out}");
    }
    assert_eq!(end(&read), end(&scene(&out, &[])));
    // the part by itself moves as the one that is included, and other parameters make a difference
    let spin = |scene: &Scene, name: &str| {
        scene.simulation().run().unwrap().end.body(name).unwrap().angular_velocity.y
    };
    let alone = DRIVEN.replace("master.wz", "0.3[rad/s]");
    let alone = spin(&scene(&format!("{RUN}{alone}"), &[]), "arm");
    assert!(
        (spin(&read, "left-arm") - alone).abs() < 1e-12 && (spin(&read, "right+arm") - alone).abs() > 1e-4
    );
    fs::remove_dir_all(&place).unwrap();
}

/// What is along an axis of the world has another value in a copy, so it is refused; along other axes it is as it was.
#[test]
fn quantities_along_axes_of_the_world_in_copies() {
    let text = |force: &str, pattern: &str| {
        format!(
            "{RUN}[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [1, 0, 0]\n\
             [[force]]\ntype = \"load\"\nbody = \"ball\"\nforce = {force}\n\
             [[pattern]]\nof = \"ball\"\ncount = 3\n{pattern}\n"
        )
    };
    let row = "type = \"linear\"\nstep = [0, 2, 0]";
    let circle = "type = \"circular\"\npoint = [0, 5, 0]";
    for (force, pattern) in
        [("[\"-ball.y\", 0, 0]", row), ("[\"-ball.vx\", 0, 0]", circle), ("[0, 0, \"ball.wz\"]", circle)]
    {
        let Err(e) = Scene::from_text(&text(force, pattern), Format::Toml, "scene.toml", &[]) else {
            panic!("{force} is copied");
        };
        assert!(e.to_string().contains("it is along an axis of the world, which stays"), "{e}");
    }
    // a spring along x, and a brake whatever the direction
    let copies = scene(&text("[\"-4*ball.x\", 0, 0]", row), &[]).simulation().run().unwrap().end;
    let x = |name: &str| copies.body(name).unwrap().position.x;
    assert!(x("ball") == x("ball3") && (x("ball") - (2.0 * 0.05f64).sin() / 2.0).abs() < 1e-10);
    let turned =
        scene(&text("[\"-1[N s/m]*ball.v\", 0, \"9.81 N\"]", circle), &[]).simulation().run().unwrap().end;
    for name in ["ball", "ball2", "ball3"] {
        let speed = turned.body(name).unwrap().velocity.norm();
        assert!((speed - (-0.05f64).exp()).abs() < 1e-9, "{name}: {speed}");
    }
}

/// A motor, its controller and a couple in the world, mirrored: the image moves as the arm does.
#[test]
fn a_mirrored_motor() {
    let text = |joint: &str| {
        format!(
            "{RUN}[[body]]\nname = \"hub\"\nfixed = true\n\
             [[body]]\nname = \"arm\"\nmass = 1\ninertia = [0.1, 0.2, 0.3]\nposition = [1, 0, 0]\n\
             [[joint]]\nname = \"pin\"\ntype = \"{joint}\"\nbetween = [\"arm\", \"hub\"]\npoint = [0.5, 0, 0]\naxis = [0.3, 1, 0.2]\n\
             [[controller]]\nname = \"hold\"\ntype = \"pid\"\ninput = \"pin.angle\"\nsetpoint = 0.2\nevery = 1e-3\ngain = 20\n\
             [[force]]\nname = \"m\"\ntype = \"motor\"\njoint = \"pin\"\ntorque = \"hold.u - 0.1[N m s]*pin.angle_rate\"\n\
             [[force]]\nname = \"l\"\ntype = \"load\"\nbody = \"arm\"\ntorque = [0, \"0.5[N m]*sin(30*t)\", \"1 N m\"]\nforce = [0, 1, 2]\n\
             [[pattern]]\ntype = \"mirrored\"\nof = \"arm\"\nnormal = [1, 0, 0]\npoint = [0, 0, 0]\nname = \"{{name}}_b\"\n"
        )
    };
    let end = scene(&text("revolute"), &[]).simulation().run().unwrap().end;
    let [a, b] = ["arm", "arm_b"].map(|name| end.body(name).unwrap());
    let image = |v: &carom::base::Vec3| carom::base::Vec3::new(-v.x, v.y, v.z);
    assert!((b.velocity - image(&a.velocity)).norm() < 1e-9, "{:?} {:?}", a.velocity, b.velocity);
    assert!((b.angular_velocity + image(&a.angular_velocity)).norm() < 1e-9);
    assert!(a.angular_velocity.norm() > 0.1, "it does not turn");
    // the angle and the displacement of a mirrored joint that slides have opposite signs
    let refused = Scene::from_text(&text("cylindrical"), Format::Toml, "scene.toml", &[]);
    let Err(e) = refused else { panic!("it is mirrored") };
    assert!(e.to_string().contains("the angle of a mirrored cylindrical joint has the opposite sign"), "{e}");
}
