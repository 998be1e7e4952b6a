//! The bodies of a crowd, and the step.

use carom_base::Vec3;
use carom_base::snapshot::{Carried, Reader, SnapshotError, Writer};
use rayon::prelude::*;

use crate::sums::CHUNK;
use crate::threads::threads;

/// What contacts need to know of a body: together in memory, as they are read together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// centre of mass [m]
    pub x: Vec3,
    /// velocity [m/s]: while forces are computed, the one that is predicted for the end of the step
    pub v: Vec3,
    /// angular velocity [rad/s], likewise
    pub w: Vec3,
    /// radius of a ball; 0 of other bodies [m]
    pub r: f64,
}

carom_base::plain!(Place { x, v, w, r });

/// The resultant force and torque on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// force [N]
    pub force: Vec3,
    /// torque about the centre of mass [N m]
    pub torque: Vec3,
}

carom_base::plain!(Load { force, torque });

/// The accelerations of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Response {
    /// acceleration of the centre of mass [m/s²]
    pub linear: Vec3,
    /// angular acceleration [rad/s²]
    pub angular: Vec3,
}

carom_base::plain!(Response { linear, angular });

/// What the steps of a body need besides its place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Course {
    /// whether forces move it
    moves: bool,
    /// its orientation, a quaternion (w, x, y, z)
    q: [f64; 4],
    /// velocities in the middle of the step
    v: Vec3,
    w: Vec3,
    /// accelerations at the start of the step
    a: Response,
}

carom_base::plain!(Course { moves, q, v, w, a });

/// Bodies in motion.
///
/// ```
/// use carom_base::Vec3;
/// use carom_crowd::{Crowd, Place, Response};
/// let mut crowd = Crowd::default();
/// let still = Place { x: Vec3::zeros(), v: Vec3::zeros(), w: Vec3::zeros(), r: 0.1 };
/// crowd.push(still, [1.0, 0.0, 0.0, 0.0], true);
/// let falls = |_: usize, _: &Place, _: &[f64; 4], _: &carom_crowd::Load| Response {
///     linear: Vec3::new(0.0, 0.0, -10.0),
///     angular: Vec3::zeros(),
/// };
/// crowd.settle(&falls);
/// for _ in 0..10 {
///     crowd.begin_step(0.1);
///     crowd.end_step(0.1, &falls);
/// }
/// assert!((crowd.places()[0].x.z + 5.0).abs() < 1e-14); // g t²/2
/// ```
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    places: Vec<Place>,
    courses: Vec<Course>,
    loads: Vec<Load>,
}

impl Carried for Crowd {
    fn save(&self, to: &mut Writer) {
        let Crowd { places, courses, loads } = self;
        places.save(to);
        courses.save(to);
        loads.save(to);
    }

    /// Restores bodies; they have to be as many as there are.
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let many = self.places.len();
        self.places.restore(from)?;
        self.courses.restore(from)?;
        self.loads.restore(from)?;
        let fits = [self.places.len(), self.courses.len(), self.loads.len()] == [many; 3];
        if fits { Ok(()) } else { Err(SnapshotError::OtherModel) }
    }
}

impl Crowd {
    /// Adds a body with its orientation, a quaternion (w, x, y, z); one that forces do not `move` stays where it is put.
    pub fn push(&mut self, place: Place, q: [f64; 4], moves: bool) {
        self.places.push(place);
        self.courses.push(Course { moves, q, v: place.v, w: place.w, a: Response::default() });
        self.loads.push(Load::default());
    }

    /// Returns the places of the bodies.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Returns the orientation of a body: a quaternion (w, x, y, z).
    pub fn orientation(&self, body: usize) -> [f64; 4] {
        self.courses[body].q
    }

    /// Returns the accelerations of a body that forces move.
    pub fn acceleration(&self, body: usize) -> Response {
        self.courses[body].a
    }

    /// Returns the place of a body that no force moves, to be put elsewhere.
    pub fn place_mut(&mut self, body: usize) -> &mut Place {
        &mut self.places[body]
    }

    /// Returns the loads.
    pub fn loads(&self) -> &[Load] {
        &self.loads
    }

    /// Returns the places, and the loads to be filled.
    pub fn split(&mut self) -> (&[Place], &mut [Load]) {
        (&self.places, &mut self.loads)
    }

    /// Takes velocities half a step of `h` [s] on, positions and orientations a whole one, and predicts the velocities at its end.
    ///
    /// The orientation is turned by the Cayley transform of the rotation h ω, which differs from it by (h ω)³/12: order 2.
    pub fn begin_step(&mut self, h: f64) {
        let begin = |(place, course): (&mut Place, &mut Course)| {
            if !course.moves {
                return;
            }
            let Response { linear, angular } = course.a;
            (course.v, course.w) = (place.v + linear * (0.5 * h), place.w + angular * (0.5 * h));
            place.x += course.v * h;
            course.q = turned(&course.q, &(course.w * (0.5 * h)));
            (place.v, place.w) = (place.v + linear * h, place.w + angular * h);
        };
        let (places, courses) = (&mut self.places, &mut self.courses);
        match threads() {
            1 => places.iter_mut().zip(courses).for_each(begin),
            _ => places.par_iter_mut().zip(courses).with_min_len(CHUNK).for_each(begin),
        }
    }

    /// Ends the step with the accelerations that its loads give, by the number of the body, its place, its orientation and its load.
    pub fn end_step<R>(&mut self, h: f64, response: &R)
    where
        R: Fn(usize, &Place, &[f64; 4], &Load) -> Response + Sync,
    {
        self.respond(
            |place, course, a| {
                course.a = a;
                (place.v, place.w) = (course.v + a.linear * (0.5 * h), course.w + a.angular * (0.5 * h));
            },
            response,
        );
    }

    /// Notes the accelerations at the start of all steps.
    pub fn settle<R>(&mut self, response: &R)
    where
        R: Fn(usize, &Place, &[f64; 4], &Load) -> Response + Sync,
    {
        self.respond(|_, course, a| course.a = a, response);
    }

    fn respond<R>(&mut self, note: impl Fn(&mut Place, &mut Course, Response) + Sync, response: &R)
    where
        R: Fn(usize, &Place, &[f64; 4], &Load) -> Response + Sync,
    {
        let each = |i: usize, place: &mut Place, course: &mut Course, load: &Load| {
            if course.moves {
                let a = response(i, place, &course.q, load);
                note(place, course, a);
            }
        };
        let all = (&mut self.places, &mut self.courses, &self.loads);
        match threads() {
            1 => {
                let bodies = all.0.iter_mut().zip(all.1).zip(all.2).enumerate();
                bodies.for_each(|(i, ((place, course), load))| each(i, place, course, load));
            }
            _ => {
                let bodies = all.0.par_iter_mut().zip(all.1).zip(all.2).enumerate().with_min_len(CHUNK);
                bodies.for_each(|(i, ((place, course), load))| each(i, place, course, load));
            }
        }
    }
}

/// Turns an orientation by the rotation whose half is `half` [rad], as the Cayley transform has it, and gives it the length 1.
fn turned(q: &[f64; 4], half: &Vec3) -> [f64; 4] {
    if *half == Vec3::zeros() {
        return *q;
    }
    let [w, x, y, z] = *q;
    let [a, b, c] = [half.x, half.y, half.z];
    // (1, u) q, u = h ω/2
    let p = [
        w - a * x - b * y - c * z,
        x + a * w + b * z - c * y,
        y + b * w + c * x - a * z,
        z + c * w + a * y - b * x,
    ];
    let scale = 1.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]).sqrt();
    p.map(|x| x * scale)
}
