//! Result folders: what is written is what the run said, bit for bit, and no file of others is touched.

use std::fs;
use std::path::{Path, PathBuf};

use carom::prelude::*;
use carom::{Distance, Motion, MotionBounds, MotionState};
use carom_results::{About, Existing, FILES, Folder, ResultsError};
use carom_scene::Probe;
use serde_json::Value;

/// An empty folder of a test's own, taken away at the end.
struct Scratch(PathBuf);

fn scratch(name: &str) -> Scratch {
    let path = std::env::temp_dir().join(format!("carom-results-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    Scratch(path)
}

impl std::ops::Deref for Scratch {
    type Target = Path;
    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A skew throw onto a floor, with names that are hard for a table.
fn model() -> Model {
    let mut b = ModelBuilder::new();
    b.body(
        Body::new("ball, \"red\"")
            .mass(0.1)
            .position([0.0, 0.0, 0.07])
            .velocity([0.4, 0.1, 0.0])
            .angular_velocity([3.0, -20.0, 7.0])
            .surface(Sphere::new(0.02).unwrap()),
    );
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(
        ContactRule::between("ball, \"red\"", "floor")
            .normal(Flores::restitution(0.7).unwrap().stiffness(1e7))
            .friction(Tanh::new(0.3, 100.0).unwrap())
            .rolling(TanhCouple::new(1e-3, 0.1).unwrap())
            .spinning(HertzPatch::new(0.3, 0.1).unwrap()),
    );
    b.build().unwrap()
}

fn simulation(model: &Model) -> Simulation<'_> {
    Simulation::new(model).duration(0.5).rtol(1e-9).output_every(1e-4)
}

fn about() -> About {
    About {
        title: "A skew throw".to_owned(),
        duration: 0.5,
        method: "dop853".to_owned(),
        rtol: 1e-9,
        atol: 1e-9,
        probes: vec![Probe { name: "mark".to_owned(), body: 0, point: [0.01, -0.005, 0.015] }],
        distances: vec![Distance::between("height", "floor", "ball, \"red\"")],
        scene: None,
    }
}

fn write(path: &Path, model: &Model) -> carom::Run {
    let mut folder = Folder::new(path, about(), Existing::ReplaceResults).unwrap();
    let outcome = simulation(model).run_into(&mut folder);
    folder.close(&outcome).unwrap();
    outcome.unwrap()
}

/// A CSV file: header and lines (RFC 4180).
fn read_csv(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'), "{}", path.display());
    let (mut lines, mut line, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.push(chars.next().unwrap()),
            '"' => quoted = !quoted,
            ',' if !quoted => line.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                line.push(std::mem::take(&mut field));
                lines.push(std::mem::take(&mut line));
            }
            c => field.push(c),
        }
    }
    let header = lines.remove(0);
    assert!(lines.iter().all(|l| l.len() == header.len()), "{}", path.display());
    (header, lines)
}

fn bits(x: f64) -> u64 {
    x.to_bits()
}

fn number(text: &str) -> u64 {
    bits(text.parse::<f64>().unwrap())
}

fn same(line: &[String], numbers: &[f64]) {
    let read: Vec<u64> = line.iter().map(|t| number(t)).collect();
    let want: Vec<u64> = numbers.iter().map(|x| bits(*x)).collect();
    assert_eq!(read, want, "{line:?} instead of {numbers:?}");
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn states_and_energies_read_back_bit_for_bit() {
    let (model, path) = (model(), scratch("states"));
    let mut told = Recording::default();
    simulation(&model).run_into(&mut told).unwrap();
    write(&path, &model);

    let (header, lines) = read_csv(&path.join("states.csv"));
    let columns = "x y z qw qx qy qz vx vy vz wx wy wz".split(' ').map(|c| format!("ball, \"red\".{c}"));
    let mark = "x y z vx vy vz".split(' ').map(|c| format!("mark.{c}"));
    assert_eq!(header, ["t".to_owned()].into_iter().chain(columns).chain(mark).collect::<Vec<_>>());
    assert_eq!(lines.len(), 5001);
    for (line, f) in lines.iter().zip(&told.frames) {
        let b = &f.bodies[0];
        let (p, q, v, w) = (b.position, b.orientation, b.velocity, b.angular_velocity);
        let arm = q * Vec3::new(0.01, -0.005, 0.015);
        let (mp, mv) = (p + arm, v + w.cross(&arm));
        same(
            line,
            &[
                f.t, p.x, p.y, p.z, q.w, q.i, q.j, q.k, v.x, v.y, v.z, w.x, w.y, w.z, mp.x, mp.y, mp.z, mv.x,
                mv.y, mv.z,
            ],
        );
    }

    let (header, lines) = read_csv(&path.join("energy.csv"));
    let names: Vec<&str> = ["t"].into_iter().chain(Energy::COLUMNS.iter().map(|c| c.name)).collect();
    assert_eq!(header, names);
    for (line, f) in lines.iter().zip(&told.frames) {
        let e = &f.energy;
        let mut values = vec![f.t];
        values.extend(Energy::COLUMNS.iter().map(|c| (c.value)(e)));
        same(line, &values);
        let at = |name: &str| names.iter().position(|n| *n == name).unwrap();
        for (name, value) in [
            ("kinetic", e.kinetic),
            ("potential", e.potential),
            ("elastic", e.elastic),
            ("field", 0.0),
            ("strain", 0.0),
            ("work", e.work),
            ("dissipated_normal", e.dissipated_normal),
            ("dissipated_friction", e.dissipated_friction),
            ("dissipated_field", 0.0),
            ("dissipated_viscous", e.dissipated_viscous),
            ("dissipated_joint", 0.0),
            ("total", e.total()),
            ("audit", e.audit),
        ] {
            same(&line[at(name)..][..1], &[value]);
        }
    }
}

#[test]
fn contacts_and_events_read_back_bit_for_bit() {
    let (model, path) = (model(), scratch("contacts"));
    let mut told = Recording::within();
    simulation(&model).run_into(&mut told).unwrap();
    write(&path, &model);

    let (header, lines) = read_csv(&path.join("contacts.csv"));
    // columns that are added later come before `within`
    let first = "t,contact,feature,px,py,pz,nx,ny,nz,delta,delta_dot,fn,ftx,fty,ftz,mx,my,mz";
    assert_eq!(header[..18].join(","), first);
    assert_eq!(header.last().map(String::as_str), Some("within"));
    let frames = told.frames.iter().flat_map(|f| f.contacts.iter().map(|c| (f.t, c, 0.0)));
    let moments = told.moments.iter().flat_map(|m| m.contacts.iter().map(|c| (m.t, c, 1.0)));
    let mut records: Vec<_> = frames.chain(moments).collect();
    records.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(records.len() > 10 && !told.moments.is_empty());
    assert_eq!(lines.len(), records.len());
    for (line, (t, c, within)) in lines.iter().zip(records) {
        assert_eq!(line[1], "ball, \"red\"/sphere1~floor/plane1");
        assert_eq!((&line[1], &line[2]), (&c.contact, &c.feature));
        same(&line[..1], &[t]);
        let (p, n, f) = (c.point, c.normal, c.f_t);
        let m = c.couple;
        same(&line[3..12], &[p.x, p.y, p.z, n.x, n.y, n.z, c.delta, c.delta_dot, c.f_n]);
        same(&line[12..18], &[f.x, f.y, f.z, m.x, m.y, m.z]);
        same(&line[line.len() - 1..], &[within]);
        assert!(m.norm() > 0.0 || c.f_n == 0.0);
    }
    // bodies at touches, peaks and releases
    let (header, lines) = read_csv(&path.join("states-within.csv"));
    assert_eq!(header, read_csv(&path.join("states.csv")).0);
    let whole: Vec<_> = told.moments.iter().filter(|m| !m.bodies.is_empty()).collect();
    assert!(!whole.is_empty() && lines.len() == whole.len());
    for (line, m) in lines.iter().zip(whole) {
        let p = m.bodies[0].position;
        same(&line[..4], &[m.t, p.x, p.y, p.z]);
    }

    let (header, lines) = read_csv(&path.join("events.csv"));
    assert_eq!(
        header.join(","),
        "t,kind,contact,feature,speed,peak_force,max_indentation,phase,follows_from"
    );
    assert_eq!(lines.len(), told.events.len());
    assert!(lines.len() > 4);
    for (line, e) in lines.iter().zip(&told.events) {
        same(&[line[0].clone(), line[4].clone()], &[e.t, e.speed]);
        assert_eq!((&line[2], &line[3]), (&e.contact, &e.feature));
        match e.kind {
            EventKind::Touch => {
                assert_eq!(
                    (line[1].as_str(), &line[5..]),
                    ("touch", &["", "", "", ""].map(str::to_owned)[..])
                )
            }
            EventKind::Release => {
                assert_eq!(line[1], "release");
                same(&line[5..7], &[e.peak_force, e.max_indentation]);
                match e.follows_from {
                    None => assert_eq!(line[7..], ["impact", ""]),
                    Some(t) => {
                        assert_eq!(line[7], "following");
                        same(&line[8..], &[t]);
                    }
                }
            }
        }
    }
}

#[test]
fn the_summary_has_all_keys_and_the_end() {
    let (model, path) = (model(), scratch("summary"));
    let run = write(&path, &model);
    let s = json(&path.join("summary.json"));
    let keys: Vec<&str> = s.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys.join(" "),
        "title version method rtol atol duration steps rejected evaluations jacobians factorisations touches \
         contacts peak_force max_indentation overlaps energy_start energy_end dissipated audit audit_end audit_relative momentum_audit angular_momentum_audit resolution warnings end_state"
    );
    let summary = &run.summary;
    assert_eq!(s["title"], "A skew throw");
    assert_eq!(s["method"], "auto");
    assert_eq!(s["steps"], summary.stats.steps);
    assert_eq!(s["touches"], summary.touches);
    for (key, x) in [
        ("peak_force", summary.peak_force),
        ("max_indentation", summary.max_indentation),
        ("energy_start", summary.energy_start),
        ("energy_end", summary.energy.total()),
        ("dissipated", summary.energy.dissipated()),
        ("audit", summary.audit.energy),
        ("audit_end", summary.energy.audit),
        ("momentum_audit", summary.audit.momentum_relative),
        ("angular_momentum_audit", summary.audit.angular_momentum_relative),
        ("audit_relative", summary.audit_relative),
        ("duration", 0.5),
    ] {
        assert_eq!(bits(s[key].as_f64().unwrap()), bits(x), "{key}");
    }
    let (end, ball) = (&s["end_state"]["ball, \"red\""], &run.end.frame.bodies[0]);
    let q = ball.orientation;
    for (key, want) in [
        ("position", ball.position.as_slice()),
        ("quaternion", &[q.w, q.i, q.j, q.k]),
        ("velocity", ball.velocity.as_slice()),
        ("angular_velocity", ball.angular_velocity.as_slice()),
    ] {
        let read: Vec<f64> = end[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        assert_eq!(read, want, "{key}");
    }
    let timing = json(&path.join("timing.json"));
    assert!(timing["wall_time"].as_f64().unwrap() > 0.0);
    assert_eq!(timing["threads"], 1);
    assert_eq!(timing["date"].as_str().unwrap().len(), 20);
}

#[test]
fn a_run_repeated_is_the_same_byte_for_byte() {
    let (model, path) = (model(), scratch("twice"));
    write(&path.join("one"), &model);
    write(&path.join("two"), &model);
    // over itself, and over what analyses of another scene have left there
    let of_analyses =
        ["modes.json", "modes.csv", "roots.csv", "analysis.json", "kinematics.csv", "equilibrium.json"];
    of_analyses.iter().for_each(|name| fs::write(path.join("two").join(name), "{}").unwrap());
    write(&path.join("two"), &model);
    // those of what this scene has not are not there
    let absent = [
        "fields.csv",
        "joints.csv",
        "forces.csv",
        "signals.csv",
        "wear.csv",
        "wear-profile.csv",
        "modes.json",
        "modes.csv",
        "roots.csv",
        "analysis.json",
        "kinematics.csv",
        "inverse.csv",
        "equilibrium.json",
        // the model was not made from one
        "scene.json",
        "view.html",
        "figures.json",
    ];
    let mut ours: Vec<&str> = FILES.into_iter().filter(|n| !absent.contains(n)).collect();
    for name in ours.iter().filter(|n| **n != "timing.json") {
        let [one, two] = ["one", "two"].map(|f| fs::read(path.join(f).join(name)).unwrap());
        assert!(!one.is_empty() && one == two, "{name}");
    }
    let mut files: Vec<_> = fs::read_dir(path.join("two")).unwrap().map(|e| e.unwrap().file_name()).collect();
    files.sort();
    ours.sort_unstable();
    assert_eq!(files, ours);
}

#[test]
fn folders_of_others_are_refused_and_their_files_stay() {
    let (model, path) = (model(), scratch("foreign"));
    let foreign = path.join("thesis");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("chapter1.txt"), "once").unwrap();
    let refused = Folder::new(&foreign, about(), Existing::ReplaceResults).unwrap_err();
    assert!(matches!(&refused, ResultsError::Foreign { path } if *path == foreign));
    assert!(refused.to_string().starts_with(&foreign.display().to_string()), "{refused}");
    assert!(refused.is_wrong_folder());

    // by force beside them, but not over them
    let mut folder = Folder::new(&foreign, about(), Existing::AddToForeign).unwrap();
    let outcome = simulation(&model).run_into(&mut folder);
    folder.close(&outcome).unwrap();
    assert_eq!(fs::read_to_string(foreign.join("chapter1.txt")).unwrap(), "once");
    // now that results are there, they may be replaced without force
    write(&foreign, &model);
    assert_eq!(fs::read_to_string(foreign.join("chapter1.txt")).unwrap(), "once");

    let other = path.join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("summary.json"), "{\"title\": \"mine\"}").unwrap();
    let refused = Folder::new(&other, about(), Existing::AddToForeign).unwrap_err();
    assert!(matches!(&refused, ResultsError::ForeignFile { path } if *path == other.join("summary.json")));

    let file = path.join("file");
    fs::write(&file, "").unwrap();
    for place in [file.clone(), file.join("below")] {
        let refused = Folder::new(&place, about(), Existing::AddToForeign).unwrap_err();
        assert!(matches!(refused, ResultsError::NotAFolder { path } if path == file));
    }
}

/// At rest until it has no place any more.
#[derive(Debug)]
struct Lost;

impl Motion for Lost {
    fn at(&self, t: f64) -> MotionState {
        let x = if t > 0.25 { f64::NAN } else { 0.0 };
        MotionState {
            displacement: Vec3::new(0.0, 0.0, x),
            rotation: Quat::identity(),
            velocity: Vec3::zeros(),
            angular_velocity: Vec3::zeros(),
            acceleration: Vec3::zeros(),
            angular_acceleration: Vec3::zeros(),
        }
    }
    fn bounds(&self, _: f64, _: f64) -> MotionBounds {
        MotionBounds { speed: 0.0, acceleration: 0.0, angular_speed: 0.0, angular_acceleration: 0.0 }
    }
}

#[test]
fn a_failed_run_says_so_and_keeps_what_it_did() {
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.0199]).surface(Sphere::new(0.02).unwrap()));
    b.body(Body::prescribed("table", Lost).surface(Plane));
    b.contact(ContactRule::between("ball", "table").normal(Hertz::new().stiffness(1e5)));
    let model = b.build().unwrap();
    let path = scratch("failed");
    let about_others = About { distances: Vec::new(), ..about() };
    let mut folder = Folder::new(&*path, about_others, Existing::ReplaceResults).unwrap();
    let outcome = simulation(&model).run_into(&mut folder);
    folder.close(&outcome).unwrap();
    let error = outcome.unwrap_err();
    let s = json(&path.join("summary.json"));
    assert_eq!(s["failed"], error.to_string());
    let t = s["t_end"].as_f64().unwrap();
    assert!((0.2..0.2501).contains(&t), "{t}");
    let (_, lines) = read_csv(&path.join("states.csv"));
    let last: f64 = lines.last().unwrap()[0].parse().unwrap();
    assert!(lines.len() > 2000 && last <= t && t - last < 0.01, "{last} {t}");
    assert!(s["end_state"]["ball"]["position"][2].as_f64().is_some());
}

#[test]
fn a_run_that_never_began_leaves_nothing() {
    let (model, place) = (model(), scratch("unbegun"));
    let path = place.join("results");
    let mut folder = Folder::new(&*path, about(), Existing::ReplaceResults).unwrap();
    let outcome = simulation(&model).duration(-1.0).run_into(&mut folder);
    assert!(outcome.is_err());
    folder.close(&outcome).unwrap();
    assert!(!path.exists());
}

#[test]
fn a_run_under_way_can_be_read() {
    let (model, path) = (model(), scratch("underway"));
    let mut folder = Folder::new(&*path, about(), Existing::ReplaceResults).unwrap();
    carom::Sink::begin(&mut folder, &model).unwrap();
    // killed here
    drop(folder);
    let s = json(&path.join("summary.json"));
    assert_eq!(s["failed"], "the run was not finished");
    assert_eq!(read_csv(&path.join("states.csv")).1.len(), 0);
    write(&path, &model); // it is ours
}

#[test]
fn a_full_disk_is_an_error_with_its_file() {
    let (model, path) = (model(), scratch("full"));
    write(&path, &model);
    let mut folder = Folder::new(&*path, about(), Existing::ReplaceResults).unwrap();
    let outcome = carom_base::file::with_room(5000, || simulation(&model).run_into(&mut folder));
    let error = outcome.as_ref().unwrap_err();
    assert!(matches!(error, RunError::Sink { .. }));
    let text = error.to_string();
    assert!(text.contains(&path.display().to_string()) && text.contains("no storage space"), "{text}");

    // the folder exists, but files cannot be made in it
    let full = scratch("full-energy");
    write(&full, &model);
    fs::remove_file(full.join("energy.csv")).unwrap();
    fs::create_dir(full.join("energy.csv")).unwrap();
    let mut folder = Folder::new(&*full, about(), Existing::ReplaceResults).unwrap();
    let text = simulation(&model).run_into(&mut folder).unwrap_err().to_string();
    assert!(text.contains("energy.csv"), "{text}");
}
