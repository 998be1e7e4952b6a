//! What is wrong with triangles that bound no solid.

/// A corner's coordinates.
type Point = [f64; 3];

/// Why triangles do not bound a solid, and where. Triangles are counted from 1; lengths are in the unit of the coordinates given.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TriangleMeshError {
    /// no triangle at all
    #[error("there is no triangle")]
    Empty,
    /// more triangles or vertices than can be numbered
    #[error("there are {count} triangles; allowed: at most {most}")]
    TooMany {
        /// how many there are
        count: usize,
        /// how many are allowed
        most: usize,
    },
    /// a coordinate that is not finite
    #[error("triangle {triangle} has a corner at {}; allowed: finite coordinates below 1e100", at(.corner))]
    NotFinite {
        /// which triangle
        triangle: usize,
        /// its corner
        corner: Point,
    },
    /// a triangle that names a vertex that is not there
    #[error("triangle {triangle} names the vertex {vertex}; there are {vertices}, counted from 0")]
    NoVertex {
        /// which triangle
        triangle: usize,
        /// the vertex it names
        vertex: usize,
        /// how many there are
        vertices: usize,
    },
    /// triangles without area
    #[error(
        "{} no area: first triangle {triangle}, with corners at {}, {} and {}",
        have(*.count, "triangle"), at(&.corners[0]), at(&.corners[1]), at(&.corners[2])
    )]
    Degenerate {
        /// how many there are
        count: usize,
        /// the first of them
        triangle: usize,
        /// its corners
        corners: [Point; 3],
    },
    /// edges of one triangle only: the surface has holes
    #[error(
        "the surface is not closed: {} one triangle only; allowed: two; first that from {} to {}, of triangle {triangle}",
        have(*.count, "edge"), at(.from), at(.to)
    )]
    Open {
        /// how many there are
        count: usize,
        /// the triangle of the first of them
        triangle: usize,
        /// where it begins
        from: Point,
        /// where it ends
        to: Point,
    },
    /// edges of three triangles or more
    #[error(
        "{} more than two triangles; first that from {} to {}, of triangles {}",
        have(*.count, "edge"), at(.from), at(.to), list(.triangles)
    )]
    SharedByMany {
        /// how many there are
        count: usize,
        /// the triangles of the first of them
        triangles: Vec<usize>,
        /// where it begins
        from: Point,
        /// where it ends
        to: Point,
    },
    /// edges that both triangles run through in the same direction: one of the two is turned
    #[error(
        "{} two triangles that face opposite sides; first that from {} to {}, of triangles {} and {}",
        have(*.count, "edge"), at(.from), at(.to), .triangles[0], .triangles[1]
    )]
    Turned {
        /// how many there are
        count: usize,
        /// the triangles of the first of them
        triangles: [usize; 2],
        /// where it begins
        from: Point,
        /// where it ends
        to: Point,
    },
    /// vertices at which several sheets meet in a point
    #[error(
        "{} several parts of the surface that meet in this point only; first that at {}, of triangle {triangle} and others",
        have(*.count, "vertex"), at(.point)
    )]
    SharedVertex {
        /// how many there are
        count: usize,
        /// a triangle of the first of them
        triangle: usize,
        /// where it is
        point: Point,
    },
    /// all triangles face inwards
    #[error("all triangles face inwards: the volume that they bound is {volume}; allowed: greater than 0")]
    InsideOut {
        /// the signed volume
        volume: f64,
    },
    /// a surface that bounds nothing
    #[error("the triangles bound no volume: it is {volume}, with an area of {area}")]
    NoVolume {
        /// the signed volume
        volume: f64,
        /// the area
        area: f64,
    },
    /// triangles that cross or touch others
    #[error(
        "{}; first triangles {} and {}, near {}",
        pairs(*.count), .triangles[0], .triangles[1], at(.near)
    )]
    Crossing {
        /// how many pairs
        count: usize,
        /// the first of them
        triangles: [usize; 2],
        /// a point of both
        near: Point,
    },
    /// a closed part that faces the wrong way for where it is
    #[error(
        "the closed part of the surface with triangle {triangle} faces {}",
        if *.inwards { "inwards, but is not within another part: it would be a hole in nothing" }
        else { "outwards, but is within the material of another part: allowed there: a cavity, which faces inwards" }
    )]
    Nested {
        /// the first triangle of that part
        triangle: usize,
        /// whether it faces inwards
        inwards: bool,
    },
}

fn at(p: &Point) -> String {
    format!("({}, {}, {})", p[0], p[1], p[2])
}

fn have(count: usize, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun} has"),
        (_, "vertex") => format!("{count} vertices have"),
        _ => format!("{count} {noun}s have"),
    }
}

fn pairs(count: usize) -> String {
    match count {
        1 => "1 pair of triangles crosses or touches".to_owned(),
        _ => format!("{count} pairs of triangles cross or touch"),
    }
}

fn list(numbers: &[usize]) -> String {
    let words: Vec<String> = numbers.iter().map(usize::to_string).collect();
    words.join(", ")
}
