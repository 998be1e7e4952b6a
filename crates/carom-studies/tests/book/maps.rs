//! Maps of papers, `papers/NAME/map.toml`: where each equation is in the book, in the code and in the tests. The pages of the book are made of them, and all that they name
//! must be there: a heading that was renamed, a function that was moved or a test that was deleted is an error here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use carom_base::Quantity;
use carom_base::param::Allowed;
use carom_scene::keys::{Form, Key, PLAIN, Table};
use carom_scene::{Fields, read_by_keys};
use carom_studies::paper::Paper;

use super::generated;

static MAP: Table = Table {
    title: "map",
    keys: &[
        Key::required(
            "equations",
            Form::Number(Quantity::Number, Allowed::Positive),
            "the number of the last equation",
        ),
        Key::optional("title", Form::Text, "that of the paper", "of the page"),
        Key::optional("text", Form::Text, "nothing", "what stands before the table"),
        Key::required("row", Form::Array(&ROW), "equations in their order"),
    ],
    ..PLAIN
};

static ROW: Table = Table {
    title: "row",
    keys: &[
        Key::required(
            "equation",
            Form::Text,
            "its number, `6a`, several, `12-14`, or words for what has no number",
        ),
        Key::required("what", Form::Text, "what it says, in a line"),
        Key::optional("book", Form::Text, "not there", "`page#heading`, below `book/src`"),
        Key::optional("code", Form::OneOrTexts, "see `none`", "`file:item`"),
        Key::optional("test", Form::OneOrTexts, "see `none`", "`file::test`"),
        Key::optional("correction", Form::Text, "as printed", "what is wrong in print, and what is right"),
        Key::optional("none", Form::Text, "there is code and a test", "why there is no code"),
    ],
    ..PLAIN
};

#[derive(Debug)]
struct Row {
    equation: String,
    what: String,
    book: Option<String>,
    code: Vec<String>,
    test: Vec<String>,
    correction: Option<String>,
    none: Option<String>,
}

#[derive(Debug)]
struct Map {
    last: u32,
    title: Option<String>,
    text: String,
    rows: Vec<Row>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str, text: &str) -> Map {
    let string = |f: &Fields, key: &str| f.text(key).map(|text| text.trim().to_owned());
    let list = |f: &Fields, key: &str| f.texts(key).map(|(all, _)| all.to_vec()).unwrap_or_default();
    let row = |f: &Fields| Row {
        equation: string(f, "equation").unwrap_or_default(),
        what: string(f, "what").unwrap_or_default(),
        book: string(f, "book"),
        code: list(f, "code"),
        test: list(f, "test"),
        correction: string(f, "correction"),
        none: string(f, "none"),
    };
    let map = read_by_keys(&format!("papers/{name}/map.toml"), text, &MAP, |f| {
        Ok(Map {
            last: f.number("equations").map_or(0, |x| x as u32),
            title: string(f, "title"),
            text: string(f, "text").unwrap_or_default(),
            rows: f.array("row").iter().map(row).collect(),
        })
    });
    map.unwrap_or_else(|error| panic!("{error}"))
}

/// The numbers that a row has: `6a` is 6, `12-14` are three; words are none.
fn numbers(equation: &str) -> Vec<u32> {
    let number = |text: &str| text.trim().trim_end_matches(|c: char| c.is_ascii_lowercase()).parse().ok();
    match equation.split_once(['-', '–']) {
        Some((from, to)) => match (number(from), number(to)) {
            (Some(from), Some(to)) => (from..=to).collect(),
            _ => Vec::new(),
        },
        None => number(equation).into_iter().collect(),
    }
}

/// The anchor that mdbook gives a heading.
fn anchor(heading: &str) -> String {
    let kept = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_lowercase().collect::<String>()),
        c if c.is_whitespace() => Some("-".to_owned()),
        _ => None,
    };
    heading.trim().chars().filter_map(kept).collect()
}

/// The heading of a page, `page#anchor`, or its title; an error if there is none.
fn heading(of: &str) -> Result<String, String> {
    let (page, wanted) = of.split_once('#').unwrap_or((of, ""));
    let text = fs::read_to_string(root().join("book/src").join(page)).map_err(|e| format!("{page}: {e}"))?;
    let headings = text.lines().filter_map(|line| Some(line.trim_start_matches('#')).filter(|h| *h != line));
    let mut found = headings.map(str::trim).filter(|h| wanted.is_empty() || anchor(h) == wanted);
    found.next().map(str::to_owned).ok_or_else(|| format!("book/src/{page} has no heading #{wanted}"))
}

/// Whether `text` defines an item of that name.
fn defines(text: &str, item: &str) -> bool {
    const WORDS: [&str; 11] =
        ["fn", "struct", "enum", "trait", "const", "static", "type", "mod", "macro_rules!", "def", "class"];
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    WORDS.iter().any(|word| {
        text.match_indices(&format!("{word} {item}")).any(|(at, found)| {
            let alone = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            alone && ends(&text[at + found.len()..])
        })
    })
}

fn source(file: &str) -> Result<String, String> {
    fs::read_to_string(root().join(file)).map_err(|e| format!("{file}: {e}"))
}

/// An error unless the file has the item, `file:Type::method`.
fn code_is_there(of: &str) -> Result<(), String> {
    let (file, item) = of.split_once(':').unwrap_or((of, ""));
    let text = source(file)?;
    match item.split("::").filter(|part| !part.is_empty()).find(|part| {
        let implemented = text.lines().any(|l| l.starts_with("impl") && l.contains(*part));
        !defines(&text, part) && !implemented
    }) {
        Some(missing) => Err(format!("{file} defines no `{missing}`")),
        None => Ok(()),
    }
}

/// An error unless the file has the test, `file::test`; in a recipe, the expected value.
fn test_is_there(of: &str) -> Result<(), String> {
    let (file, name) = of.split_once("::").ok_or_else(|| format!("{of} is no `file::test`"))?;
    let text = source(file)?;
    let found = if file.ends_with(".toml") {
        text.contains(&format!("what = \"{name}\""))
    } else if file.ends_with(".py") {
        defines(&text, name)
    } else {
        // attributes stand between the last item's end and the function
        text.find(&format!("fn {name}(")).is_some_and(|at| {
            let before = text[..at].rfind('}').map_or(&text[..at], |end| &text[end..at]);
            before.contains("#[test]")
        })
    };
    found.then_some(()).ok_or_else(|| format!("{file} has no test `{name}`"))
}

/// All that is wrong with a map.
fn faults(map: &Map) -> Vec<String> {
    let mut faults = Vec::new();
    let given: BTreeSet<u32> = map.rows.iter().flat_map(|row| numbers(&row.equation)).collect();
    faults.extend((1..=map.last).filter(|n| !given.contains(n)).map(|n| format!("equation {n} is missing")));
    faults.extend(given.iter().filter(|n| **n > map.last).map(|n| format!("equation {n} is past the last")));
    for row in &map.rows {
        let mut fault = |what: String| faults.push(format!("equation {}: {what}", row.equation));
        if row.none.is_none() && (row.code.is_empty() || row.test.is_empty()) {
            fault("it needs `code` and `test`, or `none` with the reason".to_owned());
        }
        row.book.iter().filter_map(|of| heading(of).err()).for_each(&mut fault);
        row.code.iter().filter_map(|of| code_is_there(of).err()).for_each(&mut fault);
        row.test.iter().filter_map(|of| test_is_there(of).err()).for_each(&mut fault);
    }
    faults
}

/// What files are called in the table: the last part of their path, and the part before it where two have the same one.
fn short_names(map: &Map) -> BTreeMap<String, String> {
    let file = |of: &String| of.split_once(':').map_or(of.as_str(), |(file, _)| file).to_owned();
    let files: BTreeSet<String> =
        map.rows.iter().flat_map(|row| row.code.iter().chain(&row.test)).map(file).collect();
    let tail = |path: &str, parts: usize| {
        let all: Vec<&str> = path.split('/').collect();
        all[all.len().saturating_sub(parts)..].join("/")
    };
    let short = |path: &String| {
        let parts = (1..9).find(|n| files.iter().filter(|f| tail(f, *n) == tail(path, *n)).count() == 1);
        tail(path, parts.unwrap_or(9))
    };
    files.iter().map(|path| (path.clone(), short(path))).collect()
}

fn page(paper: &Paper, map: &Map) -> String {
    let names = short_names(map);
    let shown = |of: &String| {
        let (file, item) = of.split_once(':').unwrap_or((of, ""));
        let (file, item) = (&names[file], item.trim_start_matches(':'));
        if item.is_empty() { format!("`{file}`") } else { format!("`{item}` in `{file}`") }
    };
    let all = |list: &[String]| list.iter().map(shown).collect::<Vec<_>>().join("<br>");
    let title = map.title.as_ref().unwrap_or(&paper.title);
    let mut out = format!("# {title}: map of its equations\n\n{}.\n\n", paper.source.trim_end_matches('.'));
    let _ = writeln!(
        out,
        "Each equation of the paper: where it is explained in this book, where the code has it, and what tests it. *Read:* what is wrong or open in print, and what is right. \
         The page is made of `papers/{}/map.toml`; a test checks that everything it names exists and that no equation from 1 to {} is left out.\n",
        paper.name, map.last
    );
    if !map.text.is_empty() {
        let _ = writeln!(out, "{}\n", map.text);
    }
    out += "| Eq | what | book | code | test |\n|---|---|---|---|---|\n";
    for row in &map.rows {
        let mut what = row.what.clone();
        if let Some(correction) = &row.correction {
            let _ = write!(what, "<br>*Read:* {correction}");
        }
        let book = row.book.as_ref().map(|of| format!("[{}](../{of})", heading(of).unwrap_or_default()));
        let none = row.none.as_ref().map(|why| format!("– ({why})"));
        let code = if row.code.is_empty() { none.unwrap_or_default() } else { all(&row.code) };
        let cells = [row.equation.replace('-', "–"), what, book.unwrap_or_default(), code, all(&row.test)];
        let _ = writeln!(
            out,
            "| {} |",
            cells.map(|c| c.replace(['\n', '\r'], " ").replace('|', "\\|")).join(" | ")
        );
    }
    out += "\nThe files:\n\n";
    names.iter().for_each(|(path, short)| {
        let _ = writeln!(out, "- `{short}`: `{path}`");
    });
    out
}

/// The papers that have a map, with it.
fn maps() -> Vec<(Paper, Map)> {
    let mut folders: Vec<_> =
        fs::read_dir(root().join("papers")).unwrap().map(|f| f.unwrap().path()).collect();
    folders.sort();
    let with_map = folders.iter().filter(|folder| folder.join("map.toml").exists());
    let read = |folder: &PathBuf| {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let text = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
        (Paper::from_text(name, &text("paper.toml")).unwrap(), read(name, &text("map.toml")))
    };
    with_map.map(read).collect()
}

#[test]
fn the_maps_of_papers_are_right_and_their_pages_current() {
    let summary = fs::read_to_string(root().join("book/src/SUMMARY.md")).unwrap();
    let maps = maps();
    assert!(!maps.is_empty());
    for (paper, map) in &maps {
        let faults = faults(map);
        assert!(faults.is_empty(), "papers/{}/map.toml:\n{}", paper.name, faults.join("\n"));
        let file = format!("papers/{}-map.md", paper.name);
        generated(&format!("book/src/{file}"), &page(paper, map));
        assert!(summary.contains(&format!("({file})")), "book/src/SUMMARY.md does not link {file}");
    }
}

#[test]
fn what_is_wrong_with_a_map_is_said() {
    let row =
        |keys: &str| read("t", &format!("equations = 2\n[[row]]\nequation = \"1-2\"\nwhat = \"w\"\n{keys}"));
    let this = "crates/carom-studies/tests/book/maps.rs";
    let good = format!(
        "book = \"theory/readings.md#short-range-fields\"\ncode = \"{this}:Map\"\ntest = \"{this}::what_is_wrong_with_a_map_is_said\""
    );
    assert_eq!(faults(&row(&good)), Vec::<String>::new());
    for (piece, by, message) in [
        ("#short-range-fields", "#long-range", "book/src/theory/readings.md has no heading #long-range"),
        (":Map", ":NoSuchItem", "defines no `NoSuchItem`"),
        (":Map", ":Ma", "defines no `Ma`"),
        ("::what_is_wrong", "::what_is_right", "has no test `what_is_right_with_a_map_is_said`"),
        // a function that is no test
        ("what_is_wrong_with_a_map_is_said", "short_names", "has no test `short_names`"),
        ("code = ", "none = \"a definition\"\n#", ""),
        ("code = ", "#", "it needs `code` and `test`"),
    ] {
        let faults = faults(&row(&good.replacen(piece, by, 1))).join("\n");
        assert!(faults.contains(message) && faults.is_empty() == message.is_empty(), "{faults}");
    }
    let gap = "equations = 4\nrow = [{ equation = \"1\", what = \"w\", none = \"n\" }, { equation = \"3a-5\", what = \"w\", none = \"n\" }]";
    assert_eq!(faults(&read("t", gap)), ["equation 2 is missing", "equation 5 is past the last"]);
    assert!(numbers("Table 1").is_empty());
}
