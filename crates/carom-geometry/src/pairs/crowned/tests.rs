use carom_base::Pose;
use carom_testkit::{Random, one_in};

use super::*;
use crate::surfaces::{Cone, Cuboid, Cylinder, Polyhedron};

fn bound(a: &Shape, b: &Shape) -> Bound {
    let [of_a, of_b] = [a, b].map(|s| s.surface.as_support().unwrap());
    let cores = [of_a.convex_core(false).unwrap(), of_b.convex_core(true).unwrap()];
    let (size, sharp) = (a.surface.bounds().radius, either_way(&AnyConvex, a, b).unwrap());
    let rounded = of_a.convex_core(true).unwrap();
    let anchors: Vec<(Vec3, f64)> = of_a.anchors().iter().map(|corner| rounded.inset(corner)).collect();
    let last = Mutex::new(vec![None; anchors.len()]);
    let (a, b, levels) = (a.surface.clone(), b.surface.clone(), levels_of(&cores[1]));
    Bound { a, b, sharp, cores, levels, anchors, radius: size / CROWN, size, last }
}

/// Solids that have moved and turned a little since the last search: the next one is done from the last point, without the interior-point method, and finds what a search anew finds.
#[test]
fn the_next_point_is_found_from_the_last() {
    let corners = [[0.6, 0.6, 0.6], [0.6, -0.6, -0.6], [-0.6, 0.6, -0.6], [-0.6, -0.6, 0.6]];
    let [r, o] = [0.7, 0.0];
    // four planes meet in each of its corners
    let octahedron = [[r, o, o], [-r, o, o], [o, r, o], [o, -r, o], [o, o, r], [o, o, -r]];
    let shapes = [
        Shape::outside(Polyhedron::new(&octahedron).unwrap()),
        Shape::outside(Cone::new(0.9, 0.5, 1.0).unwrap()),
        Shape::outside(Cone::new(0.9, 0.0, 1.0).unwrap()),
        Shape::outside(Cuboid::new([1.2, 1.0, 0.9]).unwrap()),
        Shape::outside(Polyhedron::new(&corners).unwrap()),
        Shape::outside(Cylinder::new(0.6, 1.0).unwrap()),
    ];
    let mut random = Random::of("the next point is found from the last");
    let both = (0..shapes.len()).flat_map(|i| (0..shapes.len()).map(move |j| [i, j]));
    for which in both {
        let [a, b] = which.map(|k| &shapes[k]);
        let pair = bound(a, b);
        for _ in one_in(150, 0..300) {
            let step = random.scale(1e-6, 1e-3);
            let mut x = Pose { p: random.direction() * 3.0, ..random.pose(0.0) };
            // to where they are this far apart, less than the rounding of edges, or more
            let gap = [0.0, 0.1, 1.0][random.one_of(3)];
            for _ in 0..30 {
                let c = pair.sharp.closest(&x, &Pose::identity()).unwrap();
                x.p += c.n * (-c.delta - gap + 1e-3 * random.next());
            }
            let feature = random.one_of(pair.anchors.len());
            let Ok(last) = pair.contact_from(feature, &x, &Pose::identity(), None) else { continue };
            let seed = Seed::of(&last, &x, &Pose::identity());
            let turn = nalgebra::Rotation3::from_scaled_axis(random.vector() * step);
            let next = Pose { p: x.p + random.vector() * step, r: turn.matrix() * x.r };
            let anew = pair.contact_from(feature, &next, &Pose::identity(), None).unwrap();
            let Some(followed) = pair.followed(feature, &next, &seed) else {
                // (in a corner of four planes it may not be known which three of them hold: then it is sought anew)
                assert!(which.contains(&0), "{a:?} {b:?} {next:?} {seed:?}");
                continue;
            };
            // walls that depend on each other would leave no derivatives
            let (program, walls) = (pair.program_of(feature, &next, &followed), followed.least.walls);
            let all: Vec<usize> = walls.iter().collect();
            let independent = Walls::independent(&program, &followed.least.w, &all).unwrap();
            assert_eq!(independent.iter().count(), all.len(), "{a:?} {b:?} {all:?}");
            let found = pair.contact_from(feature, &next, &Pose::identity(), Some(&seed)).unwrap();
            assert!((found.delta - anew.delta).abs() < 1e-13, "{} {}", found.delta, anew.delta);
        }
    }
}
