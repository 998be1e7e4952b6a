//! The front end: events, outputs, failures, with every adaptive method.

mod bounces;
mod events;
mod failures;
mod kinks;
mod output;
mod own;
mod search;
