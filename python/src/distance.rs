//! Distances between surfaces, one or many at a time.

use carom::base::{Mat3, Vec3};
use carom::geometry::{BoundPair, Pose};
use carom_scene::query;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::error;

/// Two surfaces, bound to the algorithm that knows them.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Pair {
    pair: Box<dyn BoundPair>,
}

/// Distances, whether they were found, points on a, points on b, normals.
type Found<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
);

/// What was found, in columns.
#[derive(Default)]
struct Columns {
    distance: Vec<f64>,
    found: Vec<bool>,
    /// points on a, points on b, normals
    vectors: [Vec<f64>; 3],
}

#[pymethods]
impl Pair {
    /// `request`: JSON with `a`, `b` and `solver`, as `carom query` takes it.
    #[new]
    fn new(request: &str) -> PyResult<Pair> {
        Ok(Pair { pair: query::bind(request.as_bytes()).map_err(error::geometry)? })
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
        let array = |values: Vec<f64>| PyArray1::from_vec(py, values).reshape([n, 3]);
        let [a, b, normals] = columns.vectors;
        Ok((
            PyArray1::from_vec(py, columns.distance),
            PyArray1::from_vec(py, columns.found),
            array(a)?,
            array(b)?,
            array(normals)?,
        ))
    }
}

impl Pair {
    fn all(&self, n: usize, [a, b]: &[Rows<'_>; 2]) -> Result<Columns, String> {
        let mut out = Columns::default();
        let (fixed_a, fixed_b) = (a.fixed()?, b.fixed()?);
        for i in 0..n {
            let at = |e: String| format!("row {i}: {e}");
            let x_a = fixed_a.map_or_else(|| a.pose(i).map_err(at), Ok)?;
            let x_b = fixed_b.map_or_else(|| b.pose(i).map_err(at), Ok)?;
            let found = self.pair.search(&x_a, &x_b, None);
            out.found.push(found.is_ok());
            let nowhere = Vec3::repeat(f64::NAN);
            let (distance, vectors) = match found {
                // + 0: no minus before a zero
                Ok(f) => (0.0 - f.contact.delta, [f.contact.p_a, f.contact.p_b, f.contact.n]),
                Err(_) => (f64::NAN, [nowhere; 3]),
            };
            out.distance.push(distance);
            for (column, v) in out.vectors.iter_mut().zip(vectors) {
                column.extend(v.iter().map(|x| x + 0.0));
            }
        }
        Ok(out)
    }
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
    carom::geometry::surfaces::ALL.iter().map(entry).collect()
}
