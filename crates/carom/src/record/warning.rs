//! What a user is warned of.

/// Something a user should know of a run that went well.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Warning {
    /// touches too slow for a law that divides by the impact speed, where such speeds matter
    #[error(
        "contact {contact}: it touched below its min_impact_speed, at speeds that matter here; its damping there is that of the last impact above it, or of that least one: \
         give a smaller `min_impact_speed`"
    )]
    SlowTouch {
        /// which contact
        contact: String,
    },
    /// a law that divides by the impact speed, in a contact that began slowly and then moved fast
    #[error(
        "contact {contact}: it began below its min_impact_speed and then moved at {speed} m/s, {times} times the impact speed that its damping counts with: it is damped {times} times \
         as much as its law means; give `min_impact_speed` the speed of its impacts, or take a law whose damping does not depend on it"
    )]
    Overdamped {
        /// which contact
        contact: String,
        /// how fast it moved [m/s]
        speed: String,
        /// over the impact speed it counts with
        times: String,
    },
    /// bodies that start deep in one another
    #[error(
        "contact {contact}: it starts {depth} deep, and throws the bodies apart with about {speed} m/s; move them apart, or say `start_overlap = \"allowed\"` if that is meant"
    )]
    DeepStart {
        /// which contact
        contact: String,
        /// how deep
        depth: String,
        /// how fast the stored energy makes the bodies [m/s]
        speed: String,
    },
    /// an indentation larger than a body
    #[error(
        "contact {contact}: an indentation of {depth}, more than half of what the smaller of the two measures ({size}): no contact law is meant for that; it is too soft, a drive or a prescribed motion presses the bodies together, a touch was felt late, or they \
         started there"
    )]
    TooDeep {
        /// which contact
        contact: String,
        /// how deep
        depth: String,
        /// how large the smaller of the two is
        size: String,
    },
    /// a journal that leaves its bearing
    #[error(
        "joint {joint}: its journal is {length} long and leaves its bearing, {bearing} long, at about t = {t} s if the bodies go on along its axis as they start: give a longer \
         `journal_length`, or hold it with `axial`"
    )]
    ShortJournal {
        /// which joint
        joint: String,
        /// of the journal
        length: String,
        /// of the bearing
        bearing: String,
        /// when its end comes into the bearing [s]
        t: String,
    },
    /// an equilibrium in which a body is turned over
    #[error(
        "the equilibrium found has body {body} turned by {by}° from how it is given{near}: if another one is meant, start nearer to it, or hold the body"
    )]
    TurnedOver {
        /// which body
        body: String,
        /// by how much, in degrees
        by: String,
        /// what is to be said of one near the start; empty: there is none
        near: String,
    },
    /// surfaces that will meet and have no contact
    #[error(
        "nothing acts between {pairs} as the bodies start: give them a contact, or say that they pass through each other: [[contact]] between = [\"{a}\", \"{b}\"], none = true"
    )]
    NoContact {
        /// which, and when
        pairs: String,
        /// a body of the first pair
        a: String,
        /// the other
        b: String,
    },
    /// surfaces that overlapped and have no contact
    #[error(
        "surfaces overlapped that have no contact: {pairs}; give them a contact, or say that they pass through each other: [[contact]] between = [\"{a}\", \"{b}\"], none = true"
    )]
    Overlap {
        /// which, by how much, when
        pairs: String,
        /// a body of the first pair
        a: String,
        /// the other
        b: String,
    },
    /// surfaces that overlapped more than their contact knew
    #[error(
        "surfaces overlapped deeper than their contact knew: {pairs}; a touch was missed: take shorter steps or a smaller rtol, or locate contacts; do not trust this run from then on"
    )]
    Missed {
        /// which, by how much, when
        pairs: String,
    },
    /// surfaces that came near and whose distance nobody knows
    #[error("whether these overlapped was not tested, as no algorithm knows their distance: {pairs}")]
    Untested {
        /// which
        pairs: String,
    },
    /// gaps that are taken to have stayed open, without proof
    #[error(
        "contact {contact}: in some steps that it did not touch is an estimate from samples of its gap and no proof, because it moved fast along its partner while hardly apart; the overlap audit \
         looks at output times; if it may have touched and parted in between, take a smaller `max_step`"
    )]
    Estimated {
        /// which contact
        contact: String,
    },
    /// friction that gave energy
    #[error(
        "contact {contact}: its friction gave energy: slip above 4 g/σ1 with damping_form = \"constant\", or a law of your own that is not passive"
    )]
    FrictionDrives {
        /// which contact
        contact: String,
    },
    /// energy or momentum that is not accounted for
    #[error(
        "the audit of {what} was off by {off} of the largest in the run, and {allowed} is what the tolerance or the steps explain: \
         the step or the tolerance is too coarse, a force does not keep its balance, or values overflow; do not trust this run"
    )]
    LargeAudit {
        /// of what
        what: String,
        /// by which part of the largest
        off: String,
        /// what would be no surprise
        allowed: String,
    },
    /// a body so far from the origin that its position has no digits left for the tolerance
    #[error(
        "body {body} starts {far} from the origin, where positions are rounded to {rounded}, and the tolerance asks for {resolved}: motions and indentations of \
         that size are lost. Put the origin near the bodies, or take a larger `rtol`"
    )]
    FarAway {
        /// which
        body: String,
        /// how far
        far: String,
        /// what positions are known to there
        rounded: String,
        /// what the tolerance counts as nothing
        resolved: String,
    },
    /// motions that are hardly more than the errors allowed
    #[error(
        "the bodies moved by {moved} at most, and errors of {resolved} are within the tolerance: give a smaller `atol`, or a `scale` of \
         lengths and speeds that is of the size of the motion"
    )]
    SmallMotion {
        /// how far
        moved: String,
        /// what counts as nothing
        resolved: String,
    },
    /// given steps that are too long by what they show themselves
    #[error(
        "the steps are too long: taken in halves, some of them differ so much that the energy is off by about {off} of the largest in the run"
    )]
    CoarseSteps {
        /// by which part of the largest energy
        off: String,
    },
    /// an explicit method whose steps are as long as they can be, and very many
    #[error(
        "{method} takes steps of {step} s, as long as it can without growing errors, and at this pace {needed} more of them: it is explicit, and the fastest motion here, of a time scale of {fastest} s, is far \
         faster than what the tolerance asks to follow; `auto`, `radau5` or `ode15s` take longer steps"
    )]
    SlowMethod {
        /// the method
        method: String,
        /// the length of a step [s]
        step: String,
        /// how many are left
        needed: String,
        /// the time scale of the fastest motion [s]
        fastest: String,
    },
    /// a tolerance below what rounding leaves of indentations
    #[error(
        "contact {contact}: its bodies are so far from the origin that rounding of their positions is felt in its indentations: below rtol = {least} a smaller tolerance makes the run longer and not more exact; put the origin nearer, or take that rtol"
    )]
    Rounding {
        /// which contact
        contact: String,
        /// the least relative tolerance that means something
        least: String,
    },
    /// bodies that had to be moved for the joints to hold
    #[error(
        "the joints did not hold as the bodies were given: they were put together, body {body} being moved most, by {by}"
    )]
    Assembled {
        /// which body
        body: String,
        /// how far
        by: String,
    },
    /// velocities that the joints do not allow
    #[error(
        "the velocities given are not such as the joints allow: the nearest were taken, body {body} being changed most of those that were given one, by {by} of it"
    )]
    Velocities {
        /// which body
        body: String,
        /// by how much of its velocity
        by: String,
    },
    /// equations of a joint that others imply
    #[error(
        "joint {joint}: {repeated} of its {of} equations repeat those of other joints; they are left out, and the reactions told are one of many possible"
    )]
    Redundant {
        /// which joint
        joint: String,
        /// how many of its equations
        repeated: usize,
        /// of how many
        of: usize,
    },
    /// a contact point that touched and parted too often
    #[error(
        "contact {contact}: a point touched and parted more than 1000 times in a row, each time within a thousandth of the duration of an impact; its touches and releases \
         were not located for as long as an impact lasts"
    )]
    Chatter {
        /// which contact
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
    FrictionDrives { contact }
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
});
