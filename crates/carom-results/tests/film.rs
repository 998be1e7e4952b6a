//! Films: what is to be seen of a run is what the run wrote, and of a broken one what there is.

use std::fs;
use std::path::{Path, PathBuf};

use carom::base::Vec3;
use carom_results::film::{Film, Look, Motion};
use carom_results::{About, Existing, Folder, Recorded};
use carom_scene::Scene;

struct Scratch(PathBuf);

fn scratch(name: &str) -> Scratch {
    let path = std::env::temp_dir().join(format!("carom-film-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    Scratch(path)
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn example(name: &str, set: &[&str]) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    Scene::from_file(&path, &set).unwrap()
}

fn run(scene: &Scene, folder: &Path) {
    let mut folder = Folder::new(folder, About::from(scene), Existing::ReplaceResults).unwrap();
    let outcome = scene.simulation().run_into(&mut folder);
    folder.close(&outcome).unwrap();
    outcome.unwrap();
}

#[test]
fn every_frame_is_where_the_run_was() {
    let place = scratch("frames");
    let folder = place.0.join("out");
    run(&example("bouncing-ball.toml", &["run/duration=0.5"]), &folder);
    let (film, recorded) = (Film::open(&folder, None).unwrap(), Recorded::open(&folder).unwrap());
    assert_eq!((film.title.as_str(), film.notices.len()), ("Bouncing ball", 0));
    // output times, and moments of contacts between them
    let ball = film.body("ball").unwrap();
    let both = [(&recorded.t, &recorded.tracks), (&recorded.within_t, &recorded.within_tracks)];
    assert_eq!(film.t.len(), both.iter().map(|(t, _)| t.len()).sum::<usize>());
    assert!(film.t.is_sorted() && recorded.within_t.len() >= 3);
    for (t, tracks) in both {
        for (t, position) in t.iter().zip(&tracks[0].position) {
            let i = film.t.iter().position(|x| x == t).unwrap();
            assert_eq!(<[f64; 3]>::from(ball.motion.pose(i).p), *position);
        }
    }
    let floor = film.body("floor").unwrap();
    assert_eq!((ball.colour, ball.free, floor.colour, floor.free), (Some(0), true, None, false));
    // the mesh is the ball
    let part = &ball.parts[0];
    let mesh = part.on_body(&film.meshes[part.mesh]);
    let radius = mesh.vertices.iter().map(|v| Vec3::from(*v).norm()).fold(0.0, f64::max);
    assert!((radius - 0.03).abs() < 1e-9 && part.look == Look::Solid, "{radius}");
    // forces of the frames are those of contacts.csv, and their sum is the curve
    let force = film.series.iter().find(|s| s.name == "contact force").unwrap();
    let mut touching = 0;
    for i in 0..film.t.len() {
        let sum: f64 = film.contacts(i).iter().map(|c| c.at.f_n).sum();
        assert_eq!(sum, force.values[i]);
        touching += usize::from(sum > 0.0);
    }
    assert!(touching > 0 && force.unit == "N");
    let total = film.series.iter().find(|s| s.name == "total").unwrap();
    assert_eq!((total.values.len(), total.unit), (film.t.len(), "J"));
    assert!(!film.events.is_empty() && film.page().numbers.len() > 1000);
}

/// A bounce that lasts 4 ms with outputs every 100 ms: the ball is seen on the floor, where it is deepest, and the curve of the force has its peak.
#[test]
fn a_bounce_between_output_times_is_seen() {
    let place = scratch("bounce");
    let folder = place.0.join("out");
    run(&example("bouncing-ball.toml", &["run/output_every=0.1"]), &folder);
    let (film, recorded) = (Film::open(&folder, None).unwrap(), Recorded::open(&folder).unwrap());
    let said = |key: &str| recorded.summary[key].as_f64().unwrap();
    let ball = film.body("ball").unwrap();
    let lowest = (0..film.t.len()).map(|i| ball.motion.pose(i).p.z).fold(f64::INFINITY, f64::min);
    assert!((0.03 - lowest - said("max_indentation")).abs() < 1e-9, "{lowest}");
    let force = film.series.iter().find(|s| s.name == "contact force").unwrap();
    let peak = force.values.iter().fold(0.0, |most: f64, x| most.max(*x));
    assert!((peak / said("peak_force") - 1.0).abs() < 1e-9, "{peak}");
    // energies are on straight lines there, and nothing is unknown
    assert!(
        film.series.iter().all(|s| s.values.len() == film.t.len() && s.values.iter().all(|x| x.is_finite()))
    );
    // of results in memory the same
    let scene = example("bouncing-ball.toml", &["run/output_every=0.1"]);
    let mut memory = carom_results::Memory::new(About::from(&scene));
    let outcome = scene.simulation().run_into(&mut memory).unwrap();
    let again = Film::of_run(&scene, memory.close(&outcome).unwrap(), None).unwrap();
    assert_eq!(again.t, film.t);
}

#[test]
fn thinned_films_keep_peaks_and_ends() {
    let place = scratch("thin");
    let folder = place.0.join("out");
    run(&example("bouncing-ball.toml", &[]), &folder);
    let all = Film::open(&folder, None).unwrap();
    let few = Film::open(&folder, Some(60)).unwrap();
    assert!(all.t.len() > 1000 && few.t.len() <= 60 && few.t.len() > 40);
    let ends = |film: &Film| (film.t[0], film.t[film.t.len() - 1]);
    assert_eq!(ends(&all), ends(&few));
    let peak = |film: &Film| {
        let force = film.series.iter().find(|s| s.name == "contact force").unwrap();
        force.values.iter().fold(0.0, |most: f64, x| most.max(*x))
    };
    assert_eq!(peak(&all), peak(&few));
}

#[test]
fn broken_runs_show_what_there_is() {
    let place = scratch("broken");
    let scene = example("bouncing-ball.toml", &["run/duration=0.1"]);
    // killed: half a line, and no word of an end
    let killed = place.0.join("killed");
    run(&scene, &killed);
    let states = fs::read_to_string(killed.join("states.csv")).unwrap();
    let cut = &states[..states.len() / 2 + 3];
    fs::write(killed.join("states.csv"), cut).unwrap();
    let summary = fs::read_to_string(killed.join("summary.json")).unwrap();
    let unfinished = summary.replacen('{', "{\n  \"failed\": \"the run was not finished\",", 1);
    fs::write(killed.join("summary.json"), unfinished).unwrap();
    let film = Film::open(&killed, None).unwrap();
    assert_eq!(film.t.len(), cut.lines().count() - 2);
    assert!(film.notices[0].starts_with("The run is not finished"), "{:?}", film.notices);
    assert!(film.notices[1].contains("states.csv ends within a line"), "{:?}", film.notices);
    // killed before anything was written: the scene as it starts
    for empty in ["", states.lines().next().unwrap()] {
        let text = if empty.is_empty() { String::new() } else { format!("{empty}\n") };
        for name in ["states.csv", "contacts.csv"] {
            let header = fs::read_to_string(killed.join(name)).unwrap();
            let header = format!("{}\n", header.lines().next().unwrap_or_default());
            fs::write(killed.join(name), if name == "states.csv" { &text } else { &header }).unwrap();
        }
        let film = Film::open(&killed, None).unwrap();
        assert_eq!((film.t.as_slice(), film.bodies.len()), (&[0.0][..], 2), "{:?}", film.notices);
        assert!(!film.notices.is_empty());
        assert!(film.body("ball").unwrap().motion.pose(0).p.z > 0.1);
    }
    // without its scene: points
    run(&scene, &killed);
    fs::remove_file(killed.join("scene.json")).unwrap();
    let film = Film::open(&killed, None).unwrap();
    assert!(film.notices[0].contains("shown as points") && film.bodies.len() == 1);
    assert!(matches!(film.bodies[0].motion, Motion::Moving(_)) && film.bodies[0].parts.len() == 1);
    // nothing at all, and something else
    let empty = place.0.join("empty");
    fs::create_dir(&empty).unwrap();
    assert!(Film::open(&empty, None).unwrap().notices[0].contains("empty"));
    fs::write(empty.join("letter.txt"), "dear").unwrap();
    assert!(Film::open(&empty, None).is_err());
}

#[test]
fn what_is_on_bodies_is_where_they_are() {
    // joints: the two points of a hinge are one place, at every frame
    let place = scratch("joints");
    let folder = place.0.join("out");
    run(&example("four-bar.toml", &["run/duration=0.2"]), &folder);
    let film = Film::open(&folder, None).unwrap();
    assert!(!film.joints.is_empty());
    for joint in film.joints.iter().filter(|j| j.kind == "revolute") {
        for i in 0..film.t.len() {
            let at = |end: usize| {
                film.bodies[joint.bodies[end]].motion.pose(i).point(&Vec3::from(joint.points[end]))
            };
            assert!((at(0) - at(1)).norm() < 1e-8, "{}", joint.name);
        }
        assert_eq!(joint.force.len(), film.t.len());
        assert!(joint.axis.is_some());
    }
    // slices of a ring lie on it; a cavity is a shell; soft bodies deform
    let film = Film::of_scene(&example("torus-tilted.toml", &[]));
    let ring = film.bodies.iter().flat_map(|b| &b.parts).find(|p| !p.slices.is_empty()).unwrap();
    let mesh = &film.meshes[ring.mesh];
    let far = |points: &[[f64; 3]]| points.iter().map(|v| v[0].hypot(v[1])).fold(0.0, f64::max);
    for slice in &ring.slices {
        assert!((far(slice) - far(&mesh.vertices)).abs() < 1e-9);
    }
    let film = Film::of_scene(&example("ball-in-can.toml", &[]));
    assert!(film.bodies.iter().flat_map(|b| &b.parts).any(|p| p.look == Look::Shell));
    let film = Film::of_scene(&example("soft-roll.toml", &[]));
    let field = &film.fields[0];
    assert!(field.tractions.windows(2).all(|w| w[0][0] < w[1][0]) && field.tractions[0][1] > 0.0);
    // a body of which only mass and inertia are known is the block that has them
    let film = Film::of_scene(&example("dzhanibekov.toml", &[]));
    let scene = example("dzhanibekov.toml", &[]);
    let nut = &film.bodies[0];
    let solid = nut.parts[0].on_body(&film.meshes[nut.parts[0].mesh]);
    let half = [0, 1, 2].map(|i| solid.vertices.iter().map(|v| v[i].abs()).fold(0.0, f64::max));
    let (m, inertia) = (scene.model.mass(&nut.name).unwrap(), scene.model.inertia(&nut.name).unwrap());
    let of_block = m / 3.0 * (half[0] * half[0] + half[1] * half[1]);
    assert!((of_block / inertia[(2, 2)] - 1.0).abs() < 1e-9 && nut.parts[0].kind == "inertia");
    // every surface of every example has a mesh, and planes lie where they are
    let film = Film::of_scene(&example("ceiling.toml", &[]));
    for (body, part) in film.bodies.iter().flat_map(|b| b.parts.iter().map(move |p| (b, p))) {
        assert!(!film.meshes[part.mesh].triangles.is_empty(), "{}/{}", body.name, part.name);
    }
}

#[test]
fn decorations_are_drawn_and_their_files_are_found_again() {
    let place = scratch("shapes");
    let obj = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    fs::create_dir(place.0.join("shapes")).unwrap();
    fs::write(place.0.join("shapes/corner.obj"), obj).unwrap();
    let text = r#"
        run = { duration = 0.01 }
        [[body]]
        name = "thing"
        mass = 1
        surface = [{ type = "sphere", radius = 0.01 }]
        mesh = { file = "shapes/corner.obj", scale = 1e-3, position = [0.1, 0, 0] }
    "#;
    fs::write(place.0.join("scene.toml"), text).unwrap();
    let scene = Scene::from_file(&place.0.join("scene.toml"), &[]).unwrap();
    let folder = place.0.join("out/deep");
    run(&scene, &folder);
    let film = Film::open(&folder, None).unwrap();
    let part = film.bodies[0].parts.iter().find(|p| p.look == Look::Decoration).unwrap();
    let mesh = part.on_body(&film.meshes[part.mesh]);
    assert!((mesh.volume() - 1e-6 / 6.0).abs() < 1e-18, "{}", mesh.volume());
    let least = mesh.vertices.iter().map(|v| v[0]).fold(f64::INFINITY, f64::min);
    assert_eq!((least, film.notices.len()), (0.1, 0));
    let kept: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("scene.json")).unwrap()).unwrap();
    assert_eq!(kept["body"][0]["mesh"]["file"], "../../shapes/corner.obj");
    // gone: said, and the rest is there
    fs::remove_file(place.0.join("shapes/corner.obj")).unwrap();
    let film = Film::open(&folder, None).unwrap();
    assert!(film.notices[0].contains("corner.obj: there is no such file"), "{:?}", film.notices);
    assert_eq!(film.bodies[0].parts.len(), 1);
    let error = Scene::from_file(&place.0.join("scene.toml"), &[]).unwrap_err();
    assert!(error.message().contains("corner.obj: there is no such file"), "{error}");
    assert_eq!(error.line_column().unwrap().0, 7);
}

/// A surface from a file is drawn as other surfaces are, and the scene in the folder finds the file.
#[test]
fn surfaces_from_files_are_drawn_and_found_again() {
    let place = scratch("meshes");
    let obj = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    fs::create_dir(place.0.join("shapes")).unwrap();
    fs::write(place.0.join("shapes/corner.obj"), obj).unwrap();
    let text = r#"
        run = { duration = 0.01 }
        [[body]]
        name = "thing"
        density = 1000
        surface = [{ type = "mesh", file = "shapes/corner.obj", unit = "mm", position = [0.1, 0, 0] }]
        [[body]]
        name = "twin"
        density = 1000
        surface = [{ type = "mesh", file = "shapes/corner.obj", unit = "mm" }]
    "#;
    fs::write(place.0.join("scene.toml"), text).unwrap();
    let scene = Scene::from_file(&place.0.join("scene.toml"), &[]).unwrap();
    let folder = place.0.join("out/deep");
    run(&scene, &folder);
    let film = Film::open(&folder, None).unwrap();
    let [a, b] = [0, 1].map(|k| &film.bodies[k].parts[0]);
    assert_eq!((a.kind, a.look, a.mesh, film.notices.len()), ("mesh", Look::Solid, b.mesh, 0));
    let mesh = a.on_body(&film.meshes[a.mesh]);
    assert!((mesh.volume() - 1e-6 / 6.0).abs() < 1e-18, "{}", mesh.volume());
    let kept: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("scene.json")).unwrap()).unwrap();
    assert_eq!(kept["body"][0]["surface"][0]["file"], "../../shapes/corner.obj");
    let again = Scene::from_file(&folder.join("scene.json"), &[]).unwrap();
    assert_eq!(again.model.mass("thing"), scene.model.mass("thing"));
}

#[test]
fn the_scene_in_the_folder_runs_again_to_the_same() {
    let place = scratch("again");
    let (first, second) = (place.0.join("one"), place.0.join("two"));
    run(&example("newtons-cradle.json", &["run/duration=0.3"]), &first);
    let scene = Scene::from_file(&first.join("scene.json"), &[]).unwrap();
    assert_eq!(scene.duration, 0.3);
    run(&scene, &second);
    for file in ["states.csv", "energy.csv", "scene.json", "summary.json"] {
        assert!(fs::read(first.join(file)).unwrap() == fs::read(second.join(file)).unwrap(), "{file}");
    }
}

/// A ball of 1 cm on a ground of 100 m, tied to a point 700 m away: the ball and what is near it are framed.
#[test]
fn what_moves_is_framed() {
    let scene = |ground: f64, far: f64| {
        let text = format!(
            r#"
            run = {{ duration = 0.01 }}
            [[body]]
            name = "ball"
            mass = 0.01
            position = [0, 0, 0.02]
            surface = [{{ type = "sphere", radius = 0.01 }}]
            [[body]]
            name = "ground"
            fixed = true
            surface = [{{ type = "box", size = [{ground}, {ground}, 0.002], position = [0, 0, -0.001] }}]
            [[force]]
            type = "spring-damper"
            between = ["ball", "ground"]
            point_b = [0, 0, {far}]
            stiffness = 1
            rest_length = {far}
            "#
        );
        Scene::from_text(&text, carom_scene::Format::Toml, "ground.toml", &[]).unwrap()
    };
    let near = Film::of_scene(&scene(0.02, 0.03)).bounds;
    let far = Film::of_scene(&scene(100.0, 700.0)).bounds;
    // the ball is 2 cm wide, the ground 3 cm to either side of its edge at most
    assert!(near.diagonal() > 0.034 && far.diagonal() < 0.1, "{near:?} {far:?}");
    assert!((far.max[2] - 0.03).abs() < 1e-3 && far.min[2] < 0.0 && far.max[0] > 0.01, "{far:?}");
}

/// A mass on a spring and a pendulum: the mode of each over its period is the closed form.
#[test]
fn modes_swing_about_the_equilibrium() {
    let text = r#"
        run = { duration = 1 }
        body = [{ name = "mass", mass = 2, dofs = ["z"] }, { name = "wall", fixed = true, position = [0, 0, 1] }]
        force = [{ type = "spring-damper", between = ["mass", "wall"], stiffness = 800, damping = 4, rest_length = 0.5 }]
    "#;
    let scene = Scene::from_text(text, carom_scene::Format::Toml, "spring.toml", &[]).unwrap();
    let modes = carom::Modes::new(&scene.model).unwrap();
    let film = Film::of_modes(&scene, &carom_results::modes_json("spring", &scene.model, &modes));
    // without damping and with it
    assert_eq!(film.modes.len(), 2);
    assert_eq!((film.modes[0].damping_ratio, film.modes[1].damping_ratio.is_some()), (None, true));
    let frames = film.modes[0].frames.clone();
    let z: Vec<f64> = frames.clone().map(|i| film.body("mass").unwrap().motion.pose(i).p.z).collect();
    let (steps, amplitude) = (z.len() - 1, z[(z.len() - 1) / 4] - z[0]);
    assert!(amplitude.abs() > 0.01, "{amplitude}");
    for (i, z_i) in z.iter().enumerate() {
        let angle = std::f64::consts::TAU * i as f64 / steps as f64;
        assert!((z_i - z[0] - amplitude * angle.sin()).abs() < 1e-12, "{i}: {z_i}");
    }
    assert_eq!((film.t[frames.start], film.t[frames.end - 1]), (0.0, 1.0));
    assert!(!film.bounds.diagonal().is_nan() && film.contact_starts.len() == film.t.len() + 1);
}

/// A pendulum of length l hung at a hinge: its mode is a turn about the hinge, which stays where it is up to the square of the angle.
#[test]
fn a_mode_of_a_pendulum_turns_about_its_hinge() {
    let text = r#"
        run = { duration = 1 }
        body = [
            { name = "rod", mass = 1, inertia = [0.1, 0.1, 0.1], position = [0, 0, -0.2], centre_of_mass = [0, 0, -0.3] },
            { name = "ceiling", fixed = true },
        ]
        joint = [{ name = "hinge", type = "revolute", between = ["ceiling", "rod"], point = [0, 0, 0], axis = [0, 1, 0] }]
    "#;
    let scene = Scene::from_text(text, carom_scene::Format::Toml, "pendulum.toml", &[]).unwrap();
    let modes = carom::Modes::new(&scene.model).unwrap();
    let film = Film::of_modes(&scene, &carom_results::modes_json("pendulum", &scene.model, &modes));
    // ω² = m g l/(I + m l²)
    let omega = (9.81f64 * 0.5 / (0.1 + 0.25)).sqrt();
    let frequency = film.modes[0].frequency * std::f64::consts::TAU;
    // standard gravity is 9.80665 or 9.81
    assert!((frequency / omega - 1.0).abs() < 1e-3, "{frequency} {omega}");
    let frames = film.modes[0].frames.clone();
    let rod = &film.body("rod").unwrap().motion;
    let mut largest = 0.0f64;
    for i in frames {
        let pose = rod.pose(i);
        let angle = pose.r[(0, 2)].atan2(pose.r[(0, 0)]);
        let hinge = pose.point(&Vec3::new(0.0, 0.0, 0.2));
        assert!(hinge.norm() <= 0.25 * angle * angle * 1.001 + 1e-12, "{angle}: {hinge}");
        largest = largest.max(angle.abs());
    }
    assert!(largest > 0.03, "{largest}");
}

/// A motor, a torsion spring, and a load off the centre of mass: their couples are about their own points, on the bodies that move.
#[test]
fn loads_act_at_their_points() {
    let place = scratch("actions");
    let text = r#"
title = "Loads"
[run]
duration = 1
output_every = 0.125
[world]
gravity = [0, 0, 0]
[[body]]
name = "ground"
fixed = true
[[body]]
name = "rotor"
mass = 2
inertia = [1, 1, 1]
centre_of_mass = [0.1, 0, 0]
[[body]]
name = "wheel"
mass = 2
inertia = [1, 1, 1]
position = [1, 0, 0]
[[body]]
name = "block"
mass = 2
inertia = [1, 2, 3]
position = [0, 1, 0]
angular_velocity = [1, 2, 3]
[[joint]]
name = "shaft"
type = "revolute"
between = ["ground", "rotor"]
point = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "axle"
type = "revolute"
between = ["wheel", "ground"]
point = [1, 0, 0]
axis = [0, 0, 1]
[[force]]
name = "motor"
type = "motor"
joint = "shaft"
torque = "3 - t*1[N m/s]"
[[force]]
name = "wind"
type = "torsion-spring"
joint = "axle"
stiffness = 2
rest_angle = 1
[[force]]
name = "thrust"
type = "load"
body = "block"
point = [0, 1.25, 0]
force = [5, 0, 0]
torque = [0, 0.5, 0.25]
[[force]]
name = "mount"
type = "bushing"
between = ["block", "ground"]
point = [0, 1, 0]
axis = [0, 1, 0]
stiffness = 10
torsion_stiffness = 1
"#;
    let scene = Scene::from_text(text, carom_scene::Format::Toml, "loads.toml", &[]).unwrap();
    let folder = place.0.join("out");
    run(&scene, &folder);
    let film = Film::open(&folder, None).unwrap();
    let action = |name: &str| film.actions.iter().find(|a| a.name == name).unwrap();
    let near = |a: &[f64; 3], b: [f64; 3]| {
        (Vec3::from(*a) - Vec3::from(b)).norm() < 1e-12 * (1.0 + Vec3::from(b).norm())
    };
    let (motor, wind, thrust) = (action("motor"), action("wind"), action("thrust"));
    // on the rotor, the second body: it gets the opposite of what increases the angle of the ground
    assert_eq!((motor.end, wind.end, thrust.end), (1, 0, 0));
    for (i, t) in film.t.iter().enumerate() {
        assert!(near(&motor.couple[i], [0.0, 0.0, t - 3.0]) && near(&motor.force[i], [0.0; 3]), "{t}");
        assert!(near(&thrust.couple[i], [0.0, 0.5, 0.25]) && near(&thrust.force[i], [5.0, 0.0, 0.0]), "{t}");
    }
    // θ = 1 − cos ωt, ω² = k/I; couple k (1 − θ)
    for (couple, t) in wind.couple.iter().zip(&film.t) {
        let exact = 2.0 * (2.0_f64.sqrt() * t).cos();
        assert!((couple[2] - exact).abs() < 1e-10, "{couple:?} {exact}");
    }
    let mount = action("mount");
    assert_eq!((mount.bodies, mount.points), ([3, 0], [[0.0; 3], [0.0, 1.0, 0.0]]));
    assert!(near(&mount.bushing.unwrap(), [0.0, 1.0, 0.0]) && wind.bushing.is_none());
    // without results there is where they act, and no load
    let still = Film::of_scene(&scene);
    assert_eq!((still.actions.len(), still.actions[0].force.len()), (4, 0));
}
