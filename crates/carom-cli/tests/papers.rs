//! `carom papers`: every paper runs, its audits are small, its expected values come out.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Place, json};
use carom_studies::paper::Paper;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers")
}

/// The papers as they are in the repository.
fn papers() -> Vec<Paper> {
    let all = fs::read_dir(folder()).unwrap().map(|f| f.unwrap().path());
    let mut papers: Vec<Paper> = all
        .filter(|f| f.join("paper.toml").is_file())
        .map(|f| {
            let name = f.file_name().unwrap().to_str().unwrap().to_owned();
            Paper::from_text(&name, &fs::read_to_string(f.join("paper.toml")).unwrap()).unwrap()
        })
        .collect();
    papers.sort_by(|a, b| a.name.cmp(&b.name));
    papers
}

#[test]
fn the_list() {
    let place = Place::new("papers-list");
    insta::assert_snapshot!(place.carom(&["papers"]).done());
}

/// The error of the energy balance that is allowed: coarse tolerances, touches that are not located and plain runs are shown for what they are.
fn bound(set: &[String]) -> f64 {
    let says = |what: &str| set.iter().any(|s| s == what);
    let rtol = set.iter().find_map(|s| s.strip_prefix("run/rtol=")).map_or(0.0, |x| x.parse().unwrap());
    match (says("run/plain=true"), says("run/locate_contacts=false")) {
        (true, _) => 0.1,
        (false, true) => 1e-2,
        (false, false) => f64::max(1e-6, 10.0 * rtol),
    }
}

/// All figures, long runs shortened: drawn, checked, audited.
#[test]
fn every_paper_runs_and_its_values_come_out() {
    for paper in papers() {
        let place = Place::new(&format!("papers-{}", paper.name));
        let out = place.carom(&["papers", &paper.name, "--quick", "--scenes"]).done();
        let results = place.path("out/papers").join(&paper.name);
        let report = fs::read_to_string(results.join("report.md")).unwrap();
        assert!(report.contains("| yes |") && !report.contains("**no**"), "{report}");
        let mut used = Vec::new();
        for figure in &paper.figures {
            assert!(out.contains(&format!("\n  {} ", figure.name)), "{out}");
            #[cfg(feature = "plots")]
            for ending in ["svg", "png"] {
                crate::common::drawn(&results.join(format!("{}.{ending}", figure.name)));
            }
            for run in &figure.runs {
                let summary = json(results.join(&figure.name).join(&run.name).join("summary.json"));
                let audit = summary["audit_relative"].as_f64().unwrap();
                assert!(audit < bound(&run.set), "{}/{}: {audit}", figure.name, run.name);
                crate::common::numbers::touches_close(&results.join(&figure.name).join(&run.name));
                used.push(run.scene.clone());
            }
        }
        // no scene is left over, and each is right as a file by itself
        for scene in fs::read_dir(folder().join(&paper.name).join("scenes")).unwrap() {
            let scene = scene.unwrap().path();
            assert!(
                used.iter().any(|s| *s == scene.file_stem().unwrap().to_str().unwrap()),
                "{}",
                scene.display()
            );
            let file = results.join("scenes").join(scene.file_name().unwrap());
            let checked = place.carom(&["check", file.to_str().unwrap()]).done();
            assert!(checked.contains(": all right\n"), "{checked}");
        }
    }
}

#[test]
fn one_figure_elsewhere() {
    let place = Place::new("papers-one");
    place.carom(&["papers", "sphere-algorithms", "prism", "-o", "here", "--quiet"]).done();
    assert!(place.path("here/prism.md").is_file() && place.path("here/prism/elastic/states.csv").is_file());
    let report = fs::read_to_string(place.path("here/prism.md")).unwrap();
    // remarks speak of all figures
    assert!(!report.contains("What the paper says") && report.contains("elastic: touch 3 [s]"), "{report}");
}

#[test]
fn figures_of_several_papers_are_one_page() {
    let place = Place::new("papers-gallery");
    let what = ["torus-plane/fig6", "sphere-algorithms", "prism", "fig17"];
    let out = place.carom(&[&["papers"][..], &what, &["--quick", "-o", "both"]].concat()).done();
    assert!(out.ends_with("  both/index.html\n"), "{out}");
    let page = fs::read_to_string(place.path("both/index.html")).unwrap();
    for id in ["torus-plane-fig6", "sphere-algorithms-prism", "sphere-algorithms-fig17"] {
        assert!(page.contains(&format!("<article id=\"{id}\">")), "{id}");
    }
    assert!(page.contains("3 figures, runs shortened.") && !page.contains("class=\"missed\""));
    // the page needs nothing else
    assert!(!page.contains("http") && !page.contains("<script"));
    #[cfg(feature = "plots")]
    assert_eq!(page.matches("src=\"data:image/png;base64,").count(), 3);
    assert!(place.path("both/sphere-algorithms/prism-fig17.md").is_file());
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::new("papers-wrong");
    for (args, message) in [
        (
            &["sphere-algoritms"][..],
            "there is no paper `sphere-algoritms`; did you mean `sphere-algorithms`?\n",
        ),
        (&["sphere-algorithms", "fig41"], "sphere-algorithms has no figure `fig41`; did you mean `fig14`?\n"),
    ] {
        let err = place.carom(&[&["papers"], args].concat()).failed(2);
        assert!(err.starts_with(&format!("error: {message}  there are ")), "{err}");
    }
    // a place that may not be written to is found out before the work
    fs::create_dir_all(place.path("full/prism/elastic")).unwrap();
    fs::write(place.path("full/prism/elastic/mine.txt"), "mine").unwrap();
    let err = place.carom(&["papers", "sphere-algorithms", "prism", "-o", "full"]).failed(2);
    assert!(err.contains("full/prism/elastic"), "{err}");
}
