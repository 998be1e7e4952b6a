//! Reads a recipe from its fields.

use carom_base::expression::Expression;
use carom_scene::{Fields, Problem, Span};

use super::{Curve, Draw, Expected, Figure, Over, Panel, Paper, Remark, RunRecipe, Shown, View};

pub(super) fn recipe(name: &str, fields: &Fields) -> Result<Paper, Problem> {
    let figures = fields.array("figure").iter().map(figure).collect::<Result<Vec<_>, _>>()?;
    let remarks = fields.array("remark").iter().map(|f| remark(f, &figures)).collect::<Result<_, _>>()?;
    Ok(Paper {
        name: name.to_owned(),
        title: string(fields, "title"),
        source: string(fields, "source"),
        figures,
        remarks,
    })
}

fn string(f: &Fields, key: &str) -> String {
    f.text(key).unwrap_or_default().to_owned()
}

fn figure(f: &Fields) -> Result<Figure, Problem> {
    let runs: Vec<RunRecipe> = f.array("run").iter().map(run).collect();
    if f.array("panel").is_empty() && f.array("view").is_empty() {
        return Err(Problem::new("`figure` needs `panel` or `view`").at(f.at.clone(), ""));
    }
    Ok(Figure {
        name: string(f, "name"),
        title: string(f, "title"),
        says: string(f, "says"),
        reading: string(f, "reading"),
        note: string(f, "note"),
        columns: f.number("columns").map_or(1, |x| x as usize),
        timed: f.number("timed").map_or(0, |x| x as usize),
        panels: f.array("panel").iter().map(|p| panel(p, &runs)).collect::<Result<_, _>>()?,
        views: f.array("view").iter().map(|v| view(v, &runs)).collect::<Result<_, _>>()?,
        expected: f.array("expect").iter().map(|e| expected(e, &runs)).collect::<Result<_, _>>()?,
        runs,
    })
}

fn run(f: &Fields) -> RunRecipe {
    let name = string(f, "name");
    RunRecipe {
        label: f.text("label").unwrap_or(&name).to_owned(),
        name,
        scene: string(f, "scene"),
        value: f.number("value"),
        set: f.texts("set").map(|(set, _)| set.to_vec()).unwrap_or_default(),
        quick: f.number("quick"),
    }
}

fn view(f: &Fields, runs: &[RunRecipe]) -> Result<View, Problem> {
    let eye = f.vector("eye").unwrap_or_default();
    if eye == [0.0; 3] {
        return Err(Problem::new("`eye` cannot be zero").at(f.span("eye"), "allowed: a direction"));
    }
    Ok(View {
        title: string(f, "title"),
        run: run_index(f, "run", runs)?.unwrap_or_default(),
        at: f.number("at").unwrap_or(0.0),
        eye,
        distance: f.text("distance").map(str::to_owned),
        common_normals: common_normals(f)?,
        bodies: f.bool("bodies").unwrap_or(true),
        paths: f.texts("paths").map(|(names, _)| names.to_vec()).unwrap_or_default(),
        shadows: f.bool("shadows").unwrap_or(false),
        marked: f.texts("marked").map(|(names, _)| names.to_vec()).unwrap_or_default(),
    })
}

fn common_normals(f: &Fields) -> Result<bool, Problem> {
    let wanted = f.bool("common_normals").unwrap_or(false);
    if wanted && f.text("distance").is_none() {
        let problem = Problem::new("`common_normals` needs `distance`");
        return Err(problem.at(f.span("common_normals"), "of which two ellipsoids is not said"));
    }
    Ok(wanted)
}

fn panel(f: &Fields, runs: &[RunRecipe]) -> Result<Panel, Problem> {
    let named = names(f, runs)?.unwrap_or_else(|| (0..runs.len()).collect());
    let across = f.bool("across").unwrap_or(false);
    let reference = run_index(f, "reference", runs)?;
    let curve = |c: &Fields| {
        let draw = match c.text("draw") {
            Some("dots") => Draw::Dots,
            Some("passage") => Draw::Passage,
            Some("bars") => Draw::Bars,
            Some("guide") => Draw::Guide,
            None if across => Draw::Dots,
            _ => Draw::Line,
        };
        if draw == Draw::Bars && !across {
            return Err(
                Problem::new("bars are of runs: the panel needs `across = true`").at(c.span("draw"), "")
            );
        }
        let runs = names(c, runs)?.unwrap_or_else(|| named.clone());
        Ok(Curve { shows: shown(c, f, reference)?, label: string(c, "label"), runs, draw })
    };
    Ok(Panel {
        title: string(f, "title"),
        across,
        over: over(f),
        x_label: string(f, "x_label"),
        x_log: f.text("x_scale") == Some("log"),
        y_label: string(f, "y_label"),
        y_log: f.text("y_scale") == Some("log"),
        y_range: f.numbers("y_range").and_then(|r| Some((*r.first()?, *r.get(1)?))),
        equal: f.bool("equal").unwrap_or(false),
        span: (f.number("from").unwrap_or(0.0), f.number("until").unwrap_or(f64::INFINITY)),
        every: f.number("every"),
        less: run_index(f, "less", runs)?,
        reference,
        curves: f.array("curve").iter().map(curve).collect::<Result<_, _>>()?,
        runs: named,
    })
}

/// Checks that `x` and `y` contain no other names than these.
fn only(c: &Fields, [x, y]: [&Expression; 2], names: &[&str], what: &str) -> Result<(), Problem> {
    for (key, e) in [("x", x), ("y", y)] {
        if let Some(other) = e.names().iter().find(|n| !names.contains(&n.as_str())) {
            let problem = Problem::new(format!("`{key}`: there is no `{other}` in {what}"));
            return Err(problem.at(c.span(key), ""));
        }
    }
    Ok(())
}

/// Reads the content of a curve of a panel.
fn shown(c: &Fields, panel: &Fields, reference: Option<usize>) -> Result<Shown, Problem> {
    if let Some(body) = c.text("outline") {
        let at = c.numbers("at").map_or_else(|| vec![0.0], <[f64]>::to_vec);
        return Ok(Shown::Outline { body: body.to_owned(), at });
    }
    let y = expression(c, "y", reference)?;
    if let Some(joint) = c.text("profile") {
        let x = match c.given("x") {
            Some(_) => expression(c, "x", reference)?,
            None => Expression::parse("angle").map_err(|e| c.blame(&e.to_string()))?,
        };
        only(c, [&x, &y], &["angle", "depth"], "a profile")?;
        return Ok(Shown::Profile { joint: joint.to_owned(), x, y });
    }
    let Some(along) = c.table("along") else {
        let x = expression(if c.given("x").is_some() { c } else { panel }, "x", reference)?;
        return Ok(Shown::Recorded { x, y, period: c.number("period") });
    };
    let name = string(along, "name");
    let x = match c.given("x") {
        Some(_) => expression(c, "x", reference)?,
        None => {
            Expression::parse(&name).map_err(|e| Problem::new(e.to_string()).at(along.span("name"), ""))?
        }
    };
    only(c, [&x, &y], &[&name], &format!("a formula along `{name}`"))?;
    let number = |key: &str| along.number(key).unwrap_or_default();
    let (from, to, last) = (number("from"), number("to"), number("points").round() - 1.0);
    let values = (0..=last as usize).map(|i| from + (to - from) * (i as f64 / last));
    Ok(Shown::Formula { x, y, along: values.collect() })
}

fn over(f: &Fields) -> Option<Over> {
    f.text("over").map(|word| match word {
        "max" => Over::Max,
        "min" => Over::Min,
        "sum" => Over::Sum,
        "integral" => Over::Integral,
        _ => Over::Mean,
    })
}

/// Returns the runs that a table names, if it names any.
fn names(f: &Fields, runs: &[RunRecipe]) -> Result<Option<Vec<usize>>, Problem> {
    let Some((names, spans)) = f.texts("runs") else { return Ok(None) };
    names.iter().zip(spans).map(|(name, at)| known(name, runs, at)).collect::<Result<_, _>>().map(Some)
}

/// Returns the run that a key names, if the key is given.
fn run_index(f: &Fields, key: &str, runs: &[RunRecipe]) -> Result<Option<usize>, Problem> {
    f.text(key).map(|name| known(name, runs, &f.span(key))).transpose()
}

fn expected(f: &Fields, runs: &[RunRecipe]) -> Result<Expected, Problem> {
    let given = ["value", "least", "most"].iter().filter(|key| f.given(key).is_some()).count();
    if given == 0 {
        return Err(Problem::new("`figure.expect` needs `value`, `least` or `most`").at(f.at.clone(), ""));
    }
    let reference = run_index(f, "reference", runs)?;
    let of = expression(f, "of", reference)?;
    if of.names().iter().any(|name| name.ends_with("run.time") || name.ends_with("run.searches")) {
        return Err(Problem::new("times are for figures: nothing is expected of them").at(f.span("of"), ""));
    }
    Ok(Expected {
        what: string(f, "what"),
        run: run_index(f, "run", runs)?.unwrap_or_default(),
        of,
        at: f.number("at"),
        over: over(f),
        less: run_index(f, "less", runs)?,
        reference,
        value: f.number("value"),
        tolerance: f.number("tolerance").unwrap_or(0.0),
        least: f.number("least"),
        most: f.number("most"),
        source: string(f, "source"),
    })
}

fn remark(f: &Fields, figures: &[Figure]) -> Result<Remark, Problem> {
    let (names, spans) = f.texts("runs").unwrap_or_default();
    let run_index = |(name, at): (&String, &_)| {
        let (figure, run) = name.split_once('/').unwrap_or((name, ""));
        let known_figures: Vec<&str> = figures.iter().map(|f| f.name.as_str()).collect();
        let Some(i) = figures.iter().position(|f| f.name == figure) else {
            let problem = Problem::new(format!("there is no figure `{figure}`"));
            return Err(problem.at(Clone::clone(at), "").allowed(figure, &known_figures));
        };
        Ok((i, known(run, &figures[i].runs, at)?))
    };
    let runs = names.iter().zip(spans).map(run_index).collect::<Result<_, _>>()?;
    Ok(Remark { paper: string(f, "paper"), ours: string(f, "ours"), runs })
}

/// Returns the index of a run.
fn known(name: &str, runs: &[RunRecipe], at: &Span) -> Result<usize, Problem> {
    runs.iter().position(|r| r.name == name).ok_or_else(|| {
        let names: Vec<&str> = runs.iter().map(|r| r.name.as_str()).collect();
        Problem::new(format!("the figure has no run `{name}`")).at(at.clone(), "").allowed(name, &names)
    })
}

/// Reads an expression; one with `reference.NAME` needs a reference run.
fn expression(f: &Fields, key: &str, reference: Option<usize>) -> Result<Expression, Problem> {
    let text = f.text(key).unwrap_or_default();
    let problem = |what: String| Problem::new(format!("`{key}`: {what}")).at(f.span(key), "");
    let expression = Expression::parse(text).map_err(|e| problem(e.to_string()))?;
    expression.complete().map_err(|e| problem(e.to_string()))?;
    match expression.names().iter().find(|name| name.starts_with("reference.")) {
        Some(name) if reference.is_none() => {
            Err(problem(format!("`{name}` needs the key `reference`, a run")))
        }
        _ => Ok(expression),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Paper;

    #[test]
    fn what_does_not_fit_together_is_said() {
        let panel = "[[figure.panel]]\ny_label = \"\"\n";
        for (lines, message) in [
            (
                format!("{panel}curve = [{{ y = \"ball.z - reference.ball.z\" }}]"),
                "`y`: `reference.ball.z` needs the key `reference`, a run",
            ),
            (
                format!("{panel}curve = [{{ y = \"ball.z\", draw = \"bars\" }}]"),
                "bars are of runs: the panel needs `across = true`",
            ),
            (format!("{panel}curve = [{{ y = \"ball.z\", runs = [\"b\"] }}]"), "the figure has no run `b`"),
            (
                format!(
                    "{panel}curve = [{{ y = \"s*ball.z\", along = {{ name = \"s\", from = 0, to = 1 }} }}]"
                ),
                "`y`: there is no `ball.z` in a formula along `s`",
            ),
            (
                format!("{panel}curve = [{{ y = \"ball.z\", outline = \"ball\" }}]"),
                "`y` and `outline` exclude each other",
            ),
            (String::new(), "`figure` needs `panel` or `view`"),
            (
                format!(
                    "expect = [{{ what = \"\", run = \"a\", of = \"run.time\", most = 1 }}]\n{panel}curve = [{{ y = \"ball.z\" }}]"
                ),
                "times are for figures: nothing is expected of them",
            ),
        ] {
            let head = "title = \"\"\nsource = \"\"\n[[figure]]\nname = \"f\"\ntitle = \"\"\n";
            let text = format!("{head}run = [{{ name = \"a\", scene = \"s\" }}]\n{lines}\n");
            let said = Paper::from_text("p", &text).map(drop).map_err(|e| e.to_string());
            assert!(said.as_ref().is_err_and(|e| e.contains(message)), "{said:?}");
        }
    }
}
