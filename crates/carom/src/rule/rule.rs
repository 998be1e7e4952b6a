//! Which bodies touch, and by which laws.

use std::sync::Arc;

use carom_geometry::PairSolver;
use carom_law::{Friction, Indentation, Normal, Patch, Resistance, Touch};

use super::friction_point::FrictionAt;
use crate::error::{BuildError, Fault, Subject};
use crate::wear::{Bearing, Wear, WearLaw};
use crate::world::{SurfaceModel, World};

/// One side of a contact rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// all surfaces of all bodies
    Any,
    /// all surfaces of a body
    Body(String),
    /// one surface: body and surface
    Surface(String, String),
}

impl Endpoint {
    /// Reads `*`, `body` or `body/surface`.
    ///
    /// ```
    /// use carom::Endpoint;
    /// assert_eq!(Endpoint::parse("*"), Endpoint::Any);
    /// assert_eq!(Endpoint::parse("ring/tread"), Endpoint::Surface("ring".into(), "tread".into()));
    /// ```
    pub fn parse(text: &str) -> Endpoint {
        match text.split_once('/') {
            None if text == "*" => Endpoint::Any,
            None => Endpoint::Body(text.to_owned()),
            Some((body, surface)) => Endpoint::Surface(body.to_owned(), surface.to_owned()),
        }
    }

    /// Whether it names a body, or a surface of it.
    pub(crate) fn is_of(&self, body: &str) -> bool {
        matches!(self, Endpoint::Body(b) | Endpoint::Surface(b, _) if b == body)
    }

    /// How exactly it names what it names.
    fn rank(&self) -> usize {
        match self {
            Endpoint::Any => 0,
            Endpoint::Body(_) => 1,
            Endpoint::Surface(..) => 2,
        }
    }
}

impl std::fmt::Display for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Endpoint::Any => write!(f, "*"),
            Endpoint::Body(b) => write!(f, "{b}"),
            Endpoint::Surface(b, s) => write!(f, "{b}/{s}"),
        }
    }
}

/// A rule: these touch those, by this normal law, this friction law, these laws of resistance to rolling and spinning. Where several speak of a pair of
/// surfaces, the one that names them most exactly holds.
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
    /// to rolling, to spinning
    pub(crate) resistance: [Option<Arc<dyn Resistance>>; 2],
    pub(crate) min_impact_speed: f64,
    /// by which its pairs are bound, if not by the usual ones
    pub(crate) solver: Option<Arc<dyn PairSolver>>,
    pub(crate) wear: Option<Wear>,
    /// what has a profile of wear, of a joint with clearance
    pub(crate) bearing: Option<Bearing>,
    pub(crate) none: bool,
    pub(crate) may_start_deep: bool,
}

impl ContactRule {
    /// Between two bodies, two surfaces (`body/surface`), or all others (`*`). Elastic (`hertz`) and without
    /// friction unless said otherwise.
    pub fn between(a: &str, b: &str) -> ContactRule {
        ContactRule {
            name: None,
            between: [Endpoint::parse(a), Endpoint::parse(b)],
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

    /// Nothing acts between the two: they are meant to pass through each other. Of several rules the one that names two surfaces most exactly holds, so this takes
    /// a pair out of a rule for all, and it says that surfaces without a contact are no oversight.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rule = ContactRule::none("ball", "curtain");
    /// # let _ = rule;
    /// ```
    pub fn none(a: &str, b: &str) -> ContactRule {
        ContactRule { none: true, ..ContactRule::between(a, b) }
    }

    /// The surfaces are meant to overlap at the start however deep that is, as those of an interference fit: no warning is given.
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

    /// Surfaces are bound by this algorithm, not by the first that knows them: rings (torus, supertorus) in slices, that is in so many contact points
    /// along the ring, or an algorithm of [`pairs::NAMED`](carom_geometry::pairs::NAMED).
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

    /// The same for an algorithm that is shared.
    pub fn solver_arc(mut self, solver: Arc<dyn PairSolver>) -> ContactRule {
        self.solver = Some(solver);
        self
    }

    /// Wear by Archard's law: the volume worn off both sides together. (A profile has a bearing only: [`Clearance::wear`](crate::Clearance::wear).)
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

    /// Its name; without one it is called `a~b`.
    pub fn named(mut self, name: &str) -> ContactRule {
        self.name = Some(name.to_owned());
        self
    }

    /// The normal law.
    pub fn normal(mut self, law: impl Normal + 'static) -> ContactRule {
        self.normal = Arc::new(law);
        self
    }

    /// The same for a law that is shared.
    pub fn normal_arc(mut self, law: Arc<dyn Normal>) -> ContactRule {
        self.normal = law;
        self
    }

    /// The friction law.
    pub fn friction(mut self, law: impl Friction + 'static) -> ContactRule {
        self.friction = Some(Arc::new(law));
        self
    }

    /// The same for a law that is shared.
    pub fn friction_arc(mut self, law: Arc<dyn Friction>) -> ContactRule {
        self.friction = Some(law);
        self
    }

    /// Where friction acts on the two bodies; at the middle between their contact points if nothing is said.
    pub fn friction_at(mut self, at: FrictionAt) -> ContactRule {
        self.friction_at = at;
        self
    }

    /// The law of resistance to rolling.
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

    /// The same for a law that is shared.
    pub fn rolling_arc(mut self, law: Arc<dyn Resistance>) -> ContactRule {
        self.resistance[0] = Some(law);
        self
    }

    /// The law of resistance to spinning.
    pub fn spinning(self, law: impl Resistance + 'static) -> ContactRule {
        self.spinning_arc(Arc::new(law))
    }

    /// The same for a law that is shared.
    pub fn spinning_arc(mut self, law: Arc<dyn Resistance>) -> ContactRule {
        self.resistance[1] = Some(law);
        self
    }

    /// The impact speed below which none is latched [m/s]: laws that divide by it keep the last one.
    pub fn min_impact_speed(mut self, speed: f64) -> ContactRule {
        self.min_impact_speed = speed;
        self
    }

    /// `a~b`, or its name.
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{}~{}", self.between[0], self.between[1]))
    }
}

/// An indentation just above zero [m].
///
/// A located point touches at δ = 0 and parts there, by events. Rounding leaves δ on either side, and stages of a step end beyond; the forces that laws have at δ = 0⁺ must be
/// those of both sides, or rates would jump within the first step and the last one: a dashpot pushes as soon as it touches, or pulls until it
/// parts, and bristles unbend under no load.
pub(crate) const TOUCHING: f64 = f64::MIN_POSITIVE;

/// Whether steps that resolve the motion under this law need not resolve what it dissipates. Where it holds its force at zero, no force acts, and only the ledger sees how the
/// energy still stored is lost. Where its force jumps at touch, the motion is as smooth at its ends as between, and steps are long; what is dissipated, D δ̇², changes twice as fast, and
/// a formula of order p is off by 2^{p+1} times as much.
pub(crate) fn is_dashpot(law: &dyn Normal) -> bool {
    let first = Indentation { delta: TOUCHING, delta_dot: 1.0 };
    law.lets_go_early() || law.force(first, &Touch::point(1.0, 1.0, 1.0)).f_n > 1e-30
}

/// A rule in a model.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) between: [Endpoint; 2],
    pub(crate) normal: Arc<dyn Normal>,
    pub(crate) friction: Option<Arc<dyn Friction>>,
    pub(crate) friction_at: FrictionAt,
    /// to rolling, to spinning
    pub(crate) resistance: [Option<Arc<dyn Resistance>>; 2],
    /// whether friction remembers, so that a contact point has a place in the state
    pub(crate) remembers: bool,
    pub(crate) min_impact_speed: f64,
    /// by which its pairs are bound, if not by the usual ones
    pub(crate) solver: Option<Arc<dyn PairSolver>>,
    pub(crate) wear: Option<WearLaw>,
    /// nothing acts between what it names
    pub(crate) none: bool,
    /// a deep overlap at the start is meant
    pub(crate) may_start_deep: bool,
}

impl Rule {
    /// The contact, as errors name it.
    pub(crate) fn subject(&self) -> Subject {
        Subject::Contact(self.name.clone())
    }

    /// Whether its normal law may be a dashpot, whose steps need not resolve what it dissipates. (A law by a function is first asked in a run, where its
    /// errors belong.)
    pub(crate) fn has_dashpot(&self) -> bool {
        !self.normal.is_formula() || is_dashpot(&*self.normal)
    }

    /// Whether its forces are no function of places and velocities alone.
    pub(crate) fn depends_on_the_past(&self) -> bool {
        let profile = self.wear.as_ref().and_then(|wear| wear.profile.as_ref());
        self.normal.needs_impact_speed() || self.remembers || profile.is_some_and(|p| p.feedback)
    }
}

impl Rule {
    /// Whether it resists rolling or spinning.
    pub(crate) fn resists(&self) -> bool {
        self.resistance.iter().any(Option::is_some)
    }

    /// Whether one of its laws takes the radius of the patch from curvatures.
    pub(crate) fn asks_curvature(&self) -> bool {
        self.resistance.iter().flatten().any(|law| law.patch() == Patch::Curvature)
    }
}

/// Which rule holds for which pair of surfaces. Surfaces that the same endpoints match form a group, so the
/// table stays small however many bodies there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleTable {
    /// the group of each surface
    group: Vec<usize>,
    groups: usize,
    /// the rule of each pair of groups, and whether the pair is in the rule's order
    rule: Vec<Option<(usize, bool)>>,
    /// of each pair of groups, the rule that says that nothing acts between them
    none: Vec<Option<usize>>,
}

impl RuleTable {
    /// The rule for two surfaces, and whether (a, b) is the order it names them in.
    pub(crate) fn get(&self, a: usize, b: usize) -> Option<(usize, bool)> {
        self.rule[self.group[a] * self.groups + self.group[b]]
    }

    /// The rule that says that nothing acts between two surfaces.
    pub(crate) fn none(&self, a: usize, b: usize) -> Option<usize> {
        self.none[self.group[a] * self.groups + self.group[b]]
    }

    pub(crate) fn new(rules: &[Rule], world: &World) -> Result<RuleTable, BuildError> {
        // which endpoints match a surface
        let key = |s: &SurfaceModel| -> Vec<bool> {
            let matches = |e: &Endpoint| match e {
                Endpoint::Any => !s.of_joint,
                Endpoint::Body(b) => !s.of_joint && world.bodies[s.body].name == *b,
                Endpoint::Surface(b, name) => world.bodies[s.body].name == *b && s.name == *name,
            };
            let free = world.is_dynamic(s.body);
            rules.iter().flat_map(|r| r.between.iter().map(matches)).chain([free]).collect()
        };
        let free = |k: &[bool]| k.last() == Some(&true);
        let mut keys: Vec<Vec<bool>> = Vec::new();
        let mut example = Vec::new();
        let mut group = Vec::new();
        for (i, s) in world.surfaces.iter().enumerate() {
            let k = key(s);
            let g = keys.iter().position(|x| *x == k).unwrap_or_else(|| {
                keys.push(k);
                example.push(i);
                keys.len() - 1
            });
            group.push(g);
        }
        let mut rule = Vec::with_capacity(keys.len() * keys.len());
        for (ga, a) in keys.iter().enumerate() {
            for (gb, b) in keys.iter().enumerate() {
                // between bodies that no force moves it does not matter which rule is meant
                if !free(a) && !free(b) {
                    rule.push(None);
                    continue;
                }
                rule.push(best_rule(rules, a, b).map_err(|(first, second)| {
                    let [a, b] = [ga, gb].map(|group| world.surface_name(example[group]));
                    let [name, other] = [first, second].map(|rule| &rules[rule].name);
                    let why = format!("contacts `{name}` and `{other}` both speak of {a} and {b}");
                    let first = rules[first].subject();
                    rules[second].subject().fails(Some("between"), Fault::SaidTwice { why, first })
                })?);
            }
        }
        let silent = |found: &Option<(usize, bool)>| found.map(|(i, _)| i).filter(|&i| rules[i].none);
        let none: Vec<Option<usize>> = rule.iter().map(silent).collect();
        rule.iter_mut().zip(&none).filter(|(_, none)| none.is_some()).for_each(|(rule, _)| *rule = None);
        Ok(RuleTable { group, groups: keys.len(), rule, none })
    }
}

/// The most exact rule that matches, or two that are equally exact.
fn best_rule(rules: &[Rule], a: &[bool], b: &[bool]) -> Result<Option<(usize, bool)>, (usize, usize)> {
    let mut best: Option<(usize, usize, bool)> = None;
    for (i, rule) in rules.iter().enumerate() {
        let straight = a[2 * i] && b[2 * i + 1];
        let crossed = a[2 * i + 1] && b[2 * i];
        if !straight && !crossed {
            continue;
        }
        let rank = rule.between[0].rank() + rule.between[1].rank();
        match best {
            Some((old, first, _)) if old == rank => return Err((first, i)),
            Some((old, _, _)) if old > rank => {}
            _ => best = Some((rank, i, straight)),
        }
    }
    Ok(best.map(|(_, i, straight)| (i, straight)))
}
