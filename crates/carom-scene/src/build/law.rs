//! Makes laws: those of the registry, and user-defined ones.

use std::sync::Arc;

use carom::law::{Friction, Normal, friction, normal};

use super::kind::made;
use crate::error::Problem;
use crate::fields::Fields;
use crate::own::Own;

pub(super) fn normal_law(f: &Fields, own: &Own) -> Result<Arc<dyn Normal>, Problem> {
    own.normal(f, || made(normal::ALL.iter().map(|e| &e.entry), f))
}

pub(super) fn friction_law(f: &Fields, own: &Own) -> Result<Arc<dyn Friction>, Problem> {
    own.friction(f, || made(friction::ALL.iter().map(|e| &e.entry), f))
}
