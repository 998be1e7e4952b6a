//! Forces: everything that acts on bodies besides contacts and joints.
//!
//! There are forces between points of two bodies, along the line that joins them; forces along coordinates: those that
//! joints leave free, angles about axes, and the six of a bushing; couples; loads on one body; and short-range fields
//! between whole surfaces.
//!
//! A force passes through three layers:
//!
//! 1. A [`Force`] is the description: what a user or a scene writes down. It says where the force acts (two bodies and
//!    their points, a joint, or one body), and what acts there: an [`Acting`], which holds a kind.
//! 2. A `ForceKind` is a kind of force, as [`FORCES`](kinds::FORCES) lists them: its parameters, the keys that say where it acts, and
//!    `install`, which checks a description against a model and creates the element.
//! 3. A `ForceElement` is the force in a model: its bodies are indices, and it computes loads, energy, what is
//!    dissipated, and derivatives in a state. A model holds elements only.
//!
//! Few kinds need an element of their own. A [`LineLaw`] gives a tension T by a length l and its rate, with F = −T e on
//! A and T e on B, e the direction from B's point to A's; `link` makes an element of it between points, `element` along
//! coordinates. What is not stored of the work is dissipated. A `LoadFormula` gives the load on one body by its motion;
//! `on_body` makes an element of it. Efforts given by expressions of the time and the state are signals (`signal`);
//! `by_state` makes the element of loads, motors and actuators. `torque`, `user_load` and `field` have elements of their own.
//!
//! To add a kind: write its file in `kinds/`, and add its line to [`FORCES`](kinds::FORCES) there.

mod force_element;
mod by_state;
mod describe;
mod element;
mod element_slopes;
mod field;
mod field_rule;
mod field_slopes;
mod frame;
mod function;
pub(crate) mod kinds;
mod line;
mod link;
mod link_slopes;
mod on_body;

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use carom_base::Vec3;
use carom_base::expression::Expression;

use crate::check::unique;
use crate::drive::DrivenJoint;
use crate::error::{BuildError, Subject};
use crate::joint::ConstraintSet;
use crate::loads::Counts;
use crate::signal::{Names, Signal};
use crate::world::World;

pub use describe::Force;
use element::{Element, Slide, Torsion};
pub(crate) use field::FieldElement;
use field::{FieldBodyMotion, SupportMotion, cross_matrix};
pub use field_rule::{FieldRule, Repulsion};
pub use force_element::DrawnLine;
pub(crate) use force_element::{ActionSite, ForceElement, ForceOutput, Integrals, Switching};
pub use function::LineFunction;
use kinds::Bushing;
pub use line::{Line, LineLaw, Tension};
use link::Along;
use link::{Link, Stretch};

/// How a force acts: along a line, about an axis, along a coordinate, as a couple, or as a load on one body.
///
/// The kinds in [`FORCES`](crate::FORCES) are made by their entries; user-defined laws go through [`Acting::line`],
/// [`Acting::torsion`] and [`Acting::slide`].
#[derive(Clone, Debug)]
pub struct Acting(Arc<dyn ForceKind>);

/// A kind of force: which keys describe where it acts, and the element that it becomes in a model.
pub(crate) trait ForceKind: Debug + Send + Sync {
    /// Returns what messages call it.
    fn kind(&self) -> &'static str;
    /// Returns the alternative sets of keys that describe where it acts; keys in brackets are optional.
    fn attachments(&self) -> &'static [&'static [&'static str]];
    /// Creates the element in a model whose bodies and joints are already made.
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError>;
    /// Whether it is a couple, which has no point of action.
    fn is_couple(&self) -> bool {
        false
    }
    /// Returns the law along a line between two points, if it acts along one.
    fn as_line(&self) -> Option<&dyn Line> {
        None
    }
}

impl Acting {
    pub(crate) fn new(kind: impl ForceKind + 'static) -> Acting {
        Acting(Arc::new(kind))
    }

    /// Makes a law act along the line between two points.
    pub fn line(law: Arc<dyn Line>) -> Acting {
        Acting::new(Along(law))
    }

    /// Makes a law act along an angle: that of a joint, or one about an axis.
    pub fn torsion(law: Arc<dyn Line>) -> Acting {
        Acting::new(Torsion(law))
    }

    /// Makes a law act along the coordinate of a joint that has this name; usually a displacement.
    pub fn slide(law: Arc<dyn Line>, coordinate: &str) -> Acting {
        Acting::new(Slide(law, coordinate.to_owned()))
    }

    /// Returns the law along a line between two points, if it acts along one.
    pub fn as_line(&self) -> Option<&dyn Line> {
        self.0.as_line()
    }

    /// Whether it is a couple, whose effect is the same at every point.
    pub fn is_couple(&self) -> bool {
        self.0.is_couple()
    }

    /// Whether this key is one of those that describe where it acts.
    pub fn takes(&self, key: &str) -> bool {
        self.0.attachments().iter().flat_map(|way| way.iter()).any(|k| bare(k) == key)
    }
}

/// Strips the brackets of an optional key.
fn bare(key: &'static str) -> &'static str {
    key.trim_matches(['[', ']'])
}

/// What is needed to build force elements: the bodies and the joints.
#[derive(Debug)]
pub(crate) struct Setting<'w> {
    /// the names of the inputs
    pub(crate) inputs: &'w [String],
    pub(crate) world: &'w World,
    pub(crate) constraints: &'w ConstraintSet,
    /// number of angles so far whose full turns are counted, and of switches
    pub(crate) counts: Counts,
    /// number of works so far that are integrated by themselves
    pub(crate) works: usize,
}

impl<'w> Setting<'w> {
    /// Returns what names in expressions can mean; `line`: the bodies and points of the line that a force acts along.
    fn names(&self, line: Option<([usize; 2], [Vec3; 2])>) -> Names<'w> {
        Names { world: self.world, constraints: self.constraints, inputs: self.inputs, line }
    }

    /// Creates the signals of these expressions; `key`: the key that gives them.
    fn signals<const N: usize>(
        &mut self,
        names: &Names<'_>,
        subject: &Subject,
        key: &'static str,
        expressions: &[Expression; N],
    ) -> Result<[Signal; N], BuildError> {
        let mut all = Vec::with_capacity(N);
        for expression in expressions {
            all.push(Signal::new(names, subject, key, expression, &mut self.counts)?);
        }
        all.try_into().map_err(|_| subject.impossible(Some(key), "it has too few components"))
    }

    /// Returns where the switches of a law are among those of all forces.
    fn switches_of(&mut self, law: &dyn Line) -> Range<usize> {
        let from = self.counts.switches;
        self.counts.switches += law.switches();
        from..self.counts.switches
    }

    /// Returns the index of the next work that is integrated by itself.
    fn next_work(&mut self) -> usize {
        self.works += 1;
        self.works - 1
    }
}

/// All force elements of a model: all that acts on its bodies besides contacts and joints.
#[derive(Debug)]
pub(crate) struct Forces {
    pub(crate) all: Vec<Arc<dyn ForceElement>>,
    /// number of their angles whose full turns are counted, and of their switches
    pub(crate) counts: Counts,
}

impl Forces {
    /// Builds the elements from their descriptions, including drives that act along coordinates of joints.
    pub(crate) fn build(
        world: &World,
        constraints: &ConstraintSet,
        forces: &[Force],
        fields: &[FieldRule],
        driven: &[DrivenJoint],
        inputs: &[String],
    ) -> Result<Forces, BuildError> {
        let mut setting = Setting { inputs, world, constraints, counts: Counts::default(), works: 0 };
        let mut all = Vec::with_capacity(forces.len() + fields.len());
        for force in forces {
            force.check_attachment()?;
            all.push(force.acting.0.install(&mut setting, force)?);
        }
        for (drive, coordinate) in driven.iter().filter_map(|d| Some((d, d.pushes()?))) {
            let element: Arc<dyn ForceElement> = Arc::new(Element::driven(constraints, drive, coordinate)?);
            all.push(element);
        }
        unique("forces", all.iter().map(|f| f.name()))?;
        for field in fields {
            let field: Arc<dyn ForceElement> = Arc::new(FieldElement::new(world, field)?);
            all.push(field);
        }
        unique("fields", all.iter().filter_map(|f| f.as_field()).map(|f| f.name.as_str()))?;
        Ok(Forces { all, counts: setting.counts })
    }
}
