//! Scenes that are read of a template, one after the other, are those that are read of the text.

use std::path::{Path, PathBuf};

use carom_scene::{Format, Own, Scene, Template};
use carom_testkit::one_in;

/// All that is known of a scene, or the error; what is chosen by the place in memory is left out.
fn said(scene: Result<Scene, carom_scene::SceneError>) -> String {
    match scene {
        Ok(scene) => format!("{} {scene:?}", scene.source.json()),
        Err(error) => error.to_string(),
    }
}

fn same(text: &str, format: Format, name: &str, sets: &[&[&str]]) {
    let template = Template::new(text, format, name).unwrap();
    for set in sets {
        let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
        let one = said(template.scene(&set, &Own::default()));
        assert_eq!(one, said(Scene::from_text(text, format, name, &set)), "{name} {set:?}");
    }
}

/// Numbers, words, whole tables and parameters are replaced, by right and by wrong values, in any order.
#[test]
fn one_after_the_other() {
    let text = r#"
        [run]
        duration = "= 2*t1"
        [parameter]
        t1 = "0.1 s"
        size = "20 mm"
        [[body]]
        name = "floor"
        fixed = true
        surface = [{ type = "plane" }]
        [[body]]
        name = "ball"
        mass = 1
        position = [0, 0, 1]
        surface = [{ type = "sphere", radius = "= size" }]
        [[pattern]]
        type = "linear"
        of = "ball"
        count = 3
        step = ["= 3*size", 0, 0]
        [[contact]]
        between = ["ball*", "floor"]
        normal = { law = "hunt-crossley", stiffness = 1e7, restitution = 0.5 }
        [[force]]
        name = "wind"
        type = "load"
        body = "ball"
        force = ["size*sin(t)", 0, 0]
    "#;
    let sets: [&[&str]; 14] = [
        &[],
        &["contact/ball*~floor/normal/restitution=0.7"],
        &["contact/ball*~floor/normal/restitution=1.7"],
        &["contact/ball*~floor/normal/law=flores"],
        &["parameter/size=30 mm"],
        &["parameter/size=-30 mm"],
        &["parameter/t1=3 s", "body/ball/position/2=2"],
        &["body/ball2/mass=3"],
        &["body/ball9/mass=3"],
        &["pattern/0/count=5"],
        &["run/rtol=1e-4"],
        &["force/wind/force=[\"t\", 0, 0]"],
        &["contact/ball*~floor/friction={law=\"tanh\", coefficient=0.3, slope=10}"],
        &[],
    ];
    same(text, Format::Toml, "row.toml", &sets);
}

/// Examples, as they are, then with another gravity, then as they are.
#[test]
fn examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut count = 0;
    let scenes = files.iter().filter(|p| p.extension().is_some_and(|e| e == "toml" || e == "json"));
    for path in one_in(10, scenes) {
        let (text, format) = Scene::text_of(path).unwrap();
        let other: &[&str] = &["world/gravity=[0, 0, -1.5]", "run/rtol=1e-7"];
        same(&text, format, &path.display().to_string(), &[&[], other, &[]]);
        count += 1;
    }
    assert!(count > 5, "{count}");
}
