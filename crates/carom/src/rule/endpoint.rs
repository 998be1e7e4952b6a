//! The two sides of a contact rule: the bodies and surfaces that it is for.

use crate::world::{SurfaceModel, World};

/// One side of a contact rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// all surfaces of all bodies, except those that joints with clearance add
    Any,
    /// all surfaces of a body, except those that joints with clearance add
    Body(String),
    /// one surface: body and surface
    Surface(String, String),
    /// several bodies and surfaces
    Several(Several),
}

/// Several bodies and surfaces as one side of a contact rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Several {
    /// what the rule and messages call them
    pub label: String,
    /// the bodies and surfaces
    pub members: Vec<Endpoint>,
    /// whether they were found by a wildcard or a group, so that a rule that names one of them is more specific
    pub found: bool,
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

    /// Returns several bodies and surfaces as one side of a rule. `label` is what messages call them. `found` says whether
    /// they were found by a wildcard or a group: a rule that names one of them is then more specific.
    ///
    /// ```
    /// use carom::Endpoint;
    /// let side = Endpoint::several("balls", ["ball1", "ball2"].map(Endpoint::parse), true);
    /// assert_eq!(side.to_string(), "balls");
    /// ```
    pub fn several(label: &str, members: impl IntoIterator<Item = Endpoint>, found: bool) -> Endpoint {
        let members = members.into_iter().collect();
        Endpoint::Several(Several { label: label.to_owned(), members, found })
    }

    /// Returns the sides that it consists of: itself, or its members.
    pub(crate) fn members(&self) -> &[Endpoint] {
        match self {
            Endpoint::Several(several) => &several.members,
            one => std::slice::from_ref(one),
        }
    }

    /// Returns whether it names the body, or a surface of the body.
    pub(crate) fn is_of(&self, body: &str) -> bool {
        let named = |e: &Endpoint| matches!(e, Endpoint::Body(b) | Endpoint::Surface(b, _) if b == body);
        self.members().iter().any(named)
    }

    /// Returns whether it is a side of the surface.
    pub(super) fn matches(&self, world: &World, s: &SurfaceModel) -> bool {
        match self {
            Endpoint::Any => !s.of_joint,
            Endpoint::Body(b) => !s.of_joint && world.bodies[s.body].name == *b,
            Endpoint::Surface(b, name) => world.bodies[s.body].name == *b && s.name == *name,
            Endpoint::Several(several) => several.members.iter().any(|e| e.matches(world, s)),
        }
    }

    /// Returns how specific it is: 0 for all surfaces, 2 for a body, 4 for one surface; 1 less for those that a wildcard or a
    /// group finds.
    pub(super) fn rank(&self) -> usize {
        match self {
            Endpoint::Any => 0,
            Endpoint::Body(_) => 2,
            Endpoint::Surface(..) => 4,
            Endpoint::Several(several) => {
                let least = several.members.iter().map(Endpoint::rank).min().unwrap_or_default();
                least.saturating_sub(usize::from(several.found))
            }
        }
    }
}

impl std::fmt::Display for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Endpoint::Any => write!(f, "*"),
            Endpoint::Body(b) => write!(f, "{b}"),
            Endpoint::Surface(b, s) => write!(f, "{b}/{s}"),
            Endpoint::Several(several) => write!(f, "{}", several.label),
        }
    }
}
