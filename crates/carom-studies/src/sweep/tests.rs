//! Measures against closed forms.

use std::sync::atomic::AtomicBool;

use carom_scene::Format;

use super::{Design, Measure, Plan, Study, SweepError, Vary};

/// A stone thrown up at v, above a floor that it does not reach.
const STONE: &str = r#"
    [parameter]
    v = 9.81
    [run]
    duration = "2 s"
    output_every = "1 ms"
    rtol = 1e-12
    [[body]]
    name = "stone"
    mass = 2
    position = [0, 0, 3]
    velocity = [0, 0, "= v"]
    [[body.surface]]
    type = "sphere"
    radius = 1
    [[body]]
    name = "floor"
    fixed = true
    [[body.surface]]
    type = "plane"
    [[contact]]
    between = ["stone", "floor"]
    normal = { law = "hertz", stiffness = 1e6 }
"#;

fn study(measures: &[&str]) -> Result<Study, SweepError> {
    let plan = Plan::new(vec![Vary::parse("parameter/v=9.81,4.905")?], Design::Grid)?;
    let measures = measures.iter().map(|m| Measure::parse(m)).collect::<Result<Vec<_>, _>>()?;
    Study::new(STONE, Format::Toml, "stone.toml", &[], plan, measures)
}

/// With v = g the top is reached after 1 s, g/2 higher; ∫(z − 3) over 2 s is 2 g/3.
#[test]
fn measures_of_a_throw() {
    let g = 9.81;
    let cases = [
        ("max(stone.z)", 3.0 + 0.5 * g, 1e-12),
        ("max(stone.z - initial(stone.z))", 0.5 * g, 1e-12),
        ("min(stone.vz)", -g, 1e-12),
        ("at(stone.z, 0.5)", 3.0 + g * (0.5 - 0.125), 1e-12),
        ("at(stone.vz, 0.25 + 0.2503)", g * (1.0 - 0.5003), 1e-12),
        ("crossing(stone.vz)", 1.0, 1e-12),
        ("final(kinetic)", g * g, 1e-10),
        ("max(1, 2) + min(3, max(4, -1))", 5.0, 0.0),
        // the trapezoidal rule has the error − h² T g/12 for a parabola
        ("integral(stone.z - 3)", g * (2.0 / 3.0 - 2e-6 / 12.0), 1e-12),
        ("mean(stone.z)", 3.0 + g * (1.0 / 3.0 - 1e-6 / 12.0), 1e-12),
        ("rms(v + 0*stone.z)", g, 1e-12),
        ("final(stone.z)/v", 3.0 / g, 1e-12),
        ("max(stone~floor.fn) + peak_force + count(touch) + touches", 0.0, 0.0),
        ("count(touch, stone~floor)", 0.0, 0.0),
        ("summary.duration*duration", 4.0, 0.0),
    ];
    let texts: Vec<String> = cases.iter().enumerate().map(|(i, c)| format!("m{i}={}", c.0)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).chain(["touch.1", "crossing(stone.z)"]).collect();
    let row = study(&texts).unwrap().run(0, None, &AtomicBool::new(false)).unwrap();
    let values = row.values.clone().unwrap();
    for ((text, exact, bound), value) in cases.iter().zip(&values) {
        assert!((value - exact).abs() <= *bound, "{text}: {value}, not {exact}");
    }
    assert!(values[cases.len()..].iter().all(|x| x.is_nan()));
    // a missing number is an empty cell
    assert!(row.line(values.len()).ends_with(",4,,,"), "{}", row.line(values.len()));
}

#[test]
fn what_a_scene_does_not_have_is_said_before() {
    for (text, why) in [
        ("max(ston.z)", "did you mean `stone.z`?"),
        ("a=stone.z + 1", "`stone.z` changes with time"),
        ("a=at(stone.z, stone.z)", "changes with time"),
        ("a=at(stone.z)", "at(quantity, time)"),
        ("a=mean(stone.z, 2)", "of one quantity"),
        ("a=peak_forc", "did you mean `peak_force`?"),
        ("v=2", "NONE"),
        ("=2", "the name is missing"),
        ("a=max(stone.z", "`)` is missing"),
    ] {
        match study(&[text]) {
            Err(error) => assert!(error.to_string().contains(why), "{text}: {error}"),
            Ok(_) => assert_eq!(why, "NONE", "{text}"),
        }
    }
    let twice = study(&["a=1", "a=2"]).unwrap_err().to_string();
    assert!(twice.contains("two columns"), "{twice}");
}

/// A function receives the run and its scene, and fills its columns among those of formulas; its error becomes that of the row.
#[test]
fn functions_are_measures() {
    use std::sync::Arc;

    use super::{Finished, Given};
    let plan = Plan::new(vec![Vary::parse("parameter/v=9.81,4.905").unwrap()], Design::Grid).unwrap();
    let formula = |text: &str| Measure::parse(text).unwrap();
    let measures =
        vec![Measure::function("a", "1"), formula("top=max(stone.z)"), Measure::function("b", "2")];
    let function = |f: Finished| match f.scene.parameters[0].1 > 5.0 {
        true => Ok(vec![f.kept.tables[0].rows() as f64, f.scene.duration]),
        false => Err("too\nslow".to_owned()),
    };
    let given = Given { function: Some(Arc::new(function)), ..Given::default() };
    let study = Study::with(STONE, Format::Toml, "stone.toml", &[], plan, measures, given).unwrap();
    assert_eq!(study.columns()[2..], ["a", "top", "b", "error"]);
    let values = study.run(0, None, &AtomicBool::new(false)).unwrap().values.unwrap();
    assert_eq!(values[0], 2001.0);
    assert!((values[1] - 3.0 - 0.5 * 9.81).abs() < 1e-12 && values[2] == 2.0, "{values:?}");
    assert_eq!(study.run(1, None, &AtomicBool::new(false)).unwrap().values, Err("too; slow".to_owned()));
}

#[test]
fn a_run_that_is_stopped_has_no_row() {
    assert_eq!(study(&["touches"]).unwrap().run(1, None, &AtomicBool::new(true)), None);
}

/// A mass on a spring below a wall.
const SPRING: &str = r#"
    parameter = { k = 800 }
    run = { duration = 1, analysis = "modes" }
    body = [{ name = "mass", mass = 2, dofs = ["z"] }, { name = "wall", fixed = true, position = [0, 0, 1] }]
    force = [{ type = "spring-damper", between = ["mass", "wall"], stiffness = "= k", rest_length = 0.5, damping = 4 }]
"#;

fn rows(text: &str, set: &[&str], vary: &str, measures: &[&str]) -> Vec<Vec<f64>> {
    let plan = Plan::new(vec![Vary::parse(vary).unwrap()], Design::Grid).unwrap();
    let measures: Vec<Measure> = measures.iter().map(|m| Measure::parse(m).unwrap()).collect();
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    let study = Study::new(text, Format::Toml, "scene.toml", &set, plan, measures).unwrap();
    let row = |i| study.run(i, None, &AtomicBool::new(false)).unwrap().values.unwrap();
    (0..study.plan().len()).map(row).collect()
}

/// ω = √(k/m), ζ = c/(2 √(k m)), and the spring is m g/k longer.
#[test]
fn modes_and_equilibria_over_a_stiffness() {
    let measures = [
        "omega.1",
        "frequency.1",
        "root_damping.1",
        "root_growth.1",
        "final(mass.z)",
        "stable",
        "modes",
        "omega.2",
    ];
    for (row, k) in rows(SPRING, &[], "parameter/k=800,1800", &measures).iter().zip([800.0_f64, 1800.0]) {
        let omega = (k / 2.0).sqrt();
        let exact = [omega, omega / std::f64::consts::TAU, 1.0 / omega, -1.0, 0.5 - 2.0 * 9.81 / k, 1.0, 1.0];
        for ((x, exact), name) in row.iter().zip(exact).zip(measures) {
            assert!((x - exact).abs() <= 1e-12 * exact.abs().max(1.0), "{name}: {x}, not {exact}");
        }
        assert!(row[7].is_nan());
    }
    let still = rows(
        SPRING,
        &["run/analysis=static"],
        "parameter/k=800,1800",
        &["final(mass.z)", "k*(0.5 - final(mass.z))"],
    );
    assert!(still.iter().all(|row| (row[1] - 2.0 * 9.81).abs() < 1e-10), "{still:?}");
}

/// The piston moves from l − r to l + r; the torque that drives the crank is linear in the piston's mass.
#[test]
fn mechanisms_over_a_mass() {
    let text = include_str!("../../../../examples/slider-crank.toml");
    let masses = "body/piston/mass=0.1,0.3,0.5";
    let way = rows(
        text,
        &["run/analysis=kinematic"],
        masses,
        &["min(piston.x)", "max(piston.x)", "max(main.angle)"],
    );
    for row in &way {
        let exact = [0.07, 0.17, 2.0 * std::f64::consts::TAU];
        assert!(row.iter().zip(exact).all(|(x, exact)| (x - exact).abs() < 1e-11), "{row:?}");
    }
    let moment =
        rows(text, &["run/analysis=inverse"], masses, &["at('main/speed.force', 1e-3)", "at(bore.fy, 1e-3)"]);
    for i in 0..2 {
        let [a, b, c] = [0, 1, 2].map(|row| moment[row][i]);
        assert!((c - a).abs() > 1.0 && (a - 2.0 * b + c).abs() < 1e-9 * a.abs().max(c.abs()), "{moment:?}");
    }
}

#[test]
fn what_an_analysis_does_not_have_is_said_before() {
    let wrong = |set: &str, measure: &str| {
        let plan = Plan::new(vec![Vary::parse("parameter/k=1,2").unwrap()], Design::Grid).unwrap();
        let measures = vec![Measure::parse(measure).unwrap()];
        let set = [format!("run/analysis={set}")];
        Study::new(SPRING, Format::Toml, "spring.toml", &set, plan, measures).unwrap_err().to_string()
    };
    for (analysis, measure, why) in [
        ("modes", "peak_force", "there is no quantity `peak_force` in a modes analysis"),
        ("modes", "frequncy.1", "did you mean `frequency.1`?"),
        ("modes", "max(kinetic)", "there is no quantity `kinetic` in a modes analysis"),
        ("static", "frequency.1", "in a static analysis"),
        ("static", "count(touch)", "no touches"),
        ("kinematic", "residual", "in a kinematic analysis"),
        ("modes", "mass.z", "changes with time"),
    ] {
        let said = wrong(analysis, measure);
        assert!(said.contains(why), "{analysis}, {measure}: {said}");
    }
}
