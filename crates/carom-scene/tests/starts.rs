//! Keys of a scene that say that an overlap is meant.

use carom::Warning;
use carom_scene::{Format, Scene};

/// A ball that starts 1 m below the floor, with these lines in its contact.
fn scene(contact: &str) -> Result<Scene, carom_scene::SceneError> {
    let text = format!(
        r#"
        run = {{ duration = 0.1, output_every = 0.01 }}
        [[body]]
        name = "a"
        mass = 1
        position = [0, 0, -1]
        surface = [{{ type = "sphere", radius = 0.1 }}]
        [[body]]
        name = "f"
        fixed = true
        surface = [{{ type = "plane" }}]
        [[contact]]
        between = ["a", "f"]
        {contact}
        "#
    );
    Scene::from_text(&text, Format::Toml, "below.toml", &[])
}

fn said(contact: &str) -> Vec<Warning> {
    scene(contact).unwrap().simulation().start_warnings().unwrap()
}

#[test]
fn a_deep_start_is_said_unless_it_is_allowed() {
    let law = "normal = { law = \"hertz\", stiffness = 1e6 }";
    assert!(matches!(&said(law)[..], [Warning::DeepStart { .. }]));
    assert_eq!(said(&format!("{law}\nstart_overlap = \"allowed\"")), []);
    let error = scene(&format!("{law}\nstart_overlap = \"yes\"")).unwrap_err();
    assert!(error.message().contains("start_overlap"), "{}", error.message());
}

#[test]
fn none_takes_a_pair_out_and_has_no_laws() {
    assert_eq!(said("none = true"), []);
    let run = scene("none = true").unwrap().simulation().run().unwrap();
    assert_eq!((run.summary.warnings.len(), run.summary.touches), (0, 0));
    let error = scene("none = true\nnormal = { law = \"hertz\", stiffness = 1e6 }").unwrap_err();
    assert!(error.message().contains("`normal` with `none = true`"), "{}", error.message());
}
