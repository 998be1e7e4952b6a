//! Triangles for viewing.

use std::collections::HashMap;
use std::f64::consts::PI;

use carom_base::Vec3;
use carom_base::elementary::{cos, sin, sincos};

/// cos 40°: two triangles with a larger angle between their normals form an edge.
const SMOOTH: f64 = 0.766;

/// Triangles, seen counter-clockwise from outside, with a normal at every vertex.
///
/// Along a sharp edge the vertices are there once for every face, each with its face's normal.
///
/// ```
/// use carom_geometry::{Surface, surfaces::Cuboid};
/// let mesh = Cuboid::new([1.0, 2.0, 3.0])?.mesh(0, 0.0); // [m]
/// assert_eq!(mesh.triangles.len(), 12);
/// assert!((mesh.volume() - 6.0).abs() < 1e-15);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// the vertices [m]
    pub vertices: Vec<[f64; 3]>,
    /// the unit normal at every vertex, out of the material
    pub normals: Vec<[f64; 3]>,
    /// three vertex numbers each
    pub triangles: Vec<[u32; 3]>,
}

/// A point of the half plane that a surface of revolution is turned from, and the normal there.
///
/// ```
/// use carom_geometry::mesh::{Mesh, Profile};
/// let cone = [
///     Profile { rho: 0.0, z: 0.0, n_rho: 0.0, n_z: -1.0 }, // its base [m], from the middle out
///     Profile { rho: 1.0, z: 0.0, n_rho: 0.0, n_z: -1.0 },
///     Profile { rho: 1.0, z: 0.0, n_rho: 0.6, n_z: 0.8 }, // its mantle, from the rim up
///     Profile { rho: 0.0, z: 0.75, n_rho: 0.6, n_z: 0.8 },
/// ];
/// let mesh = Mesh::revolved(&cone, 256);
/// assert!((mesh.volume() - 0.25 * std::f64::consts::PI).abs() < 1e-3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// the distance from the axis [m]
    pub rho: f64,
    /// the height along the axis [m]
    pub z: f64,
    /// the normal's component away from the axis
    pub n_rho: f64,
    /// the normal's component along the axis
    pub n_z: f64,
}

impl Profile {
    /// `n` segments of a circle of that radius [m] about the point `z` of the axis, from one latitude
    /// [rad] to another.
    pub fn arc(radius: f64, z: f64, from: f64, to: f64, n: usize) -> Vec<Profile> {
        let n = n.max(1);
        let at = |i: usize| {
            let latitude = from + (to - from) * i as f64 / n as f64;
            // the poles lie on the axis exactly
            let pole = 0.5 * PI - latitude.abs() < 1e-12;
            let (n_rho, n_z) = if pole { (0.0, latitude.signum()) } else { (cos(latitude), sin(latitude)) };
            Profile { rho: radius * n_rho, z: z + radius * n_z, n_rho, n_z }
        };
        (0..=n).map(at).collect()
    }
}

/// The number of segments around a circle that is drawn when `n` is asked for: 3 to 4096.
pub fn segments(n: usize) -> usize {
    n.clamp(3, 4096)
}

impl Mesh {
    /// The profile, from below to above, turned about the z axis in `n` segments (3 to 4096).
    ///
    /// Two profile points in the same place make a sharp edge.
    pub fn revolved(profile: &[Profile], n: usize) -> Mesh {
        let n = segments(n);
        let mut mesh = Mesh::default();
        for point in profile {
            for i in 0..n {
                let (sin, cos) = sincos(2.0 * PI * i as f64 / n as f64);
                mesh.vertices.push([point.rho * cos, point.rho * sin, point.z]);
                mesh.normals.push([point.n_rho * cos, point.n_rho * sin, point.n_z]);
            }
        }
        for (row, pair) in profile.windows(2).enumerate() {
            let [below, above] = pair else { continue };
            if below.rho == above.rho && below.z == above.z {
                continue;
            }
            for i in 0..n {
                let next = (i + 1) % n;
                let [a, b] = [i, next].map(|k| (row * n + k) as u32);
                let [c, d] = [i, next].map(|k| ((row + 1) * n + k) as u32);
                // on the axis a ring is a point, and one of the two triangles has no area
                if below.rho > 0.0 {
                    mesh.triangles.push([a, b, d]);
                }
                if above.rho > 0.0 {
                    mesh.triangles.push([a, d, c]);
                }
            }
        }
        mesh
    }

    /// Separate triangles, by their corners [m], with a normal at every corner: the mean, weighted by area, of the normals of those triangles around it that are within
    /// 40° of its own triangle's normal. Sharper edges stay edges.
    ///
    /// ```
    /// use carom_geometry::Mesh;
    /// let (a, b) = ([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]); // the edge of both triangles [m]
    /// let bent = |z: f64| Mesh::smoothed(&[[a, [1.0, 0.0, 0.0], b], [a, b, [-1.0, 0.0, z]]]);
    /// assert_eq!((bent(-1.0).vertices.len(), bent(-0.5).vertices.len()), (6, 4));
    /// ```
    pub fn smoothed(triangles: &[[[f64; 3]; 3]]) -> Mesh {
        let normal = |t: &[[f64; 3]; 3]| {
            let [a, b, c] = t.map(Vec3::from);
            (b - a).cross(&(c - a))
        };
        let normals: Vec<Vec3> = triangles.iter().map(normal).collect();
        // −0 and 0 are the same coordinate
        let key = |p: &[f64; 3]| p.map(|x| (x + 0.0).to_bits());
        let mut around: HashMap<[u64; 3], Vec<usize>> = HashMap::new();
        for (i, t) in triangles.iter().enumerate() {
            t.iter().for_each(|p| around.entry(key(p)).or_default().push(i));
        }
        let mut mesh = Mesh::default();
        let mut known: HashMap<([u64; 3], [u64; 3]), u32> = HashMap::new();
        for (t, own) in triangles.iter().zip(&normals) {
            // a triangle without area has no normal and is not visible
            if own.norm() == 0.0 {
                continue;
            }
            mesh.triangles.push(t.map(|p| {
                let cell = key(&p);
                let near = around.get(&cell).into_iter().flatten().map(|&i| &normals[i]);
                let sum: Vec3 = near.filter(|n| n.dot(own) > SMOOTH * n.norm() * own.norm()).sum();
                let n: [f64; 3] = sum.normalize().into();
                *known.entry((cell, key(&n))).or_insert_with(|| {
                    mesh.vertices.push(p);
                    mesh.normals.push(n);
                    mesh.vertices.len() as u32 - 1
                })
            }));
        }
        mesh
    }

    /// The volume it encloses [m³]: positive if it is closed and its triangles face outwards.
    pub fn volume(&self) -> f64 {
        let corner = |i: u32| self.vertices.get(i as usize).map_or([0.0; 3], |v| *v);
        let six: f64 = self
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(corner);
                a[0] * (b[1] * c[2] - b[2] * c[1])
                    + a[1] * (b[2] * c[0] - b[0] * c[2])
                    + a[2] * (b[0] * c[1] - b[1] * c[0])
            })
            .sum();
        six / 6.0
    }
}
