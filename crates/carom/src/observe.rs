//! What can be observed of a model in motion: forces, depths, names, and the likely causes of short steps.

use std::sync::Arc;

use carom_base::Vec3;
use carom_base::elementary::{log10, pow};
use carom_geometry::PairFailure;
use carom_law::friction;
use carom_ode::RhsFailure;

use crate::contact::{Active, BELOW_ROUNDING, ContactPair, PairBodies, PatchPoint, PointForce, Traction};
use crate::force::ForceElement;
use crate::forward::kinematics;
use crate::layout::Component;
use crate::record::Warning;
use crate::site::Part;
use crate::system::System;
use crate::wear::Profile;

/// Closer to its axis than this angle [rad], the angle of a body about that axis is treated as undefined.
const LEAN: f64 = 1e-2;
/// The tolerance at which the power of friction is judged, of runs whose own is larger or that have none.
const COARSE: f64 = 1e-6;
/// Why friction may give energy, of laws that say nothing themselves.
const DRIVES: &str =
    "slip above 4 g/σ1 with damping_form = \"constant\", or a law of your own that is not passive";
/// A slip below this fraction of the model's speed scale may be about to stop.
const AT_REST: f64 = 1e-2;
/// A gap below this fraction of the model's length scale is treated as closed.
const AT_SUPPORT: f64 = 1e-6;

/// A warning is given when the rounding error of positions exceeds this multiple of the absolute tolerance.
const FAR_AWAY: f64 = 10.0;

impl System<'_> {
    /// Returns the bodies of a contact pair in the state `y` held by the workspace.
    pub(crate) fn bodies<'a>(&'a self, pair: &ContactPair, y: &'a [f64]) -> PairBodies<'a> {
        pair.bodies(|body| self.ws.body(body), self.model.world.layout.worn(y))
    }

    /// Returns how deep the surfaces of a contact pair overlap [m] according to those of its contact points that carry forces;
    /// 0 without any. Where the depth grows by less than the way along the normal, no more than so much further along it parts them: each level of depth is convex, and on one side of its tangent plane. The bodies are in the state `y` held by the workspace.
    pub(crate) fn known_depth(&self, pair: &ContactPair, y: &[f64]) -> f64 {
        let bodies = self.bodies(pair, y);
        let depths =
            pair.state.on.iter().filter_map(|&k| pair.contact(k, bodies).ok()).map(|c| c.delta * c.lever());
        depths.fold(0.0, f64::max)
    }

    /// Returns for each body the sum of the magnitudes of all forces on it [N], in the state `y` held by the workspace.
    pub(crate) fn amounts(&self, y: &[f64]) -> Vec<f64> {
        let mut amounts: Vec<f64> = self.model.world.bodies.iter().map(|b| b.weight.norm()).collect();
        for at in &self.monitor.active {
            let s = &self.monitor.pairs[at.pair];
            let f = s.force_at(self.model, at.point, self.bodies(s, y)).map_or(0.0, |point| point.f_n.abs());
            [s.body_a, s.body_b].into_iter().for_each(|body| amounts[body] += f);
        }
        for force in &self.model.forces {
            force.add_amounts(&self.model.world, &self.ws.loads, &mut amounts);
        }
        amounts
    }

    /// Returns the mean depth of the contacts that carry forces [m], weighted by their forces, in the state `y` held by the
    /// workspace; `None` if there are none.
    pub(crate) fn depth(&self, y: &[f64]) -> Option<f64> {
        let (mut depth, mut force) = (0.0, 0.0);
        for at in &self.monitor.active {
            let s = &self.monitor.pairs[at.pair];
            if let Ok(point) = s.force_at(self.model, at.point, self.bodies(s, y)) {
                depth += point.f_n * point.contact.delta.max(0.0);
                force += point.f_n;
            }
        }
        (force > 0.0).then(|| depth / force)
    }

    /// Returns the couple that a contact point exerts on body A beside its forces [N m], in the state `y` held by the workspace.
    pub(crate) fn couple(&self, at: &Active, point: PointForce, y: &[f64]) -> Vec3 {
        let s = &self.monitor.pairs[at.pair];
        let [ka, kb] = [s.body_a, s.body_b].map(|body| self.ws.body(body));
        let own = s.couple(self.model, at.point, ka, kb, point).map_or_else(Vec3::zeros, |now| now.on_a);
        own + self.traction(at, &point, y).map_or_else(Vec3::zeros, |now| now.couple)
    }

    /// Computes what laws with memory do at a contact point, in the state `y` held by the workspace; `None` if there are none, or
    /// the surfaces are apart.
    fn traction(&self, at: &Active, point: &PointForce, y: &[f64]) -> Option<Traction> {
        let s = &self.monitor.pairs[at.pair];
        s.memories(self.model, at.point)?;
        let bodies = self.bodies(s, y);
        let memories = self.model.world.layout.memories(y);
        let touches = point.contact.delta > s.state.points[at.point].touch.floor;
        let now = || s.evolve(self.model, at.point, [bodies.a, bodies.b], point, memories, |_, _| ());
        touches.then(now)
    }

    /// Computes the patch of a contact that is an integral of pressure, in the state `y` held by the workspace; `None` for a
    /// contact point.
    pub(crate) fn patch(&self, at: &Active, y: &[f64]) -> Result<Option<PatchPoint>, PairFailure> {
        let s = &self.monitor.pairs[at.pair];
        let patch = || s.patch_point(self.model, self.bodies(s, y), &mut Vec::new());
        s.presses().then(patch).transpose()
    }

    /// Computes a contact point with all its forces, the power that its friction and its resistance with memory dissipate [W],
    /// and the amount that this is a difference of, in the state `y` held by the workspace.
    pub(crate) fn point(&self, at: &Active, y: &[f64]) -> Result<(PointForce, [f64; 2]), PairFailure> {
        let s = &self.monitor.pairs[at.pair];
        let bodies = self.bodies(s, y);
        if let Some(patch) = self.patch(at, y)? {
            return Ok((patch.point, [patch.force.lost_friction; 2]));
        }
        let mut point = s.point(self.model, at.point, bodies)?;
        // (of friction without memory)
        let mut lost = [-point.f_t.dot(&point.v_t), point.f_t.norm() * point.v_t.norm()];
        if let Some(now) = self.traction(at, &point, y) {
            point.f_t += now.f_t;
            lost = [lost[0] + now.lost, lost[1] + now.amount];
        }
        Ok((point, lost))
    }

    /// Records a warning for each contact whose friction supplies energy. No friction should, but a law may be passive only
    /// within a range of states, and leave it.
    pub(crate) fn warn_of_active_friction(&mut self, t: f64, y: &[f64]) {
        if self.monitor.memories.count == 0 {
            return;
        }
        kinematics(self.model, t, y, &mut self.ws);
        for i in 0..self.monitor.active.len() {
            let at = self.monitor.active[i];
            let Ok((point, [lost, amount])) = self.point(&at, y) else { continue };
            // (what elements store is known to the tolerance of the state: near a release, where the load that they follow vanishes, their power is an error of that size)
            let force = self.model.world.least_force().max(point.load);
            let accuracy = self.settings.atol.clamp(f64::EPSILON, COARSE);
            let known = || accuracy * force * self.model.world.scale.speed;
            if lost < -1e-9 * amount && lost < -known() {
                let pair = &self.monitor.pairs[at.pair];
                let law = self.model.rules[pair.rule].friction.as_ref();
                let why = law.and_then(|law| law.caution()).unwrap_or(DRIVES).to_owned();
                let contact = pair.name.clone();
                self.monitor.report.warnings.push(Warning::FrictionDrives { contact, why });
            }
        }
    }

    /// Records the smallest gap between the boundaries of bodies with short-range fields and their supports.
    pub(crate) fn note_gaps(&mut self, t: f64, y: &[f64]) {
        if self.model.fields().next().is_none() {
            return;
        }
        kinematics(self.model, t, y, &mut self.ws);
        for field in self.model.fields() {
            let [k, support] = field.bodies.map(|body| self.ws.body(body));
            self.nearest_gap = self.nearest_gap.min(field.gap(k, support));
        }
    }

    /// Returns the name of the part of the model in which the evaluation of a right-hand side failed.
    pub(crate) fn failed_part(&self, failure: &RhsFailure) -> Option<String> {
        let m = self.model;
        match Part::of(failure)? {
            Part::Contact(i) => self.monitor.pairs.get(i).map(|pair| format!("contact {}", pair.name)),
            Part::Drive(i) => m.world.drives.get(i).map(|drive| format!("drive {}", drive.path)),
            Part::Joint(i) => m.constraints.list.get(i).map(|joint| format!("joint {}", joint.name)),
            Part::Controller(i) => m.controls.controllers.get(i).map(|c| format!("controller {}", c.name)),
            Part::Force(i) => m.forces.get(i).map(|force| {
                let kind = if force.as_field().is_some() { "field" } else { "force" };
                format!("{kind} {}", force.name())
            }),
        }
    }

    /// Describes the likely cause of steps that become too short, if the state shows one: an error that no step size reduces.
    pub(crate) fn cause_of_short_steps(&mut self, t: f64, y: &[f64], rtol: f64) -> Option<String> {
        if y.iter().all(|x| x.is_finite()) {
            kinematics(self.model, t, y, &mut self.ws);
            let part = self
                .friction_discontinuity(y)
                .or_else(|| self.undefined_angle(t))
                .or_else(|| self.pushed_through());
            let part = part.or_else(|| self.undecided_joint(t, y)).or_else(|| self.leaping_point(t, y));
            if part.is_some() {
                return part;
            }
        }
        self.rounded(rtol)
    }

    /// Finds the force along an angle whose bodies are closest to a position where that angle is undefined, and how close
    /// they are [rad], in the state held by the workspace.
    pub(crate) fn least_lean(&self, t: f64) -> Option<(usize, f64)> {
        let lean =
            |force: &Arc<dyn ForceElement>| force.nearness_to_undefined(&self.model.world, &self.ws.loads, t);
        let all = self.model.forces.iter().map(lean).enumerate();
        all.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Describes a force along an angle that is undefined at the present position of its bodies, in the state held by the
    /// workspace.
    pub(crate) fn undefined_angle(&self, t: f64) -> Option<String> {
        self.least_lean(t).filter(|(_, lean)| *lean < LEAN).map(|(force, lean)| self.leaning(force, lean))
    }

    /// Describes a field whose body has almost reached its support, where the field's forces are unbounded, in the state held
    /// by the workspace.
    fn pushed_through(&self) -> Option<String> {
        let m = self.model;
        m.fields().find_map(|field| {
            let [k, support] = field.bodies.map(|body| self.ws.body(body));
            let gap = field.gap(k, support);
            (gap < AT_SUPPORT * m.world.scale.length).then(|| {
                format!(
                    "field {} (body {} is {gap:.0e} m from the support, where its repulsion has no bound and yet does not hold it: a corner or an edge needs a larger `exponent`)",
                    field.name, m.world.bodies[field.bodies[0]].name
                )
            })
        })
    }

    /// Describes a force along an angle whose bodies are `lean` [rad] from a position where that angle is undefined.
    pub(crate) fn leaning(&self, force: usize, lean: f64) -> String {
        let force = &self.model.forces[force];
        let name = |end: usize| {
            force.bodies().get(end).map_or("", |&body| self.model.world.bodies[body].name.as_str())
        };
        let [a, b] = [0, 1].map(name);
        format!(
            "force {} (the angle of body {a} about an axis of body {b}: {a} leans over so far, to {lean:.0e} rad from where that angle is not defined, that it turns at once; \
             hold the axis by a joint, or leave out the damping)",
            force.name()
        )
    }

    /// Returns a warning for the body furthest from the origin, if the rounding error of its position is far above the
    /// absolute tolerance `nothing` [m].
    pub(crate) fn far_away(&self, nothing: f64) -> Option<Warning> {
        let m = self.model;
        let far = |body: usize| self.ws.body(body).x.p.amax();
        let body = m.world.free().max_by(|a, b| far(*a).total_cmp(&far(*b)))?;
        let rounded = f64::EPSILON * far(body);
        (rounded > FAR_AWAY * nothing).then(|| Warning::FarAway {
            body: m.world.bodies[body].name.clone(),
            far: format!("{:.1e} m", far(body)),
            rounded: format!("{rounded:.1e} m"),
            resolved: format!("{nothing:.1e} m"),
        })
    }

    /// Describes a contact whose indentation is known less accurately than `rtol` asks for, because the positions of its
    /// bodies are rounded: the step size then follows the rounding error of its force.
    pub(crate) fn rounded(&self, rtol: f64) -> Option<String> {
        self.roundings(rtol).next().map(|(at, far, depth)| {
            format!(
                "contact {} (its bodies are {far:.1e} m from the origin, where positions are rounded to {:.1e} m, and its indentation is about {depth:.1e} m: rtol = {rtol:e} is \
                 below that rounding; take rtol = {:.0e} or larger, or put the bodies nearer to the origin)",
                self.monitor.pairs[at.pair].name,
                f64::EPSILON * far,
                pow(10.0, log10(f64::EPSILON * far / depth).ceil())
            )
        })
    }

    /// Whether very many steps within a `span` [s] shorter than an impact are due to the rounding error of a contact.
    pub(crate) fn is_lost_in_rounding(&self, rtol: f64, span: f64) -> bool {
        self.roundings(rtol).any(|(at, ..)| {
            let s = &self.monitor.pairs[at.pair];
            s.duration_at(self.model, at.point, s.state.points[at.point].touch.v0) > span
        })
    }

    /// Whether the bodies of a contact that is subject to rounding error stay at rest: in a step of this length [s] they move
    /// less than the rounding error of their positions.
    pub(crate) fn is_held_by_rounding(&self, rtol: f64, step: f64) -> bool {
        self.roundings(rtol).any(|(at, far, _)| {
            let v = self.monitor.pairs[at.pair].state.points[at.point].touch.v0;
            v * step < f64::EPSILON * far
        })
    }

    /// Returns the contacts whose indentations are known less accurately than `rtol` asks for, each with the largest distance
    /// of its bodies from the origin and its approximate indentation [m].
    fn roundings(&self, rtol: f64) -> impl Iterator<Item = (&Active, f64, f64)> {
        self.monitor.active.iter().filter_map(move |at| {
            let s = &self.monitor.pairs[at.pair];
            let far = [s.body_a, s.body_b].map(|body| self.monitor.bounds[body].end.x.p.amax());
            let far = far[0].max(far[1]);
            let depth = s.indentation_scale(self.model, at.point);
            // it touches, or is about to
            let touches = s.state.points[at.point].last.gap < depth;
            (touches && rtol < BELOW_ROUNDING * f64::EPSILON * far / depth).then_some((at, far, depth))
        })
    }

    /// Describes a contact whose slip comes to rest under a friction law that is discontinuous there, with the bodies in the
    /// state `y` held by the workspace.
    pub(crate) fn friction_discontinuity(&self, y: &[f64]) -> Option<String> {
        let slow = AT_REST * self.model.world.scale.speed;
        self.monitor.active.iter().find_map(|at| {
            let s = &self.monitor.pairs[at.pair];
            let law = self.model.rules[s.rule].friction.as_ref()?.name();
            if friction::find(law)?.continuous {
                return None;
            }
            let point = s.force_at(self.model, at.point, self.bodies(s, y)).ok()?;
            (point.f_n > 0.0 && point.v_t.norm() < slow).then(|| {
                format!(
                    "contact {} (its surfaces come to rest on each other, where its friction law `{law}` jumps: take a law that is continuous there, as `tanh`, or one that holds at rest, as `lugre`)",
                    s.name
                )
            })
        })
    }

    /// Describes in words the quantity that an integral of the energy balance adds up.
    fn integral(&self, i: usize) -> Option<String> {
        let (m, q) = (self.model, &self.model.world.quadratures);
        let joint_friction = || {
            let joints: Vec<&str> = m
                .constraints
                .frictions
                .iter()
                .map(|friction| m.constraints.list[friction.constraint].name.as_str())
                .collect();
            format!("what friction dissipates in joint {}", joints.join(", "))
        };
        let is = |integral: Option<usize>| integral == Some(i);
        match () {
            () if is(q.dissipated_joint) => Some(joint_friction()),
            () if is(q.dissipated_normal) => Some("what the dampers of contacts dissipate".to_owned()),
            () if is(q.dissipated_friction) => Some("what the friction of contacts dissipates".to_owned()),
            () if is(q.dissipated_viscous) => Some("what dampers and viscosity dissipate".to_owned()),
            () if is(q.dissipated_field) => Some("what fields dissipate".to_owned()),
            () if is(q.work) => Some("the work of drives and loads".to_owned()),
            () => None,
        }
    }

    /// Returns the name of the item that a component of the state belongs to: a body, the bristles of a contact or of a
    /// joint, wear, or an integral of the energy balance.
    pub(crate) fn component(&self, i: usize) -> Option<String> {
        let m = self.model;
        match m.world.layout.component(self.monitor.memories.count, i) {
            Component::Rigid(i, part) => m
                .world
                .dynamic
                .get(i)
                .map(|&body| format!("body {}: {}", m.world.bodies[body].name, part.name())),
            Component::Affine(i, part) => m
                .world
                .affine
                .get(i)
                .map(|&body| format!("body {}: {}", m.world.bodies[body].name, part.name())),
            Component::Memory(memory, _) => self.bristles(memory),
            Component::Depth(depth) => {
                let of = |p: &Profile| (p.first..p.first + p.len()).contains(&depth);
                let (rule, _) = m.wears().find(|(_, w)| w.profile.as_ref().is_some_and(of))?;
                Some(format!("contact {}: wear", rule.name))
            }
            Component::Integral(i) => self.integral(i),
        }
    }

    /// Describes the bristles of a joint or of a contact, given the index of their memory.
    fn bristles(&self, memory: usize) -> Option<String> {
        if let Some(friction) = self.ws.joint_friction.memories.iter().position(|p| *p == Some(memory)) {
            let friction = &self.model.constraints.frictions[friction];
            return Some(format!(
                "joint {}: bristles of its friction law `{}`",
                self.model.constraints.list[friction.constraint].name,
                friction.law.name()
            ));
        }
        let holds =
            |s: &ContactPair, k: usize| s.places(self.model, k).is_some_and(|own| own.contains(&memory));
        let (pair, point) = self
            .monitor
            .pairs
            .iter()
            .find_map(|s| Some((s, (0..s.state.points.len()).find(|&k| holds(s, k))?)))?;
        let at = memory - pair.state.points[point].memory?;
        let one = self.model.rules[pair.rule].remembering().find(|one| one.elements.contains(&at))?;
        let law = one.law;
        if law.follows_depth() {
            let kind = if one.against.turns() { "law of resistance" } else { "friction law" };
            return Some(format!("contact {}: elements of its {kind} `{}`", pair.name, law.name()));
        }
        let load = pair.state.points[point].latched.grips[one.against as usize].load;
        Some(format!(
            "contact {}: bristles of its friction law `{}`, which is full from {load:.1e} N on (a larger `min_load` or rtol may help)",
            pair.name,
            law.name()
        ))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use carom_law::Memory;
    use carom_law::friction::Dahl;

    use crate::system::{StepPolicy, System};
    use crate::{Body, Joint, JointFriction, ModelBuilder, Revolute};

    /// Every component of a state has a name that a user knows.
    #[test]
    fn components_have_names() {
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("ground"));
        b.body(Body::new("arm").mass(1.0).inertia([1.0; 3]).position([1.0, 0.0, 0.0]));
        let axle = Joint::between("arm", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]).named("axle");
        b.joint(axle.friction(JointFriction::new(Dahl::new(0.3, 1e5).unwrap()).radius(0.01)));
        let model = b.build().unwrap();
        let mut system = System::new(&model, StepPolicy::Located, 1.0).unwrap();
        let y = system.start(0.0, model.world.initial_state());
        let names: Vec<String> = (0..y.len()).filter_map(|i| system.component(i)).collect();
        // (the remaining components are reserved for the memories of contacts)
        assert!(names.len() > model.world.layout.bodies() + Memory::SIZE, "{names:?}");
        assert_eq!(names[0], "body arm: position");
        assert!(names.iter().any(|name| name.starts_with("joint axle: bristles")), "{names:?}");
        assert_eq!(names.last().unwrap(), "what friction dissipates in joint axle");
    }
}
