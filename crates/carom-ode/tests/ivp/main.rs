//! The front end: events, outputs, failures, with every adaptive method.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

mod bounces;
#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "others need the rest")]
mod common;
mod events;
mod failures;
mod kinks;
mod output;
mod own;
mod search;
