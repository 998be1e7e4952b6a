//! The point at which friction acts on two bodies that touch.
//!
//! Where bodies are pressed together their two contact points p_a and p_b are δ apart, along the normal. The normal forces on the two are
//! collinear and need no common point. Friction lies across the normal: on A at p_a and on B at p_b it would be a pair of opposite forces
//! δ apart, that is a couple δ n × f_t which no third body takes up. Such friction makes angular momentum. So by default both bodies have it
//! at the middle p = ½ (p_a + p_b), and the slip is that of the two materials there. Of rigid bodies v·n is the same at p as between p_a and
//! p_b, because p_a − p_b is parallel to n: the rate of the gap stays exact, and the balances of energy, momentum and angular momentum all close. Of a body that
//! deforms it is not the same (n·L n ≠ 0): there the normal force stays at p_a and p_b, and friction alone acts at the middle.

/// Where friction acts on two bodies that are pressed together.
///
/// ```
/// use carom::prelude::*;
/// let rule = ContactRule::between("ball", "floor").friction(Tanh::new(0.2, 1000.0)?).friction_at(FrictionAt::Surfaces);
/// # let _ = rule;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionAt {
    /// on both at one point, in the middle between the two contact points: equal and opposite, so that angular momentum is conserved
    #[default]
    Middle,
    /// on each at its own contact point, as the papers have it: the two forces are the indentation apart, and their couple changes the
    /// angular momentum of the two bodies
    Surfaces,
}

impl FrictionAt {
    /// All there are, by the words of scenes.
    pub const ALL: [(&'static str, FrictionAt); 2] =
        [("middle", FrictionAt::Middle), ("surfaces", FrictionAt::Surfaces)];

    /// By its word.
    ///
    /// ```
    /// use carom::FrictionAt;
    /// assert_eq!(FrictionAt::find("surfaces"), Some(FrictionAt::Surfaces));
    /// ```
    pub fn find(word: &str) -> Option<FrictionAt> {
        FrictionAt::ALL.iter().find(|(name, _)| *name == word).map(|(_, at)| *at)
    }
}
