//! What expressions are worth, and what is wrong with some.

use super::*;
use crate::{Jet, Range};

#[test]
fn as_on_paper() -> Result<(), ExpressionError> {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("8/4/2", 1.0),
        ("1 - 2 - 3", -4.0),
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("2*-3", -6.0),
        ("1e-3 + .5e1", 5.001),
        ("sqrt(3)/2", 3f64.sqrt() / 2.0),
        ("atan2(1, 1)", std::f64::consts::FRAC_PI_4),
        ("max(min(3, 2), abs(-1)) + cos(pi)", 1.0),
    ] {
        assert_eq!(Expression::parse(text)?.at::<f64>(&[]), expected, "{text}");
    }
    let e = Expression::parse("'a-b/c~d'.fn - \"a-b/c~d.fn\"/2 + a~b.fn")?;
    assert_eq!(e.names(), ["a-b/c~d.fn", "a~b.fn"]);
    assert_eq!(e.at(&[4.0, 1.0]), 3.0);
    let e = Expression::parse("b.x - a*b.x")?;
    assert_eq!((e.names().len(), e.at(&[3.0, 2.0])), (2, -3.0));
    assert!(e.at::<f64>(&[]).is_nan());
    Ok(())
}

/// Compares first and second derivatives with differences, and checks that all values are within their bounds.
#[test]
fn jets_and_bounds() -> Result<(), ExpressionError> {
    for text in [
        "3 - 2*t + t^2/2 - t^3",
        "sqrt(1 + t^2)*exp(-t/3)",
        "log(2 + sin(3*t))/(1 + t^2)",
        "cos(t)^3 - tan(t/4)",
        "atan2(sin(t), 2 + cos(t))",
        "(2 + cos(t))^(t/2)",
        "abs(t - 1)*(t - 1)^2 + max(0, t - 1)^3 - min(t^2, 4*t)",
        "(1 + t)^-2 + t^1.5",
        "0.01*sin(40*t)",
    ] {
        let e = Expression::parse(text)?;
        let whole = e.at(&[Jet::time(Range::new(0.2, 1.7))]);
        for t in [0.3, 0.73, 1.2, 1.65] {
            let x = e.at(&[Jet::time(t)]);
            assert_eq!(x.value, e.at(&[t]), "{text}");
            let h = 1e-4;
            let [before, after] = [t - h, t + h].map(|t| e.at(&[Jet::time(t)]));
            let scale = 1.0 + whole.second.magnitude();
            assert!((x.rate - (after.value - before.value) / (2.0 * h)).abs() < 1e-4 * scale, "{text}");
            assert!((x.second - (after.rate - before.rate) / (2.0 * h)).abs() < 1e-3 * scale, "{text}");
            let around = e.at(&[Jet::time(Range::new(t - 0.1, t + 0.05))]);
            for (x, range, around) in [
                (x.value, whole.value, around.value),
                (x.rate, whole.rate, around.rate),
                (x.second, whole.second, around.second),
            ] {
                assert!(range.is_bounded() && range.contains(x), "{text} at {t}: {x} in {range:?}");
                assert!(around.contains(x), "{text} at {t}: {x} in {around:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn what_is_wrong_and_where() {
    for (text, at, message) in [
        ("", 0, "a number or a name is missing"),
        ("2 +", 3, "a number or a name is missing"),
        ("2 3", 2, "`3` does not belong here"),
        ("(1", 2, "`)` is missing"),
        ("1.2.3", 0, "`1.2.3` is not a number"),
        ("2 * %", 4, "`%` where a number or a name belongs"),
        ("max(1)", 5, "`,` is missing"),
        ("1 + 'a.x", 8, "`'` is missing"),
        ("'sin'(2)", 5, "`(` does not belong here"),
    ] {
        let e = Expression::parse(text).err();
        assert_eq!(e, Some(ExpressionError { message: message.to_owned(), at }), "{text}");
    }
    let e = Expression::parse("1 + sine(2)").map_err(|e| (e.at, e.message));
    assert!(e.is_err_and(|(at, m)| {
        at == 4 && m.starts_with("there is no function `sine`") && m.ends_with("did you mean `sin`?")
    }));
    assert!(Expression::parse(&"(".repeat(100_000)).is_err());
    assert!(Expression::parse(&"-".repeat(100_000)).is_err());
    assert!(Expression::parse(&"not ".repeat(100_000)).is_err());
    assert!(Expression::parse(&"if(".repeat(100_000)).is_err());
    assert!(Expression::parse(&"2^".repeat(100_000)).is_err());
}

/// Sums, products and conditions of very many terms are not deep.
#[test]
fn long_ones_are_not_deep() -> Result<(), ExpressionError> {
    let n = 150_000;
    let times = |n: usize, term: &str, sign: &str| vec![term; n].join(sign);
    let many = |term: &str, sign: &str| times(n, term, sign);
    assert_eq!(Expression::parse(&many("x", "+"))?.at(&[1.0]), n as f64);
    assert_eq!(Expression::parse(&many("1", "-"))?.at::<f64>(&[]), 2.0 - n as f64);
    assert_eq!(Expression::parse(&many("x", "*"))?.at(&[-1.0]), 1.0);
    // (as many as an expression has room for)
    let conditions = 60_000;
    let e = Expression::parse(&format!("if({}, x, 2)", times(conditions, "abs(x) > 1", " and ")))?;
    assert_eq!((e.at(&[3.0]), e.at(&[0.5]), e.switches().len()), (3.0, 2.0, 2 * conditions));
    assert_eq!(e.with(|_| Some(3.0)).at::<f64>(&[]), 3.0);
    assert_eq!(e.clone(), e);
    Ok(())
}

fn sides(text: &str) -> Vec<Side> {
    let side = |c| match c {
        '+' => Side::Positive,
        '-' => Side::Negative,
        _ => Side::Free,
    };
    text.chars().map(side).collect()
}

/// On a given side every function goes on beyond its branch as it was within.
#[test]
fn sides_continue_branches() -> Result<(), ExpressionError> {
    for (text, on, x, expected) in [
        ("abs(x)", "+", -2.0, -2.0),
        ("abs(x)", "-", 2.0, -2.0),
        ("abs(x)", "0", -2.0, 2.0),
        ("abs(x)", "", -2.0, 2.0),
        ("min(x, 1)", "+", 0.5, 1.0),
        ("min(x, 1)", "-", 3.0, 3.0),
        ("max(x, 1)", "+", 0.5, 0.5),
        ("max(x, 1)", "-", 3.0, 1.0),
        ("sign(x)", "+", -2.0, 1.0),
        ("sign(x)", "-", 2.0, -1.0),
        ("sign(x)", "-", 0.0, -1.0),
        ("if(x > 1, 10*x, x)", "-", 0.5, 5.0),
        ("if(x > 1, 10*x, x)", "+", 1.5, 1.5),
        ("if(x < 1, 10*x, x)", "-", 1.5, 15.0),
        ("if(x <= 1, 10*x, x)", "+", 1.5, 15.0),
        ("if(x >= 1, 10*x, x)", "-", 1.5, 1.5),
        ("if(x > 1 and x < 2, 5, 6)", "-0", 0.5, 5.0),
        ("if(x == 1, abs(x), 6)", "", 1.0, 1.0),
        // the switches of the branch that is not taken count
        ("if(x > 0, abs(x - 1), 5) + abs(x - 2)", "-++", 0.5, -2.0),
        ("if(x > 0, abs(x - 1), 5) + abs(x - 2)", "+++", 0.5, 3.5),
        ("floor(x)", "+", 1.1, 0.0),
        ("floor(x)", "-", 0.9, 1.0),
        ("floor(x)", "-", 2.1, 1.0),
        ("floor(x)", "+", 1.9, 2.0),
        ("ceil(x)", "+", 1.1, 1.0),
        ("mod(x, 1)", "+", 1.125, 1.125),
        ("mod(x, 1)", "-", 0.875, -0.125),
        ("step(x, 0, 1, 1, 2)", "-+", 0.5, 2.0),
        ("step(x, 0, 1, 1, 2)", "--", 0.5, 1.0),
        ("step(x, 0, 1, 1, 2)", "+-", 2.0, -3.0),
        ("pulse(x, 1, 1, 7)", "+-", 5.0, 7.0),
        ("pulse(x, 1, 1, 7)", "--", 1.5, 0.0),
        ("pulse(x, 1, 1, 7)", "++", 1.5, 0.0),
        // begun 0 or 1 periods ago, ended −1, 0 or 1
        ("pulse(x, 0, 1, 7, 4)", "++-", 1.1, 7.0),
        ("pulse(x, 0, 1, 7, 4)", "+++", 0.9, 0.0),
        ("pulse(x, 0, 1, 7, 4)", "+++", 4.1, 0.0),
        ("pulse(x, 0, 1, 7, 4)", "+-+", 3.9, 7.0),
        ("linear(x, 0, 0, 1, 1, 2, 5)", "+--", 3.0, 3.0),
        ("linear(x, 0, 0, 1, 1, 2, 5)", "++-", 0.0, -3.0),
        ("linear(x, 0, 0, 1, 1, 2, 5)", "---", 1.0, 0.0),
        ("linear(x, 0, 0, 1, 1, 2, 5)", "+++", 1.0, 5.0),
        ("linear(x, 0, 0, 1, 1, 2, 5)", "+0-", 1.5, 3.0),
        ("linear(x, 0, 0, 1, 1, 2, 5)", "0", 1.5, 3.0),
        ("spline(x, 0, 0, 1, 1, 2, 8, 3, 27)", "+---", 5.0, 125.0),
        ("monotone(x, 1, 1, 2, 4, 3, 9)", "+--", 5.0, 25.0),
    ] {
        let e = Expression::parse(text)?;
        let y = e.at_sides(&[x], &sides(on));
        assert!((y - expected).abs() < 1e-12, "{text} at {x} on {on}: {y}");
        assert_eq!(e.at_sides(&[x], &[Side::Free; 9]), e.at(&[x]), "{text}");
    }
    Ok(())
}

/// Every switch changes its sign where its function changes over, and the sides by its sign give the value of the function
/// to either side of it.
#[test]
fn switches_tell_the_sides() -> Result<(), ExpressionError> {
    for (text, jumps) in [
        ("abs(x - 1)", "."),
        ("min(x, 1) + max(x, 2 - x)", ".."),
        ("sign(x) + floor(2*x) - ceil(x)*mod(x, 0.75)", "!!!!"),
        ("if(x > 1 and not x >= abs(1 - 2*x) or x < 0, x, 2)", "!.!!"),
        ("step(x, -1, 1, abs(x) + 1, 2)", "..."),
        ("pulse(x, 1, 1, 7) + pulse(x, -1.5, 0.25, 3, 0.75)", "!!!!!"),
        ("spline(x, -1, 0, 0, 1, 1, 0.5)*linear(x, 0, 0, 1, 1) + monotone(x, 1, 0, 2, 1)", "......."),
    ] {
        let e = Expression::parse(text)?;
        let switches = e.switches();
        let marks: String = switches.iter().map(|s| if s.jumps { '!' } else { '.' }).collect();
        assert_eq!(marks, jumps, "{text}");
        for x in (0..400).map(|i| f64::from(i) * 0.01 - 1.9937) {
            let side = |s: &Switch| if s.value.at(&[x]) < 0.0 { Side::Negative } else { Side::Positive };
            let sides: Vec<Side> = switches.iter().map(side).collect();
            assert_eq!(e.at_sides(&[x], &sides), e.at(&[x]), "{text} at {x}");
            assert_eq!(e.at_sides(&[Jet::time(x)], &sides), e.at(&[Jet::time(x)]), "{text} at {x}");
        }
    }
    Ok(())
}

/// A branch that is not taken leaves no trace, in derivatives neither; an undecided condition has both.
#[test]
fn only_one_branch_matters() -> Result<(), ExpressionError> {
    let e = Expression::parse("if(x > 0, sqrt(x), 0)")?;
    assert_eq!(e.at(&[Jet::time(-1.0)]), Jet::constant(0.0));
    assert_eq!(e.at(&[Jet::time(4.0)]).rate, 0.25);
    assert_eq!(e.at(&[Range::new(-2.0, -1.0)]), Range::point(0.0));
    let e = Expression::parse("if(x > 0, 5, -1)")?;
    assert_eq!(e.at(&[Range::new(-2.0, 1.0)]), Range::new(-1.0, 5.0));
    assert_eq!(e.at(&[Range::new(-2.0, 0.0)]), Range::point(-1.0));
    assert!(e.at(&[f64::NAN]).is_nan() && !e.at(&[Range::UNKNOWN]).is_bounded());
    let e = Expression::parse("if(x == 1, 5, -1)")?;
    assert_eq!(e.at(&[Range::point(1.0)]), Range::point(5.0));
    assert_eq!(e.at(&[Range::new(0.0, 2.0)]), Range::new(-1.0, 5.0));
    assert_eq!(e.at(&[Range::new(1.5, 2.0)]), Range::point(-1.0));
    assert!(e.smooth_pieces().is_err_and(|e| e.at == 3) && e.with(|_| Some(1.0)).smooth_pieces().is_ok());
    Ok(())
}

/// Bounds of tables and steps are those of the curve, however wide the argument.
#[test]
fn bounds_of_tables_are_tight() -> Result<(), ExpressionError> {
    let close = |text: &str, lo: f64, hi: f64| -> Result<(), ExpressionError> {
        let r = Expression::parse(text)?.at(&[Range::new(-100.0, 100.0)]);
        assert!((r.lo - lo).abs() < 1e-13 && (r.hi - hi).abs() < 1e-13, "{text}: {r:?}");
        Ok(())
    };
    close("linear(x, 0, 1, 1, 3, 2, -0.5)", -0.5, 3.0)?;
    close("monotone(x, 0, 1, 1, 3, 2, -0.5, 5, 0.25)", -0.5, 3.0)?;
    close("step(x, 0, 1, 1, 3)", 1.0, 3.0)?;
    close("pulse(x, 0, 1, 3) - floor(x/1000)", 0.0, 4.0)
}
