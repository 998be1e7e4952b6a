//! What can go wrong in this room.

/// A surface or a pair that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GeometryError {
    /// a measure that is not a positive finite number
    #[error("{kind}: `{name}` is {value}; allowed: a finite number greater than 0")]
    BadMeasure {
        /// the surface's kind
        kind: &'static str,
        /// which measure
        name: &'static str,
        /// the value given
        value: f64,
    },
    /// edges rounder than the box is wide
    #[error("box: `edge_radius` is {radius}; allowed: at most half the shortest length, {most} m")]
    TooRound {
        /// the value given [m]
        radius: f64,
        /// the largest possible [m]
        most: f64,
    },
    /// a tube wider than the ring it follows
    #[error("{kind}: `{name}` is {minor}; allowed: less than `major_radius`, {major} m")]
    Spindle {
        /// the surface's kind
        kind: &'static str,
        /// which measure of the tube
        name: &'static str,
        /// the radius of the ring [m]
        major: f64,
        /// that of the tube [m]
        minor: f64,
    },
    /// slices that cannot be
    #[error("`{name}` is {value}; allowed: {allowed}")]
    BadSlices {
        /// which of their numbers
        name: &'static str,
        /// the value given
        value: f64,
        /// what is allowed
        allowed: &'static str,
    },
    /// an exponent that makes an edge or a cusp, or none
    #[error("{kind}: `{name}` has {value}; allowed: finite numbers, 2 or greater")]
    BadExponent {
        /// the surface's kind
        kind: &'static str,
        /// which exponents
        name: &'static str,
        /// the value given
        value: f64,
    },
    /// a value, or several together, that no such surface has
    #[error("{kind}: `{name}` is {value}; allowed: {allowed}")]
    BadValue {
        /// the surface's kind
        kind: &'static str,
        /// which value
        name: &'static str,
        /// the value given
        value: String,
        /// what is allowed
        allowed: &'static str,
    },
    /// a surface without end
    #[error("{kind} needs `within`: this one is open, and ends at the faces of that box")]
    NeedsWithin {
        /// the surface's kind
        kind: &'static str,
    },
    /// no algorithm knows the two surfaces
    #[error(
        "{a} against {b} has no contact points that an algorithm knows{}; {}",
        if *presses { ": over the patch where they overlap they press on one another with `law = \"foundation\"` as `normal`" } else { ", and no patch to press on" },
        possible.join("; ")
    )]
    NoPair {
        /// the first surface
        a: String,
        /// the second surface
        b: String,
        /// what each of them touches, in words
        possible: Vec<String>,
        /// whether they overlap in a patch that [`Pressure`](crate::pairs::pressure::Pressure) knows
        presses: bool,
    },
    /// two solids that go on without end
    #[error(
        "{a} against {b} has no distance: both are without end; allowed: a plane, or the inside of a closed surface, against anything that is neither"
    )]
    Endless {
        /// the first surface
        a: String,
        /// the second surface
        b: String,
    },
    /// an algorithm that was asked for by name does not know the two surfaces
    #[error("{solver} does not know {a} against {b}")]
    NotFor {
        /// the first surface
        a: String,
        /// the second surface
        b: String,
        /// the algorithm, as it was asked for
        solver: String,
    },
    /// a ring against something it has no single point of contact with
    #[error(
        "{a} against {b} has no single point of contact: a ring touches in slices; give the contact `slices`, or `law = \"foundation\"` as `normal`"
    )]
    NeedsSlices {
        /// the first surface
        a: String,
        /// the second surface
        b: String,
    },
    /// a surface that deforms against something it cannot touch
    #[error(
        "{a} does not touch {b} where {which}: a surface that deforms touches a plane (as sphere, ellipsoid, \
         superellipsoid, torus, box, polyhedron, cylinder or capsule) and a ball that does not (as sphere, ellipsoid or box), from outside; \
         give the other body a surface of balls (it may have several), or make one of the two rigid"
    )]
    Deformed {
        /// the first surface
        a: String,
        /// the second surface
        b: String,
        /// which of them deform, in words
        which: &'static str,
    },
    /// a surface that cannot be the wall of a cavity
    #[error("{kind} has no inside to touch; allowed: side = \"outside\"")]
    NotClosed {
        /// the surface's kind
        kind: &'static str,
    },
}

/// A pair that could not find its contact.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PairFailure {
    /// poses that are not finite
    #[error("the poses are not finite")]
    NotFinite,
    /// a feature number the pair does not have
    #[error("the pair has no feature {0}")]
    NoFeature(usize),
    /// an iteration that did not end
    #[error("no convergence after {0} iterations")]
    NoConvergence(usize),
    /// an iteration that ended at a common normal, but not at that of the nearest points
    #[error("converged after {0} iterations to a common normal of other points than the nearest")]
    OtherSolution(usize),
    /// solids that are so deep in one another that the contact has no single normal
    #[error(
        "the solids are so deep in one another that the contact has no single normal: a greater stiffness helps"
    )]
    TooDeep,
    /// a journal that has come out of its bearing, and touches beyond the end of one of them
    #[error(
        "a cylinder has come out of the hollow one around it by more than a tenth of the shorter length, and touches beyond the end of the barrel: a longer cylinder or a stop helps"
    )]
    Rim,
}
