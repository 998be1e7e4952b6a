//! Figures of a sweep.
