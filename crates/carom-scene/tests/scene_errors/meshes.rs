//! What is said of meshes that cannot be.

use std::fmt::Write;
use std::fs;

use carom_scene::{Format, Scene};

use crate::meshes::{TRIANGLES, obj, stl_text};

pub(crate) fn report() -> String {
    let place = std::env::temp_dir().join(format!("carom-meshes-{}", std::process::id()));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(place.join("folder.stl")).unwrap();
    let turned = |which: &dyn Fn(usize) -> bool| -> Vec<[usize; 3]> {
        let turn = |(k, [a, b, c]): (usize, &[usize; 3])| if which(k) { [*b, *a, *c] } else { [*a, *b, *c] };
        TRIANGLES.iter().enumerate().map(turn).collect()
    };
    let good = obj(&TRIANGLES);
    let files = [
        ("rock.obj", good.clone()),
        ("open.obj", obj(&TRIANGLES[1..])),
        ("one.obj", obj(&turned(&|k| k == 2))),
        ("inwards.obj", obj(&turned(&|_| true))),
        ("fin.obj", format!("{good}v 9 9 9\nf 1 3 7\n")),
        ("sliver.obj", format!("{good}f 1 3 1\n")),
        ("crossing.obj", good.clone() + &shifted(&good)),
        ("nan.obj", good.replace("v 4 ", "v nan ")),
        ("index.obj", good.replace("f 1//1", "f 17//1")),
        ("words.obj", good.replace("v 4 ", "v four ")),
        ("none.obj", "v 0 0 0\n".to_owned()),
        ("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n".to_owned()),
        ("short.stl", stl_text(&TRIANGLES).replacen("   vertex 4e0 1e0 5e-1\n", "", 1)),
        ("number.stl", stl_text(&TRIANGLES).replacen("4e0", "4,0", 1)),
        ("cut.stl", stl_text(&TRIANGLES)[..120].to_owned()),
        ("cut.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n1 0\n".to_owned()),
        ("format.ply", "ply\nformat ascii\nend_header\n".to_owned()),
        ("part.step", "ISO-10303-21;".to_owned()),
    ];
    for (name, text) in files {
        fs::write(place.join(name), text).unwrap();
    }
    let mut out = String::new();
    for (what, lines) in [
        ("no file", ""),
        ("a file that is not there", "file = \"rok.obj\""),
        ("a folder", "file = \"folder.stl\""),
        ("a file of another kind", "file = \"part.step\""),
        ("a hole", "file = \"open.obj\""),
        ("a triangle that is turned", "file = \"one.obj\"\nunit = \"mm\""),
        ("all triangles turned", "file = \"inwards.obj\""),
        ("triangles turned that should not be", "file = \"rock.obj\"\ninside_out = true"),
        ("a fin", "file = \"fin.obj\""),
        ("a triangle without area", "file = \"sliver.obj\""),
        ("triangles that cross", "file = \"crossing.obj\"\nunit = \"mm\""),
        ("a coordinate that is no number", "file = \"nan.obj\""),
        ("a coordinate that is a word", "file = \"words.obj\""),
        ("a vertex that is not there", "file = \"index.obj\""),
        ("no triangles", "file = \"none.obj\""),
        ("a flat hull", "file = \"flat.obj\"\nhull = true"),
        ("a facet with two corners", "file = \"short.stl\""),
        ("a comma in a number", "file = \"number.stl\""),
        ("half an STL file", "file = \"cut.stl\""),
        ("half a PLY file", "file = \"cut.ply\""),
        ("a PLY file of no known format", "file = \"format.ply\""),
        ("an unknown unit", "file = \"rock.obj\"\nunit = \"mn\""),
        ("a scale of nothing", "file = \"rock.obj\"\nscale = 0"),
        ("a hull that is no truth", "file = \"rock.obj\"\nhull = \"yes\""),
        ("a misspelt key", "file = \"rock.obj\"\nhul = true"),
    ] {
        let text = format!(
            "[run]\nduration = 1\n[[body]]\nname = \"rock\"\ndensity = 1\n[[body.surface]]\ntype = \"mesh\"\n{lines}\n"
        );
        let name = place.join("scene.toml").display().to_string();
        let error = match Scene::from_text(&text, Format::Toml, &name, &[]) {
            Ok(_) => panic!("this was read:\n{text}"),
            Err(error) => error.to_string().replace(&place.display().to_string(), "FOLDER"),
        };
        let _ = writeln!(out, "## {what}\n\n{error}\n");
    }
    fs::remove_dir_all(&place).unwrap();
    out
}

/// The same octahedron once more, two units further along x.
fn shifted(text: &str) -> String {
    let line = |line: &str| match line.split_once(' ') {
        Some(("v", rest)) => {
            let (x, rest) = rest.split_once(' ').unwrap();
            format!("v {} {rest}\n", x.parse::<f64>().unwrap() + 2.0)
        }
        Some(("f", rest)) => {
            let corner = |w: &str| (w.split('/').next().unwrap().parse::<usize>().unwrap() + 6).to_string();
            format!("f {}\n", rest.split(' ').map(corner).collect::<Vec<_>>().join(" "))
        }
        _ => String::new(),
    };
    text.lines().map(line).collect()
}
