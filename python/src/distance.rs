//! Distances between surfaces, one or many at a time.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use carom::base::{Mat3, Vec3};
use carom::geometry::{BoundPair, Pose};
use carom_studies::query;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::error::{self, Raised};
use crate::own::Functions;

/// Fewer rows than these are not worth a thread.
const WORTH: usize = 2000;

/// Two surfaces, bound to the algorithm that knows them.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Pair {
    pair: Box<dyn BoundPair>,
    /// what surfaces that are Python functions raise
    raised: Option<Arc<Raised>>,
}

/// Distances, whether they were found, points on a, points on b, normals, and the algorithms that found them.
type Found<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    String,
);

/// What was found, in columns.
struct Columns {
    distance: Vec<f64>,
    found: Vec<bool>,
    /// points on a, points on b, normals
    vectors: [Vec<[f64; 3]>; 3],
    /// who found it
    methods: Vec<&'static str>,
}

/// Some rows of them.
struct Part<'c> {
    first: usize,
    distance: &'c mut [f64],
    found: &'c mut [bool],
    vectors: [&'c mut [[f64; 3]]; 3],
    methods: &'c mut [&'static str],
}

#[pymethods]
impl Pair {
    /// `request`: JSON with `a`, `b` and `solver`, as `carom query` takes it, and the surfaces in it that are functions.
    #[new]
    fn new(py: Python<'_>, request: &str, functions: Option<&Bound<'_, Functions>>) -> PyResult<Pair> {
        let (own, raised) =
            functions.map_or_else(Default::default, |f| (f.get().own.clone(), Some(f.get().raised.clone())));
        let bound = py.detach(|| query::bind_with(request.as_bytes(), &own));
        if let Some(raised) = raised.as_ref().and_then(|r| r.take()) {
            return Err(raised);
        }
        Ok(Pair { pair: bound.map_err(error::geometry)?, raised })
    }

    /// The algorithm.
    #[getter]
    fn method(&self) -> &'static str {
        self.pair.solver()
    }

    /// Positions [m] and unit quaternions (w, x, y, z) of both, rows of arrays of n rows or of one.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        position_a: PyReadonlyArray2<'py, f64>,
        quaternion_a: PyReadonlyArray2<'py, f64>,
        position_b: PyReadonlyArray2<'py, f64>,
        quaternion_b: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Found<'py>> {
        let given = [&position_a, &quaternion_a, &position_b, &quaternion_b];
        let mut slices = [&[][..]; 4];
        for (slice, array) in slices.iter_mut().zip(given) {
            *slice = array.as_slice()?;
        }
        let [p_a, q_a, p_b, q_b] = slices;
        let of_rows = [Rows::of(p_a, q_a), Rows::of(p_b, q_b)];
        let n =
            of_rows.iter().map(|rows| rows.positions.len().max(rows.quaternions.len())).max().unwrap_or(1);
        let n = if slices.iter().any(|slice| slice.is_empty()) { 0 } else { n };
        let columns = py.detach(|| self.all(n, &of_rows)).map_err(error::geometry)?;
        if let Some(raised) = self.raised.as_ref().and_then(|r| r.take()) {
            return Err(raised);
        }
        let array = |values: Vec<[f64; 3]>| PyArray1::from_vec(py, values.into_flattened()).reshape([n, 3]);
        let mut methods: Vec<&str> = Vec::new();
        for method in columns.methods {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        let methods = methods.join(", ");
        let [a, b, normals] = columns.vectors;
        Ok((
            PyArray1::from_vec(py, columns.distance),
            PyArray1::from_vec(py, columns.found),
            array(a)?,
            array(b)?,
            array(normals)?,
            methods,
        ))
    }
}

impl Pair {
    /// All rows, on all cores if they are many.
    fn all(&self, n: usize, rows: &[Rows<'_>; 2]) -> Result<Columns, String> {
        let vectors = || vec![[f64::NAN; 3]; n];
        let mut out = Columns {
            distance: vec![f64::NAN; n],
            found: vec![false; n],
            vectors: [vectors(), vectors(), vectors()],
            methods: vec![self.pair.solver(); n],
        };
        // Python functions wait for one another; and asking how many cores there are takes longer than a few rows
        let cores = if self.raised.is_some() || n <= WORTH { 1 } else { cores() };
        let each = n.div_ceil(cores).max(WORTH);
        let mut parts = out.parts(each);
        if parts.len() <= 1 {
            parts.iter_mut().try_for_each(|part| self.some(part, rows))?;
            return Ok(out);
        }
        let done: Vec<Result<(), String>> = thread::scope(|scope| {
            let threads: Vec<_> =
                parts.iter_mut().map(|part| scope.spawn(|| self.some(part, rows))).collect();
            let lost = |_| Err("a thread was lost".to_owned());
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(lost)).collect()
        });
        done.into_iter().collect::<Result<(), String>>()?;
        Ok(out)
    }

    fn some(&self, part: &mut Part<'_>, [a, b]: &[Rows<'_>; 2]) -> Result<(), String> {
        let (fixed_a, fixed_b) = (a.fixed()?, b.fixed()?);
        for i in 0..part.distance.len() {
            let row = part.first + i;
            let at = |e: String| format!("row {row}: {e}");
            let x_a = fixed_a.map_or_else(|| a.pose(row).map_err(at), Ok)?;
            let x_b = fixed_b.map_or_else(|| b.pose(row).map_err(at), Ok)?;
            let Ok((c, method)) = self.pair.closest_by(&x_a, &x_b) else { continue };
            part.methods[i] = method;
            part.found[i] = true;
            // + 0: no minus before a zero
            part.distance[i] = 0.0 - c.delta;
            for (column, v) in part.vectors.iter_mut().zip([c.p_a, c.p_b, c.n]) {
                column[i] = (v + Vec3::repeat(0.0)).into();
            }
        }
        Ok(())
    }
}

impl Columns {
    /// Parts of so many rows.
    fn parts(&mut self, each: usize) -> Vec<Part<'_>> {
        let Columns { distance, found, vectors: [a, b, n], methods } = self;
        let of_vectors = a.chunks_mut(each).zip(b.chunks_mut(each)).zip(n.chunks_mut(each));
        let all = distance
            .chunks_mut(each)
            .zip(found.chunks_mut(each))
            .zip(methods.chunks_mut(each))
            .zip(of_vectors);
        let part = |(i, (((distance, found), methods), ((a, b), n)))| Part {
            first: i * each,
            distance,
            found,
            vectors: [a, b, n],
            methods,
        };
        all.enumerate().map(part).collect()
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Positions and quaternions, n of them or one for all.
struct Rows<'a> {
    positions: &'a [[f64; 3]],
    quaternions: &'a [[f64; 4]],
}

impl<'a> Rows<'a> {
    fn of(positions: &'a [f64], quaternions: &'a [f64]) -> Rows<'a> {
        Rows { positions: positions.as_chunks().0, quaternions: quaternions.as_chunks().0 }
    }

    fn pose(&self, i: usize) -> Result<Pose, String> {
        let of = |len: usize| if len == 1 { 0 } else { i };
        let p = self.positions.get(of(self.positions.len())).copied().unwrap_or_default();
        let q = self.quaternions.get(of(self.quaternions.len())).copied().unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let r: Mat3 = if q == [1.0, 0.0, 0.0, 0.0] { Mat3::identity() } else { query::rotation(q)? };
        Ok(Pose { p: p.into(), r })
    }

    /// The pose, if it is the same in all rows.
    fn fixed(&self) -> Result<Option<Pose>, String> {
        match self.positions.len() == 1 && self.quaternions.len() == 1 {
            true => self.pose(0).map(Some),
            false => Ok(None),
        }
    }
}

/// The surfaces there are: name, what it is, and its parameters with what they are.
#[pyfunction]
pub(crate) fn surfaces() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let entry = |e: &carom::base::Entry<_>| (e.name, e.summary, e.params.iter().map(|p| p.name).collect());
    let mesh = carom_scene::MESH_SURFACE;
    let mesh = (mesh.name, mesh.summary, mesh.params.iter().map(|p| p.name).collect());
    carom::geometry::surfaces::ALL.iter().map(entry).chain([mesh]).collect()
}

/// The answer to a line of `carom query`, as JSON.
#[pyfunction]
pub(crate) fn answer(py: Python<'_>, line: &str) -> String {
    let mut out = Vec::new();
    py.detach(|| query::Query::default().answer(line.as_bytes(), &mut out));
    String::from_utf8_lossy(&out).into_owned()
}
