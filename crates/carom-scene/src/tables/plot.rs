//! Figures that every run of a scene draws.

use carom_base::Quantity;
use carom_base::param::Allowed;

use super::{FINITE, PLAIN};
use crate::keys::{AtLeastOne, Choice, Form, Key, Presence, Table, Words};

pub(super) static PLOT: Table = Table {
    title: "plot",
    doc: "A figure that is drawn into the folder at the end of every run, also of one that failed. A quantity is `ball.z`, `ball.speed`, `ball~floor.fn`, `kinetic` … (`carom plot DIR --list` lists them all), an \
          expression of some, as `ball.z - 0.02`, or two with a colon between, as `ball.z:ball.x`: the first upwards, the second across.",
    keys: &[
        Key::optional(
            "file",
            Form::Name,
            "`plot1`, `plot2` …",
            "its name in the folder: as SVG and PNG, unless it ends in `.svg`, `.png` or `.pdf`",
        ),
        Key::optional(
            "title",
            Form::Text,
            "none",
            "what is written above it; in it and in labels `f_n` and `m/s^2` are set as sub- and superscripts, `F_{max}` too, and `\\_` is an underscore",
        ),
        Key::optional(
            "x_label",
            Form::Text,
            "what is drawn",
            "the words of axes across; the unit follows, unless they end in `]`",
        ),
        Key::optional(
            "y_labels",
            Form::TextList,
            "what is drawn",
            "the words of axes upwards, panel by panel; the unit follows, unless they end in `]`",
        ),
        Key::optional("labels", Form::TextList, "what is drawn", "names in the legend, one a quantity"),
        Key::optional("quantities", Form::TextList, "given by `phase`", "what is drawn"),
        Key::optional(
            "phase",
            Form::TextList,
            "none",
            "quantities whose rates are drawn over them: `ball.z` gives `ball.vz:ball.z`",
        ),
        Key::optional("against", Form::Text, "time", "the quantity across"),
        Key::default(
            "together",
            Form::Bool,
            Presence::Bool(false),
            "whether quantities of one unit share a panel",
        ),
        Key::default("log", Form::Bool, Presence::Bool(false), "whether axes upwards are logarithmic"),
        Key::optional(
            "from",
            Form::Number(Quantity::Time, FINITE),
            "the first output time",
            "the first point",
        ),
        Key::optional("to", Form::Number(Quantity::Time, FINITE), "the last output time", "the last point"),
        Key::optional(
            "units",
            Form::TextList,
            "as fits the numbers",
            "units to be shown in: `mm`, `ms`, `deg`",
        ),
        Key::optional(
            "size",
            Form::Vector(2, Quantity::Number, Allowed::Between(50.0, 4000.0)),
            "a column of a page",
            "width and height of a panel [px]",
        ),
        Key::optional(
            "width",
            Form::Word(Words::These(&["column", "page"])),
            "panels as wide as `size` says",
            "width in print: one `column` of a journal (85 mm) or both, a `page` (170 mm); letters then have 7 points",
        ),
    ],
    choices: &[Choice { sets: &[&["quantities"], &["phase"]], at_least_one: AtLeastOne::Needed }],
    ..PLAIN
};
