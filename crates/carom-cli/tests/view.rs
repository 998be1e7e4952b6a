//! Pages of runs: written, served to this computer alone, and of runs that went wrong.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::common::{Place, example, json};

/// The film in a page.
fn film(page: &str) -> serde_json::Value {
    let text = page.split_once("id=\"carom-film\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_folder_becomes_a_page() {
    let place = Place::new("view");
    place.carom(&["run", &example("bouncing-ball.toml"), "-q"]).done();
    let said = place.carom(&["view", "out/bouncing-ball", "--no-open"]).done();
    assert_eq!(said, "wrote out/bouncing-ball/view.html\n");
    let page = fs::read_to_string(place.path("out/bouncing-ball/view.html")).unwrap();
    let film = film(&page);
    assert_eq!((&film["title"], &film["bodies"][0]["name"]), (&"Bouncing ball".into(), &"ball".into()));
    // the output times, and touches, peaks and releases between them
    let frames = film["t"][1].as_u64().unwrap();
    assert!(frames > 1501 && frames < 1600, "{frames}");
    // fewer frames, elsewhere
    let args = ["view", "out/bouncing-ball", "-o", "small.html", "--no-open", "--frames", "50"];
    place.carom(&args).done();
    let small = fs::read_to_string(place.path("small.html")).unwrap();
    assert!(self::film(&small)["t"][1].as_u64().unwrap() <= 50 && small.len() < page.len());
    // a new run takes the old page away
    place.carom(&["run", &example("bouncing-ball.toml"), "-q"]).done();
    assert!(!place.path("out/bouncing-ball/view.html").exists());
}

#[test]
fn a_scene_is_run_first_and_one_that_fails_is_shown_all_the_same() {
    let place = Place::new("view-scene");
    let scene = example("bouncing-ball.toml");
    let said = place.carom(&["view", &scene, "--no-open", "--set", "run/duration=0.1"]).done();
    assert!(said.starts_with("Bouncing ball\n") && said.ends_with("wrote out/bouncing-ball/view.html\n"));
    assert_eq!(json(place.path("out/bouncing-ball/scene.json"))["run"]["duration"], 0.1);
    let args = ["view", &scene, "--no-open", "--set", "contact/ball~floor/normal/stiffness=1e300"];
    let said = place.carom(&args);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("wrote out/bouncing-ball/view.html"), "{}", said.out);
    let page = fs::read_to_string(place.path("out/bouncing-ball/view.html")).unwrap();
    assert!(film(&page)["notices"][0].as_str().unwrap().starts_with("The run failed: "));
    // run --view is the same; nothing opens where there is no screen
    let mut command = place.command(&["run", &example("dzhanibekov.toml"), "--view"]);
    let output = command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(!cfg!(target_os = "linux") || out.ends_with("wrote out/dzhanibekov/view.html\n"), "{out}");
}

#[test]
fn every_analysis_has_a_page() {
    let place = Place::new("view-analyses");
    for analysis in ["kinematic", "inverse"] {
        let set = format!("run/analysis={analysis}");
        place.carom(&["view", &example("slider-crank.toml"), "--no-open", "--set", &set]).done();
        let page = fs::read_to_string(place.path("out/slider-crank/view.html")).unwrap();
        let film = film(&page);
        assert!(film["t"][1].as_u64().unwrap() > 10, "{analysis}");
        assert_eq!(film["notices"].as_array().unwrap().len(), 0, "{analysis}: {}", film["notices"]);
        fs::remove_dir_all(place.path("out")).unwrap();
    }
    let args = ["view", &example("egg-on-table.toml"), "--no-open", "--set", "run/analysis=static"];
    place.carom(&args).done();
    let page = fs::read_to_string(place.path("out/egg-on-table/view.html")).unwrap();
    assert_eq!(film(&page)["t"][1], 1);
}

/// Modes in a folder of their own, and beside a run.
#[test]
fn modes_have_a_page() {
    let place = Place::new("view-modes");
    let scene = example("egg-on-table.toml");
    place.carom(&["modes", &scene, "-o", "egg"]).done();
    assert!(place.path("egg/scene.json").exists());
    place.carom(&["view", "egg", "--no-open"]).done();
    let of = |file: &str| film(&fs::read_to_string(place.path(file)).unwrap());
    let shown = of("egg/view.html");
    let modes = shown["modes"].as_array().unwrap();
    assert_eq!(
        (modes.len(), &modes[0]["kind"], shown["notices"].as_array().unwrap().len()),
        (6, &"neutral".into(), 0)
    );
    let frequency = modes[3]["frequency"].as_f64().unwrap();
    assert!((frequency - 3.69278).abs() < 1e-5 && modes[3]["shape"] == "egg rx 1.00", "{frequency}");
    // a period each, one after the other
    let (first, last) = (modes[3]["first"].as_u64().unwrap(), modes[3]["last"].as_u64().unwrap());
    assert!(last > first + 20 && modes[4]["first"] == last + 1);
    assert_eq!(shown["t"][1].as_u64().unwrap(), 6 * (last + 1 - first));
    // modes found anew take the old page away
    place.carom(&["modes", &scene, "-o", "egg"]).done();
    assert!(!place.path("egg/view.html").exists());
    // by an analysis of `run`, and beside a run, whose scene stays
    place.carom(&["view", &scene, "--no-open", "--set", "run/analysis=modes"]).done();
    assert_eq!(of("out/egg-on-table/view.html")["modes"].as_array().unwrap().len(), 6);
    place.carom(&["run", &scene, "-q", "--set", "run/duration=0.01", "-o", "both"]).done();
    place.carom(&["modes", &scene, "-o", "both"]).done();
    assert_eq!(json(place.path("both/scene.json"))["run"]["duration"], 0.01);
    place.carom(&["view", "both", "--no-open"]).done();
    assert_eq!(of("both/view.html")["modes"].as_array().unwrap().len(), 0);
    // the page of a run stays
    place.carom(&["modes", &scene, "-o", "both"]).done();
    assert!(place.path("both/view.html").exists());
    place.carom(&["view", "both", "--no-open", "--modes"]).done();
    assert_eq!(of("both/view.html")["modes"].as_array().unwrap().len(), 6);
    place.carom(&["run", &scene, "-q", "--set", "run/duration=0.01", "-o", "plain"]).done();
    let err = place.carom(&["view", "plain", "--no-open", "--modes"]).failed(2);
    assert_eq!(err, "error: plain has no modes: `carom modes SCENE -o plain` puts them there\n");
}

#[test]
fn what_is_no_run_is_said() {
    let place = Place::new("view-wrong");
    let err = place.carom(&["view", "nowhere", "--no-open"]).failed(2);
    assert_eq!(err, "error: nowhere is no folder of results: there is nothing there\n");
    fs::create_dir(place.path("mine")).unwrap();
    fs::write(place.path("mine/notes.txt"), "").unwrap();
    let err = place.carom(&["view", "mine", "--no-open"]).failed(2);
    assert!(err.starts_with("error: mine is no folder of results: summary.json: "), "{err}");
    assert!(!place.path("mine/view.html").exists());
    let err = place.carom(&["view", "mine", "--set", "run/rtol=1"]).failed(2);
    assert!(err.contains("mine is a folder of results, not a scene"), "{err}");
    let err = place.carom(&["view", "none.toml"]).failed(2);
    assert!(err.starts_with("error: there is no file `none.toml`"), "{err}");
    place.carom(&["view", "mine", "--frames", "1"]).failed(2);
    // a folder that a run is about to fill
    fs::create_dir(place.path("empty")).unwrap();
    place.carom(&["view", "empty", "--no-open"]).done();
    let page = fs::read_to_string(place.path("empty/view.html")).unwrap();
    assert!(film(&page)["notices"][0].as_str().unwrap().contains("empty"));
}

/// A program that serves, ended with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn pages_are_served_to_this_computer_alone() {
    let place = Place::new("serve");
    place.carom(&["run", &example("dzhanibekov.toml"), "-q", "-o", "run"]).done();
    let mut command = place.command(&["view", "run", "--serve", "--no-open"]);
    let mut server = Server(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split_whitespace().nth(1).unwrap();
    let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    // (128 bits that nobody can guess)
    assert!(path.len() == 33 && path.trim_end_matches('/').bytes().all(|b| b.is_ascii_hexdigit()), "{path}");
    assert!(host.starts_with("127.0.0.1:"), "{line}");
    let ask = |request: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let page = ask(&format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{}", &page[..80]);
    assert!(film(&page)["bodies"].as_array().unwrap().len() == 1);
    // another path, another method, another name for this computer
    for (request, status) in [
        (format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"), "404"),
        (format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", path.replace(|c: char| c != '/', "0")), "404"),
        (format!("GET /../etc/passwd HTTP/1.1\r\nHost: {host}\r\n\r\n"), "404"),
        (format!("POST / HTTP/1.1\r\nHost: {host}\r\n\r\n"), "405"),
        (format!("GET /{path} HTTP/1.1\r\nHost: evil.example\r\n\r\n"), "403"),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), "403"),
        ("\r\n\r\n".to_owned(), "403"),
    ] {
        let answer = ask(&request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {answer}");
        assert!(!answer.contains("carom-film"));
    }
    let port = host.rsplit(':').next().unwrap();
    let err = place.carom(&["view", "run", "--no-open", "--serve", port]).failed(2);
    assert_eq!(err, format!("error: --serve {port}: the port is taken\n"));
}
