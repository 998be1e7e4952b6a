//! Convex solids as the points that satisfy a few smooth convex inequalities.

use carom_base::{Mat3, Vec3};

/// What edges are rounded by unless said otherwise, as a share of the radius of a ball within the solid.
pub(crate) const EDGE: f64 = 0.02;

/// A convex solid: the points of a core that satisfy all walls, and everything within a distance of them.
#[derive(Clone, Debug)]
pub struct ConvexCore {
    /// the core's walls
    pub walls: Vec<Wall>,
    /// a point well within the core [m]
    pub middle: Vec3,
    /// along which axes of the surface's frame the core extends: a capsule's is a line
    pub extends: [bool; 3],
    /// how far the solid reaches beyond its core all round [m]
    pub coat: f64,
    /// the tip of a cone, where its round wall has no normal
    pub tip: Option<Tip>,
}

impl ConvexCore {
    /// Returns how far the solid's sharp `corners`, tips and points of rims, which its walls have without the core's coat, are from the coated core at most [m].
    ///
    /// With r the coat, a corner is d from the core where its walls, r further in, leave room for no nearer point: d is the least length of a vector e with nᵢ·e ≥ r for the normals nᵢ of all walls that meet there. So
    /// d = r/s, s the distance of the hull of the normals from the origin, by duality. For two faces at the angle β, s = sin(β/2); for the corner of a box 1/√3.
    pub(crate) fn late(&self, corners: &[Vec3]) -> f64 {
        let late = |corner: &Vec3| {
            hull_from_origin(&self.normals(corner)).map_or(0.0, |s| self.coat * (1.0 / s - 1.0))
        };
        corners.iter().map(late).fold(0.0, f64::max)
    }

    /// The tip of the core whose walls are `by` further in [m]: where a cone's mantle meets its axis, unless a cap is before that.
    pub(crate) fn tip_within(&self, by: f64) -> Option<Tip> {
        if by == 0.0 {
            return self.tip;
        }
        let cone = self.walls.iter().find_map(|wall| match wall.inset(by) {
            Wall::Round { radius, slope } if slope != 0.0 => Some(Tip { height: -radius / slope, slope }),
            _ => None,
        })?;
        let holds = |wall: &Wall| match wall.inset(by) {
            Wall::Flat { n, h } => n.dot(&cone.point()) <= h,
            Wall::Round { .. } => true,
        };
        self.walls.iter().all(holds).then_some(cone)
    }

    /// The depth of the middle below the nearest wall of the core [m]; zero of a core that is a line.
    pub(crate) fn inner(&self) -> f64 {
        match self.extends {
            [true, true, true] => {
                self.walls.iter().map(|wall| -wall.height(&self.middle).g).fold(f64::INFINITY, f64::min)
            }
            _ => 0.0,
        }
    }

    /// The normals of the walls that meet in a corner of the sharp solid.
    fn normals(&self, corner: &Vec3) -> Vec<Vec3> {
        let near = |wall: &&Wall| (wall.height(corner).g - self.coat).abs() <= 1e-9 * corner.norm();
        self.walls.iter().filter(near).map(|wall| wall.height(corner).gradient).collect()
    }

    /// Returns the point of the core next to a corner of the sharp solid, as far from each of the walls that meet there as the coat is thick, and that distance [m]; the corner itself and zero where more walls meet than can be as far.
    pub(crate) fn inset(&self, corner: &Vec3) -> (Vec3, f64) {
        let normals = self.normals(corner);
        // of all steps e with n_i·e = −r for all walls, the shortest: e = −r Σ λ_i n_i with Σ_j (n_i·n_j) λ_j = 1
        let step = match normals[..] {
            [n] => Some(n / n.norm_squared()),
            [n, m] => {
                let across = 1.0 - n.dot(&m) * n.dot(&m);
                let share = (1.0 - n.dot(&m)) / across;
                (across > 1e-9).then(|| (n + m) * share)
            }
            [n, m, o] => Mat3::from_rows(&[n.transpose(), m.transpose(), o.transpose()])
                .try_inverse()
                .map(|inverse| inverse * Vec3::repeat(1.0)),
            _ => None,
        };
        match step {
            Some(step) if step.sum().is_finite() => (corner - step * self.coat, self.coat),
            _ => (*corner, 0.0),
        }
    }
}

/// Returns the distance of the convex hull of some points from the origin, which is not within it; `None` if there are no points. Where the hull is nearest, there is a corner, an edge or a triangle of it.
fn hull_from_origin(points: &[Vec3]) -> Option<f64> {
    let mut least = points.iter().map(|p| p.norm()).min_by(f64::total_cmp)?;
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            let along = b - a;
            let share = -a.dot(&along) / along.norm_squared();
            if (0.0..=1.0).contains(&share) {
                least = least.min((a + along * share).norm());
            }
            for c in &points[j + 1..] {
                let area = along.cross(&(c - a));
                let nearest = area * (area.dot(a) / area.norm_squared());
                let on_inner_side = |p: &Vec3, q: &Vec3| area.dot(&(q - p).cross(&(nearest - p))) >= 0.0;
                if on_inner_side(a, b) && on_inner_side(b, c) && on_inner_side(c, a) {
                    least = least.min(nearest.norm());
                }
            }
        }
    }
    Some(least)
}

/// The tip of a cone about the z axis.
#[derive(Clone, Copy, Debug)]
pub struct Tip {
    /// along the axis [m]
    pub height: f64,
    /// how the cone's radius grows along z; negative where the tip is the upper end
    pub slope: f64,
}

impl Tip {
    pub(crate) fn point(&self) -> Vec3 {
        Vec3::z() * self.height
    }

    /// Whether the tip is the furthest point of the cone along `m`.
    pub(crate) fn is_furthest(&self, m: &Vec3) -> bool {
        // along the mantle, away from the tip, it is no further: (|slope| e − s z)·m ≤ 0, s the side of the tip
        -m.z * self.slope.signum() >= self.slope.abs() * m.xy().norm()
    }

    /// How fast the tip moves as the mantle goes inwards by its distance.
    pub(crate) fn way_inwards(&self) -> Vec3 {
        Vec3::z() * ((1.0 + self.slope * self.slope).sqrt() / self.slope)
    }
}

/// An inequality g(x) ≤ 0 with g convex, in metres, and of slope one at the wall.
#[derive(Clone, Copy, Debug)]
pub enum Wall {
    /// a plane: n·x ≤ h, n a unit vector, h [m]
    Flat {
        /// the outward normal
        n: Vec3,
        /// its distance from the origin [m]
        h: f64,
    },
    /// a barrel or a cone about z: ρ ≤ radius + slope z
    Round {
        /// at z = 0 [m]
        radius: f64,
        /// how the radius grows along z
        slope: f64,
    },
}

/// g with its derivatives.
pub(crate) struct WallAt {
    pub(crate) g: f64,
    pub(crate) gradient: Vec3,
    pub(crate) hessian: Mat3,
}

impl Wall {
    /// The wall that is `by` further in [m].
    pub(crate) fn inset(&self, by: f64) -> Wall {
        match *self {
            Wall::Flat { n, h } => Wall::Flat { n, h: h - by },
            Wall::Round { radius, slope } => {
                Wall::Round { radius: radius - by * (1.0 + slope * slope).sqrt(), slope }
            }
        }
    }

    /// How g and its gradient at a point change as the wall goes inwards by a length.
    pub(crate) fn by_inset(&self, x: &Vec3) -> (f64, Vec3) {
        match *self {
            Wall::Flat { .. } => (1.0, Vec3::zeros()),
            // of g = c (ρ²/l − l)/2 with dl = −1/c
            Wall::Round { radius, slope } => {
                let l = radius + slope * x.z;
                let across = Vec3::new(x.x, x.y, 0.0) / l;
                let square = across.norm_squared();
                (0.5 * (square + 1.0), (across - Vec3::z() * (slope * square)) / l)
            }
        }
    }

    /// Returns g at a point, with derivatives: of a round wall g = c (ρ²/l − l)/2, l the radius there and c the cosine of the cone's half angle, which is
    /// convex where l > 0; `None` beyond the tip of a cone.
    pub(crate) fn at(&self, x: &Vec3) -> Option<WallAt> {
        match *self {
            Wall::Flat { n, h } => Some(WallAt { g: n.dot(x) - h, gradient: n, hessian: Mat3::zeros() }),
            Wall::Round { radius, slope } => {
                let l = radius + slope * x.z;
                if !(l > 0.0) {
                    return None;
                }
                let c = 1.0 / (1.0 + slope * slope).sqrt();
                let across = Vec3::new(x.x, x.y, 0.0);
                let square = across.norm_squared() / (l * l);
                let gradient = (across / l - Vec3::z() * (0.5 * slope * (square + 1.0))) * c;
                // of ρ²/2l: the outer product of the gradient of ρ/l with itself, times l
                let lean = across * (slope / l);
                let mut hessian = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, slope * slope * square));
                for i in 0..2 {
                    hessian[(i, 2)] = -lean[i];
                    hessian[(2, i)] = -lean[i];
                }
                Some(WallAt { g: 0.5 * c * l * (square - 1.0), gradient, hessian: hessian * (c / l) })
            }
        }
    }

    /// Returns the height of a point over the wall, negative within, with derivatives: the distance from the wall. (On the axis of a round wall, where every direction is as near, it is smoothed.)
    pub(crate) fn height(&self, x: &Vec3) -> WallAt {
        match *self {
            Wall::Flat { n, h } => WallAt { g: n.dot(x) - h, gradient: n, hessian: Mat3::zeros() },
            Wall::Round { radius, slope } => {
                let c = 1.0 / (1.0 + slope * slope).sqrt();
                let across = Vec3::new(x.x, x.y, 0.0);
                let rho = (across.norm_squared() + 1e-18 * radius * radius).sqrt();
                let e = across / rho;
                let hessian =
                    (Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0)) - e * e.transpose()) * (c / rho);
                let gradient = (e - Vec3::z() * slope) * c;
                WallAt { g: c * (rho - radius - slope * x.z), gradient, hessian }
            }
        }
    }
}
