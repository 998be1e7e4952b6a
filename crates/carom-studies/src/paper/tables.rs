//! The tables of a recipe: every key and its meaning.

use carom_base::Quantity;
use carom_base::param::Allowed;

use carom_scene::keys::{AtLeastOne, Choice, Form, Key, PARAMETER, PLAIN, Presence, Table, Words};

const NUMBER: Form = Form::Number(Quantity::Number, Allowed::Finite);
const TIME: Form = Form::Number(Quantity::Time, Allowed::NotNegative);

/// The whole recipe.
pub(crate) static PAPER: Table = Table {
    title: "paper",
    doc: "The figures of a paper: which scenes, which quantities, which axes, and what must come out.",
    keys: &[
        Key::required("title", Form::Text, "of the paper, short"),
        Key::required("source", Form::Text, "authors, title, journal, year"),
        Key::optional(
            PARAMETER,
            Form::Parameters,
            "none",
            "numbers by name, for values that are computed: `\"= diameter + gap\"`",
        ),
        Key::required("figure", Form::Array(&FIGURE), "the figures"),
        Key::optional("remark", Form::Array(&REMARK), "none", "what the paper says, and what we find"),
    ],
    ..PLAIN
};

static FIGURE: Table = Table {
    title: "figure",
    doc: "A figure: runs, views of bodies, panels of curves below them, expected values.",
    keys: &[
        Key::required("name", Form::Name, "what the command line and files call it"),
        Key::required("title", Form::Text, "what it shows, in a line"),
        Key::optional(
            "says",
            Form::Text,
            "the paper has no such figure",
            "what the paper shows and says, in our words",
        ),
        Key::optional("reading", Form::Text, "as printed", "how we read it, and where we differ"),
        Key::optional("note", Form::Text, "nothing", "what to see in it, for the report"),
        Key::default("columns", NUMBER, Presence::Number(2.0), "panels in a row"),
        Key::optional(
            "timed",
            Form::Number(Quantity::Number, Allowed::Positive),
            "runs are not timed",
            "how often each run is repeated, one at a time and writing nothing, for `run.time`: the least",
        ),
        Key::optional("run", Form::Array(&RUN), "nothing: it shows formulas", "what is simulated"),
        Key::optional("view", Form::Array(&VIEW), "it has panels", "bodies that are drawn"),
        Key::optional("panel", Form::Array(&PANEL), "it has views", "curves that are drawn"),
        Key::optional("expect", Form::Array(&EXPECT), "none", "values that must come out"),
    ],
    ..PLAIN
};

static RUN: Table = Table {
    title: "figure.run",
    doc: "A run of a scene, with some values replaced.",
    keys: &[
        Key::required("name", Form::Name, "what curves and files call it"),
        Key::required("scene", Form::Text, "a file in the folder `scenes`, without its ending"),
        Key::optional("label", Form::Text, "its name", "what the legend calls it"),
        Key::optional("value", NUMBER, "none", "a number of the run, for expressions: `run.value`"),
        Key::optional(
            "set",
            Form::TextList,
            "nothing is replaced",
            "`path=value`, as `--set` of `carom run`",
        ),
        Key::optional(
            "quick",
            Form::Number(Quantity::Time, Allowed::Positive),
            "the duration of the scene",
            "how long it is with `--quick`",
        ),
    ],
    ..PLAIN
};

static VIEW: Table = Table {
    title: "figure.view",
    doc: "The bodies of a run at a moment, in space, seen from far away.",
    keys: &[
        Key::optional("title", Form::Text, "none", "above it"),
        Key::required("run", Form::Text, "whose bodies"),
        Key::default("at", TIME, Presence::Number(0.0), "the output time"),
        Key::default(
            "eye",
            Form::Vector(3, Quantity::Number, Allowed::Finite),
            Presence::Numbers(&[1.0, -2.0, 1.0]),
            "the direction it is seen from, of any length but 0",
        ),
        Key::optional(
            "distance",
            Form::Text,
            "none is shown",
            "the distance that is shown: its points and the line between them, and at each the normal in red, tangent and binormal in green and blue",
        ),
        Key::default(
            "common_normals",
            Form::Bool,
            Presence::Bool(false),
            "whether all common normals of the two ellipsoids of `distance` are shown in place of the nearest points; bodies are then their principal sections",
        ),
        Key::default("bodies", Form::Bool, Presence::Bool(true), "whether the bodies are drawn"),
        Key::optional(
            "paths",
            Form::TextList,
            "none",
            "bodies and probes whose trajectory through the whole run is drawn as a line",
        ),
        Key::default(
            "shadows",
            Form::Bool,
            Presence::Bool(false),
            "whether paths are in a box with axes, and projected onto its walls behind them",
        ),
        Key::optional(
            "marked",
            Form::TextList,
            "up to three moving bodies differ in colour",
            "bodies that have a second colour; all others that move then have the first, and fixed ones are grey",
        ),
    ],
    ..PLAIN
};

const SCALE: Form = Form::Word(Words::These(&["linear", "log"]));
const OVER: Form = Form::Word(Words::These(&["max", "min", "sum", "mean", "integral"]));

static PANEL: Table = Table {
    title: "figure.panel",
    doc: "A pair of axes with curves: every curve for every run; or, `across` runs, every curve once, a run a point.",
    keys: &[
        Key::optional("title", Form::Text, "none", "above it"),
        Key::default(
            "across",
            Form::Bool,
            Presence::Bool(false),
            "whether a curve goes from run to run, each a point: the last of those between `from` and `until`",
        ),
        Key::optional(
            "over",
            OVER,
            "the last",
            "the largest or smallest of these instead, their sum, mean or integral over time, in a panel `across` runs",
        ),
        Key::default(
            "x",
            Form::Text,
            Presence::Word("t"),
            "what is across, an expression of recorded quantities",
        ),
        Key::default("x_label", Form::Text, Presence::Word("t [s]"), "with its unit"),
        Key::default("x_scale", SCALE, Presence::Word("linear"), "of the axis"),
        Key::required("y_label", Form::Text, "with its unit"),
        Key::default("y_scale", SCALE, Presence::Word("linear"), "of the axis"),
        Key::optional(
            "y_range",
            Form::Vector(2, Quantity::Number, Allowed::Finite),
            "what the curves need",
            "the ends of the axis",
        ),
        Key::default("equal", Form::Bool, Presence::Bool(false), "whether both axes have the same scale"),
        Key::optional("from", TIME, "from the beginning", "time of the first point"),
        Key::optional("until", TIME, "to the end", "time of the last point"),
        Key::optional(
            "every",
            Form::Number(Quantity::Time, Allowed::Positive),
            "all output times",
            "time from point to point",
        ),
        Key::optional("runs", Form::TextList, "all of the figure", "the runs in it"),
        Key::optional("less", Form::Text, "nothing", "the run whose curve is taken away from the others'"),
        REFERENCE,
        Key::required("curve", Form::Array(&CURVE), "what is drawn of each run"),
    ],
    ..PLAIN
};

const REFERENCE: Key = Key::optional(
    "reference",
    Form::Text,
    "none",
    "the run whose quantities expressions call `reference.NAME`: `ball.z - reference.ball.z`",
);

static CURVE: Table = Table {
    title: "figure.panel.curve",
    doc: "A curve of every run of the panel, or across them.",
    keys: &[
        Key::optional(
            "y",
            Form::Text,
            "it is an `outline`",
            "an expression of recorded quantities: `1e3*(cue.z - 0.0286)`",
        ),
        Key::optional(
            "x",
            Form::Text,
            "that of the panel; `along` a variable, the variable; of a `profile`, `angle`",
            "what is across",
        ),
        Key::optional(
            "period",
            Form::Number(Quantity::Number, Allowed::Positive),
            "`y` may jump",
            "`y` is an angle that begins anew after each period: continued without jumps, so that turns add up",
        ),
        Key::optional(
            "along",
            Form::Table(&ALONG),
            "`y` and `x` are of recorded quantities",
            "the variable that `y` and `x` are expressions of instead: a formula, of no run",
        ),
        Key::optional(
            "profile",
            Form::Text,
            "`y` and `x` are of recorded quantities",
            "the joint whose worn bearing is shown as it is at the end: `y` and `x` are expressions of `angle` [rad] and `depth` [m]",
        ),
        Key::optional(
            "outline",
            Form::Text,
            "it has `y`",
            "the body whose outlines are drawn, as seen along z: x across, y upwards; that of a hollow body is of its hull",
        ),
        Key::optional(
            "at",
            Form::List(Quantity::Time, Allowed::NotNegative),
            "at 0",
            "the output times of outlines",
        ),
        Key::optional(
            "label",
            Form::Text,
            "that of the run",
            "what the legend calls it; across runs it has no other name",
        ),
        Key::optional("runs", Form::TextList, "those of the panel", "the runs it is of"),
        Key::optional(
            "draw",
            Form::Word(Words::These(&["line", "dots", "passage", "bars", "guide"])),
            "`line`; `dots` across runs",
            "`line`; `dots`: a line with a dot at every point; `passage`: dots, from blue at the first to red at the last; `bars`, of runs by \
             their labels, whatever `x` is; `guide`: a thin line to compare with",
        ),
    ],
    choices: &[
        Choice { sets: &[&["y"], &["outline"]], at_least_one: AtLeastOne::Needed },
        Choice { sets: &[&["along"], &["profile"], &["outline"]], at_least_one: AtLeastOne::NotNeeded },
    ],
    ..PLAIN
};

static ALONG: Table = Table {
    title: "figure.panel.curve.along",
    doc: "The variable of a formula, and where it goes: `{ name = \"s\", from = 0, to = 1 }`.",
    keys: &[
        Key::required("name", Form::Name, "what expressions call it"),
        Key::required("from", NUMBER, "its first value"),
        Key::required("to", NUMBER, "its last value"),
        Key::default(
            "points",
            Form::Number(Quantity::Number, Allowed::Between(2.0, 1e5)),
            Presence::Number(400.0),
            "how many values, equally far apart",
        ),
    ],
    ..PLAIN
};

static EXPECT: Table = Table {
    title: "figure.expect",
    doc: "A value that must come out: `value` within `tolerance`, or at `least`, or at `most`.",
    keys: &[
        Key::required("what", Form::Text, "in words"),
        Key::required("run", Form::Text, "whose"),
        Key::required(
            "of",
            Form::Text,
            "an expression of recorded quantities, `touch.N` (time of the N-th touch), `release.N`, or numbers of the summary: `summary.touches`; never of `run.time`",
        ),
        Key::optional("at", TIME, "at the end", "the output time at which"),
        Key::optional(
            "over",
            OVER,
            "at one time",
            "of all output times from `at` on instead; `mean`: each time counts as much as any other; `integral`: over time, by the trapezoidal rule",
        ),
        Key::optional("less", Form::Text, "nothing", "the run whose value is taken away"),
        REFERENCE,
        Key::optional("value", NUMBER, "given otherwise", "what must come out"),
        Key::optional(
            "tolerance",
            Form::Number(Quantity::Number, Allowed::NotNegative),
            "0",
            "how far it may be off",
        ),
        Key::optional("least", NUMBER, "given otherwise", "what it must reach"),
        Key::optional("most", NUMBER, "given otherwise", "what it must not exceed"),
        Key::default("source", Form::Text, Presence::Word("independent solution"), "where that comes from"),
    ],
    ..PLAIN
};

static REMARK: Table = Table {
    title: "remark",
    doc: "A remark of the paper beside what we find, and the runs that show it.",
    keys: &[
        Key::required("paper", Form::Text, "what the paper says, in our words"),
        Key::required("ours", Form::Text, "what we find"),
        Key::required("runs", Form::TextList, "the runs that show it: `figure/run`"),
    ],
    ..PLAIN
};
