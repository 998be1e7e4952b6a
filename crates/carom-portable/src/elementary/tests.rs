use super::{pow, powi};

/// Compares with powers computed in 400 bits by `oracles/powers.py`: the error in units of the last place.
#[test]
fn powers_are_right_to_a_half_of_the_last_place() {
    let mut worst: f64 = 0.0;
    for line in include_str!("../../tests/data/powers.jsonl").lines() {
        let numbers = line.trim_matches(['{', '}']).split(',').map(|pair| pair.split_once(": ").unwrap().1);
        let numbers: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
        let [x, y, nearest, rest] = numbers[..] else { panic!("four numbers are expected: {line}") };
        let unit = nearest.next_up() - nearest;
        let error = ((pow(x, y) - nearest) - rest).abs() / unit;
        assert!(error <= 0.53, "{x}^{y}: {error} units");
        worst = worst.max(error);
    }
    assert!(worst > 0.4, "errors up to a half of a unit come of rounding: {worst}");
}

/// Compares with values computed in 400 bits by `oracles/functions.py`: the largest error of each function, in units of the
/// last place. Ranges of numbers are widened by two.
#[test]
fn functions_are_right_to_the_last_place() {
    type Function = (&'static str, fn(f64) -> f64, f64);
    let functions: [Function; 12] = [
        ("sin", super::sin, 0.6),
        ("cos", super::cos, 0.6),
        ("tan", super::tan, 1.0),
        ("exp", super::exp, 1.0),
        ("log", super::ln, 1.0),
        ("log10", super::log10, 1.0),
        ("asin", super::asin, 1.0),
        ("acos", super::acos, 1.0),
        ("atan", super::atan, 1.0),
        ("sinh", super::sinh, 1.5),
        ("cosh", super::cosh, 1.5),
        ("tanh", super::tanh, 1.5),
    ];
    let mut worst = [0.0_f64; 12];
    for line in include_str!("../../tests/data/functions.jsonl").lines() {
        let parts = line.trim_matches(['{', '}']).split(", ").map(|pair| pair.split_once(": ").unwrap().1);
        let [name, x, nearest, rest] = parts.collect::<Vec<_>>()[..] else { panic!("four: {line}") };
        let [x, nearest, rest] = [x, nearest, rest].map(|number| number.parse::<f64>().unwrap());
        let i = functions.iter().position(|f| f.0 == name.trim_matches('"')).unwrap();
        let unit = nearest.abs().next_up() - nearest.abs();
        worst[i] = worst[i].max(((functions[i].1(x) - nearest) - rest).abs() / unit);
    }
    for ((name, _, most), worst) in functions.iter().zip(worst) {
        assert!(worst <= *most && worst > 0.3, "{name}: {worst} units");
    }
}

#[test]
fn exact_powers_are_exact() {
    for n in -300..=300 {
        assert_eq!(pow(2.0, f64::from(n)), f64::from_bits(((1023 + n) as u64) << 52));
    }
    for (x, y, power) in
        [(9.0, 0.5, 3.0), (3.0, 4.0, 81.0), (1.25, 2.0, 1.5625), (7.0, 0.0, 1.0), (1.0, 1e200, 1.0)]
    {
        assert_eq!(pow(x, y), power, "{x}^{y}");
    }
    for x in [0.3, 1.0 - 1e-9, 1.7, 2.2e10] {
        assert_eq!(pow(x, 1.0), x);
    }
}

#[test]
fn what_is_rare_follows_the_standard() {
    assert_eq!(pow(0.0, 0.5), 0.0);
    assert_eq!(pow(0.0, -1.0), f64::INFINITY);
    assert_eq!(pow(-2.0, 3.0), -8.0);
    assert!(pow(-2.0, 0.5).is_nan() && pow(f64::NAN, 1.0).is_nan() && pow(2.0, f64::NAN).is_nan());
    assert_eq!(pow(f64::INFINITY, -0.5), 0.0);
    assert_eq!(pow(2.0, 1e300), f64::INFINITY);
    assert_eq!((pow(10.0, 400.0), pow(10.0, -400.0)), (f64::INFINITY, 0.0));
    assert_eq!(pow(2.0, -1074.0), f64::from_bits(1));
    assert_eq!(pow(f64::from_bits(1 << 50), 0.5), f64::from_bits(1 << 50).sqrt());
}

/// A power increases with its base: it never decreases where one interval of the tables ends and the next begins.
#[test]
fn powers_rise_from_interval_to_interval() {
    for i in 0..256 {
        let edge = 0.5 + f64::from(i) / 256.0 * 1.5;
        for y in [0.3, 1.7, 40.0] {
            let (below, above) = (edge * (1.0 - 1e-13), edge * (1.0 + 1e-13));
            assert!(pow(below, y) <= pow(edge, y) && pow(edge, y) <= pow(above, y), "at {edge}");
        }
    }
}

#[test]
fn whole_powers_by_squaring() {
    for (x, n, power) in [(3.0, 0, 1.0), (3.0, 1, 3.0), (-3.0, 3, -27.0), (2.0, 10, 1024.0), (2.0, -3, 0.125)]
    {
        assert_eq!(powi(x, n), power);
    }
}

/// These bits are the same on every platform; if they change, all results change.
#[test]
fn bits_are_the_same_everywhere() {
    type Function = fn(f64) -> f64;
    let functions: [(&str, Function); 10] = [
        ("sin", super::sin),
        ("cos", super::cos),
        ("exp", super::exp),
        ("ln", super::ln),
        ("tanh", super::tanh),
        ("atan", super::atan),
        ("acos", super::acos),
        ("expm1", super::expm1),
        ("log1p", super::log1p),
        ("cbrt", super::cbrt),
    ];
    let sum =
        |f: Function| (1..1000).fold(0_u64, |sum, i| sum.rotate_left(1) ^ f(f64::from(i) / 1000.3).to_bits());
    let got: Vec<String> = functions.iter().map(|(name, f)| format!("{name} {:016x}", sum(*f))).collect();
    let known = [
        "sin 5f9a5823703773c8",
        "cos f2b1d4d3336a6a7a",
        "exp 47d305f3cc8a81db",
        "ln fa1ebc5a26aef791",
        "tanh bdae84cef1526a92",
        "atan 16265f12deecb68f",
        "acos 0893b31f3e05a105",
        "expm1 82002250f206c86b",
        "log1p ded36d25d99e9592",
        "cbrt d495b5045d7870af",
    ];
    assert_eq!(got, known);
}
