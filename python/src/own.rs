//! Laws, forces, surfaces and curves in time that are Python functions.

use std::fmt::Debug;
use std::sync::Arc;

use carom::base::Vec3;
use carom::geometry::{Region, surfaces::LevelFunction};
use carom::law::{FrictionFunction, NormalFunction};
use carom::{LineFunction, Series};
use carom_scene::Own;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyFloat, PyTuple};

use crate::error::{self, Raised};

/// A function of the user. It gives NaN once any of them has raised: the step then fails, and the run with it.
struct Function {
    function: Py<PyAny>,
    /// its place in the scene
    place: String,
    raised: Arc<Raised>,
}

impl Function {
    fn call<A>(&self, arguments: A) -> f64
    where
        A: for<'py> IntoPyObject<'py, Target = PyTuple> + Copy + Debug,
        for<'py> A: pyo3::call::PyCallArgs<'py>,
    {
        let called = |()| Python::attach(|py| fine(&self.function.bind(py).call1(arguments)?));
        let Some(value) = self.raised.unless(called) else { return f64::NAN };
        if !value.is_finite() {
            self.note(&arguments, &value);
        }
        value
    }

    /// Notes that it gave a number that is not finite: should the run fail of it, this is why.
    fn note(&self, arguments: &dyn Debug, gave: &dyn Debug) {
        self.raised.note(format!("the function at {} gave {gave:?} for {arguments:?}", self.place));
    }

    fn friction(&self, f_n: f64, v: &Vec3) -> Vec3 {
        self.vector((f_n, (v.x, v.y, v.z)))
    }

    fn vector<A>(&self, arguments: A) -> Vec3
    where
        for<'py> A: pyo3::call::PyCallArgs<'py> + Copy + Debug,
    {
        let called = |()| {
            Python::attach(|py| {
                let gave = self.function.bind(py).call1(arguments)?;
                let numbers = gave.try_iter()?.map(|x| fine(&x?)).collect::<PyResult<Vec<f64>>>()?;
                <[f64; 3]>::try_from(numbers).map_err(|gave| {
                    PyValueError::new_err(format!("a function gives {} numbers; allowed: 3", gave.len()))
                })
            })
        };
        let Some(values) = self.raised.unless(called) else { return Vec3::repeat(f64::NAN) };
        if !values.iter().all(|x| x.is_finite()) {
            self.note(&arguments, &values);
        }
        Vec3::from(values)
    }
}

/// The number that a function gives. A complex one is refused, though NumPy would take its real part.
pub(crate) fn real(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    if let Ok(x) = value.cast_exact::<PyFloat>() {
        return Ok(x.value());
    }
    if value.is_instance_of::<PyComplex>() {
        return Err(PyTypeError::new_err(format!("a function gives {value}; allowed: a real number")));
    }
    value.extract()
}

/// The number that a law gives: a coarse one would leave steps no room above its rounding.
fn fine(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    if !value.is_instance_of::<PyFloat>() {
        let kind = value.get_type().name()?;
        if kind == "float32" || kind == "float16" {
            let text = format!("a function gives {kind}; allowed: float, or NumPy's float64");
            return Err(PyTypeError::new_err(text));
        }
    }
    real(value)
}

/// What a scene gets from Python, under the names it asks by.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Functions {
    pub(crate) own: Own,
    pub(crate) raised: Arc<Raised>,
}

/// Name, function, energy or None, stiffness, exponent, whether elastic, whether it lets go early.
type NormalGiven = (String, Py<PyAny>, Option<Py<PyAny>>, f64, f64, bool, bool);
/// Name, function, width, whether it works on vectors.
type FrictionGiven = (String, Py<PyAny>, f64, bool);
/// Name, function, energy or None, reference, whether elastic.
type ForceGiven = (String, Py<PyAny>, Option<Py<PyAny>>, f64, bool);
/// Name, function, gradient or None, least and greatest corner of the box.
type SurfaceGiven = (String, Py<PyAny>, Option<Py<PyAny>>, [f64; 3], [f64; 3]);
/// Name, function, kinks.
type CourseGiven = (String, Py<PyAny>, Vec<f64>);

#[pymethods]
impl Functions {
    #[new]
    fn new(
        normal: Vec<NormalGiven>,
        friction: Vec<FrictionGiven>,
        forces: Vec<ForceGiven>,
        surfaces: Vec<SurfaceGiven>,
        courses: Vec<CourseGiven>,
    ) -> PyResult<Functions> {
        let raised = Arc::new(Raised::default());
        let of = |function: Py<PyAny>, name: &str| {
            let place = name.strip_prefix("scene/").unwrap_or(name).to_owned();
            Function { function, place, raised: raised.clone() }
        };
        let mut own = Own::default();
        for (name, function, energy, stiffness, exponent, elastic, early) in normal {
            let force = of(function, &name);
            let mut law = NormalFunction::new(stiffness, exponent, move |x, v, v0| force.call((x, v, v0)));
            if let Some(energy) = energy.map(|f| of(f, &name)) {
                law = law.energy_by(move |x| energy.call((x,)));
            }
            law = if elastic { law.elastic() } else { law };
            law = if early { law.lets_go_early() } else { law };
            own = own.with_normal(&name, Arc::new(law));
        }
        for (name, function, width, vector) in friction {
            let force = of(function, &name);
            let law = match vector {
                true => FrictionFunction::new(move |f_n, v| force.friction(f_n, v)),
                false => FrictionFunction::isotropic(move |f_n, speed| force.call((f_n, speed))),
            };
            own = own.with_friction(&name, Arc::new(law.width(width)));
        }
        for (name, function, energy, reference, elastic) in forces {
            let tension = of(function, &name);
            let mut law = LineFunction::new(reference, move |l, rate| tension.call((l, rate)));
            if let Some(energy) = energy.map(|f| of(f, &name)) {
                law = law.energy_by(move |l| energy.call((l,)));
            }
            own = own.with_force(&name, Arc::new(if elastic { law.elastic() } else { law }));
        }
        for (name, function, gradient, min, max) in surfaces {
            let within = Region::new(min, max).map_err(error::geometry)?;
            let (level, gradient) = (of(function, &name), gradient.map(|f| of(f, &name)));
            let value = move |x: &Vec3| level.call((x.x, x.y, x.z));
            let made = match gradient {
                None => LevelFunction::new(within, value),
                Some(slope) => {
                    LevelFunction::with_gradient(within, value, move |x| slope.vector((x.x, x.y, x.z)))
                }
            };
            // what the function raised goes before what came of it
            if let Some(raised) = raised.take() {
                return Err(raised);
            }
            let made = made.map_err(|e| error::geometry(format!("{name}: {e}")))?;
            own = own.with_surface(&name, Arc::new(made));
        }
        for (name, function, kinks) in courses {
            let value = of(function, &name);
            own = own.with_course_for(&name, move |end| {
                Ok(Arc::new(Series::new(0.0, end, &kinks, |t| value.call((t,)))?))
            });
        }
        Ok(Functions { own, raised })
    }
}
