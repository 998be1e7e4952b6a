//! Exports to VTK's XML files of polygons (`.vtp`), and the list of them by time (`.pvd`) that ParaView opens.
//!
//! | file | content | point data |
//! |---|---|---|
//! | `ground.vtp` | triangles of bodies that do not move | as below |
//! | `surfaces_N.vtp` | triangles of bodies that move | `Normals`, `velocity` [m/s], `body` (index; names in field data `body_names`) |
//! | `contacts_N.vtp` | points that carry a force | `force` on the first body \[N\], `normal`, `normal_force` \[N\], `friction` \[N\], `indentation` \[m\], `contact` (names: `contact_names`) |
//! | `links_N.vtp` | points of joints, lines of springs | `force` and `couple` on the second body of a joint, `force` at each end of a line, `link` (names: `link_names`) |
//!
//! Numbers of surfaces are in single precision, those of contacts and links in double precision; all are appended raw (VTK
//! File Formats, XML).

mod polydata;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use carom::base::{Mat3, Pose, Vec3};

use super::{ExportError, Format, Options, write_file};
use crate::film::{Film, FilmBody, Motion};
use polydata::PolyData;

pub(super) static VTK: Format = Format {
    name: "vtk",
    summary: "surfaces, contacts and joints for ParaView: open run.pvd",
    file: "vtk/",
    frames: Some(FRAMES),
    write,
};

/// The series of files; those of an earlier export are deleted.
const SERIES: [&str; 3] = ["surfaces", "contacts", "links"];
const INDEX: &str = "run.pvd";
const GROUND: &str = "ground.vtp";
/// Default for the largest number of frames, because every frame contains all triangles.
const FRAMES: usize = 500;

fn write(folder: &Path, output: &Path, options: &Options) -> Result<Vec<String>, ExportError> {
    let film = Film::open(folder, options.frames.or(Some(FRAMES)))?;
    fs::create_dir_all(output).map_err(ExportError::io(output))?;
    clear(output)?;
    let mut index = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    let digits = film.t.len().saturating_sub(1).to_string().len();
    let (moving, still): (Vec<usize>, Vec<usize>) =
        (0..film.bodies.len()).partition(|i| matches!(film.bodies[*i].motion, Motion::Moving(_)));
    if !still.is_empty() {
        write_file(&output.join(GROUND), &surfaces(&film, 0, &still).bytes())?;
    }
    let has = [
        moving.iter().any(|i| !film.bodies[*i].parts.is_empty()),
        !film.contact_points.is_empty(),
        !film.joints.is_empty() || !film.lines.is_empty(),
    ];
    for (frame, t) in film.t.iter().enumerate() {
        for part in (0..SERIES.len()).filter(|part| has[*part]) {
            let name = format!("{}_{frame:0digits$}.vtp", SERIES[part]);
            let data = match part {
                0 => surfaces(&film, frame, &moving),
                1 => contacts(&film, frame),
                _ => links(&film, frame),
            };
            write_file(&output.join(&name), &data.bytes())?;
            let _ = writeln!(index, "{}", entry(*t, part, SERIES[part], &name));
        }
        if !still.is_empty() {
            let _ = writeln!(index, "{}", entry(*t, SERIES.len(), "ground", GROUND));
        }
    }
    index += "</Collection>\n</VTKFile>\n";
    write_file(&output.join(INDEX), index.as_bytes())?;
    Ok(film.notices)
}

/// Makes a line of the list.
fn entry(t: f64, part: usize, name: &str, file: &str) -> String {
    format!("<DataSet timestep=\"{t}\" group=\"\" part=\"{part}\" name=\"{name}\" file=\"{file}\"/>")
}

/// Deletes the files of an earlier export, so that a shorter run does not keep the end of a longer one.
fn clear(output: &Path) -> Result<(), ExportError> {
    let ours = |name: &str| {
        let number =
            SERIES.iter().find_map(|s| name.strip_prefix(s)?.strip_prefix('_')?.strip_suffix(".vtp"));
        number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
    };
    for entry in fs::read_dir(output).map_err(ExportError::io(output))?.flatten() {
        if ours(&entry.file_name().to_string_lossy()) {
            fs::remove_file(entry.path()).map_err(ExportError::io(&entry.path()))?;
        }
    }
    Ok(())
}

/// Returns the velocity of a point of a body at a frame [m/s]; X is in the body's frame.
fn velocity(body: &FilmBody, frame: usize, pose: &Pose, x: &Vec3) -> [f64; 3] {
    let Motion::Moving(track) = &body.motion else { return [0.0; 3] };
    let v: Vec3 = track.velocity.get(frame).copied().unwrap_or_default().into();
    let relative = match (&track.rotation, &track.deformation) {
        // ω × r, or Ḟ X
        (Some(turning), _) => {
            let w: Vec3 = turning.angular_velocity.get(frame).copied().unwrap_or_default().into();
            w.cross(&(pose.r * x))
        }
        (None, Some(d)) => d.f_dot.get(frame).map_or_else(Vec3::zeros, |f| Mat3::from_row_slice(f) * x),
        (None, None) => Vec3::zeros(),
    };
    (v + relative).into()
}

/// Makes the surfaces of some bodies.
fn surfaces(film: &Film, frame: usize, which: &[usize]) -> PolyData {
    let mut out = PolyData::single();
    let (mut normals, mut velocities, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
    for (number, body) in which.iter().map(|i| (*i, &film.bodies[*i])) {
        let pose = body.motion.pose(frame);
        // normals transform by the cofactor of F, in the direction of F⁻ᵀ n
        let turn = pose.r.try_inverse().map_or(pose.r, |inverse| inverse.transpose());
        for part in &body.parts {
            let mesh = part.on_body(&film.meshes[part.mesh]);
            let first = out.points.len() as i32;
            for (i, x) in mesh.vertices.iter().enumerate() {
                let x = Vec3::from(*x);
                out.points.push(pose.point(&x).into());
                let n = mesh.normals.get(i).map_or_else(Vec3::zeros, |n| turn * Vec3::from(*n));
                normals.push(n.try_normalize(0.0).unwrap_or_else(Vec3::z).into());
                velocities.push(velocity(body, frame, &pose, &x));
                bodies.push(number as i32);
            }
            out.polys.extend(mesh.triangles.iter().map(|t| t.map(|i| first + i as i32).to_vec()));
        }
    }
    out.vectors("Normals", normals);
    out.vectors("velocity", velocities);
    out.integers("body", bodies);
    out.names("body_names", film.bodies.iter().map(|b| b.name.clone()).collect());
    out
}

fn contacts(film: &Film, frame: usize) -> PolyData {
    let points = film.contacts(frame);
    let mut out = PolyData::of(points.iter().map(|c| c.at.point).collect());
    out.verts = (0..points.len() as i32).map(|i| vec![i]).collect();
    out.vectors("force", points.iter().map(|c| c.at.force()).collect());
    out.vectors("normal", points.iter().map(|c| c.at.normal).collect());
    out.vectors("friction", points.iter().map(|c| c.at.f_t).collect());
    out.scalars("normal_force", points.iter().map(|c| c.at.f_n).collect());
    out.scalars("indentation", points.iter().map(|c| c.at.delta).collect());
    out.integers("contact", points.iter().map(|c| c.contact as i32).collect());
    out.names("contact_names", film.contact_names.clone());
    out
}

/// Returns a point of a body in the world frame.
fn world_point(film: &Film, frame: usize, body: usize, x: &[f64; 3]) -> [f64; 3] {
    let pose = film.bodies.get(body).map(|b| b.motion.pose(frame));
    pose.map_or(*x, |pose| pose.point(&Vec3::from(*x)).into())
}

/// Returns the force of a line on its first body, or zero if it was not recorded.
fn line_force(film: &Film, frame: usize, name: &str) -> [f64; 3] {
    ["fx", "fy", "fz"].map(|suffix| {
        let names = [format!("{name}.{suffix}"), format!("force/{name}.{suffix}")];
        let series = film.series.iter().find(|s| s.group == "force" && names.contains(&s.name));
        series.and_then(|s| s.values.get(frame)).copied().unwrap_or_default()
    })
}

fn links(film: &Film, frame: usize) -> PolyData {
    let mut out = PolyData::default();
    let (mut force, mut couple, mut link) = (Vec::new(), Vec::new(), Vec::new());
    let mut names = Vec::new();
    for joint in &film.joints {
        out.verts.push(vec![out.points.len() as i32]);
        out.points.push(world_point(film, frame, joint.bodies[1], &joint.points[1]));
        force.push(joint.force.get(frame).copied().unwrap_or_default());
        couple.push(joint.couple.get(frame).copied().unwrap_or_default());
        link.push(names.len() as i32);
        names.push(joint.name.clone());
    }
    for line in &film.lines {
        let first = out.points.len() as i32;
        out.lines.push(vec![first, first + 1]);
        let on_first = line_force(film, frame, &line.name);
        for (end, sign) in [1.0, -1.0].into_iter().enumerate() {
            out.points.push(world_point(film, frame, line.bodies[end], &line.points[end]));
            force.push(on_first.map(|f| sign * f));
            couple.push([0.0; 3]);
            link.push(names.len() as i32);
        }
        names.push(line.name.clone());
    }
    out.vectors("force", force);
    out.vectors("couple", couple);
    out.integers("link", link);
    out.names("link_names", names);
    out
}
