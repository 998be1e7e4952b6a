//! Loads, motors, nonlinear springs, controllers and inputs.

use std::fmt::Write;

use carom_scene::{Format, Scene};

/// A ball on a hinge and a sled on a rail.
const BASE: &str = r#"[parameter]
k = "30 N/m"
[run]
duration = 0.01
[[body]]
name = "ground"
fixed = true
[[body]]
name = "ball"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [1, 0, 0]
[[body]]
name = "sled"
mass = 1
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "hinge"
type = "revolute"
between = ["ball", "ground"]
point = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "rail"
type = "prismatic"
between = ["sled", "ground"]
point = [0, 0, 0]
axis = [1, 0, 0]
"#;
const LOAD: &str = "[[force]]\nname = \"f\"\ntype = \"load\"\nbody = \"ball\"\n";
const MOTOR: &str = "[[force]]\nname = \"f\"\ntype = \"motor\"\n";
const ACTUATOR: &str = "[[force]]\nname = \"f\"\ntype = \"actuator\"\nbetween = [\"ball\", \"sled\"]\n";
const SPRING: &str =
    "[[force]]\nname = \"f\"\ntype = \"nonlinear-spring\"\nbetween = [\"ball\", \"ground\"]\n";
const PID: &str = "[[controller]]\nname = \"c\"\ntype = \"pid\"\n";
const BLOCK: &str = "[[controller]]\nname = \"c\"\ntype = \"state-space\"\n";
const FORCE: &str = "[[force]]\nname = \"f\"\n";

fn case(what: &str, begins: &str, keys: &str) -> String {
    let text = format!("{BASE}{begins}{keys}\n");
    match Scene::from_text(&text, Format::Toml, "loads.toml", &[]) {
        Ok(_) => panic!("this was read: {what}\n{text}"),
        Err(e) => format!("## {what}\n\n{e}\n\n"),
    }
}

/// What is said of those that cannot be.
pub(crate) fn report() -> String {
    let mut out = String::new();
    for (what, begins, keys) in CASES {
        let _ = write!(out, "{}", case(what, begins, keys));
    }
    out
}

const CASES: &[(&str, &str, &str)] = &[
    ("unknown body", LOAD, "force = [\"-k*bal.x\", 0, 0]"),
    ("unknown quantity", LOAD, "force = [\"ball.vv\", 0, 0]"),
    ("reaction in a load", LOAD, "force = [\"hinge.fx\", 0, 0]"),
    ("acceleration in a load", LOAD, "force = [\"ball.ax\", 0, 0]"),
    ("wrong unit", LOAD, "force = [\"3 kg\", 0, 0]"),
    ("wrong dimension of an expression", LOAD, "force = [\"3[kg]*ball.x\", 0, 0]"),
    ("wrong dimension of a parameter", LOAD, "force = [\"= k\", 0, 0]"),
    ("two numbers", LOAD, "force = [1, 2]"),
    ("a single number for a vector", LOAD, "force = 3"),
    ("load on a fixed body", FORCE, "type = \"load\"\nbody = \"ground\"\nforce = [1, 0, 0]"),
    ("load between", FORCE, "type = \"load\"\nbetween = [\"ball\", \"ground\"]\nforce = [1, 0, 0]"),
    ("load without force", LOAD, ""),
    ("axes misspelt", LOAD, "force = [1, 0, 0]\naxes = \"bodys\""),
    ("if without condition", LOAD, "force = [\"if(ball.x, 1, 0)\", 0, 0]"),
    ("unknown function", LOAD, "force = [\"sinn(t)\", 0, 0]"),
    ("equality", LOAD, "force = [\"if(ball.x == 1, 1, 0)\", 0, 0]"),
    ("torque of a slide", MOTOR, "joint = \"rail\"\ntorque = 1"),
    ("force of a hinge", MOTOR, "joint = \"hinge\"\nforce = 1"),
    ("torque and force", MOTOR, "joint = \"hinge\"\nforce = 1\ntorque = 1"),
    ("motor without effort", MOTOR, "joint = \"hinge\""),
    ("motor on no joint", MOTOR, "joint = \"hinges\"\ntorque = 1"),
    ("motor between", MOTOR, "between = [\"ball\", \"ground\"]\ntorque = 1"),
    ("motor unit", MOTOR, "joint = \"hinge\"\ntorque = \"3 N\""),
    (
        "motor on a weld",
        "",
        "[[body]]\nname = \"lid\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = \"weld\"\ntype = \"fixed\"\nbetween = [\"lid\", \"ball\"]\npoint = [0, 0, 0]\n[[force]]\nname = \"f\"\ntype = \"motor\"\njoint = \"weld\"\ntorque = 1",
    ),
    (
        "motor on a driven coordinate",
        "",
        "[[drive]]\ntarget = \"joint/hinge/angle\"\nexpression = \"t\"\n[[force]]\nname = \"f\"\ntype = \"motor\"\njoint = \"hinge\"\ntorque = 1",
    ),
    (
        "actuator between a body and itself",
        FORCE,
        "type = \"actuator\"\nbetween = [\"ball\", \"ball\"]\ntension = 1",
    ),
    ("actuator without tension", ACTUATOR, ""),
    ("actuator unknown name", ACTUATOR, "tension = \"lenght*3\""),
    ("spring without table and expression", SPRING, ""),
    ("spring with both", SPRING, "table = [[0, 0], [1, 1]]\ntension = \"x\""),
    (
        "table not increasing",
        SPRING,
        "table = [[\"0 mm\", \"0 N\"], [\"2 mm\", \"1 N\"], [\"1 mm\", \"3 N\"]]",
    ),
    ("table with one point", SPRING, "table = [[0, 0]]"),
    ("table units", SPRING, "table = [[\"0 s\", \"0 N\"], [\"2 s\", \"1 N\"]]"),
    ("spring by other names", SPRING, "tension = \"k*ball.x\""),
    (
        "ligament without slack length",
        FORCE,
        "type = \"ligament\"\nbetween = [\"ball\", \"ground\"]\nstiffness = \"5 kN\"",
    ),
    (
        "cable stiffness unit",
        FORCE,
        "type = \"cable\"\nbetween = [\"ball\", \"ground\"]\nstiffness = \"5 kN\"\nslack_length = 1",
    ),
    ("bump stop of a joint", FORCE, "type = \"bump-stop\"\njoint = \"rail\"\nstiffness = 5\nfree_length = 1"),
    ("one-sided-slide on a hinge", FORCE, "type = \"one-sided-slide\"\njoint = \"hinge\"\nstiffness = 5"),
    ("side misspelt", FORCE, "type = \"one-sided-slide\"\njoint = \"rail\"\nstiffness = 5\nside = \"over\""),
    ("drag negative", FORCE, "type = \"drag\"\nbody = \"ball\"\nlinear = -1"),
    ("attraction unit", FORCE, "type = \"attraction\"\nbody = \"ball\"\nparameter = \"3 m^2/s^2\""),
    ("force type misspelt", FORCE, "type = \"mottor\"\njoint = \"hinge\"\ntorque = 1"),
    ("every 0", PID, "input = \"hinge.angle\"\nevery = 0"),
    ("no input", PID, "every = \"1 ms\""),
    ("unknown input", PID, "input = \"hinge.angel\"\nevery = \"1 ms\""),
    ("unknown setpoint", PID, "input = \"hinge.angle\"\nsetpoint = \"hing.angle\"\nevery = \"1 ms\""),
    ("two inputs of a pid", PID, "input = [\"hinge.angle\", \"rail.displacement\"]\nevery = \"1 ms\""),
    ("limits out of order", PID, "input = \"hinge.angle\"\nevery = \"1 ms\"\nmin = 3\nmax = -3"),
    (
        "setpoint of a state-space block",
        BLOCK,
        "input = \"hinge.angle\"\nsetpoint = 1\nevery = \"1 ms\"\nd = [[1]]",
    ),
    (
        "matrix of wrong size",
        BLOCK,
        "input = \"hinge.angle\"\nevery = \"1 ms\"\na = [[1, 0], [0, 1]]\nb = [[1]]\nc = [[1, 0]]\nd = [[1]]",
    ),
    ("ragged matrix", BLOCK, "input = \"hinge.angle\"\nevery = \"1 ms\"\na = [[1, 0], [0]]\nd = [[1]]"),
    ("matrix is a number", BLOCK, "input = \"hinge.angle\"\nevery = \"1 ms\"\nd = 1"),
    (
        "number of inputs of a block",
        BLOCK,
        "input = [\"hinge.angle\", \"hinge.rate\"]\nevery = \"1 ms\"\nd = [[1]]",
    ),
    (
        "controller type misspelt",
        "",
        "[[controller]]\nname = \"c\"\ntype = \"pidd\"\ninput = \"hinge.angle\"\nevery = \"1 ms\"",
    ),
    (
        "output that is not there",
        BLOCK,
        "input = \"hinge.angle\"\nevery = \"1 ms\"\nd = [[1], [2]]\n[[force]]\nname = \"f\"\ntype = \"motor\"\njoint = \"hinge\"\ntorque = \"c.u\"",
    ),
    (
        "two controllers of one name",
        PID,
        "input = \"hinge.angle\"\nevery = \"1 ms\"\n[[controller]]\nname = \"c\"\ntype = \"pid\"\ninput = \"hinge.angle\"\nevery = \"1 ms\"",
    ),
    ("two inputs of one name", "", "[[input]]\nname = \"u\"\n[[input]]\nname = \"u\""),
    ("an input named as a quantity", "", "[[input]]\nname = \"ball.x\""),
    ("an input named t", "", "[[input]]\nname = \"t\""),
    (
        "an input named as a parameter",
        "",
        "[[input]]\nname = \"k\"\n[[force]]\nname = \"f\"\ntype = \"motor\"\njoint = \"hinge\"\ntorque = \"k\"",
    ),
    (
        "an input named as an output",
        PID,
        "input = \"hinge.angle\"\nevery = \"1 ms\"\n[[input]]\nname = \"c.u\"",
    ),
    ("anti_windup misspelt", PID, "input = \"hinge.angle\"\nevery = \"1 ms\"\nanti_windup = \"clamping\""),
    ("delay negative", PID, "input = \"hinge.angle\"\nevery = \"1 ms\"\ndelay = \"-1 ms\""),
    ("an input that is a text", "", "[[input]]\nname = \"u\"\nvalue = \"fast\""),
    ("bracket missing", MOTOR, "joint = \"hinge\"\ntorque = \"3[N m*t\""),
    ("unit misspelt in an expression", MOTOR, "joint = \"hinge\"\ntorque = \"3[Nn]*t\""),
    ("damping beside an expression", SPRING, "tension = \"3*x\"\ndamping = 2"),
    ("two setpoints", PID, "input = \"hinge.angle\"\nsetpoint = [1, 2]\nevery = \"1 ms\""),
];
