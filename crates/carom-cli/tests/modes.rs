//! `carom modes`, and runs that start from an equilibrium.

use std::fs;

use crate::common::{Place, csv, example, json};

/// Lines without how many iterations there were and what they left.
fn without_counts(text: &str) -> String {
    let line = |line: &str| match (line.find(" found in "), line.find("; ")) {
        (Some(a), Some(b)) => format!("{} found in …{}\n", &line[..a], &line[b..]),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn modes_in_a_few_lines() {
    let place = Place::new("modes");
    let egg = example("egg-on-table.toml");
    insta::assert_snapshot!(without_counts(&place.carom(&["modes", &egg]).done()), @r"
    Egg on a table
      equilibrium found in …; stable, 3 neutral directions

      mode            frequency [Hz]  ω [rad/s]
      4  egg rx 1.00         3.69278    23.2024
      5  egg ry 1.00         4.88808    30.7127
      6  egg z 1.00          197.744    1242.46
      neutral: egg x, egg y, egg rz
    ");
    let tip = r#"body/egg/orientation={ axis = [0, 1, 0], angle = "90 deg" }"#;
    insta::assert_snapshot!(without_counts(&place.carom(&["modes", &egg, "--set", tip]).done()), @r"
    Egg on a table
      equilibrium found in …; unstable in 2 directions, 3 neutral directions

      mode            frequency [Hz]  ω [rad/s]
      1  egg ry 1.00        unstable  25.0768 i
      2  egg rx 1.00        unstable  17.1708 i
      6  egg z 1.00          197.744    1242.46
      neutral: egg x, egg y, egg rz
    ");
    let damped = r#"contact/egg~table/normal={ law = "hunt-crossley", stiffness = 2e7, damping = 0.5 }"#;
    insta::assert_snapshot!(without_counts(&place.carom(&["modes", &egg, "--set", damped]).done()), @r"
    Egg on a table
      equilibrium found in …; stable, 3 neutral directions

      mode            frequency [Hz]  ω [rad/s]
      4  egg rx 1.00         3.69278    23.2024
      5  egg ry 1.00         4.88808    30.7127
      6  egg z 1.00          197.744    1242.46
      neutral: egg x, egg y, egg rz

      with damping  frequency [Hz]  damping ratio  growth [1/s]
      mode 4               3.69278              0             0
      mode 5               4.88808              0             0
      mode 6               197.744     0.00197390      -2.45250
    ");
    let given = place.carom(&["modes", &egg, "--at", "given"]).done();
    assert!(given.contains("\n  not an equilibrium: as given, 1e0 of the forces left"), "{given}");
}

#[test]
fn modes_as_files() {
    let place = Place::new("modes-files");
    let egg = example("egg-on-table.toml");
    let said = place.carom(&["modes", &egg, "--json", "-o", "results"]).done();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said, json(place.path("results/modes.json")));
    assert_eq!(said["equilibrium"]["stable"], true);
    let rocking = &said["modes"][4];
    assert_eq!((&rocking["kind"], &rocking["shape"]), (&"oscillates".into(), &"egg ry 1.00".into()));
    // ω² = m g (a²/c − c)/I
    let want = 9.81 * (0.03f64.powi(2) / 0.02 - 0.02) * 5.0 / (0.03f64.powi(2) + 0.02f64.powi(2));
    let got = rocking["omega_squared"].as_f64().unwrap();
    assert!((got / want - 1.0).abs() < 1e-11, "{got} {want}");
    let modes = csv(place.path("results/modes.csv"));
    assert_eq!((modes.len(), modes[4]["omega_squared"].parse::<f64>().unwrap()), (6, got));
    assert_eq!((modes[5]["egg.z"].as_str(), modes[5]["kind"].as_str()), ("1", "oscillates"));
    let roots = csv(place.path("results/roots.csv"));
    assert_eq!((roots.len(), roots[1]["mode"].as_str()), (3, "5"));
    // results of ours may be replaced, those of others not
    place.carom(&["modes", &egg, "-o", "results"]).done();
    place.carom(&["run", &egg, "-o", "results", "-q"]).done();
    place.carom(&["modes", &egg, "-o", "results"]).done();
    fs::create_dir(place.path("mine")).unwrap();
    fs::write(place.path("mine/notes.txt"), "keep").unwrap();
    assert!(place.carom(&["modes", &egg, "-o", "mine"]).failed(2).contains("no results of carom"));
    place.carom(&["modes", &egg, "-o", "mine", "--force"]).done();
}

#[test]
fn a_run_from_an_equilibrium_says_so() {
    let place = Place::new("start");
    let egg = example("egg-on-table.toml");
    let out = place.carom(&["run", &egg, "-o", "results"]).done();
    assert!(out.contains("\n  started from an equilibrium found in "), "{out}");
    let start = &json(place.path("results/summary.json"))["equilibrium_at_start"];
    assert_eq!(
        (&start["stable"], &start["neutral"], &start["unstable"]),
        (&true.into(), &3.into(), &0.into())
    );
    let out = place.carom(&["run", &egg, "-o", "results", "--set", "run/start=as-given"]).done();
    assert!(!out.contains("equilibrium"), "{out}");
    assert!(json(place.path("results/summary.json")).get("equilibrium_at_start").is_none());
}

#[test]
fn what_has_no_equilibrium() {
    let place = Place::new("no-equilibrium");
    let write = |name: &str, text: &str| fs::write(place.path(name), text).unwrap();
    let ball = r#"{ name = "ball", mass = 1, surface = [{ type = "sphere", radius = 0.1 }] }"#;
    write("falls.toml", &format!("run = {{ duration = 1, start = \"equilibrium\" }}\nbody = [{ball}]\n"));
    for command in ["modes", "run"] {
        let err = place.carom(&[command, "falls.toml"]).failed(1);
        let text = "error: no equilibrium found: body `ball` goes away: nothing holds it; left on it z -9.810e0 N, after ";
        assert!(err.starts_with(text), "{err}");
    }
    assert!(!place.path("out").exists());
    write("fixed.toml", "run = { duration = 1 }\nbody = [{ name = \"floor\", fixed = true }]\n");
    insta::assert_snapshot!(place.carom(&["modes", "fixed.toml"]).failed(2), @"error: no body moves by its forces: there is nothing to bring to rest");
    let belt = r#"{ name = "belt", motion = { slide = { velocity = [1, 0, 0] } } }"#;
    write("belt.toml", &format!("run = {{ duration = 1 }}\nbody = [{ball}, {belt}]\n"));
    insta::assert_snapshot!(place.carom(&["modes", "belt.toml"]).failed(2), @"error: body `belt` moves as prescribed at t = 0: an equilibrium is of bodies at rest");
}
