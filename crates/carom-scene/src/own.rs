//! User-defined laws, forces, surfaces and curves, which a program adds to a scene because a text cannot express them.

use std::fmt;
use std::sync::Arc;

use carom::base::param::Allowed;
use carom::base::{Param, Quantity, SpecError};
use carom::geometry::Surface;
use carom::law::{Friction, Normal};
use carom::{Acting, Coordinate, Course, Line};

use crate::error::Problem;
use crate::fields::Fields;
use crate::keys::{Details, Kind};

/// The name of the kind that stands for a user-defined object.
const KIND: &str = Own::KIND;

const OBJECT: Param =
    Param::required("object", Quantity::Number, Allowed::Name, "the name under which the program gives it");

/// A user-defined law.
pub(super) const LAW: Kind = Kind {
    name: KIND,
    summary: "a law that a program gives (Rust, Python): a scene file alone cannot be run with it",
    details: Details::NONE,
    params: &[OBJECT],
};

/// A user-defined force.
pub(super) const FORCE: Kind = Kind {
    name: KIND,
    summary: "a tension by the length, a couple by the angle of a joint, or a force by a displacement of it, that a program gives (Rust, Python): a scene file alone cannot be run with it",
    details: Details::NONE,
    params: &[OBJECT, COORDINATE],
};

const ANGLE: &str = Coordinate::ANGLE.names.name;

/// The coordinate of a joint along which a force acts.
const COORDINATE: Param = Param::word(
    "coordinate",
    Coordinate::FREE,
    ANGLE,
    "which of the joint's coordinates it acts along; of a force between bodies without meaning",
);

/// A user-defined surface.
pub(super) const SURFACE: Kind = Kind {
    name: KIND,
    summary: "a surface that a program gives (Rust, Python): a scene file alone cannot be run with it",
    details: Details::NONE,
    params: &[OBJECT],
};

/// User-defined laws, forces, surfaces and curves in time, by the names under which a scene refers to them:
/// `law = "own"` or `type = "own"` with `object = "NAME"`, and `own = "NAME"` in a drive.
///
/// ```
/// use std::sync::Arc;
/// use carom::law::NormalFunction;
/// use carom_scene::{Format, Own, Scene};
/// let text = r#"
///     run = { duration = 0.2, rtol = 1e-10 }
///     body = [
///         { name = "ball", mass = 1, position = [0, 0, 0.06], surface = [{ type = "sphere", radius = 0.05 }] },
///         { name = "floor", fixed = true, surface = [{ type = "plane" }] },
///     ]
///     contact = [{ between = ["ball", "floor"], normal = { law = "own", object = "soft" } }]
/// "#;
/// let soft = NormalFunction::new(1e5, 1.0, |delta, _, _| 1e5 * delta).elastic();
/// let own = Own::default().with_normal("soft", Arc::new(soft));
/// let run = Scene::from_text_with(text, Format::Toml, "soft.toml", &[], &own)?.simulation().run()?;
/// assert_eq!(run.summary.touches, 2);
/// let error = Scene::from_text(text, Format::Toml, "soft.toml", &[]).unwrap_err();
/// assert_eq!(error.message(), "no program gives a normal law `soft`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Own {
    normal: Vec<(String, Arc<dyn Normal>)>,
    friction: Vec<(String, Arc<dyn Friction>)>,
    forces: Vec<(String, Arc<dyn Line>)>,
    surfaces: Vec<(String, Arc<dyn Surface>)>,
    courses: Vec<(String, Arc<MakeCourse>)>,
}

/// Makes a curve for a run of the given duration [s].
type MakeCourse = dyn Fn(f64) -> Result<Arc<dyn Course>, SpecError> + Send + Sync;

impl Own {
    /// The name of the kind that stands for a user-defined object, as scenes write it.
    pub const KIND: &str = "own";

    /// Adds a normal law.
    pub fn with_normal(mut self, name: &str, law: Arc<dyn Normal>) -> Own {
        self.normal.push((name.to_owned(), law));
        self
    }

    /// Adds a friction law.
    pub fn with_friction(mut self, name: &str, law: Arc<dyn Friction>) -> Own {
        self.friction.push((name.to_owned(), law));
        self
    }

    /// Adds a force: between two points as a function of their distance, about an axis as a function of the angle, or on a joint
    /// as a function of its angle or a displacement.
    pub fn with_force(mut self, name: &str, law: Arc<dyn Line>) -> Own {
        self.forces.push((name.to_owned(), law));
        self
    }

    /// Adds a surface.
    pub fn with_surface(mut self, name: &str, surface: Arc<dyn Surface>) -> Own {
        self.surfaces.push((name.to_owned(), surface));
        self
    }

    /// Adds a curve in time.
    pub fn with_course(self, name: &str, course: Arc<dyn Course>) -> Own {
        self.with_course_for(name, move |_| Ok(course.clone()))
    }

    /// Adds a curve that is made for the duration of the run [s].
    pub fn with_course_for(
        mut self,
        name: &str,
        make: impl Fn(f64) -> Result<Arc<dyn Course>, SpecError> + Send + Sync + 'static,
    ) -> Own {
        self.courses.push((name.to_owned(), Arc::new(make)));
        self
    }

    /// Returns the normal law of a table: the user-defined one if the table asks for it, else the one that `made` constructs.
    pub(super) fn normal(
        &self,
        f: &Fields,
        made: impl FnOnce() -> Result<Arc<dyn Normal>, Problem>,
    ) -> Result<Arc<dyn Normal>, Problem> {
        if is_own(f) { given(&self.normal, "normal law", f, "object") } else { made() }
    }

    /// Returns the friction law of a table: the user-defined one if the table asks for it, else the one that `made` constructs.
    pub(super) fn friction(
        &self,
        f: &Fields,
        made: impl FnOnce() -> Result<Arc<dyn Friction>, Problem>,
    ) -> Result<Arc<dyn Friction>, Problem> {
        if is_own(f) { given(&self.friction, "friction law", f, "object") } else { made() }
    }

    /// Returns the force of a table: the user-defined one if the table asks for it, else the one that `made` constructs. It acts
    /// along a line between bodies, about an axis, or along a coordinate of a joint.
    pub(super) fn force(
        &self,
        f: &Fields,
        made: impl FnOnce() -> Result<Acting, Problem>,
    ) -> Result<Acting, Problem> {
        if !is_own(f) {
            return made();
        }
        let law = given(&self.forces, "force", f, "object")?;
        let turns = f.given("axis").is_some();
        Ok(match (f.text("joint"), f.text(COORDINATE.name).unwrap_or(ANGLE)) {
            (None, _) if turns => Acting::torsion(law),
            (None, _) => Acting::line(law),
            (Some(_), ANGLE) => Acting::torsion(law),
            (Some(_), coordinate) => Acting::slide(law, coordinate),
        })
    }

    /// Returns the surface of a table: the user-defined one if the table asks for it, else the one that `made` constructs.
    pub(super) fn surface(
        &self,
        f: &Fields,
        made: impl FnOnce() -> Result<Arc<dyn Surface>, Problem>,
    ) -> Result<Arc<dyn Surface>, Problem> {
        if is_own(f) { given(&self.surfaces, "surface", f, "object") } else { made() }
    }

    /// Returns a user-defined surface by its name.
    pub fn surface_named(&self, name: &str) -> Option<Arc<dyn Surface>> {
        self.surfaces.iter().find(|(n, _)| n == name).map(|(_, surface)| surface.clone())
    }

    /// Makes the user-defined curve of a drive for the duration of the run [s].
    pub(super) fn course(&self, f: &Fields, duration: f64) -> Result<Arc<dyn Course>, Problem> {
        let make = given(&self.courses, "curve", f, "own")?;
        make(duration).map_err(|e| Problem::new(e.to_string()).at(f.span("own"), ""))
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let courses: Vec<&str> = self.courses.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Own")
            .field("normal", &self.normal)
            .field("friction", &self.friction)
            .field("forces", &self.forces)
            .field("surfaces", &self.surfaces)
            .field("courses", &courses)
            .finish()
    }
}

fn is_own(f: &Fields) -> bool {
    f.kind.as_ref().is_some_and(|kind| kind.0 == KIND)
}

fn given<T: Clone>(all: &[(String, T)], noun: &str, f: &Fields, key: &str) -> Result<T, Problem> {
    let name = f.text(key).unwrap_or_default();
    let found = all.iter().find(|(n, _)| n == name).map(|(_, object)| object.clone());
    found.ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        let problem = Problem::new(format!("no program gives a {noun} `{name}`")).at(f.span(key), "");
        let problem =
            problem.note("what is `own` is given by the program that reads the scene (Rust, Python)");
        problem.allowed(name, &known)
    })
}
