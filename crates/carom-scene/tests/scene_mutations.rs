//! Whatever is in a file, reading it ends with a scene or with a message.

use carom_scene::{Format, Scene};
use proptest::prelude::*;

const TOML: &str = include_str!("scenes/ball.toml");
const JSON: &str = include_str!("scenes/everything.json");

/// A change of a text: where, what is taken away, what is put there.
fn edits() -> impl Strategy<Value = Vec<(usize, usize, String)>> {
    let pieces = prop_oneof![
        "[\\PC\n]{0,4}",
        Just("[".to_owned()),
        Just("]]".to_owned()),
        Just("{".to_owned()),
        Just("\"".to_owned()),
        Just("-".to_owned()),
        Just("1e400".to_owned()),
        Just("nan".to_owned()),
        Just("\\ud800".to_owned()),
        Just("é²°\u{feff}".to_owned()),
        Just("/".to_owned()),
        Just("^9999".to_owned()),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, pieces), 1..4)
        .prop_map(|list| list.into_iter().map(|(at, cut, by)| (at.index(1 << 20), cut, by)).collect())
}

/// The text with the edits made, at whole characters.
fn edited(text: &str, edits: &[(usize, usize, String)]) -> String {
    let mut out: Vec<char> = text.chars().collect();
    for (at, cut, by) in edits {
        let start = at % (out.len() + 1);
        let end = (start + cut).min(out.len());
        out.splice(start..end, by.chars());
    }
    out.into_iter().collect()
}

fn read(text: &str, format: Format, set: &[String]) {
    if let Err(error) = Scene::from_text(text, format, "mutant", set) {
        assert!(error.render(true).len() > 10 && !error.message().is_empty());
        error.line_column();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn mutated_scenes_never_panic(edits in edits()) {
        read(&edited(TOML, &edits), Format::Toml, &[]);
        read(&edited(JSON, &edits), Format::Json, &[]);
    }

    #[test]
    fn mutated_replacements_never_panic(edits in edits(), which in 0usize..6) {
        let sets = [
            "body/ball/position/2=0.1",
            "contact/ball~floor/friction/coefficient=0.5",
            "run/duration=10 ms",
            "body/ball/surface/sphere1/radius=\"25 mm\"",
            "body/floor/motion/spin/axis/2=1",
            "world/gravity=[0, 0, -1.6]",
        ];
        read(TOML, Format::Toml, &[edited(sets[which], &edits)]);
    }

    #[test]
    fn any_text_never_panics(text in "\\PC{0,200}") {
        read(&text, Format::Toml, &[]);
        read(&text, Format::Json, std::slice::from_ref(&text));
    }
}
