//! What a normal law remembers of a contact: the phase its force is in, and the largest indentation.
//!
//! The force of a law with history is one smooth function in each phase. A phase ends where the indentation reaches a level or turns round; there
//! the law says which phase follows. A program that integrates the motion locates these ends and changes the history there, never in between, so that
//! forces within a step are functions of the state.

/// A phase of the force of a law with history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// the surfaces have not been as deep before, and nothing has yielded yet
    Loading,
    /// they have not been as deep before, and what they do not store is lost
    Yielding,
    /// they unload, or load again up to where they have been: elastic
    Unloading,
    /// they still overlap in the dent that they have left, and no longer press
    Slack,
    /// they hold each other as they part
    Parting,
}

carom_base::plain!(
    enum Phase {
        Loading,
        Yielding,
        Unloading,
        Slack,
        Parting,
    }
);

/// What a law remembers of a contact. It changes only at the ends of phases; a contact that ends forgets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct History {
    /// the phase of its force
    pub phase: Phase,
    /// the largest indentation, from which the surfaces unload \[m\]; in a phase that ends where the indentation turns round, the extreme one so far, on which no force
    /// depends
    pub deepest: f64,
}

carom_base::plain!(History { phase, deepest });

impl History {
    /// Of surfaces that have just touched.
    pub const NEW: History = History { phase: Phase::Loading, deepest: 0.0 };

    /// In that phase, after that largest indentation \[m\].
    pub const fn new(phase: Phase, deepest: f64) -> History {
        History { phase, deepest }
    }
}

/// An end of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseEnd {
    /// the indentation falls below [`PhaseEnds::below`]
    Below,
    /// it rises above [`PhaseEnds::above`]
    Above,
    /// it turns round
    Turn,
}

carom_base::plain!(
    enum PhaseEnd {
        Below,
        Above,
        Turn,
    }
);

/// Where a phase ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseEnds {
    /// the indentation below which it ends \[m\], −∞ if there is none
    pub below: f64,
    /// the indentation above which it ends \[m\], +∞ if there is none
    pub above: f64,
    /// the sign of the rate δ̇ during the phase, which ends where that changes: +1 while surfaces approach, −1 while they part, 0 in either case
    pub rate: f64,
}

impl PhaseEnds {
    /// Of a phase without end.
    pub const NEVER: PhaseEnds = PhaseEnds { below: f64::NEG_INFINITY, above: f64::INFINITY, rate: 0.0 };
}
