//! What is to be drawn of a run, as a scene or the command line says it.

use crate::units::ShownUnit;

/// What is to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// above the figure; may be empty
    pub title: String,
    /// the file's name in the folder; with an ending that kind only, else SVG and PNG
    pub file: String,
    /// the curves
    pub wanted: Vec<Wanted>,
    /// whether curves of one unit share a panel; else each has its own
    pub together: bool,
    /// whether axes upwards are logarithmic
    pub log: bool,
    /// times of the first and last point \[s\]
    pub span: (f64, f64),
    /// units to be shown in, where they fit; others are found
    pub units: Vec<ShownUnit>,
    /// width and height of a panel [px]
    pub size: Option<(f64, f64)>,
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
        }
    }
}

/// A curve: a quantity, or an expression of some, over another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// upwards
    pub y: String,
    /// across; `None`: time
    pub x: Option<String>,
}

impl Wanted {
    /// `y`, or `y:x`. A colon in quotes is part of a name.
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

    /// The phase portrait of a quantity: its rate over it. `None`: no rate is recorded of such a one.
    ///
    /// ```
    /// use carom_scene::plot::Wanted;
    /// let phase = Wanted::phase("ball.z").unwrap();
    /// assert_eq!((phase.y.as_str(), phase.x.as_deref()), ("ball.vz", Some("ball.z")));
    /// assert_eq!(Wanted::phase("kinetic"), None);
    /// ```
    pub fn phase(name: &str) -> Option<Wanted> {
        let (owner, suffix) = name.rsplit_once('.')?;
        let rate = match suffix {
            "x" | "y" | "z" => format!("v{suffix}"),
            "vx" | "vy" | "vz" => format!("a{}", &suffix[1..]),
            "wx" | "wy" | "wz" => format!("alpha{}", &suffix[1..]),
            "angle_x" | "angle_y" | "angle_z" => format!("w{}", &suffix[6..]),
            "delta" => "delta_dot".to_owned(),
            "angle" | "displacement" => format!("{suffix}_rate"),
            f if f.starts_with('F') => format!("d{f}"),
            _ => return None,
        };
        Some(Wanted { y: format!("{owner}.{rate}"), x: Some(name.to_owned()) })
    }
}
