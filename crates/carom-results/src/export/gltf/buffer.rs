//! Stores the numbers of a glTF file, and writes them with its JSON to a GLB file.

use serde_json::{Value, json};

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// The numbers, with their positions in the buffer and their types.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        // all numbers have four bytes, so that every view begins at a multiple of four
        self.bytes.extend(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, view: usize, component: u32, count: usize, kind: &str) -> usize {
        self.accessors
            .push(json!({ "bufferView": view, "componentType": component, "count": count, "type": kind }));
        self.accessors.len() - 1
    }

    fn floats<const N: usize>(&mut self, x: &[[f32; N]], target: Option<u32>, kind: &str) -> usize {
        let bytes: Vec<u8> = x.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, target);
        self.accessor(view, FLOAT, x.len(), kind)
    }

    /// Adds vectors with the least and greatest value of every component, as required for vertices and times.
    fn ranged<const N: usize>(&mut self, x: &[[f32; N]], target: Option<u32>, kind: &str) -> usize {
        let number = self.floats(x, target, kind);
        let over = |k: usize, pick: fn(f32, f32) -> f32| x.iter().map(|v| v[k]).reduce(pick).unwrap_or(0.0);
        let low: Vec<f32> = (0..N).map(|k| over(k, f32::min)).collect();
        let high: Vec<f32> = (0..N).map(|k| over(k, f32::max)).collect();
        self.accessors[number]["min"] = json!(low);
        self.accessors[number]["max"] = json!(high);
        number
    }

    /// Adds positions of vertices, or their displacements by a morph target.
    pub(super) fn positions(&mut self, x: &[[f32; 3]]) -> usize {
        self.ranged(x, Some(VERTICES), "VEC3")
    }

    /// Adds other vectors of vertices, such as normals.
    pub(super) fn attributes(&mut self, x: &[[f32; 3]]) -> usize {
        self.floats(x, Some(VERTICES), "VEC3")
    }

    /// Adds the vertex indices of triangles.
    pub(super) fn indices(&mut self, x: &[u32]) -> usize {
        let bytes: Vec<u8> = x.iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(INDICES));
        self.accessor(view, UNSIGNED_INT, x.len(), "SCALAR")
    }

    /// Adds times.
    pub(super) fn scalars(&mut self, x: &[f32]) -> usize {
        let rows: Vec<[f32; 1]> = x.iter().map(|x| [*x]).collect();
        self.ranged(&rows, None, "SCALAR")
    }

    /// Adds weights of morph targets.
    pub(super) fn scalars_without_range(&mut self, x: &[f32]) -> usize {
        let rows: Vec<[f32; 1]> = x.iter().map(|x| [*x]).collect();
        self.floats(&rows, None, "SCALAR")
    }

    /// Adds positions over time.
    pub(super) fn vectors(&mut self, x: &[[f32; 3]]) -> usize {
        self.floats(x, None, "VEC3")
    }

    /// Adds rotations over time.
    pub(super) fn quaternions(&mut self, x: &[[f32; 4]]) -> usize {
        self.floats(x, None, "VEC4")
    }

    /// Returns the file: the JSON with the description of the numbers, and the numbers.
    pub(super) fn file(self, mut json: Value) -> Vec<u8> {
        if !self.bytes.is_empty() {
            json["accessors"] = json!(self.accessors);
            json["bufferViews"] = json!(self.views);
            json["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        }
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut out = b"glTF".to_vec();
        let chunks = if self.bytes.is_empty() { 0 } else { 8 + self.bytes.len() };
        let length = 12 + 8 + text.len() + chunks;
        for x in [2, length as u32, text.len() as u32] {
            out.extend(x.to_le_bytes());
        }
        out.extend(b"JSON");
        out.extend(text);
        if !self.bytes.is_empty() {
            out.extend((self.bytes.len() as u32).to_le_bytes());
            out.extend(b"BIN\0");
            out.extend(self.bytes);
        }
        out
    }
}
