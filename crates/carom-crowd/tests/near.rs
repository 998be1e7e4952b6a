//! Lists of neighbours against all pairs, one by one.

use carom_base::Vec3;
use carom_crowd::{NearPairs, Threads};
use carom_testkit::Random;

/// Balls of many sizes in a box, one of them far away.
fn balls(random: &mut Random, count: usize) -> (Vec<Vec3>, Vec<f64>) {
    let mut centres: Vec<Vec3> = (0..count).map(|_| random.vector() * 3.0).collect();
    centres[0] = Vec3::new(1e12, -3e9, 7.0);
    (centres, (0..count).map(|_| random.scale(0.02, 0.3)).collect())
}

/// The list has every pair nearer than the skin that is wanted, once, in order, for any number of threads; and each ball knows its own.
#[test]
fn lists_have_all_that_are_near() {
    let mut random = Random::of("near");
    for count in [2, 40, 900] {
        let (centres, radii) = balls(&mut random, count);
        let members: Vec<u32> = (0..count as u32).filter(|i| i % 7 != 3).collect();
        let wanted = |a: u32, b: u32| !(a + b).is_multiple_of(5);
        let skin = 0.05;
        let mut expected = Vec::new();
        for (i, &a) in members.iter().enumerate() {
            for &b in &members[i + 1..] {
                let [x, y] = [a, b].map(|i| i as usize);
                if wanted(a, b) && (centres[x] - centres[y]).norm() < radii[x] + radii[y] + skin {
                    expected.push([a, b]);
                }
            }
        }
        for threads in [1, 3] {
            let mut near = NearPairs::new(skin);
            Threads::new(threads).run(|| near.rebuild(&members, |i| centres[i], &radii, wanted));
            assert_eq!(near.pairs(), expected);
            for ball in 0..count {
                let all = near.as_second(ball).iter().map(|&i| i as usize).chain(near.as_first(ball));
                let found: Vec<usize> = all.collect();
                let own = |pair: &[u32; 2]| pair.contains(&(ball as u32));
                let known: Vec<usize> = (0..expected.len()).filter(|&i| own(&expected[i])).collect();
                assert_eq!(found, known, "ball {ball}");
            }
        }
    }
}

/// The list holds until a ball has moved by half the skin, and a position that is no number ends it.
#[test]
fn lists_hold_for_half_the_skin() {
    let centres = [Vec3::zeros(), Vec3::x()];
    let mut near = NearPairs::new(0.1);
    near.rebuild(&[0, 1], |i| centres[i], &[0.5; 2], |_, _| true);
    let moved = |by: f64| near.holds(|i| centres[i] + Vec3::y() * (by * i as f64));
    assert!(moved(0.0499) && !moved(0.0501) && !moved(f64::NAN));
}

/// What contacts remember stays with their pair from list to list.
#[test]
fn memories_stay_with_their_pair() {
    let mut random = Random::of("memories");
    let (mut centres, radii) = balls(&mut random, 300);
    centres.iter_mut().for_each(|x| *x *= 0.3);
    let members: Vec<u32> = (0..300).collect();
    let (mut near, mut states, mut room) = (NearPairs::new(0.02), Vec::<u64>::new(), Vec::new());
    let key = |pair: &[u32; 2]| 1000 * u64::from(pair[0]) + u64::from(pair[1]) + 1;
    let mut carried = 0;
    for _ in 0..5 {
        near.rebuild(&members, |i| centres[i], &radii, |_, _| true);
        near.carry(&mut states, &mut room, |state| *state != 0);
        assert_eq!(states.len(), near.pairs().len());
        for (state, pair) in states.iter_mut().zip(near.pairs()) {
            assert!(*state == 0 || *state == key(pair));
            carried += usize::from(*state != 0);
            *state = if random.next() < 0.7 { key(pair) } else { 0 };
        }
        centres.iter_mut().for_each(|x| *x += random.vector() * 0.02);
    }
    assert!(carried > 500, "{carried}");
}
