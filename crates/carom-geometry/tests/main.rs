//! All tests of the crate that go through its public items, in one program: linking each by itself took longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

mod batch;
mod boundary;
mod boxes;
mod cavity;
mod common;
mod common_normal;
mod common_normal_options;
mod common_normals;
mod cone;
mod convex_motion;
mod crowned;
mod deformed;
mod derivatives;
mod ellipsoid;
mod ellipsoid_proximity;
mod journal;
mod late;
mod level_function;
mod mesh_pairs;
mod modules;
mod no_alloc;
mod pairs;
mod pairs_page;
mod polyhedron;
mod pressure;
mod pressure_curved;
mod pressure_layer;
mod pressure_mesh;
mod quadrics;
mod reference;
mod rims_in_cavity;
mod rings;
mod shells;
mod solids;
mod superellipsoid;
mod superellipsoid_closest_points;
mod superovoid;
mod supertorus;
mod supports;
mod surfaces;
mod sweep;
mod torus_convex;
mod triangle_errors;
mod triangles;
