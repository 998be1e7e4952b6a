//! What is wrong with plots.

use super::report as said;

/// What is said of plots that cannot be.
pub(crate) fn report() -> String {
    let with = |lines: &str| format!("[[plot]]\n{lines}\n[[body]]\nname = \"ball\"");
    let cases: Vec<(&str, String)> = [
        ("a misspelt body", "quantities = [\"bal.z\"]"),
        ("a misspelt column", "quantities = [\"ball.z\", \"ball.vzz - 2\"]"),
        ("a contact of what is not there", "quantities = [\"ball~flor.fn\"]"),
        ("a word that contacts do not have", "quantities = [\"ball~floor.fnn\"]"),
        ("half an expression", "quantities = [\"ball.z -\"]"),
        ("against what is not there", "quantities = [\"ball.z\"]\nagainst = \"ball.q\""),
        ("no rate", "phase = [\"kinetic\"]"),
        ("nothing", "title = \"empty\""),
        ("no quantities", "quantities = []"),
        ("a unit that is none", "quantities = [\"ball.z\"]\nunits = [\"mn\"]"),
        ("backwards", "quantities = [\"ball.z\"]\nfrom = \"2 ms\"\nto = \"1 ms\""),
        (
            "two of a name",
            "file = \"a\"\nquantities = [\"ball.z\"]\n[[plot]]\nfile = \"a\"\nquantities = [\"ball.x\"]",
        ),
    ]
    .into_iter()
    .map(|(what, lines)| (what, with(lines)))
    .collect();
    let cases: Vec<(&str, &str, &str)> =
        cases.iter().map(|(what, by)| (*what, "[[body]]\nname = \"ball\"", by.as_str())).collect();
    said(&cases)
}
