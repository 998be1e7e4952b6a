//! Crowds: many bodies that touch, in steps of one length, as codes of the discrete element method take them.
//!
//! Nothing is located and no step is repeated: a contact acts from the first step that finds it. `carom-crowd` knows who is near whom and
//! how a step goes; here are the forces, which are those of the contact rules as in every other run ([`law`]), and the books of energy
//! and momentum ([`books`]).
//!
//! Balls against balls and against flat walls have a path of their own ([`law`]), all other surfaces the pairs of the geometry ([`general`]).

mod books;
mod carried;
mod general;
mod law;
mod refused;
mod show;
mod stride;

use carom_base::{Mat3, Vec3};
use carom_crowd::{
    Ahead, AtWalls, Crowd, Load, NearPairs, Place, Response, Room, Sums, Threads, Wall, push_pairs,
    push_walls,
};
use carom_geometry::{Side, surfaces};

use crate::body::{Inertia, Rotation};
use crate::error::RunError;
use crate::model::Model;
use crate::state::{Kinematics, rotation};
use crate::world::{BodyKind, BodyModel, SurfaceModel, angular_acceleration};

pub(crate) use books::Books;
use general::{General, failed};
use law::{BallState, Laws, suits_balls};
pub(crate) use refused::refused;
pub(crate) use show::in_order;
pub(crate) use stride::stride;

/// Why a crowd ends whose bodies are nowhere.
const NOWHERE: &str = "its position is no number any more: bodies that start deep in one another are thrown apart, and so are they where steps are too long for a law";

/// The skin of the lists of neighbours, as a part of the radius of the smallest ball.
const SKIN: f64 = 0.2;

/// A model as a crowd in motion.
pub(crate) struct CrowdSystem<'m> {
    pub(crate) model: &'m Model,
    pub(crate) t: f64,
    threads: Threads,
    crowd: Crowd,
    balls: Balls,
    walls: Walls,
    general: General,
    /// the motion of all bodies, for pairs of the geometry
    k: Vec<Kinematics>,
    /// for every contact rule, whether contacts of balls under it have the path of their own
    suits: Vec<bool>,
    hefts: Vec<Heft>,
    room: Room,
    /// sums over the contacts at the end of the last step
    pub(crate) sums: Sums,
    pub(crate) books: Books,
    /// number of times that the lists were made
    pub(crate) lists: usize,
}

/// The bodies that are balls, and their contacts with each other.
struct Balls {
    /// bodies
    members: Vec<u32>,
    /// for every body, its surface if it is a ball; else `usize::MAX`
    surfaces: Vec<usize>,
    radii: Vec<f64>,
    near: NearPairs,
    states: Vec<BallState>,
    room: Vec<BallState>,
}

/// The flat walls, and the contacts of balls with them.
struct Walls {
    surfaces: Vec<usize>,
    at: Vec<Wall>,
    near: AtWalls<BallState>,
}

/// Returns the radius of a ball about the centre of mass of its body.
fn ball(surface: &SurfaceModel) -> Option<f64> {
    let sphere = surface.shape.surface.as_any().downcast_ref::<surfaces::Sphere>()?;
    let central = surface.local.is_none_or(|local| local.p == Vec3::zeros());
    (central && surface.shape.side == Side::Outside).then(|| sphere.radius())
}

/// Returns the bodies whose only surface is a ball about their centre of mass: the surface, the body and its radius [m].
fn balls(m: &Model) -> impl Iterator<Item = (usize, (usize, f64))> {
    let mut many = vec![0; m.world.bodies.len()];
    m.world.surfaces.iter().for_each(|s| many[s.body] += 1);
    let all = m.world.surfaces.iter().enumerate();
    all.filter_map(move |(i, s)| (many[s.body] == 1).then_some((i, (s.body, ball(s)?))))
}

/// Says whether a surface is a flat wall without end.
fn is_wall(surface: &SurfaceModel) -> bool {
    surface.shape.side == Side::Outside && surface.shape.surface.as_any().is::<surfaces::Plane>()
}

impl<'m> CrowdSystem<'m> {
    /// Puts the bodies of a model where they are in the state `y`, with the forces that act there.
    pub(crate) fn new(model: &'m Model, y: &[f64], threads: usize) -> Result<CrowdSystem<'m>, RunError> {
        let mut crowd = Crowd::default();
        let bodies = model.world.bodies.len();
        let (mut surfaces, mut radii) = (vec![usize::MAX; bodies], vec![0.0; bodies]);
        for (surface, (i, radius)) in balls(model) {
            (surfaces[i], radii[i]) = (surface, radius);
        }
        for (i, b) in model.world.bodies.iter().enumerate() {
            let k = Kinematics::new(b, 0.0, y);
            let q = match &b.kind {
                BodyKind::Dynamic(rows) => rows.of(y).quaternion(),
                _ => [1.0, 0.0, 0.0, 0.0],
            };
            crowd.push(Place { x: k.x.p, v: k.v, w: k.w, r: radii[i] }, q, model.world.is_dynamic(i));
        }
        let members: Vec<u32> = (0..bodies as u32).filter(|&i| surfaces[i as usize] != usize::MAX).collect();
        let suits: Vec<bool> = model.rules.iter().map(|rule| suits_balls(model, rule)).collect();
        let general = General::new(model, concerned(model, &surfaces, &suits), SKIN);
        let smallest = members.iter().map(|&i| radii[i as usize]).fold(f64::INFINITY, f64::min);
        let skin = SKIN * if smallest.is_finite() { smallest } else { 0.0 };
        let flat = (0..model.world.surfaces.len()).filter(|&i| is_wall(&model.world.surfaces[i])).collect();
        let mut system = CrowdSystem {
            model,
            t: 0.0,
            threads: Threads::new(threads),
            crowd,
            balls: Balls {
                members,
                surfaces,
                radii,
                near: NearPairs::new(skin),
                states: Vec::new(),
                room: Vec::new(),
            },
            walls: Walls { surfaces: flat, at: Vec::new(), near: AtWalls::default() },
            general,
            k: model.world.bodies.iter().map(|b| Kinematics::new(b, 0.0, y)).collect(),
            suits,
            hefts: model.world.bodies.iter().map(Heft::of).collect(),
            room: Room::default(),
            sums: Sums::default(),
            books: Books::default(),
            lists: 0,
        };
        system.settle()?;
        Ok(system)
    }

    /// Returns the angular velocity of a body [rad/s].
    pub(crate) fn spin(&self, body: usize) -> Vec3 {
        self.crowd.places()[body].w
    }

    /// Returns the body axes of a body.
    pub(crate) fn axes(&self, body: usize) -> Mat3 {
        rotation(&self.crowd.orientation(body))
    }

    /// Returns the accelerations of a body.
    pub(crate) fn acceleration(&self, body: usize) -> Response {
        self.crowd.acceleration(body)
    }

    /// Returns how many threads share the work.
    pub(crate) fn thread_count(&self) -> usize {
        self.threads.count()
    }

    /// Computes the forces at the start.
    fn settle(&mut self) -> Result<(), RunError> {
        self.put_held();
        self.look();
        self.list()?;
        self.push(0.0)?;
        let (bodies, hefts) = (&self.model.world.bodies, &self.hefts);
        self.crowd.settle(&|i: usize, place: &Place, q: &[f64; 4], load: &Load| {
            hefts[i].respond(&bodies[i], place, q, load)
        });
        self.open_books();
        Ok(())
    }

    /// Takes a step of length `h` [s], which ends at the time `t` [s].
    pub(crate) fn step(&mut self, h: f64, t: f64) -> Result<(), RunError> {
        let threads = std::mem::replace(&mut self.threads, Threads::new(1));
        let done = threads.run(|| {
            self.crowd.begin_step(h);
            self.t = t;
            self.put_held();
            self.look();
            let places = self.crowd.places();
            if !(self.balls.near.holds(|i| places[i].x) && self.general.holds(self.model, &self.k)) {
                self.list()?;
            }
            self.push(h)?;
            let (bodies, hefts) = (&self.model.world.bodies, &self.hefts);
            let response = |i: usize, place: &Place, q: &[f64; 4], load: &Load| {
                hefts[i].respond(&bodies[i], place, q, load)
            };
            self.crowd.end_step(h, &response);
            self.look();
            Ok(())
        });
        self.threads = threads;
        self.keep_books(h);
        done
    }

    /// Puts the bodies whose motion is prescribed, and the walls, where they are now.
    fn put_held(&mut self) {
        let m = self.model;
        for &body in &m.world.prescribed {
            let k = Kinematics::new(&m.world.bodies[body], self.t, &[]);
            let place = self.crowd.place_mut(body);
            (place.x, place.v, place.w) = (k.x.p, k.v, k.w);
        }
        let known = self.walls.at.len();
        for (i, &surface) in self.walls.surfaces.iter().enumerate() {
            let s = &m.world.surfaces[surface];
            let b = &m.world.bodies[s.body];
            let still = matches!(b.kind, BodyKind::Fixed);
            if still && i < known {
                continue;
            }
            let mut k = b.rest;
            if matches!(b.kind, BodyKind::Prescribed(_)) {
                k.update(b, self.t, &[]);
            } else if !still {
                (k.x.p, k.x.r) = (self.crowd.places()[s.body].x, rotation(&self.crowd.orientation(s.body)));
            }
            let x = s.local.map_or(k.x, |local| k.x.then(&local));
            let reach = if still { self.balls.near.skin() } else { f64::INFINITY };
            let wall = Wall { body: s.body as u32, p: x.p, n: x.r.column(2).into(), reach };
            match self.walls.at.get_mut(i) {
                Some(known) => *known = wall,
                None => self.walls.at.push(wall),
            }
        }
    }

    /// Notes the motion of all bodies, where pairs of the geometry need it.
    fn look(&mut self) {
        if self.general.is_empty() {
            return;
        }
        for (i, k) in self.k.iter_mut().enumerate() {
            let place = &self.crowd.places()[i];
            match &self.model.world.bodies[i].kind {
                BodyKind::Fixed => {}
                BodyKind::Prescribed(_) => k.update(&self.model.world.bodies[i], self.t, &[]),
                _ => {
                    (k.x.p, k.v, k.w) = (place.x, place.v, place.w);
                    k.x.r = rotation(&self.crowd.orientation(i));
                }
            }
        }
    }

    /// Lists the bodies that are near each other anew.
    fn list(&mut self) -> Result<(), RunError> {
        let (m, balls, walls) = (self.model, &mut self.balls, &mut self.walls);
        let places = self.crowd.places();
        if let Some(lost) = places.iter().position(|place| !place.x.iter().all(|x| x.is_finite())) {
            let part = format!("body {}", m.world.bodies[lost].name);
            return Err(RunError::Crowd { t: self.t, part, why: NOWHERE });
        }
        self.lists += 1;
        let (surfaces, suits) = (&balls.surfaces, &self.suits);
        let fast = |a: usize, b: usize| m.table.get(a, b).is_some_and(|(rule, _)| suits[rule]);
        let wanted = |a: u32, b: u32| fast(surfaces[a as usize], surfaces[b as usize]);
        balls.near.rebuild(&balls.members, |i| places[i].x, &balls.radii, wanted);
        balls.near.carry(&mut balls.states, &mut balls.room, BallState::is_known);
        let flat = &walls.surfaces;
        let wanted = |ball: u32, wall: u32| fast(surfaces[ball as usize], flat[wall as usize]);
        walls.near.rebuild(&balls.members, places, &walls.at, wanted, BallState::is_known);
        if !self.general.is_empty() {
            let known = Fast { m, balls: surfaces, suits };
            self.general.list(m, &self.k, |a, b| known.leaves(a as usize, b as usize));
        }
        Ok(())
    }

    /// Computes the loads on all bodies at the end of a step of length `h` [s].
    fn push(&mut self, h: f64) -> Result<(), RunError> {
        let (m, step) = (self.model, Ahead { h });
        let (places, loads) = self.crowd.split();
        for (load, heft) in loads.iter_mut().zip(&self.hefts) {
            *load = Load { force: heft.weight, torque: Vec3::zeros() };
        }
        let Balls { surfaces, radii, near, states, .. } = &mut self.balls;
        let laws = Laws { m, balls: surfaces, walls: None, radii };
        self.sums = push_pairs(&laws, near, step, places, states, loads, &mut self.room);
        let laws = Laws { walls: Some(&self.walls.surfaces), ..laws };
        self.sums.add(&push_walls(&laws, &self.walls.at, step, places, &mut self.walls.near, loads));
        let sums = self.general.push(m, &self.k, h, loads).map_err(|error| failed(self.t, error))?;
        self.sums.add(&sums);
        Ok(())
    }
}

/// Which contacts have the path of balls and flat walls.
#[derive(Clone, Copy)]
struct Fast<'c> {
    m: &'c Model,
    balls: &'c [usize],
    suits: &'c [bool],
}

impl Fast<'_> {
    /// Says whether a surface is a ball or a flat wall.
    fn knows(&self, surface: usize) -> bool {
        let s = &self.m.world.surfaces[surface];
        self.is_ball(surface) || is_wall(s)
    }

    fn is_ball(&self, surface: usize) -> bool {
        self.balls[self.m.world.surfaces[surface].body] == surface
    }

    /// Says whether two surfaces have a contact that is not one of balls and flat walls.
    fn leaves(&self, a: usize, b: usize) -> bool {
        let surfaces = &self.m.world.surfaces;
        let Some((rule, _)) = self.m.table.get(a, b).filter(|_| surfaces[a].body != surfaces[b].body) else {
            return false;
        };
        let fast = self.knows(a) && self.knows(b) && (self.is_ball(a) || self.is_ball(b));
        !(fast && self.suits[rule])
    }
}

/// Returns which surfaces have contacts that are not of balls and flat walls.
fn concerned(m: &Model, balls: &[usize], suits: &[bool]) -> impl Fn(usize) -> bool {
    let fast = Fast { m, balls, suits };
    // surfaces of the same rules and of the same kind are alike: two of each stand for all
    let key = |i: usize| (m.table.group(i), fast.is_ball(i), is_wall(&m.world.surfaces[i]));
    let keys: Vec<_> = (0..m.world.surfaces.len()).map(key).collect();
    let mut kinds: Vec<(_, Vec<usize>)> = Vec::new();
    for (i, key) in keys.iter().enumerate() {
        match kinds.iter_mut().find(|kind| kind.0 == *key) {
            Some((_, some)) if some.len() < 2 => some.push(i),
            Some(_) => {}
            None => kinds.push((*key, vec![i])),
        }
    }
    let some: Vec<usize> = kinds.iter().flat_map(|kind| kind.1.iter().copied()).collect();
    let meets = |kind: &Vec<usize>| kind.iter().any(|&i| some.iter().any(|&j| fast.leaves(i, j)));
    let concerned: Vec<_> = kinds.iter().filter(|kind| meets(&kind.1)).map(|kind| kind.0).collect();
    move |i| concerned.contains(&keys[i])
}

/// What a step needs of a body: together in memory, and small.
#[derive(Clone, Copy, Debug)]
struct Heft {
    weight: Vec3,
    inverse_mass: Vec3,
    /// 1/I of a body that turns as easily about all axes; `None`: the body knows [1/(kg m²)]
    inverse_inertia: Option<f64>,
}

impl Heft {
    fn of(b: &BodyModel) -> Heft {
        let inverse_inertia = match (&b.inertia, b.dofs.rotation) {
            (Inertia::Isotropic { inverse, .. }, Rotation::Free) => Some(*inverse),
            _ => None,
        };
        Heft { weight: b.weight, inverse_mass: b.inverse_mass, inverse_inertia }
    }

    /// Returns the accelerations of a body under a load.
    #[inline]
    fn respond(&self, b: &BodyModel, place: &Place, q: &[f64; 4], load: &Load) -> Response {
        let linear = self.inverse_mass.component_mul(&load.force);
        let angular = match self.inverse_inertia {
            Some(inverse) => load.torque * inverse,
            None => {
                let mut k = b.rest;
                (k.w, k.x.r) = (place.w, rotation(q));
                angular_acceleration(b, &k, &load.torque)
            }
        };
        Response { linear, angular }
    }
}
