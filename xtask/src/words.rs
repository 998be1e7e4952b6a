//! The words of the sources: those that a newcomer does not understand are kept out.
//!
//! The list is short and grows as people stumble. A word is banned as a name in code, in prose (comments and pages), or in both. The
//! check reads the sources of all crates, the README, ARCHITECTURE.md, CONTRIBUTING.md and the pages under docs/.

use std::fs;
use std::path::{Path, PathBuf};

/// Where a word is banned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// as a name in code
    Name,
    /// in comments and pages
    Prose,
    /// in both
    Both,
}

/// The banned words and phrases, where they are banned, and what to write instead.
const BANNED: &[(&str, Where, &str)] = &[
    ("Hold", Where::Name, "Constraint"),
    ("Linkage", Where::Name, "ConstraintSet"),
    ("Rub", Where::Name, "JointFrictionTerm"),
    ("Pull", Where::Name, "GeneralizedForce"),
    ("Slot", Where::Name, "ContactPair"),
    ("Watch", Where::Name, "ContactMonitor, EventMonitor, Sinks: what it monitors"),
    ("MORE", Where::Name, "a name that says what it selects"),
    ("slot", Where::Both, "contact pair, or the index or entry that is meant"),
    ("slots", Where::Both, "contact pairs, or the entries that are meant"),
    ("foot", Where::Both, "closest point"),
    ("feet", Where::Both, "closest points"),
    ("lighten", Where::Both, "divide by the mass factor"),
    ("hardly", Where::Both, "almost not, or the bound that is meant"),
    ("told", Where::Both, "reported, given or distinguished"),
    ("rubs", Where::Both, "joint friction, or slides"),
    ("the same of", Where::Prose, "the whole sentence again"),
    ("from nowhere", Where::Prose, "energy-balance error"),
    ("come to grief", Where::Prose, "do not converge"),
    ("comes to grief", Where::Prose, "does not converge"),
    ("that is none", Where::Prose, "invalid"),
    ("what is said of", Where::Prose, "the properties of"),
    ("what rubs", Where::Prose, "joint friction"),
    ("costs nothing", Where::Prose, "has no measurable cost"),
    ("pay nothing", Where::Prose, "have no measurable cost"),
    ("pays nothing", Where::Prose, "has no measurable cost"),
    ("dear", Where::Prose, "expensive"),
    ("dearer", Where::Prose, "more expensive"),
    ("whoever", Where::Prose, "the caller, the user, or the drive that is meant"),
    ("somebody", Where::Prose, "a user, or the body that is meant"),
];

/// Fails with every banned word of the sources.
pub(crate) fn check() -> Result<(), String> {
    let mut files = Vec::new();
    for root in ["crates", "python/src", "xtask/src", "docs"] {
        collect(Path::new(root), &mut files).map_err(|e| format!("{root}: {e}"))?;
    }
    files.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(PathBuf::from));
    files.retain(|file| !file.ends_with("xtask/src/words.rs"));
    files.sort();
    let mut found = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let page = file.extension().is_some_and(|e| e == "md");
        for (number, line) in text.lines().enumerate() {
            let lines = banned(line, page).map(|(word, instead)| {
                format!("{}:{}: `{word}`: write {instead}", file.display(), number + 1)
            });
            found.extend(lines);
        }
    }
    match found.len() {
        0 => Ok(()),
        n => Err(format!(
            "{n} words that a newcomer does not understand (xtask/src/words.rs):\n{}",
            found.join("\n")
        )),
    }
}

/// Collects the Rust sources (but no tests) and the pages under a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let skipped =
            path.file_name().is_some_and(|name| name == "tests" || name == "target" || name == "examples");
        if path.is_dir() && !skipped {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "rs" || e == "md") {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns the banned words of a line, each with what to write instead.
fn banned(line: &str, page: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    let (code, prose) = match (page, comment_of(line)) {
        (true, _) => ("", line),
        (false, at) => line.split_at(at),
    };
    let (code, prose) = (words(code), words(&prose.to_lowercase()));
    BANNED.iter().filter_map(move |&(word, scope, instead)| {
        let in_code = scope != Where::Prose && code.contains(&format!(" {word} "));
        let in_prose = scope != Where::Name && prose.contains(&format!(" {word} "));
        (in_code || in_prose).then_some((word, instead))
    })
}

/// Returns where the comment of a line of code starts; the length of the line if it has none.
fn comment_of(line: &str) -> usize {
    let starts = |(at, _): &(usize, &str)| line[..*at].trim_end().len() < *at || *at == 0;
    line.match_indices("//").find(starts).map_or(line.len(), |(at, _)| at)
}

/// Returns the words of a text, separated and surrounded by single spaces; a name with underscores is one word.
fn words(text: &str) -> String {
    let split = |c: char| !(c.is_alphanumeric() || c == '_' || c == '\'');
    let all: Vec<&str> = text.split(split).filter(|word| !word.is_empty()).collect();
    format!(" {} ", all.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_prose_are_searched() {
        let found = |line: &str, page| banned(line, page).map(|(word, _)| word).collect::<Vec<_>>();
        assert_eq!(
            found("    let slot = &self.pairs[at.pair]; // the same of a joint", false),
            ["slot", "the same of"]
        );
        assert_eq!(found("    /// The same of a joint.", false), ["the same of"]);
        assert!(found("    let hold_dense = \"a slotted link\"; // it holds", false).is_empty());
        // a name that is banned as such may be a word in prose
        assert!(found("/// Pull the rod.", false).is_empty() && found("struct Pull;", false) == ["Pull"]);
        assert_eq!(found("| energy from nowhere | costs nothing |", true), ["from nowhere", "costs nothing"]);
        assert_eq!(comment_of("let a = \"x\"; // b"), 13);
    }
}
