//! Contact rules as users describe them: which bodies touch, and under which laws.

use std::sync::Arc;

use carom_geometry::PairSolver;
use carom_law::{Friction, Normal, Resistance};

use super::endpoint::Endpoint;
use super::friction_point::FrictionAt;
use crate::wear::{Bearing, Wear};

/// A contact rule: which surfaces touch, and under which laws for the normal force, friction, and the resistance to rolling
/// and spinning. If several rules match a pair of surfaces, the most specific one applies.
///
/// ```
/// use carom::prelude::*;
/// let rule = ContactRule::between("ball", "floor")
///     .normal(HuntCrossley::restitution(0.8)?.stiffness(1e8))
///     .friction(Tanh::new(0.2, 1000.0)?);
/// # let _ = rule;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContactRule {
    pub(crate) name: Option<String>,
    pub(crate) between: [Endpoint; 2],
    pub(crate) normal: Arc<dyn Normal>,
    pub(crate) friction: Option<Arc<dyn Friction>>,
    pub(crate) friction_at: FrictionAt,
    /// laws of resistance to rolling and to spinning
    pub(crate) resistance: [Option<Arc<dyn Resistance>>; 2],
    pub(crate) min_impact_speed: f64,
    /// solver that finds the contact points, if not the standard ones
    pub(crate) solver: Option<Arc<dyn PairSolver>>,
    pub(crate) wear: Option<Wear>,
    /// bearing of a joint with clearance, which can have a wear profile
    pub(crate) bearing: Option<Bearing>,
    pub(crate) none: bool,
    pub(crate) may_start_deep: bool,
}

impl ContactRule {
    /// Creates a rule between two bodies, two surfaces (`body/surface`), or all surfaces (`*`). The contact is elastic
    /// (`hertz`) and without friction unless other laws are given.
    pub fn between(a: &str, b: &str) -> ContactRule {
        ContactRule::between_sides(Endpoint::parse(a), Endpoint::parse(b))
    }

    /// Creates a rule between two sides, each of which may be several bodies and surfaces.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::Endpoint;
    /// let balls = Endpoint::several("balls", ["ball1", "ball2"].map(Endpoint::parse), true);
    /// let rule = ContactRule::between_sides(balls, Endpoint::parse("race"));
    /// # let _ = rule;
    /// ```
    pub fn between_sides(a: Endpoint, b: Endpoint) -> ContactRule {
        ContactRule {
            name: None,
            between: [a, b],
            normal: Arc::new(carom_law::normal::Hertz::new()),
            friction: None,
            friction_at: FrictionAt::Middle,
            resistance: [None, None],
            min_impact_speed: 1e-3,
            solver: None,
            wear: None,
            bearing: None,
            none: false,
            may_start_deep: false,
        }
    }

    /// Creates a rule by which no force acts between the two: they are meant to pass through each other. As the most specific
    /// rule applies to a pair of surfaces, this excludes a pair from a rule for all, and it states that a pair without a
    /// contact is intended.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rule = ContactRule::none("ball", "curtain");
    /// # let _ = rule;
    /// ```
    pub fn none(a: &str, b: &str) -> ContactRule {
        ContactRule::between(a, b).without_force()
    }

    /// Makes it a rule by which no force acts, as [`none`](ContactRule::none) does.
    pub fn without_force(mut self) -> ContactRule {
        self.none = true;
        self
    }

    /// Allows the surfaces to overlap at the start by any depth, as those of an interference fit: no warning is given.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rule = ContactRule::between("ring", "shaft").may_start_deep();
    /// # let _ = rule;
    /// ```
    pub fn may_start_deep(mut self) -> ContactRule {
        self.may_start_deep = true;
        self
    }

    /// Sets the solver that finds the contact points, in place of the first one that knows the surfaces: for rings (torus,
    /// supertorus) slices, that is a number of contact points along the ring, or one of
    /// [`pairs::NAMED`](carom_geometry::pairs::NAMED). [`Pressure`](carom_geometry::pairs::pressure::Pressure) makes the contact an
    /// integral over its patch, under the law [`Foundation`](carom_law::normal::Foundation), which says how much each body yields.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rule = ContactRule::between("ring", "floor")
    ///     .normal(ElasticFoundation::depth(1.0)?.damping(0.05))
    ///     .solver(Slices::new(36)?);
    /// # let _ = rule;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solver(self, solver: impl PairSolver + 'static) -> ContactRule {
        self.solver_arc(Arc::new(solver))
    }

    /// Sets the solver that finds the contact points, as a shared object.
    pub fn solver_arc(mut self, solver: Arc<dyn PairSolver>) -> ContactRule {
        self.solver = Some(solver);
        self
    }

    /// Adds wear by Archard's law: the volume worn off both sides together. (Only a bearing has a wear profile:
    /// [`Clearance::wear`](crate::Clearance::wear).)
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rule = ContactRule::between("block", "floor").wear(Wear::coefficient(1e-13)); // [1/Pa]
    /// # let _ = rule;
    /// ```
    pub fn wear(mut self, wear: Wear) -> ContactRule {
        self.wear = Some(wear);
        self
    }

    /// Sets the rule's name; without one it is called `a~b`.
    pub fn named(mut self, name: &str) -> ContactRule {
        self.name = Some(name.to_owned());
        self
    }

    /// Sets the normal law.
    pub fn normal(mut self, law: impl Normal + 'static) -> ContactRule {
        self.normal = Arc::new(law);
        self
    }

    /// Sets the normal law, as a shared object.
    pub fn normal_arc(mut self, law: Arc<dyn Normal>) -> ContactRule {
        self.normal = law;
        self
    }

    /// Sets the friction law.
    pub fn friction(mut self, law: impl Friction + 'static) -> ContactRule {
        self.friction = Some(Arc::new(law));
        self
    }

    /// Sets the friction law, as a shared object.
    pub fn friction_arc(mut self, law: Arc<dyn Friction>) -> ContactRule {
        self.friction = Some(law);
        self
    }

    /// Sets where friction acts on the two bodies; the default is midway between their contact points.
    pub fn friction_at(mut self, at: FrictionAt) -> ContactRule {
        self.friction_at = at;
        self
    }

    /// Sets the law of resistance to rolling.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rule = ContactRule::between("ball", "cloth").rolling(TanhCouple::new(1e-4, 0.1)?).spinning(HertzPatch::new(0.2, 0.1)?);
    /// # let _ = rule;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rolling(self, law: impl Resistance + 'static) -> ContactRule {
        self.rolling_arc(Arc::new(law))
    }

    /// Sets the law of resistance to rolling, as a shared object.
    pub fn rolling_arc(mut self, law: Arc<dyn Resistance>) -> ContactRule {
        self.resistance[0] = Some(law);
        self
    }

    /// Sets the law of resistance to spinning.
    pub fn spinning(self, law: impl Resistance + 'static) -> ContactRule {
        self.spinning_arc(Arc::new(law))
    }

    /// Sets the law of resistance to spinning, as a shared object.
    pub fn spinning_arc(mut self, law: Arc<dyn Resistance>) -> ContactRule {
        self.resistance[1] = Some(law);
        self
    }

    /// Sets the minimum impact speed [m/s]: a lower one is not latched, and laws that divide by the impact speed keep the
    /// last one, or use the minimum before the first.
    pub fn min_impact_speed(mut self, speed: f64) -> ContactRule {
        self.min_impact_speed = speed;
        self
    }

    /// Returns the rule's name or, without one, `a~b`.
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{}~{}", self.between[0], self.between[1]))
    }
}
