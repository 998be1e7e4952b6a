//! What is written of joints.

use std::fs;
use std::path::PathBuf;

use carom::Recording;
use carom_results::compare::Comparison;
use carom_results::{About, Existing, Folder, Recorded};
use carom_scene::{Format, Scene};

/// A crank on a hinge, and a rod on a slide that is linked to it.
fn scene(set: &[&str]) -> Scene {
    let link = r#"
[[joint]]
name = "link"
type = "distance"
between = ["rod", "crank"]
point_a = [0, 0, 0]
point_b = [0.3, 0, 0]
"#;
    let text = format!("{}{link}", include_str!("../../carom-scene/tests/scenes/crank.toml"));
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    match Scene::from_text(&text, Format::Toml, "crank.toml", &set) {
        Ok(scene) => scene,
        Err(e) => panic!("{e}"),
    }
}

/// A folder of a test's own, taken away at the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn write(scene: &Scene, path: &std::path::Path) {
    let mut folder = Folder::new(path, About::from(scene), Existing::ReplaceResults).unwrap();
    let outcome = scene.simulation().run_into(&mut folder);
    folder.close(&outcome).unwrap();
}

#[test]
fn reactions_are_recorded_read_back_and_compared() {
    let scratch = Scratch(std::env::temp_dir().join(format!("carom-joints-{}", std::process::id())));
    let [one, two] = ["one", "two"].map(|name| scratch.0.join(name));
    let linked = scene(&[]);
    write(&linked, &one);
    let text = fs::read_to_string(one.join("joints.csv")).unwrap();
    assert_eq!(text.lines().next(), Some("t,joint,fx,fy,fz,mx,my,mz"));
    assert_eq!(text.lines().count(), 1 + 3 * 6);
    // the same numbers, bit for bit
    let mut recording = Recording::default();
    linked.simulation().run_into(&mut recording).unwrap();
    let run = Recorded::open(&one).unwrap();
    assert_eq!(run.joints.iter().map(|r| r.joint.as_str()).collect::<Vec<_>>(), ["bearing", "slide", "link"]);
    for (i, frame) in recording.frames.iter().enumerate() {
        for (told, read) in frame.joints.iter().zip(&run.joints) {
            assert_eq!(read.t[i].to_bits(), frame.t.to_bits());
            assert_eq!((read.force[i], read.couple[i]), (told.force.into(), told.couple.into()));
        }
        assert_eq!(run.column("link.fz").unwrap()[i], frame.joints[2].force.z);
        assert_eq!(run.column("bearing.my").unwrap()[i], frame.joints[0].couple.y);
    }
    let unknown = run.column("link.fq").unwrap_err().to_string();
    assert_eq!(unknown, "there is no quantity `link.fq`; did you mean `link.f`?");
    // a coarser run is the same by its tolerance, one with another rod is not
    write(&scene(&["run/rtol=1e-7"]), &two);
    let same = Comparison::of(&run, &Recorded::open(&two).unwrap(), 1e-4).unwrap();
    assert!(same.same(), "{:?}", same.first);
    assert!(same.differences.iter().any(|d| d.of == "joint link" && d.quantity == "force" && d.unit == "N"));
    write(&scene(&["joint/link/length=0.9"]), &two);
    let moved = Recorded::open(&two).unwrap();
    let warning = moved.summary["warnings"][0]["message"].as_str().unwrap();
    assert!(warning.starts_with("the joints did not hold as the bodies were given"), "{warning}");
    assert_eq!(run.summary["warnings"].as_array().unwrap().len(), 0);
    let other = Comparison::of(&run, &moved, 1e-4).unwrap();
    assert!(other.differences.iter().any(|d| d.of == "joint link" && d.relative() > 1e-3));
    // a scene without joints leaves none behind
    let ball = include_str!("../../carom-scene/tests/scenes/ball.toml");
    write(&Scene::from_text(ball, Format::Toml, "ball.toml", &[]).unwrap(), &two);
    assert!(!two.join("joints.csv").exists());
}
