//! The table of the run: duration, tolerances, and what is recorded.

use carom::ode::methods;
use carom::{Analysis, Stabilisation, Start};
use carom_base::Quantity;
use carom_base::param::Allowed;

use super::{PLAIN, POSITIVE};
use crate::keys::{AtLeastOne, Choice, Form, Key, Presence, Table, Words};

/// How many threads there may be; of a number that is not whole, the part before the point counts.
const THREADS: Allowed = Allowed::Between(1.0, 1024.0);

pub(super) static RUN: Table = Table {
    title: "run",
    doc: "How long, how exactly, and what is recorded.",
    keys: &[
        Key::required("duration", Form::Number(Quantity::Time, POSITIVE), "simulated time"),
        Key::optional(
            "output_every",
            Form::Number(Quantity::Time, POSITIVE),
            "every accepted step is recorded",
            "interval between recorded frames; contacts are also recorded between them",
        ),
        Key::optional(
            "output_at",
            Form::List(Quantity::Time, Allowed::NotNegative),
            "every accepted step is recorded",
            "times of recorded frames, in increasing order; instead of `output_every`",
        ),
        Key::default(
            "analysis",
            Form::Word(Words::From(analyses)),
            Presence::Word("dynamic"),
            "what is asked: the motion under forces; that which drives give a mechanism (kinematic); what the drives must do for it (inverse); where bodies come to rest (static); how they move near there (modes)",
        ),
        Key::default(
            "start",
            Form::Word(Words::From(starts)),
            Presence::Word("as-given"),
            "where the bodies start: as given, or in the equilibrium nearest to that, with the velocities given",
        ),
        Key::default(
            "method",
            Form::Word(Words::From(method_names)),
            Presence::Word(methods::DEFAULT),
            "integration method",
        ),
        Key::default(
            "rtol",
            Form::Number(Quantity::Number, POSITIVE),
            Presence::Number(1e-8),
            "relative tolerance of a step",
        ),
        Key::optional(
            "atol",
            Form::Number(Quantity::Number, POSITIVE),
            "the same as `rtol`",
            "absolute tolerance of a step, in units of `scale`",
        ),
        Key::optional(
            "step",
            Form::Number(Quantity::Time, POSITIVE),
            "chosen by the method, if it can",
            "the step of a fixed-step method, the first step of another",
        ),
        Key::optional(
            "threads",
            Form::Number(Quantity::Number, THREADS),
            "all cores, where there are bodies enough for them",
            "how many threads share the work of `method = \"crowd\"`, or of bodies that advance in islands; results are the same to the bit",
        ),
        Key::default(
            "islands",
            Form::Bool,
            Presence::Bool(true),
            "whether groups of bodies that cannot meet for a while advance by themselves, each with steps and events of its own, where many bodies (32 or more) move by contacts and gravity alone; \
             frames are then recorded at output times or at the ends of such whiles",
        ),
        Key::optional("max_step", Form::Number(Quantity::Time, POSITIVE), "no limit", "the longest step"),
        Key::default(
            "locate_contacts",
            Form::Bool,
            Presence::Bool(true),
            "whether a step lands exactly on every touch and release",
        ),
        Key::default(
            "plain",
            Form::Bool,
            Presence::Bool(false),
            "whether only the error estimate of the method limits the steps: contacts are not located, and a step may go past one, so that bodies may pass through each other; \
             to see what a general-purpose integrator does, not to rely upon",
        ),
        Key::default(
            "stabilisation",
            Form::Word(Words::From(stabilisations)),
            Presence::Word("projection"),
            "what keeps joints from drifting: the drift is taken out after every step, or Baumgarte's terms draw it back, or nothing does",
        ),
        Key::optional(
            "baumgarte",
            Form::Number(Quantity::Rate, POSITIVE),
            "needed with `stabilisation = \"baumgarte\"`",
            "α of Baumgarte's terms: φ'' + 2 α φ' + α² φ = 0 for every equation φ = 0 of a joint",
        ),
        Key::default(
            "integrate_impulses",
            Form::Bool,
            Presence::Bool(false),
            "whether the impulses of all that acts from outside are integrated along with the motion, so that the audit of momentum is exact in every step; \
             without, forces are summed up now and then. It makes small scenes 5 to 20 % slower",
        ),
        Key::optional("scale", Form::Table(&SCALE), "from the model", "what `atol` is measured in"),
    ],
    choices: &[Choice { sets: &[&["output_every"], &["output_at"]], at_least_one: AtLeastOne::NotNeeded }],
    ..PLAIN
};

fn method_names() -> Vec<&'static str> {
    carom::METHODS.clone()
}

fn analyses() -> Vec<&'static str> {
    Analysis::ALL.iter().map(|a| a.0).collect()
}

fn starts() -> Vec<&'static str> {
    Start::ALL.iter().map(|s| s.0).collect()
}

fn stabilisations() -> Vec<&'static str> {
    Stabilisation::WORDS.to_vec()
}

static SCALE: Table = Table {
    title: "run.scale",
    doc: "What is large and what is small: absolute tolerances are in these units.",
    keys: &[
        Key::optional(
            "length",
            Form::Number(Quantity::Length, POSITIVE),
            "the size of the smallest body",
            "unit of positions",
        ),
        Key::optional(
            "speed",
            Form::Number(Quantity::Speed, POSITIVE),
            "from that length and gravity, or the initial speeds",
            "unit of velocities",
        ),
    ],
    ..PLAIN
};
