//! The point at which friction acts on two bodies that touch.
//!
//! Where bodies are pressed together, their contact points p_a and p_b are δ apart along the normal. The normal forces on the
//! two bodies are collinear and need no common point. Friction is perpendicular to the normal: acting on A at p_a and on B at
//! p_b it would be a pair of opposite forces δ apart, that is a couple δ n × f_t with no reaction on a third body, and would
//! change the total angular momentum. So by default friction acts on both bodies at the middle p = ½ (p_a + p_b), and the
//! slip is that of the two materials there. For rigid bodies v·n is the same at p as between p_a and p_b, because p_a − p_b
//! is parallel to n: the rate of the gap stays exact, and the balances of energy, momentum and angular momentum are all
//! satisfied. For a deformable body it is not the same (n·L n ≠ 0): there the normal force acts at p_a and p_b, and only
//! friction acts at the middle.

/// The point at which friction acts on two bodies that are pressed together.
///
/// ```
/// use carom::prelude::*;
/// let rule = ContactRule::between("ball", "floor").friction(Tanh::new(0.2, 1000.0)?).friction_at(FrictionAt::Surfaces);
/// # let _ = rule;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionAt {
    /// on both bodies at one point, midway between the two contact points: the forces are equal and opposite there, so that
    /// angular momentum is conserved
    #[default]
    Middle,
    /// on each body at its own contact point, as in the papers: the two forces are the indentation apart, and their couple
    /// changes the angular momentum of the two bodies
    Surfaces,
}

impl FrictionAt {
    /// All variants, with their words in scenes.
    pub const ALL: [(&'static str, FrictionAt); 2] =
        [("middle", FrictionAt::Middle), ("surfaces", FrictionAt::Surfaces)];

    /// Finds a variant by its word in scenes.
    ///
    /// ```
    /// use carom::FrictionAt;
    /// assert_eq!(FrictionAt::find("surfaces"), Some(FrictionAt::Surfaces));
    /// ```
    pub fn find(word: &str) -> Option<FrictionAt> {
        FrictionAt::ALL.iter().find(|(name, _)| *name == word).map(|(_, at)| *at)
    }
}
