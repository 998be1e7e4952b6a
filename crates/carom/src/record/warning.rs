//! The warnings of a run.

/// A warning about a run that was completed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Warning {
    /// a contact touched too slowly for a law that divides by the impact speed, at speeds that matter
    #[error(
        "contact {contact}: it touched below its min_impact_speed, at speeds that matter here; its damping there is that of the last impact above it, or of that least one: \
         give a smaller `min_impact_speed`"
    )]
    SlowTouch {
        /// name of the contact
        contact: String,
    },
    /// a law that divides by the impact speed, in a contact that began slowly and then moved fast
    #[error(
        "contact {contact}: it began below its min_impact_speed and then moved at {speed} m/s, {times} times the impact speed that its damping counts with: it is damped {times} times \
         as much as its law means; give `min_impact_speed` the speed of its impacts, or take a law whose damping does not depend on it"
    )]
    Overdamped {
        /// name of the contact
        contact: String,
        /// its speed [m/s]
        speed: String,
        /// that speed divided by the impact speed that the law uses
        times: String,
    },
    /// bodies that overlap deeply at the start
    #[error(
        "contact {contact}: it starts {depth} deep, and throws the bodies apart with about {speed} m/s; move them apart, or say `start_overlap = \"allowed\"` if that is meant"
    )]
    DeepStart {
        /// name of the contact
        contact: String,
        /// depth of the overlap
        depth: String,
        /// the speed that the stored energy gives to the bodies [m/s]
        speed: String,
    },
    /// an indentation larger than half of the smaller body
    #[error(
        "contact {contact}: an indentation of {depth}, more than half of what the smaller of the two measures ({size}): no contact law is meant for that; it is too soft, a drive or a prescribed motion presses the bodies together, a touch was felt late, or they \
         started there"
    )]
    TooDeep {
        /// name of the contact
        contact: String,
        /// the indentation
        depth: String,
        /// the size of the smaller of the two
        size: String,
    },
    /// a journal that slides out of its bearing
    #[error(
        "joint {joint}: its journal is {length} long and leaves its bearing, {bearing} long, at about t = {t} s if the bodies go on along its axis as they start: give a longer \
         `journal_length`, or hold it with `axial`"
    )]
    ShortJournal {
        /// name of the joint
        joint: String,
        /// length of the journal
        length: String,
        /// length of the bearing
        bearing: String,
        /// the time at which its end reaches the bearing [s]
        t: String,
    },
    /// an equilibrium in which a body is turned over
    #[error(
        "the equilibrium found has body {body} turned by {by}° from how it is given{near}: if another one is meant, start nearer to it, or hold the body"
    )]
    TurnedOver {
        /// name of the body
        body: String,
        /// angle of its rotation, in degrees
        by: String,
        /// a remark about an equilibrium near the start; empty if there is none
        near: String,
    },
    /// bodies of a crowd that overlap too much
    #[error(
        "bodies of the crowd overlapped by up to {overlap} of the smaller radius: they are too soft for what presses on them, or too fast; give a larger stiffness (and a shorter step, if it is given)"
    )]
    SoftCrowd {
        /// the largest overlap
        overlap: String,
    },
    /// surfaces that will meet and have no contact
    #[error(
        "nothing acts between {pairs} as the bodies start: give them a contact ([[contact]] between = [\"*\", \"*\"] is one for everything), or say that they pass through each other: [[contact]] between = [\"{a}\", \"{b}\"], none = true"
    )]
    NoContact {
        /// the pairs, and the times at which they meet
        pairs: String,
        /// a body of the first pair
        a: String,
        /// the other body of that pair
        b: String,
    },
    /// surfaces that overlapped and have no contact
    #[error(
        "surfaces overlapped that have no contact: {pairs}; give them a contact ([[contact]] between = [\"*\", \"*\"] is one for everything), or say that they pass through each other: [[contact]] between = [\"{a}\", \"{b}\"], none = true"
    )]
    Overlap {
        /// the pairs, the depths and the times
        pairs: String,
        /// a body of the first pair
        a: String,
        /// the other body of that pair
        b: String,
    },
    /// surfaces that overlapped more deeply than their contact points show
    #[error(
        "surfaces overlapped deeper than their contact knew: {pairs}; a touch was missed: take shorter steps or a smaller rtol, or locate contacts; do not trust this run from then on"
    )]
    Missed {
        /// the pairs, the depths and the times
        pairs: String,
    },
    /// surfaces that came near each other and whose distance no algorithm can compute
    #[error("whether these overlapped was not tested, as no algorithm knows their distance: {pairs}")]
    Untested {
        /// the pairs
        pairs: String,
    },
    /// gaps that are assumed to have stayed open, without proof
    #[error(
        "contact {contact}: in some steps that it did not touch is an estimate from samples of its gap and no proof, because it moved fast along its partner while almost in contact; the overlap audit \
         looks at output times; if it may have touched and parted in between, take a smaller `max_step`"
    )]
    Estimated {
        /// name of the contact
        contact: String,
    },
    /// friction that supplied energy
    #[error("contact {contact}: its friction gave energy: {why}")]
    FrictionDrives {
        /// name of the contact
        contact: String,
        /// what is known of its law
        why: String,
    },
    /// energy or momentum that is not accounted for
    #[error(
        "the audit of {what} was off by {off} of the largest in the run, and {allowed} is what the tolerance or the steps explain: \
         the step or the tolerance is too coarse, a force does not keep its balance, or values overflow; do not trust this run"
    )]
    LargeAudit {
        /// energy, linear momentum or angular momentum
        what: String,
        /// the relative error
        off: String,
        /// the relative error that the tolerance or the steps explain
        allowed: String,
    },
    /// a body so far from the origin that its position has no digits left for the tolerance
    #[error(
        "body {body} starts {far} from the origin, where positions are rounded to {rounded}, and the tolerance asks for {resolved}: motions and indentations of \
         that size are lost. Put the origin near the bodies, or take a larger `rtol`"
    )]
    FarAway {
        /// name of the body
        body: String,
        /// its distance from the origin
        far: String,
        /// the rounding error of positions there
        rounded: String,
        /// the absolute tolerance of positions
        resolved: String,
    },
    /// motions that barely exceed the allowed errors
    #[error(
        "the bodies moved by {moved} at most, and errors of {resolved} are within the tolerance: give a smaller `atol`, or a `scale` of \
         lengths and speeds that is of the size of the motion"
    )]
    SmallMotion {
        /// the largest distance that a body moved
        moved: String,
        /// the absolute tolerance of positions
        resolved: String,
    },
    /// fixed steps that are too long, as their own error estimate shows
    #[error(
        "the steps are too long: taken in halves, some of them differ so much that the energy is off by about {off} of the largest in the run"
    )]
    CoarseSteps {
        /// error relative to the largest energy
        off: String,
    },
    /// an explicit method whose very many steps are at its stability limit
    #[error(
        "{method} takes steps of {step} s, as long as it can without growing errors, and at this pace {needed} more of them: it is explicit, and the fastest motion here, of a time scale of {fastest} s, is far \
         faster than what the tolerance asks to follow; `auto`, `radau5` or `ode15s` take longer steps"
    )]
    SlowMethod {
        /// the method
        method: String,
        /// the length of a step [s]
        step: String,
        /// number of steps left
        needed: String,
        /// the time scale of the fastest motion [s]
        fastest: String,
    },
    /// a tolerance below the rounding error of indentations
    #[error(
        "contact {contact}: its bodies are so far from the origin that rounding of their positions is felt in its indentations: below rtol = {least} a smaller tolerance makes the run longer and not more exact; put the origin nearer, or take that rtol"
    )]
    Rounding {
        /// name of the contact
        contact: String,
        /// the smallest meaningful relative tolerance
        least: String,
    },
    /// bodies that had to be moved to satisfy the joints
    #[error(
        "the joints did not hold as the bodies were given: they were put together, body {body} being moved most, by {by}"
    )]
    Assembled {
        /// name of the body
        body: String,
        /// the magnitude of the change of its position [m] and quaternion
        by: String,
    },
    /// initial velocities that the joints do not allow
    #[error(
        "the velocities given are not such as the joints allow: the nearest were taken, body {body} being changed most of those that were given one, by {by} of it"
    )]
    Velocities {
        /// name of the body
        body: String,
        /// the change relative to its velocity
        by: String,
    },
    /// equations of a joint that others imply
    #[error(
        "joint {joint}: {repeated} of its {of} equations repeat those of other joints; they are left out, and the reactions given are one of many possible"
    )]
    Redundant {
        /// name of the joint
        joint: String,
        /// number of its equations that are redundant
        repeated: usize,
        /// number of its equations
        of: usize,
    },
    /// a run whose steps only the error estimate limits
    #[error(
        "a plain run (`plain = true`): only the error estimate of the method limited its steps; bodies may have passed through each other between output times, and touches were \
         felt late: it shows what such an integration does, and is not to be relied upon"
    )]
    PlainSteps,
    /// a contact point that touched and separated too often
    #[error(
        "contact {contact}: a point touched and parted more than 1000 times in a row, each time within a thousandth of the duration of an impact; its touches and releases \
         were not located for as long as an impact lasts"
    )]
    Chatter {
        /// name of the contact
        contact: String,
    },
}

carom_base::plain!(enum Warning {
    SlowTouch { contact }
    Overdamped { contact, speed, times }
    DeepStart { contact, depth, speed }
    TooDeep { contact, depth, size }
    ShortJournal { joint, length, bearing, t }
    TurnedOver { body, by, near }
    NoContact { pairs, a, b }
    Overlap { pairs, a, b }
    Missed { pairs }
    Untested { pairs }
    Estimated { contact }
    FrictionDrives { contact, why }
    LargeAudit { what, off, allowed }
    FarAway { body, far, rounded, resolved }
    SmallMotion { moved, resolved }
    CoarseSteps { off }
    SlowMethod { method, step, needed, fastest }
    Rounding { contact, least }
    Assembled { body, by }
    Velocities { body, by }
    Redundant { joint, repeated, of }
    Chatter { contact }
    PlainSteps {}
    SoftCrowd { overlap }
});
