//! Surfaces of triangles from files: every format, units, mass, and what they are read as.

use std::f64::consts::TAU;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::patterns::{RUN, folder};
use carom::BodyState;
use carom::base::Vec3;
use carom::geometry::Side;
use carom_scene::{Format, Scene};

/// An octahedron of radius 3, off the origin and lopsided; all numbers are exact in 32 bits.
pub(crate) const VERTICES: [[f64; 3]; 6] = [
    [4.0, 1.0, 0.5],
    [-2.0, 1.25, 0.5],
    [1.0, 4.5, 0.0],
    [1.0, -2.0, 0.75],
    [1.5, 1.0, 3.0],
    [1.0, 0.5, -3.0],
];
pub(crate) const TRIANGLES: [[usize; 3]; 8] =
    [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];

pub(crate) fn obj(triangles: &[[usize; 3]]) -> String {
    let mut text = String::from("# an octahedron\n");
    for [x, y, z] in VERTICES {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for t in triangles {
        let [a, b, c] = t.map(|k| k + 1);
        let _ = writeln!(text, "f {a}//1 {b}//1 {c}//1");
    }
    text
}

pub(crate) fn stl_text(triangles: &[[usize; 3]]) -> String {
    let mut text = String::from("solid part\n");
    for t in triangles {
        text.push_str(" facet normal 0 0 0\n  outer loop\n");
        for [x, y, z] in t.map(|k| VERTICES[k]) {
            let _ = writeln!(text, "   vertex {x:e} {y:e} {z:e}");
        }
        text.push_str("  endloop\n endfacet\n");
    }
    text + "endsolid part\n"
}

fn stl_bytes() -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend((TRIANGLES.len() as u32).to_le_bytes());
    for t in TRIANGLES {
        let corners = t.map(|k| VERTICES[k]);
        let numbers = [0.0; 3].into_iter().chain(corners.into_iter().flatten());
        numbers.for_each(|x| bytes.extend((x as f32).to_le_bytes()));
        bytes.extend([0, 0]);
    }
    bytes
}

fn ply_head(format: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\nelement vertex 6\nproperty double x\nproperty double y\nproperty double z\n\
         element face 8\nproperty list uchar uint vertex_index\nend_header\n"
    )
}

fn ply_text() -> String {
    let mut text = ply_head("ascii");
    for [x, y, z] in VERTICES {
        let _ = writeln!(text, "{x} {y} {z}");
    }
    for [a, b, c] in TRIANGLES {
        let _ = writeln!(text, "3 {a} {b} {c}");
    }
    text
}

fn ply_bytes(big: bool) -> Vec<u8> {
    let mut bytes = ply_head(if big { "binary_big_endian" } else { "binary_little_endian" }).into_bytes();
    for x in VERTICES.into_iter().flatten() {
        bytes.extend(if big { x.to_be_bytes() } else { x.to_le_bytes() });
    }
    for t in TRIANGLES {
        bytes.push(3);
        for k in t.map(|k| k as u32) {
            bytes.extend(if big { k.to_be_bytes() } else { k.to_le_bytes() });
        }
    }
    bytes
}

fn scene(place: &Path, surface: &str) -> Scene {
    let text = format!(
        "{RUN}[[body]]\nname = \"part\"\ndensity = 2500\n[[body.surface]]\ntype = \"mesh\"\n{surface}\n"
    );
    let name = place.join("scene.toml").display().to_string();
    Scene::from_text(&text, Format::Toml, &name, &[]).unwrap_or_else(|e| panic!("{e}"))
}

fn distances(scene: &Scene) -> Vec<u64> {
    let project = scene.meshes[0].surface.as_project().unwrap();
    let points = (0..500).map(|k| {
        let t = 0.1 * f64::from(k);
        Vec3::new(5.0 * t.sin(), 6.0 * (1.7 * t).cos(), 4.0 * (2.3 * t).sin())
    });
    points.map(|x| project.closest_point(Side::Outside, 0, &x).d.to_bits()).collect()
}

#[test]
fn all_formats_give_the_same_surface_to_the_bit() {
    let place = folder("mesh-formats");
    let write = |name: &str, bytes: &[u8]| fs::write(place.join(name), bytes).unwrap();
    write("a.obj", obj(&TRIANGLES).as_bytes());
    write("b.stl", stl_text(&TRIANGLES).as_bytes());
    write("c.STL", &stl_bytes());
    write("d.ply", ply_text().as_bytes());
    write("e.ply", &ply_bytes(false));
    write("f.ply", &ply_bytes(true));
    let read = |name: &str| scene(&place, &format!("file = \"{name}\""));
    let first = read("a.obj");
    assert_eq!(first.meshes[0].triangles, 8);
    let known = distances(&first);
    assert!(known.iter().any(|d| f64::from_bits(*d) < 0.0));
    for name in ["b.stl", "c.STL", "d.ply", "e.ply", "f.ply"] {
        let other = read(name);
        assert_eq!(distances(&other), known, "{name}");
        assert_eq!(other.model.mass("part"), first.model.mass("part"));
    }
    fs::remove_dir_all(&place).unwrap();
}

/// Mass and inertia by density are those of the solid, in the unit of the file.
#[test]
fn units_and_scales_make_the_mass() {
    let place = folder("mesh-units");
    // a block of 2 x 3 x 4, faces of four corners each
    let block = "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 2 3 0\nv 0 0 4\nv 2 0 4\nv 0 3 4\nv 2 3 4\n\
                 f 1 3 4 2\nf 5 6 8 7\nf -8 -7 -3 -4\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    fs::write(place.join("block.obj"), block).unwrap();
    for (keys, length) in [
        ("", 1.0),
        ("unit = \"m\"", 1.0),
        ("unit = \"cm\"", 0.01),
        ("unit = \"mm\"", 0.001),
        ("unit = \"um\"", 1e-6),
        ("unit = \"in\"", 0.0254),
        ("unit = \"ft\"", 0.3048),
        ("scale = 0.5", 0.5),
        ("unit = \"mm\"\nscale = 2", 0.002),
        ("unit = \"cm\"\nhull = true", 0.01),
    ] {
        let scene = scene(&place, &format!("file = \"block.obj\"\n{keys}"));
        let mass = 2500.0 * 24.0 * length * length * length;
        let off = scene.model.mass("part").unwrap() / mass - 1.0;
        assert!(off.abs() < 1e-14, "{keys}: {off:e}");
        let inertia = scene.model.inertia("part").unwrap();
        let moment = mass * length * length * 25.0 / 12.0; // m (b² + c²)/12
        assert!((inertia[(0, 0)] / moment - 1.0).abs() < 1e-14, "{keys}");
        assert!((Vec3::from(scene.meshes[0].size) / length - Vec3::new(2.0, 3.0, 4.0)).norm() < 1e-14);
        let kind = if keys.contains("hull") { "polyhedron" } else { "mesh" };
        assert_eq!(scene.meshes[0].surface.kind(), kind);
    }
    fs::remove_dir_all(&place).unwrap();
}

/// A part in a folder of its own finds its file there, and the scene as it is kept does, too.
#[test]
fn files_of_a_part_are_in_its_folder() {
    let place = folder("mesh-part");
    fs::create_dir(place.join("parts")).unwrap();
    fs::write(place.join("parts/rock.obj"), obj(&TRIANGLES)).unwrap();
    let body =
        "[[body]]\nname = \"a\"\nfixed = true\n[[body.surface]]\ntype = \"mesh\"\nfile = \"rock.obj\"\n";
    fs::write(place.join("parts/part.toml"), body).unwrap();
    let text = format!("{RUN}[[include]]\nfile = \"parts/part.toml\"\nprefix = \"x_\"\n");
    let read = |text: &str, format, name: &str| {
        let name = place.join(name).display().to_string();
        Scene::from_text(text, format, &name, &[]).unwrap_or_else(|e| panic!("{e}"))
    };
    let whole = read(&text, Format::Toml, "whole.toml");
    let file = |scene: &Scene| (scene.meshes[0].body.clone(), scene.meshes[0].file.clone());
    assert_eq!(file(&whole), ("x_a".to_owned(), "parts/rock.obj".to_owned()));
    let again = read(&whole.source.json().to_string(), Format::Json, "scene.json");
    assert_eq!(file(&again), file(&whole));
    fs::remove_dir_all(&place).unwrap();
}

/// Copies share what was read, and a file that faces inwards can be turned.
#[test]
fn a_file_is_read_once() {
    let place = folder("mesh-copies");
    let inwards: Vec<[usize; 3]> = TRIANGLES.iter().map(|[a, b, c]| [*b, *a, *c]).collect();
    fs::write(place.join("rock.obj"), obj(&inwards)).unwrap();
    let text = format!(
        "{RUN}[[body]]\nname = \"rock1\"\ndensity = 1\n[[body.surface]]\ntype = \"mesh\"\nfile = \"rock.obj\"\ninside_out = true\n\
         [[pattern]]\ntype = \"linear\"\nof = \"rock1\"\ncount = 3\nstep = [20, 0, 0]\n"
    );
    let name = place.join("scene.toml").display().to_string();
    let scene = Scene::from_text(&text, Format::Toml, &name, &[]).unwrap_or_else(|e| panic!("{e}"));
    let [a, b, c] = [0, 1, 2].map(|k| &scene.meshes[k]);
    assert!(std::sync::Arc::ptr_eq(&a.surface, &b.surface) && std::sync::Arc::ptr_eq(&a.surface, &c.surface));
    assert_eq!((a.body.as_str(), c.body.as_str(), a.parts), ("rock1", "rock3", Some(1)));
    assert!(scene.model.mass("rock2").unwrap() > 0.0);
    fs::remove_dir_all(&place).unwrap();
}

/// A ball that is thrown from far at a ring of triangles passes through its hole or touches it, as the clearance says; in a groove it bounces, and where it should rest, the run says
/// that it is between two walls.
#[test]
fn balls_fly_through_holes_and_do_not_rest_in_grooves() {
    let place = folder("mesh-hole");
    let (n, m) = (24, 14);
    let mut text = String::new();
    for k in 0..n * m {
        let (a, b) = (TAU * f64::from(k / m) / f64::from(n), TAU * f64::from(k % m) / f64::from(m));
        let rho = 1.0 + 0.35 * b.cos();
        let _ = writeln!(text, "v {} {} {}", rho * a.cos(), rho * a.sin(), 0.35 * b.sin());
    }
    for k in 0..n * m {
        let (i, j) = (k / m, k % m);
        let at = |i: i32, j: i32| (i % n) * m + j % m + 1;
        let _ = writeln!(text, "f {} {} {} {}", at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    }
    fs::write(place.join("ring.obj"), text).unwrap();
    let groove = "v -1 -1 0\nv 0 -1 0\nv 1 -1 0\nv 1 -1 1\nv 0 -1 0.5\nv -1 -1 1\nv -1 1 0\nv 0 1 0\nv 1 1 0\nv 1 1 1\nv 0 1 0.5\nv -1 1 1\n\
                  f 1 2 5 6\nf 2 3 4 5\nf 7 12 11 8\nf 8 11 10 9\nf 1 7 8 2\nf 2 8 9 3\nf 3 9 10 4\nf 6 12 7 1\nf 5 11 12 6\nf 4 10 11 5\n";
    fs::write(place.join("groove.obj"), groove).unwrap();
    let name = place.join("scene.toml").display().to_string();
    let thrown = |file: &str, gravity: f64, ball: &str, damping: f64| {
        let text = format!(
            "world = {{ gravity = [0, 0, {gravity}] }}\nrun = {{ duration = 4 }}\n\
             [[body]]\nname = \"ball\"\nmass = 0.1\n{ball}\nsurface = [{{ type = \"sphere\", radius = 0.05 }}]\n\
             [[body]]\nname = \"part\"\nfixed = true\nsurface = [{{ type = \"mesh\", file = \"{file}\" }}]\n\
             [[contact]]\nbetween = [\"ball\", \"part\"]\n\
             normal = {{ law = \"hunt-crossley\", stiffness = 1e7, damping = {damping} }}\n"
        );
        Scene::from_text(&text, Format::Toml, &name, &[]).unwrap_or_else(|e| panic!("{e}")).simulation().run()
    };
    // the least gap of the smooth ring is 34 mm, −13 mm, −186 mm and −225 mm
    for (speed, touches) in [(0.55, 0), (0.6, 1), (0.8, 1), (1.45, 1)] {
        let ball = format!("position = [0, 0, 0.9]\nvelocity = [{speed}, 0.1, -1]");
        let run = thrown("ring.obj", 0.0, &ball, 0.0).unwrap();
        assert_eq!(run.summary.touches, touches, "{speed}");
    }
    let error = thrown("groove.obj", -9.81, "position = [0, 0, 0.9]", 5.0).unwrap_err().to_string();
    assert!(error.contains("is between two walls of the other that are equally near"), "{error}");
    fs::remove_dir_all(&place).unwrap();
}

fn start(scene: &Scene, body: &str) -> BodyState {
    let k = scene.model.moving_bodies().position(|name| name == body).unwrap();
    scene.model.start_bodies()[k]
}

/// A rock of one hand on which a ball bounces, and what a mirror shows of both; the rock is drawn with a shape from a file, too.
#[test]
fn a_mirrored_mesh_is_touched_as_its_image() {
    let place = folder("mesh-mirrored");
    fs::write(place.join("rock.obj"), obj(&TRIANGLES)).unwrap();
    let text = format!(
        r#"{RUN}
        [[body]]
        name = "rock"
        density = 1000
        position = [1, 0.5, -3]
        orientation = {{ axis = [1, 2, 0.5], angle = "40 deg" }}
        angular_velocity = [0.3, 0.2, 0.5]
        mesh = {{ file = "rock.obj", scale = 2, position = [0.1, 0.2, 0.3] }}
        [[body.surface]]
        type = "mesh"
        file = "rock.obj"
        position = [0.2, -0.1, 0.3]
        orientation = {{ axis = [0, 1, 1], angle = "25 deg" }}
        [[body]]
        name = "ball"
        mass = 50
        position = [1.6, 1, 0.7]
        velocity = [0, 0, -9]
        surface = [{{ type = "sphere", radius = 0.5 }}]
        inertia = [5, 5, 5]
        [[contact]]
        between = ["ball", "rock"]
        normal = {{ law = "hunt-crossley", stiffness = 1e6, damping = 0.1 }}
        friction = {{ law = "tanh", coefficient = 0.3, slope = 10 }}
        [[pattern]]
        type = "mirrored"
        of = ["rock", "ball"]
        normal = [1, 0.5, 0]
        point = [-9, 0, 0]
        "#
    )
    .replace("0.05\n", "0.2\n");
    let name = place.join("scene.toml").display().to_string();
    let read =
        |text: &str| Scene::from_text(text, Format::Toml, &name, &[]).unwrap_or_else(|e| panic!("{e}"));
    let scene = read(&text);
    let run = scene.simulation().run().unwrap();
    assert!(run.summary.contacts >= 2, "{}", run.summary.contacts);
    let n = Vec3::new(1.0, 0.5, 0.0).normalize();
    let image = |v: &Vec3| v - n * (2.0 * n.dot(v));
    for name in ["rock", "ball"] {
        let [a, b] = [name.to_owned(), format!("{name}2")].map(|n| run.end.body(&n).unwrap());
        let off = b.position - image(&a.position) - n * (2.0 * n.x * -9.0);
        assert!(off.norm() < 1e-7, "{name}: {off}");
        assert!((b.angular_velocity + image(&a.angular_velocity)).norm() < 1e-5, "{name}");
        assert!(a.angular_velocity.norm() > 0.1, "{name} does not turn");
    }
    // what is drawn: each vertex is the image of one
    let [a, b] = [&scene.decorations[0], &scene.decorations[1]];
    let [x_a, x_b] = ["rock", "rock2"].map(|name| start(&scene, name));
    for (v, w) in a.mesh.vertices.iter().zip(&b.mesh.vertices) {
        let v = x_a.point(&a.pose.point(&(Vec3::from(*v) * 2.0))).0;
        let w = x_b.point(&b.pose.point(&(Vec3::from(*w) * 2.0))).0;
        assert!((w - image(&v) - n * (2.0 * n.x * -9.0)).norm() < 1e-12);
    }
    // and mirrored twice it is as it was
    let out = Scene::written_out(&text, Format::Toml, &name, &[]).unwrap();
    assert_eq!(out.matches("mirrored = true").count(), 2);
    let end = |scene: &Scene| scene.simulation().run().unwrap().end.body("ball2").unwrap().position;
    assert_eq!(end(&read(&out)), end(&scene));
    fs::remove_dir_all(&place).unwrap();
}

#[test]
fn meshes_are_scattered_by_their_bounding_spheres() {
    let place = folder("mesh-scattered");
    fs::write(place.join("rock.obj"), obj(&TRIANGLES)).unwrap();
    let body = "[[body]]\nname = \"rock1\"\ndensity = 1\n[[body.surface]]\ntype = \"mesh\"\nfile = \"rock.obj\"\nunit = \"cm\"\n";
    for kind in ["random", "packed"] {
        let text = format!(
            "{RUN}{body}[[pattern]]\ntype = \"{kind}\"\nof = \"rock1\"\ncount = 12\norientation = \"random\"\nwithin = {{ min = [0, 0, 0], max = [0.3, 0.3, 0.3] }}\n"
        );
        let name = place.join("scene.toml").display().to_string();
        let scene = Scene::from_text(&text, Format::Toml, &name, &[]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(scene.meshes.len(), 12);
        let bounds = scene.meshes[0].surface.bounds();
        let centres: Vec<Vec3> =
            (1..=12).map(|k| start(&scene, &format!("rock{k}")).point(&bounds.centre).0).collect();
        for (i, a) in centres.iter().enumerate() {
            assert!(a.iter().all(|x| (bounds.radius - 1e-12..=0.3 - bounds.radius + 1e-12).contains(x)));
            assert!(centres[..i].iter().all(|b| (a - b).norm() >= 2.0 * bounds.radius - 1e-12), "{kind}");
        }
    }
    // a file that is not there is said so here, too
    let text = format!(
        "{RUN}{body}[[pattern]]\ntype = \"random\"\nof = \"rock1\"\ncount = 2\nwithin = {{ min = [0, 0, 0], max = [1, 1, 1] }}\n"
    );
    let name = place.join("scene.toml").display().to_string();
    let error = Scene::from_text(&text.replace("rock.obj", "rok.obj"), Format::Toml, &name, &[]).unwrap_err();
    assert!(error.to_string().contains("did you mean `rock.obj`?"), "{error}");
    fs::remove_dir_all(&place).unwrap();
}
