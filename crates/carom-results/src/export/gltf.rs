//! Exports to glTF 2.0 in one binary file (`.glb`): bodies as nodes that an animation moves, for Blender, browsers and slides.
//!
//! Rigid bodies are moved by translation and rotation. A body that deforms homogeneously, x = p + F X, is moved by p and
//! deformed by morph targets: the target of F_ij displaces the vertex X by e_i X_j, with the weight F_ij − δ_ij. This
//! represents F exactly, including shear, which a rotation and scale of a node cannot; between frames F varies linearly.
//! Results have z upwards and glTF has y upwards: a root node rotates one into the other. Positions are in metres, times in
//! seconds from the first frame.

mod buffer;

use std::collections::BTreeMap;
use std::path::Path;

use carom::base::{Pose, Vec3};
use carom::geometry::mesh::Mesh;
use serde_json::{Value, json};

use super::{ExportError, Format, Options, write_file};
use crate::Track;
use crate::film::{Film, FilmBody, Look, Motion};
use buffer::Buffer;

pub(super) static GLTF: Format = Format {
    name: "gltf",
    summary: "an animation for Blender, browsers and slides",
    file: "run.glb",
    frames: Some(Film::FRAMES),
    write,
};

/// Colours of bodies (linear RGB), the same as in figures; and the colour of the ground.
const COLOURS: [[f64; 3]; 7] = [
    [0.0, 0.168, 0.445],
    [0.791, 0.347, 0.0],
    [0.0, 0.342, 0.171],
    [0.604, 0.191, 0.386],
    [0.093, 0.456, 0.815],
    [0.665, 0.112, 0.0],
    [0.871, 0.776, 0.054],
];
const GROUND: [f64; 3] = [0.5, 0.5, 0.5];

fn write(folder: &Path, output: &Path, options: &Options) -> Result<Vec<String>, ExportError> {
    let film = Film::open(folder, options.frames)?;
    let bytes = Document::of(&film).finish();
    if u32::try_from(bytes.len()).is_err() {
        return Err(ExportError::TooMuch { format: "glb", what: format!("{} frames", film.t.len()) });
    }
    write_file(output, &bytes)?;
    Ok(film.notices)
}

/// The file in preparation.
#[derive(Default)]
struct Document {
    buffer: Buffer,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    /// indices of materials by colour and look, of meshes by mesh and material
    known_materials: BTreeMap<(usize, bool), usize>,
    known_meshes: BTreeMap<(usize, usize), usize>,
    /// indices of the frames that are shown, and the accessor of their times
    frames: Vec<usize>,
    times: Option<usize>,
    title: String,
}

impl Document {
    fn of(film: &Film) -> Document {
        let mut d = Document { title: film.title.clone(), ..Document::default() };
        d.time(&film.t);
        let tops: Vec<usize> = film.bodies.iter().map(|body| d.body(film, body)).collect();
        // a quarter turn about x: z becomes y
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let mut root = json!({ "name": "world", "rotation": [-half, 0.0, 0.0, half] });
        if !tops.is_empty() {
            root["children"] = json!(tops);
        }
        d.nodes.push(root);
        d
    }

    /// Stores the times of the frames; frames whose times do not increase in single precision are left out.
    fn time(&mut self, t: &[f64]) {
        let mut times: Vec<f32> = Vec::new();
        for (frame, x) in t.iter().enumerate() {
            let x = (x - t[0]) as f32;
            if x.is_finite() && times.last().is_none_or(|last| x > *last) {
                times.push(x);
                self.frames.push(frame);
            }
        }
        if times.len() > 1 {
            self.times = Some(self.buffer.scalars(&times));
        }
    }

    fn body(&mut self, film: &Film, body: &FilmBody) -> usize {
        let soft = matches!(&body.motion, Motion::Moving(Track { deformation: Some(_), .. }));
        let first = self.frames.first().copied().unwrap_or(0);
        let pose = body.motion.pose(first);
        let mut node = json!({ "name": body.name, "translation": float3(&pose.p) });
        if !soft {
            node["rotation"] = json!(quaternion(&pose));
        }
        let number = self.nodes.len();
        self.nodes.push(Value::Null);
        let entries = if soft { entries(body, &self.frames) } else { Vec::new() };
        let mut children = Vec::new();
        for part in &body.parts {
            let material = self.material(body.colour, part.look);
            let mesh = match soft {
                true => self.soft_mesh(&part.on_body(&film.meshes[part.mesh]), material, body, &entries),
                false => self.mesh(&film.meshes[part.mesh], part.mesh, material),
            };
            let Some(mesh) = mesh else { continue };
            let mut child = json!({ "name": format!("{}/{}", body.name, part.name), "mesh": mesh });
            if !soft && !is_identity(&part.pose) {
                child["matrix"] = json!(matrix(&part.pose));
            }
            self.nodes.push(child);
            children.push(self.nodes.len() - 1);
        }
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        self.nodes[number] = node;
        if let (Motion::Moving(_), Some(times)) = (&body.motion, self.times) {
            self.animate(body, number, times, soft);
            if soft {
                children.iter().for_each(|child| self.bend(body, *child, times, &entries));
            }
        }
        number
    }

    fn channel(&mut self, node: usize, path: &str, times: usize, output: usize) {
        self.samplers.push(json!({ "input": times, "output": output, "interpolation": "LINEAR" }));
        let sampler = self.samplers.len() - 1;
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    /// Adds the animation of a body's translation, and of its rotation if it does not deform.
    fn animate(&mut self, body: &FilmBody, node: usize, times: usize, soft: bool) {
        let poses: Vec<Pose> = self.frames.iter().map(|f| body.motion.pose(*f)).collect();
        let positions: Vec<[f32; 3]> = poses.iter().map(|pose| float3(&pose.p)).collect();
        let output = self.buffer.vectors(&positions);
        self.channel(node, "translation", times, output);
        if soft {
            return;
        }
        let mut turns: Vec<[f32; 4]> = poses.iter().map(quaternion).collect();
        // q and −q are the same rotation: the one nearer to the previous frame avoids a full turn between frames
        for i in 1..turns.len() {
            let dot: f32 = (0..4).map(|k| turns[i][k] * turns[i - 1][k]).sum();
            if dot < 0.0 {
                turns[i] = turns[i].map(|x| -x);
            }
        }
        let output = self.buffer.quaternions(&turns);
        self.channel(node, "rotation", times, output);
    }

    /// Adds the weights of the morph targets over time.
    fn bend(&mut self, body: &FilmBody, node: usize, times: usize, entries: &[(usize, usize)]) {
        if entries.is_empty() {
            return;
        }
        let all: Vec<f32> = self.frames.iter().flat_map(|frame| weights(body, *frame, entries)).collect();
        let output = self.buffer.scalars_without_range(&all);
        self.channel(node, "weights", times, output);
    }

    fn material(&mut self, colour: Option<usize>, look: Look) -> usize {
        let both_sides = look != Look::Solid;
        let key = (colour.map_or(COLOURS.len(), |c| c % COLOURS.len()), both_sides);
        if let Some(known) = self.known_materials.get(&key) {
            return *known;
        }
        let [r, g, b] = COLOURS.get(key.0).copied().unwrap_or(GROUND);
        let name = if key.0 < COLOURS.len() { format!("colour {}", key.0 + 1) } else { "ground".to_owned() };
        self.materials.push(json!({
            "name": if both_sides { format!("{name}, both sides") } else { name },
            "doubleSided": both_sides,
            "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.6 },
        }));
        self.known_materials.insert(key, self.materials.len() - 1);
        self.materials.len() - 1
    }

    /// Adds a mesh of a rigid body, once for all parts that use it; `None` if it has no triangles.
    fn mesh(&mut self, mesh: &Mesh, number: usize, material: usize) -> Option<usize> {
        if let Some(known) = self.known_meshes.get(&(number, material)) {
            return Some(*known);
        }
        let triangles = triangles(mesh)?;
        let vertices: Vec<[f32; 3]> = mesh.vertices.iter().map(|v| v.map(|x| x as f32)).collect();
        let mut attributes = json!({ "POSITION": self.buffer.positions(&vertices) });
        if mesh.normals.len() == vertices.len() {
            let unit = |n: &[f64; 3]| float3(&Vec3::from(*n).try_normalize(0.0).unwrap_or_else(Vec3::z));
            let normals: Vec<[f32; 3]> = mesh.normals.iter().map(unit).collect();
            attributes["NORMAL"] = json!(self.buffer.attributes(&normals));
        }
        let indices = self.buffer.indices(&triangles);
        self.meshes.push(json!({
            "primitives": [{ "attributes": attributes, "indices": indices, "material": material }],
        }));
        self.known_meshes.insert((number, material), self.meshes.len() - 1);
        Some(self.meshes.len() - 1)
    }

    /// Adds a mesh of a body that deforms, in the body's frame. It has no normals, because they are not linear in F; the program
    /// that draws it computes them.
    fn soft_mesh(
        &mut self,
        mesh: &Mesh,
        material: usize,
        body: &FilmBody,
        entries: &[(usize, usize)],
    ) -> Option<usize> {
        let triangles = triangles(mesh)?;
        let vertices: Vec<[f32; 3]> = mesh.vertices.iter().map(|v| v.map(|x| x as f32)).collect();
        let position = self.buffer.positions(&vertices);
        let mut targets = Vec::new();
        for &(i, j) in entries {
            let moved = |v: &[f32; 3]| {
                let mut by = [0.0; 3];
                by[i] = v[j];
                by
            };
            let all: Vec<[f32; 3]> = vertices.iter().map(moved).collect();
            targets.push(json!({ "POSITION": self.buffer.positions(&all) }));
        }
        let indices = self.buffer.indices(&triangles);
        let mut primitive =
            json!({ "attributes": { "POSITION": position }, "indices": indices, "material": material });
        let mut out = json!({});
        if !targets.is_empty() {
            primitive["targets"] = json!(targets);
            out["weights"] = json!(weights(body, self.frames.first().copied().unwrap_or(0), entries));
            let names: Vec<String> = entries.iter().map(|(i, j)| format!("F{}{}", i + 1, j + 1)).collect();
            out["extras"] = json!({ "targetNames": names });
        }
        out["primitives"] = json!([primitive]);
        self.meshes.push(out);
        Some(self.meshes.len() - 1)
    }

    fn finish(self) -> Vec<u8> {
        let root = self.nodes.len() - 1;
        let mut json = json!({
            "asset": { "version": "2.0", "generator": concat!("carom ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "name": if self.title.is_empty() { "scene" } else { &self.title }, "nodes": [root] }],
            "nodes": self.nodes,
        });
        if !self.meshes.is_empty() {
            json["meshes"] = json!(self.meshes);
            json["materials"] = json!(self.materials);
        }
        if !self.channels.is_empty() {
            json["animations"] =
                json!([{ "name": "run", "channels": self.channels, "samplers": self.samplers }]);
        }
        self.buffer.file(json)
    }
}

/// Returns the entries of F that differ from the unit tensor in any frame.
fn entries(body: &FilmBody, frames: &[usize]) -> Vec<(usize, usize)> {
    let all = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
    all.filter(|e| frames.iter().any(|f| weights(body, *f, &[*e]) != [0.0])).collect()
}

/// Returns the entries of F − 1 at a frame.
fn weights(body: &FilmBody, frame: usize, entries: &[(usize, usize)]) -> Vec<f32> {
    let r = body.motion.pose(frame).r;
    entries.iter().map(|&(i, j)| (r[(i, j)] - f64::from(u8::from(i == j))) as f32).collect()
}

/// Returns the triangles with three different vertices; `None` if there are none, or if a vertex is not finite.
fn triangles(mesh: &Mesh) -> Option<Vec<u32>> {
    let real = |t: &&[u32; 3]| t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
    let all: Vec<u32> = mesh.triangles.iter().filter(real).flatten().copied().collect();
    let finite = mesh.vertices.iter().flatten().all(|x| x.is_finite());
    (!all.is_empty() && finite).then_some(all)
}

fn float3(v: &Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32].map(|x| if x.is_finite() { x } else { 0.0 })
}

/// Returns a rotation as x, y, z, w in single precision.
fn quaternion(pose: &Pose) -> [f32; 4] {
    let r = nalgebra::Rotation3::from_matrix_unchecked(pose.r);
    let q = nalgebra::UnitQuaternion::from_rotation_matrix(&r);
    let all = [q.i, q.j, q.k, q.w];
    if all.iter().all(|x| x.is_finite()) { all.map(|x| x as f32) } else { [0.0, 0.0, 0.0, 1.0] }
}

fn is_identity(pose: &Pose) -> bool {
    pose.p == Vec3::zeros() && pose.r == carom::base::Mat3::identity()
}

/// Returns the pose as a 4 × 4 matrix, column by column.
fn matrix(pose: &Pose) -> [f64; 16] {
    let column = |j: usize| [pose.r[(0, j)], pose.r[(1, j)], pose.r[(2, j)], 0.0];
    let [a, b, c] = [column(0), column(1), column(2)];
    let d = [pose.p.x, pose.p.y, pose.p.z, 1.0];
    let mut all = [0.0; 16];
    for (out, x) in all.iter_mut().zip([a, b, c, d].iter().flatten()) {
        *out = *x;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::film::Part;
    use crate::{Deformed, Rotation};

    fn body(name: &str, rotation: Option<Rotation>, deformation: Option<Deformed>) -> FilmBody {
        let (position, velocity) = (vec![[0.0; 3], [0.0, 0.0, 2.0]], vec![[0.0; 3]; 2]);
        let track = Track { name: name.to_owned(), position, velocity, rotation, deformation };
        let part = Part {
            name: "shape".to_owned(),
            kind: "mesh",
            mesh: 0,
            pose: Pose::identity(),
            look: Look::Solid,
            slices: Vec::new(),
        };
        FilmBody {
            name: name.to_owned(),
            parts: vec![part],
            motion: Motion::Moving(track),
            colour: Some(0),
            free: true,
        }
    }

    /// Returns the JSON of a file, and its numbers.
    fn read(file: &[u8]) -> (Value, Vec<f32>) {
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
        let (size, start) = (word(12), 28 + word(12));
        assert_eq!((&file[16..20], &file[24 + size..start], size % 4), (&b"JSON"[..], &b"BIN\0"[..], 0));
        assert_eq!(word(20 + size), file.len() - start);
        let numbers = file[start..].chunks(4).map(|c| f32::from_le_bytes(c.try_into().unwrap()));
        (serde_json::from_slice(&file[20..20 + size]).unwrap(), numbers.collect())
    }

    fn numbers<'n>(json: &Value, all: &'n [f32], accessor: &Value) -> &'n [f32] {
        let a = &json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &json["bufferViews"][a["bufferView"].as_u64().unwrap() as usize];
        let [at, length] = ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap() as usize / 4);
        &all[at..at + length]
    }

    #[test]
    fn nodes_turn_and_bend_as_bodies_do() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let turned = Rotation {
            quaternion: vec![[1.0, 0.0, 0.0, 0.0], [-half, 0.0, 0.0, -half]],
            angular_velocity: vec![[0.0; 3]; 2],
        };
        // a shear along x, which no rotation and scale can represent
        let (unit, shear) =
            ([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], [1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        let sheared = Deformed { f: vec![unit, shear], f_dot: vec![[0.0; 9]; 2] };
        let mesh = Mesh {
            vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]; 3],
            triangles: vec![[0, 1, 2], [1, 1, 2]],
        };
        let film = Film {
            t: vec![5.0, 5.5],
            meshes: vec![mesh],
            bodies: vec![body("wheel", Some(turned), None), body("jelly", None, Some(sheared))],
            ..Film::default()
        };
        let (json, all) = read(&Document::of(&film).finish());
        let animation = &json["animations"][0];
        let paths: Vec<&str> = animation["channels"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["target"]["path"].as_str().unwrap())
            .collect();
        assert_eq!(paths, ["translation", "rotation", "translation", "weights"]);
        let output = |i: usize| numbers(&json, &all, &animation["samplers"][i]["output"]);
        assert_eq!(numbers(&json, &all, &animation["samplers"][0]["input"]), [0.0, 0.5]);
        assert_eq!(output(0), [0.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
        // x, y, z, w; the nearer of q and −q
        assert!(
            output(1)
                .iter()
                .zip([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half])
                .all(|(a, b)| (f64::from(*a) - b).abs() < 1e-7)
        );
        // only F12 changes: a target that moves (0, 2, 0) to (2, 2, 0), with the weight 1/2
        assert_eq!(output(3), [0.0, 0.5]);
        let soft = &json["meshes"][1];
        assert_eq!(soft["extras"]["targetNames"], json!(["F12"]));
        let target = &soft["primitives"][0]["targets"][0]["POSITION"];
        assert_eq!(numbers(&json, &all, target), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        // triangles with equal vertices are left out
        assert_eq!(
            json["accessors"][json["meshes"][0]["primitives"][0]["indices"].as_u64().unwrap() as usize]["count"],
            3
        );
    }
}
