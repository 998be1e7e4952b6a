//! Whether the modules of a crate can be read one after the other: a test that fails where they import one another in a circle.
//!
//! The modules are those that `lib.rs` (or `main.rs`) declares, each with all files in its folder; an import is any path that starts with `crate::` or leads
//! out of the module by `super::`, in a `use` or in code. A name that the root re-exports (`pub use a::Name`) counts as an import of the module it comes from.
//! Test modules may import what they like.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use source::{Found, found};

/// The root file as a module: it is one where items are defined in it and imported from it.
const ROOT: &str = "the root";

/// Where each import of the crate is written, by the modules that import and are imported.
type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// Asserts that no two modules of a crate import one another, directly or by way of others. `folder` is the crate's, `env!("CARGO_MANIFEST_DIR")`.
///
/// ```
/// carom_testkit::modules_form_no_cycle(env!("CARGO_MANIFEST_DIR"));
/// ```
#[track_caller]
pub fn modules_form_no_cycle(folder: &str) {
    let cycles = import_cycles(folder);
    assert!(cycles.is_empty(), "modules import one another in a circle:\n{}", cycles.join("\n"));
}

/// The circles in which modules of a crate import one another: one text for each set of modules that are all reached from each other, with the imports of a shortest
/// way round.
#[track_caller]
pub fn import_cycles(folder: &str) -> Vec<String> {
    let src = Path::new(folder).join("src");
    let mut files = Vec::new();
    collect(&src, &mut Vec::new(), &mut files);
    assert!(!files.is_empty(), "there are no source files in {}", src.display());
    cycles(&graph(&files))
}

/// A source file: its path within `src`, the module it is, its text.
struct File {
    path: String,
    module: Vec<String>,
    text: String,
}

#[track_caller]
#[allow(clippy::panic, reason = "a test may")]
fn collect(folder: &Path, module: &mut Vec<String>, files: &mut Vec<File>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            module.push(stem);
            collect(&path, module, files);
            module.pop();
        } else if path.extension().is_some_and(|e| e == "rs") {
            let root = module.is_empty() && (stem == "lib" || stem == "main");
            let mut at = module.clone();
            if !root && stem != "mod" {
                at.push(stem.clone());
            }
            let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            files.push(File { path: format!("{}{stem}.rs", prefix(module)), module: at, text });
        }
    }
}

fn prefix(module: &[String]) -> String {
    module.iter().map(|m| format!("{m}/")).collect()
}

fn graph(files: &[File]) -> Graph {
    let read: Vec<(&File, Found)> = files.iter().map(|f| (f, found(&f.text, &f.module))).collect();
    let for_tests: BTreeSet<Vec<String>> = read
        .iter()
        .flat_map(|(f, found)| {
            found.test_modules.iter().map(|name| [&f.module[..], std::slice::from_ref(name)].concat())
        })
        .collect();
    let roots = || read.iter().filter(|(f, _)| f.module.is_empty());
    let modules: BTreeSet<&str> = roots().flat_map(|(_, f)| f.modules.iter().map(String::as_str)).collect();
    let mut re_exported: BTreeMap<&str, &str> = BTreeMap::new();
    let mut graph = Graph::new();
    for (file, found) in roots() {
        for u in &found.uses {
            let Some(first) = u.import.path.first().filter(|m| modules.contains(m.as_str())) else {
                continue;
            };
            if u.passed_on {
                re_exported.insert(&u.name, first);
            } else {
                add(&mut graph, ROOT, first, &file.path, u.import.line);
            }
        }
    }
    for (file, found) in &read {
        if (1..=file.module.len()).any(|n| for_tests.contains(&file.module[..n])) {
            continue;
        }
        let from = file.module.first().map_or(ROOT, String::as_str);
        for import in &found.imports {
            let Some(first) = import.path.first() else { continue };
            let direct = modules.get(first.as_str()).copied();
            let to = direct.or_else(|| re_exported.get(first.as_str()).copied()).unwrap_or(ROOT);
            if to != from {
                add(&mut graph, from, to, &file.path, import.line);
            }
        }
    }
    graph
}

fn add(graph: &mut Graph, from: &str, to: &str, file: &str, line: usize) {
    let places = graph.entry(from.to_owned()).or_default();
    places.entry(to.to_owned()).or_insert_with(|| format!("{file}:{line}"));
}

fn cycles(graph: &Graph) -> Vec<String> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|m| (m.as_str(), reached_from(graph, m))).collect();
    let mut all = Vec::new();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for (module, others) in &reached {
        if !others.contains(module) || told.contains(module) {
            continue;
        }
        let circle: Vec<&str> = others
            .iter()
            .copied()
            .filter(|o| reached.get(o).is_some_and(|back| back.contains(module)))
            .collect();
        told.extend(&circle);
        let way = shortest_way_round(graph, &circle);
        let imports: Vec<String> =
            way.iter().map(|(a, b)| format!("  {a} imports {b} ({})", graph[*a][*b])).collect();
        all.push(format!("{}:\n{}", circle.join(", "), imports.join("\n")));
    }
    all
}

/// What a module imports, directly or by way of others.
fn reached_from<'g>(graph: &'g Graph, module: &str) -> BTreeSet<&'g str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![module];
    while let Some(m) = open.pop() {
        for to in graph.get(m).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(to.as_str()) {
                open.push(to);
            }
        }
    }
    reached
}

/// The imports of the shortest circle among these modules.
fn shortest_way_round<'g>(graph: &'g Graph, circle: &[&'g str]) -> Vec<(&'g str, &'g str)> {
    let round = |start: &&'g str| -> Option<Vec<(&'g str, &'g str)>> {
        let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
        let mut open = std::collections::VecDeque::from([*start]);
        while let Some(m) = open.pop_front() {
            for to in graph.get(m).into_iter().flat_map(BTreeMap::keys) {
                if came_from.contains_key(to.as_str()) {
                    continue;
                }
                came_from.insert(to, m);
                open.push_back(to);
            }
        }
        let mut way = vec![(*came_from.get(start)?, *start)];
        while way[0].0 != *start {
            way.insert(0, (came_from[way[0].0], way[0].0));
        }
        Some(way)
    };
    circle.iter().filter_map(round).min_by_key(Vec::len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| {
            let stem = path.strip_suffix(".rs").unwrap();
            let names: Vec<String> = stem.split('/').map(str::to_owned).collect();
            let module = names.into_iter().filter(|n| !["lib", "mod"].contains(&n.as_str())).collect();
            File { path: (*path).to_owned(), module, text: (*text).to_owned() }
        };
        cycles(&graph(&files.iter().map(file).collect::<Vec<_>>()))
    }

    /// Two modules, of which `b` imports `a`.
    fn two(a: &str) -> Vec<String> {
        let root = "mod a;\npub mod b;\nmod c;\npub use b::{B, inner::Deep as D};\npub(crate) use a::A;";
        of(&[("lib.rs", root), ("a.rs", a), ("b/mod.rs", "use crate::a::A;\nmod inner;"), ("b/inner.rs", "")])
    }

    #[test]
    fn every_way_to_write_an_import_is_seen() {
        for import in [
            "use crate::b::B;",
            "use crate::{b::B, c};",
            "use crate::{c, b::{self, inner::Deep}};",
            "use super::b;",
            "use crate::b::*;",
            "use crate::b as other;",
            "use crate::B;",
            "use crate::D;",
            "fn f() -> crate::b::B { crate::b::made() }",
            "mod deeper { use super::super::b::B; }",
            "pub(super) fn f() {}\n// '\nfn g(x: &'static str) -> char { '\"' }\nuse crate::b;",
            "#[cfg(test)]\nmod tests { fn f() { if true {} } }\nuse crate::b;",
            "fn f() { let t = r#\"a \" b\"#; let u = 'x'; crate::b::g(); }",
        ] {
            let found = two(import);
            assert_eq!(found.len(), 1, "{import}");
            assert!(found[0].starts_with("a, b:\n  a imports b (a.rs:"), "{}", found[0]);
        }
    }

    #[test]
    fn what_is_no_import_is_not_seen() {
        for no_import in [
            "// crate::b::B\n/* use crate::b; /* crate::b */ crate::b */",
            "const T: &str = \"use crate::b; \\\" crate::b\";",
            "const T: &str = r#\"use \"crate::b\"\"#;",
            "#[cfg(test)]\nmod tests { use crate::b::B; }",
            "pub(in crate::b) fn f() {}",
            "use std::b::B; use other::crate_b;",
            "use crate::c;",
            "use self::b::B; mod b {}",
            "mod deeper { use super::b; }",
        ] {
            assert_eq!(two(no_import), Vec::<String>::new(), "{no_import}");
        }
    }

    #[test]
    fn files_that_only_tests_have_may_import_everything() {
        let root = "mod a;\nmod b;";
        let b = ("b.rs", "use crate::a::A;");
        let tests = ("a/tests.rs", "use crate::b::B;");
        let a = ("a/mod.rs", "#[cfg(test)]\nmod tests;");
        assert_eq!(of(&[("lib.rs", root), a, b, tests]).len(), 0);
        assert_eq!(of(&[("lib.rs", root), ("a/mod.rs", "mod tests;"), b, tests]).len(), 1);
    }

    #[test]
    fn items_of_the_root_are_a_module_too() {
        let a = ("a.rs", "use crate::Thing;");
        assert_eq!(of(&[("lib.rs", "mod a;\npub use a::A;\npub struct Thing;"), a]).len(), 0);
        let found = of(&[("lib.rs", "mod a;\nuse a::A;\npub struct Thing(A);"), a]);
        assert!(found[0].starts_with("a, the root:\n"), "{}", found[0]);
    }

    #[test]
    fn the_shortest_way_round_is_told_of_every_circle() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod d; mod e; mod f;"),
            ("a.rs", "use crate::b;"),
            ("b.rs", "use crate::c;"),
            ("c.rs", "use crate::a;\nuse crate::b;"),
            ("d.rs", "use crate::a;"),
            ("e.rs", "\nuse crate::f;"),
            ("f.rs", "use crate::e;"),
        ];
        let both = [
            "a, b, c:\n  b imports c (b.rs:1)\n  c imports b (c.rs:2)",
            "e, f:\n  e imports f (e.rs:2)\n  f imports e (f.rs:1)",
        ];
        assert_eq!(of(&files), both);
    }
}
