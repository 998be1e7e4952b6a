//! The parser: functions and their arguments.

use super::ExpressionError;
use super::function::{One, Two};
use super::read::Reader;
use super::table::Course;
use super::term::{Branches, Form, Table, Term};
use crate::words::nearest;

/// How functions of more arguments are written.
const LONGER: &[(&str, &str)] = &[
    ("if", "if(condition, a, b)"),
    ("step", "step(x, x0, h0, x1, h1)"),
    ("pulse", "pulse(x, start, width, height) or pulse(x, start, width, height, period)"),
    ("linear", "linear(x, x0, y0, x1, y1, …)"),
    ("spline", "spline(x, x0, y0, x1, y1, …)"),
    ("monotone", "monotone(x, x0, y0, x1, y1, …)"),
];

impl Reader<'_> {
    /// Reads the arguments of a function whose name began there.
    pub(super) fn call(&mut self, from: usize, name: &str) -> Result<Term, ExpressionError> {
        let find = |list: &[&str]| list.iter().position(|n| *n == name);
        if let Some((_, f)) = One::NAMED.iter().find(|(n, _)| *n == name) {
            self.needed('(')?;
            let a = self.argument()?;
            self.needed(')')?;
            return Ok(self.term(from, Form::One(*f, Box::new(a))));
        }
        if let Some((_, f)) = Two::NAMED.iter().find(|(n, _)| *n == name) {
            self.needed('(')?;
            let a = self.argument()?;
            self.needed(',')?;
            let b = self.argument()?;
            self.needed(')')?;
            return Ok(self.term(from, Form::Two(*f, Box::new([a, b]))));
        }
        let longer: Vec<&str> = LONGER.iter().map(|l| l.0).collect();
        if let Some(i) = find(&longer) {
            return self.longer(from, name, LONGER[i].1);
        }
        let (one, two) = (One::NAMED.iter().map(|f| f.0), Two::NAMED.iter().map(|f| f.0));
        let known: Vec<&str> = one.chain(two).chain(longer).collect();
        let meant = nearest(name, &known).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
        let message = format!("there is no function `{name}`: there are {}{meant}", known.join(", "));
        Err(ExpressionError { message, at: from })
    }

    /// Reads a function of three arguments or more.
    fn longer(&mut self, from: usize, name: &str, usage: &str) -> Result<Term, ExpressionError> {
        self.needed('(')?;
        let mut all = Vec::new();
        loop {
            let term = self.any()?;
            let is_condition = name == "if" && all.is_empty();
            all.push(if is_condition { self.condition(term)? } else { self.number(term)? });
            if !self.take(',') {
                break;
            }
        }
        self.needed(')')?;
        let given = all.len();
        let wrong = |message: String| Err(ExpressionError { message, at: from });
        let form = match (name, Course::NAMED.iter().find(|c| c.0 == name)) {
            ("if", _) => branches(all),
            ("step", _) => <[Term; 5]>::try_from(all).ok().map(|parts| Form::Step(Box::new(parts))),
            ("pulse", _) => matches!(given, 4 | 5).then_some(Form::Pulse(all)),
            (_, Some((_, course))) => table(*course, all),
            _ => None,
        };
        let Some(form) = form else {
            return wrong(format!("`{name}` with {given} arguments, but it is {usage}"));
        };
        if let Some(fault) = fault(&form) {
            return wrong(format!("`{name}`: {fault}"));
        }
        Ok(self.term(from, form))
    }
}

fn branches(all: Vec<Term>) -> Option<Form> {
    let [condition, yes, no] = <[Term; 3]>::try_from(all).ok()?;
    let switches = [yes.count(), no.count()];
    Some(Form::If(Box::new(Branches { condition, yes, no, switches })))
}

fn table(course: Course, all: Vec<Term>) -> Option<Form> {
    let mut all = all.into_iter();
    let x = all.next()?;
    let mut points = Vec::new();
    while let Some(x) = all.next() {
        points.push([x, all.next()?]);
    }
    (!points.is_empty()).then(|| Form::Table(Box::new(Table::new(course, x, points))))
}

/// Returns what is wrong with a function whose arguments are known already.
fn fault(form: &Form) -> Option<String> {
    match form {
        Form::Table(t) => t.fault().flatten().map(|e| e.to_string()),
        Form::Step(parts) if ![&parts[1], &parts[3]].iter().any(|t| t.has_names()) => {
            let (x0, x1) = (parts[1].constant(), parts[3].constant());
            (!(x0 < x1)).then(|| format!("it goes from {x0} to {x1}, but x1 must be greater than x0"))
        }
        _ => None,
    }
}
