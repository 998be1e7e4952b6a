//! `ode15s` and `ode15s-bdf` on stiff problems, at events, and where things go wrong.

mod failures;
mod motion;
mod stiff;

const BOTH: [&str; 2] = ["ode15s", "ode15s-bdf"];
