//! Recipes of papers: what they compute, and what they refuse.

use carom_studies::paper::{Paper, Shown};

const RECIPE: &str = r#"
title = "Falling bodies"
source = "G. Galilei, Discorsi, 1638"
[[figure]]
name = "fig1"
title = "a stone falls"
run = [{ name = "stone", scene = "stone" }]
expect = [{ what = "way", run = "stone", of = "-stone.z", value = "= 9.81/2", tolerance = 1e-9 }]
[[figure.panel]]
y_label = "height [m]"
runs = ["stone"]
curve = [{ y = "stone.z" }]
[[remark]]
paper = "a"
ours = "b"
runs = ["fig1/stone"]
"#;

#[test]
fn a_recipe_is_read() {
    let paper = Paper::from_text("fall", RECIPE).unwrap();
    let figure = paper.figure("fig1").unwrap();
    assert_eq!((figure.runs[0].label.as_str(), figure.columns), ("stone", 2));
    assert_eq!((figure.expected[0].value, figure.expected[0].tolerance), (Some(4.905), 1e-9));
    let Shown::Recorded { x, .. } = &figure.panels[0].curves[0].shows else { panic!("a recorded quantity") };
    assert_eq!(x.names(), ["t"]);
    assert_eq!(paper.remarks[0].runs, [(0, 0)]);
}

#[test]
fn what_is_wrong_with_a_recipe_is_said() {
    for (piece, by, message) in [
        ("y_label", "ylabel", "`figure.panel` has no key `ylabel`"),
        ("run = \"stone\"", "run = \"stoen\"", "the figure has no run `stoen`"),
        ("[\"stone\"]", "[\"stoen\"]", "the figure has no run `stoen`"),
        ("fig1/stone", "fig2/stone", "there is no figure `fig2`"),
        ("-stone.z", "-stone.z +", "`of`: a number or a name is missing"),
        (", value = \"= 9.81/2\"", "", "`figure.expect` needs `value`, `least` or `most`"),
        ("title = \"Falling bodies\"", "", "`paper` needs `title`: of the paper, short"),
    ] {
        assert!(RECIPE.contains(piece));
        let error = Paper::from_text("fall", &RECIPE.replacen(piece, by, 1)).unwrap_err();
        assert_eq!(error.message(), message);
        assert!(
            error.to_string().contains("papers/fall/paper.toml") || piece.starts_with("title"),
            "{error}"
        );
    }
}
