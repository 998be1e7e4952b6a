//! Describes the figures to draw from a run, as a scene or the command line asks for them.

use crate::units::ShownUnit;

/// A figure to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// text above the figure; may be empty
    pub title: String,
    /// name of the file in the result folder; with an ending only that format is written, else SVG and PNG
    pub file: String,
    /// the curves
    pub wanted: Vec<Wanted>,
    /// whether curves with the same unit share a panel; otherwise each has its own
    pub together: bool,
    /// whether vertical axes are logarithmic
    pub log: bool,
    /// times of the first and last point \[s\]
    pub span: (f64, f64),
    /// units to use for values of their dimension; other units are chosen automatically
    pub units: Vec<ShownUnit>,
    /// width and height of a panel [px]
    pub size: Option<(f64, f64)>,
    /// width in print, which sets the width of panels
    pub width: Option<PrintWidth>,
    /// words of horizontal axes instead of the names of what is drawn; empty: those names. In all labels and in the title `f_n`
    /// and `m/s^2` stand for sub- and superscripts
    pub x_label: String,
    /// words of vertical axes, panel by panel; of panels beyond them, the names of what is drawn
    pub y_labels: Vec<String>,
    /// names in the legend: one per quantity, or per run if there is one quantity; empty: the names of what is drawn
    pub labels: Vec<String>,
}

/// The width of a figure in print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintWidth {
    /// one column of a journal, 85 mm
    Column,
    /// both columns, 170 mm
    Page,
}

impl PrintWidth {
    /// The words that scenes and the command line have for them.
    pub const WORDS: [&'static str; 2] = ["column", "page"];

    /// Returns the width of a word.
    ///
    /// ```
    /// use carom_scene::plot::PrintWidth;
    /// assert_eq!(PrintWidth::of_word("page"), Some(PrintWidth::Page));
    /// ```
    pub fn of_word(word: &str) -> Option<PrintWidth> {
        match word {
            "column" => Some(PrintWidth::Column),
            "page" => Some(PrintWidth::Page),
            _ => None,
        }
    }
}

impl Default for Plot {
    fn default() -> Plot {
        Plot {
            title: String::new(),
            file: "plot".to_owned(),
            wanted: Vec::new(),
            together: false,
            log: false,
            span: (f64::NEG_INFINITY, f64::INFINITY),
            units: Vec::new(),
            size: None,
            width: None,
            x_label: String::new(),
            y_labels: Vec::new(),
            labels: Vec::new(),
        }
    }
}

/// A curve: a quantity, or an expression of quantities, plotted over another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// vertical axis
    pub y: String,
    /// horizontal axis; `None` for the time
    pub x: Option<String>,
}

impl Wanted {
    /// Parses `y`, or `y:x`. A colon in quotes is part of a name.
    ///
    /// ```
    /// use carom_scene::plot::Wanted;
    /// let force = Wanted::parse("ball~floor.fn:ball~floor.delta");
    /// assert_eq!(force.x.as_deref(), Some("ball~floor.delta"));
    /// assert_eq!(Wanted::parse("'a:b'.x").x, None);
    /// ```
    pub fn parse(text: &str) -> Wanted {
        let mut quote = None;
        for (i, c) in text.char_indices() {
            match (quote, c) {
                (None, '\'' | '"') => quote = Some(c),
                (Some(q), c) if q == c => quote = None,
                (None, ':') => {
                    let x = Some(text[i + 1..].trim().to_owned());
                    return Wanted { y: text[..i].trim().to_owned(), x };
                }
                _ => {}
            }
        }
        Wanted { y: text.trim().to_owned(), x: None }
    }
}
