//! Steps and contacts: order 2, the same bits for any number of threads, momentum kept.

use carom_base::Vec3;
use carom_crowd::{
    Ahead, AtWalls, Crowd, Law, Load, Meeting, NearPairs, Place, Push, Response, Room, Sums, Threads, Wall,
    push_pairs, push_walls,
};
use carom_testkit::Random;

/// A linear spring of 1e4 N/m with viscous friction; it remembers how often it was asked.
struct Spring;

impl Law for Spring {
    type State = usize;
    fn touches(state: &usize) -> bool {
        *state > 0
    }
    fn push(&self, _: [u32; 2], at: &Meeting, _: Ahead, state: &mut usize, sums: &mut Sums) -> Push {
        *state += 1;
        sums.acting += 1;
        sums.lost_friction += 2.0 * at.v_t.norm_squared();
        Push { force: at.n * (-1e4 * at.delta) - at.v_t * 2.0, couple: Vec3::zeros() }
    }
    fn part(&self, _: [u32; 2], state: &mut usize, _: &mut Sums) {
        *state = 0;
    }
}

/// Balls of 1 kg in a heap on a wall, and their lists.
struct Heap {
    crowd: Crowd,
    near: NearPairs,
    states: Vec<usize>,
    room: Room,
    walls: AtWalls<usize>,
    lost: f64,
}

const WALL: Wall = Wall { body: 0, p: Vec3::new(0.0, 0.0, 0.0), n: Vec3::new(0.0, 0.0, 1.0), reach: 0.02 };

fn respond(_: usize, _: &Place, _: &[f64; 4], load: &Load) -> Response {
    Response { linear: load.force, angular: load.torque * 250.0 }
}

impl Heap {
    fn new(count: usize) -> Heap {
        let mut random = Random::of("heap");
        let mut crowd = Crowd::default();
        let still = Place { x: Vec3::zeros(), v: Vec3::zeros(), w: Vec3::zeros(), r: 0.0 };
        crowd.push(still, [1.0, 0.0, 0.0, 0.0], false);
        for i in 0..count {
            let at = [i % 5, i / 5 % 5, i / 25].map(|i| 0.196 * i as f64);
            let x = Vec3::from(at) + Vec3::new(0.0, 0.0, 0.0995) + random.vector() * 1e-3;
            let [v, w] = [random.vector(), random.vector() * 3.0];
            crowd.push(Place { x, v, w, r: 0.1 }, [1.0, 0.0, 0.0, 0.0], true);
        }
        let mut heap = Heap {
            crowd,
            near: NearPairs::new(0.02),
            states: Vec::new(),
            room: Room::default(),
            walls: AtWalls::default(),
            lost: 0.0,
        };
        heap.push(0.0);
        heap.crowd.settle(&respond);
        heap
    }

    fn push(&mut self, h: f64) {
        let members: Vec<u32> = (1..self.crowd.places().len() as u32).collect();
        let (places, loads) = self.crowd.split();
        if !self.near.holds(|i| places[i].x) {
            let radii: Vec<f64> = places.iter().map(|place| place.r).collect();
            self.near.rebuild(&members, |i| places[i].x, &radii, |_, _| true);
            self.near.carry(&mut self.states, &mut Vec::new(), |state| *state > 0);
            self.walls.rebuild(&members, places, &[WALL], |_, _| true, |state| *state > 0);
        }
        loads.fill(Load::default());
        loads[1..].iter_mut().for_each(|load| load.force.z = -9.81);
        let step = Ahead { h };
        let mut sums = push_pairs(&Spring, &self.near, step, places, &mut self.states, loads, &mut self.room);
        sums.add(&push_walls(&Spring, &[WALL], step, places, &mut self.walls, loads));
        self.lost += h * sums.lost_friction;
    }

    fn run(mut self, h: f64, steps: usize) -> Heap {
        for _ in 0..steps {
            self.crowd.begin_step(h);
            self.push(h);
            self.crowd.end_step(h, &respond);
        }
        self
    }
}

/// Nothing depends on the number of threads.
#[test]
fn threads_change_nothing() {
    let run = |threads: usize| Threads::new(threads).run(|| Heap::new(400).run(1e-4, 200));
    let one = run(1);
    assert!(one.states.iter().filter(|state| **state > 0).count() > 100);
    for threads in [2, 5] {
        let many = run(threads);
        assert!(one.crowd.places() == many.crowd.places() && one.crowd.loads() == many.crowd.loads());
        assert!(one.states == many.states && one.lost == many.lost);
    }
}

/// Two balls that press each other apart, while they touch: the error falls with the square of the step.
#[test]
fn steps_have_order_two() {
    let end = |h: f64| {
        let mut heap = Heap::new(2);
        for i in [1, 2] {
            let place = heap.crowd.place_mut(i);
            (place.v, place.w) = (Vec3::new(0.0, 0.1, 0.0) * i as f64, Vec3::z());
            place.x.z = 5.0;
        }
        heap.push(0.0);
        heap.crowd.settle(&respond);
        heap = heap.run(h, (0.008 / h).round() as usize);
        [1, 2].map(|i| heap.crowd.places()[i].x)
    };
    let truth = end(1e-6);
    let errors = [4e-4, 2e-4, 1e-4].map(|h| (end(h)[0] - truth[0]).norm() + (end(h)[1] - truth[1]).norm());
    assert!((3.4..4.6).contains(&(errors[0] / errors[1])), "{errors:?}");
    assert!((3.4..4.6).contains(&(errors[1] / errors[2])), "{errors:?}");
}
