//! All tests of the crate that go through its public items, in one program: linking each by itself took longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

mod affine;
mod affine_contact;
mod affine_laws;
mod affine_limits;
mod analyses;
mod audits;
mod belt;
mod boxes;
mod bristles;
mod cans;
#[path = "common/celt.rs"]
mod celt;
mod clearance;
mod closed_forms;
mod common;
mod control;
mod convex;
mod derivatives;
mod dish;
mod drives;
mod ellipsoid;
mod errors;
mod every_method;
mod exact_rings;
mod field_points;
mod fields;
mod forces;
mod friction_laws;
mod given_steps;
mod impact_laws;
mod invariants;
mod jacobian;
mod joint_forces;
mod joint_friction;
mod joint_limits;
mod joint_statics;
mod joints;
mod joints_reference;
#[path = "common/laws.rs"]
mod laws;
mod ledgers;
mod linkages;
mod loads;
mod many_fields;
#[path = "common/mechanism.rs"]
mod mechanism;
mod modes;
mod modules;
mod momentum;
mod momentum_audit;
mod never_missed;
mod no_tunnel;
mod no_tunnel_moving;
mod no_tunnel_shapes;
mod oblique;
mod outputs;
mod overlaps;
mod plain;
mod pressure;
mod pressure_pairs;
mod pulses;
mod rattleback;
mod recorded_loads;
mod reference_scenes;
mod releases;
mod resistance;
#[path = "common/ring.rs"]
mod ring;
mod ring_contacts;
mod rims;
mod rings;
mod rolling;
mod rolling_circle;
mod rolling_joints;
mod rotor;
mod shells;
mod slender;
mod slender_shafts;
mod slow;
mod snapshots;
mod standard_impact;
mod steady_step;
mod stiff;
mod stretches;
mod superellipsoid;
mod supertorus;
mod tippe_top;
mod torus;
#[path = "common/ways.rs"]
mod ways;
mod wear;
mod within;
