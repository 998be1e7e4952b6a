//! Whether the modules of a crate can be read one after the other: a test that fails where a module imports one that `lib.rs` names after it.
//!
//! The modules are those that `lib.rs` (or `main.rs`) declares, lowest first, each with all files in its folder; an import is any path that starts with `crate::`
//! or leads out of the module by `super::`, in a `use` or in code. A name that the root re-exports (`pub use a::Name`) counts as an import of the module it comes
//! from. What is defined in the root itself comes after all modules. Code that is compiled for tests only may import what it likes.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use source::{Found, found};

/// The root file as a module: it is one where items are defined in it and imported from it.
const ROOT: &str = "the root";

/// Where each import of the crate is written, by the modules that import and are imported.
type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// What the source files of a crate say of its modules.
struct Crate {
    /// the modules in the order of their `mod` lines, the root last
    modules: Vec<String>,
    imports: Vec<Edge>,
}

/// An import: which module imports, which is imported, and where that is written.
struct Edge {
    from: String,
    to: String,
    place: String,
}

/// Asserts that every module of a crate imports only modules that the root file names before it; it follows that no two import one another.
/// `folder` is the crate's, `env!("CARGO_MANIFEST_DIR")`.
///
/// ```
/// carom_testkit::modules_are_in_order(env!("CARGO_MANIFEST_DIR"));
/// ```
#[track_caller]
pub fn modules_are_in_order(folder: &str) {
    let wrong = imports_out_of_order(folder);
    assert!(wrong.is_empty(), "modules import what the root file names after them:\n{}", wrong.join("\n"));
}

/// The imports of a crate that lead to a module named after the importing one: one text for each, with its file and line.
#[track_caller]
pub fn imports_out_of_order(folder: &str) -> Vec<String> {
    out_of_order(&read(folder))
}

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
    cycles(&graph(&read(folder).imports))
}

#[track_caller]
fn read(folder: &str) -> Crate {
    let src = Path::new(folder).join("src");
    let mut files = Vec::new();
    collect(&src, &mut Vec::new(), &mut files);
    assert!(!files.is_empty(), "there are no source files in {}", src.display());
    of_files(&files)
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

fn of_files(files: &[File]) -> Crate {
    let read: Vec<(&File, Found)> = files.iter().map(|f| (f, found(&f.text, &f.module))).collect();
    let for_tests: BTreeSet<Vec<String>> = read
        .iter()
        .flat_map(|(f, found)| {
            found.test_modules.iter().map(|name| [&f.module[..], std::slice::from_ref(name)].concat())
        })
        .collect();
    let roots = || read.iter().filter(|(f, _)| f.module.is_empty());
    let mut modules: Vec<String> = roots().flat_map(|(_, f)| f.modules.iter().cloned()).collect();
    modules.push(ROOT.to_owned());
    let mut re_exported: BTreeMap<&str, &str> = BTreeMap::new();
    let mut imports = Vec::new();
    let mut add = |from: &str, to: &str, file: &File, line: usize| {
        let place = format!("{}:{line}", file.path);
        imports.push(Edge { from: from.to_owned(), to: to.to_owned(), place });
    };
    for (file, found) in roots() {
        for u in &found.uses {
            let Some(first) = u.import.path.first().filter(|m| modules.contains(m)) else { continue };
            if u.passed_on {
                re_exported.insert(&u.name, first);
            } else {
                add(ROOT, first, file, u.import.line);
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
            let direct = modules.contains(first).then_some(first.as_str());
            let to = direct.or_else(|| re_exported.get(first.as_str()).copied()).unwrap_or(ROOT);
            if to != from {
                add(from, to, file, import.line);
            }
        }
    }
    Crate { modules, imports }
}

fn out_of_order(read: &Crate) -> Vec<String> {
    let position = |module: &String| read.modules.iter().position(|m| m == module);
    let wrong = read.imports.iter().filter(|i| position(&i.from) < position(&i.to));
    wrong.map(|i| format!("  {}: {} imports {}", i.place, i.from, i.to)).collect()
}

fn graph(imports: &[Edge]) -> Graph {
    let mut graph = Graph::new();
    for Edge { from, to, place } in imports {
        graph.entry(from.clone()).or_default().entry(to.clone()).or_insert_with(|| place.clone());
    }
    graph
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

    fn of_texts(files: &[(&str, &str)]) -> Crate {
        let file = |(path, text): &(&str, &str)| {
            let stem = path.strip_suffix(".rs").unwrap();
            let names: Vec<String> = stem.split('/').map(str::to_owned).collect();
            let module =
                names.into_iter().filter(|n| !["lib", "main", "mod"].contains(&n.as_str())).collect();
            File { path: (*path).to_owned(), module, text: (*text).to_owned() }
        };
        of_files(&files.iter().map(file).collect::<Vec<_>>())
    }

    fn of(files: &[(&str, &str)]) -> Vec<String> {
        cycles(&graph(&of_texts(files).imports))
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
            "#[cfg(test)]\nuse std::{fmt, fs};\nuse crate::b;",
            "#[cfg(test)]\nfn f(x: u8) { if x > 1 {} }\nfn g() { crate::b::g() }",
            "struct A { #[cfg(test)] x: u8, y: crate::b::B }",
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
            "#[cfg(test)]\nuse crate::b::{B, inner};",
            "#[cfg(test)]\npub(crate) fn f(x: crate::b::B) { crate::b::g() }",
            "#[allow(unused)]\n#[cfg(test)]\nimpl crate::b::B { fn f() { if true { crate::b::g() } } }",
            "struct A { #[cfg(test)] x: crate::b::B }",
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

    #[test]
    fn imports_of_later_modules_are_out_of_order() {
        let files = |root| {
            of_texts(&[
                ("lib.rs", root),
                ("high.rs", "\nuse crate::low::Low;\nuse crate::{Middle, low};"),
                ("low.rs", "use std::fmt;"),
                ("middle/mod.rs", "mod part;\n#[cfg(test)]\nmod tests;"),
                ("middle/part.rs", "pub fn f() { crate::low::g() }"),
                ("middle/tests.rs", "use crate::high::High;"),
            ])
        };
        let rest = "pub use middle::Middle;\nuse high::High;";
        let in_order = format!("mod low;\npub mod middle;\n// the highest\npub(crate) mod high;\n{rest}");
        assert_eq!(out_of_order(&files(&in_order)), Vec::<String>::new());
        let alphabetic = format!("mod high;\nmod low;\nmod middle;\n{rest}");
        let three = [
            "  high.rs:2: high imports low",
            "  high.rs:3: high imports middle",
            "  high.rs:3: high imports low",
        ];
        assert_eq!(out_of_order(&files(&alphabetic)), three);
        let one = ["  middle/part.rs:1: middle imports low"];
        assert_eq!(out_of_order(&files(&format!("mod middle;\nmod low;\nmod high;\n{rest}"))), one);
    }

    #[test]
    fn no_module_imports_from_the_root() {
        let found = of_texts(&[("main.rs", "mod a;\nstruct Thing;"), ("a.rs", "use super::Thing;")]);
        assert_eq!(out_of_order(&found), ["  a.rs:1: a imports the root"]);
    }

    #[test]
    #[should_panic(expected = "/src/imports/src: ")]
    fn a_folder_without_sources_is_refused() {
        modules_are_in_order(concat!(env!("CARGO_MANIFEST_DIR"), "/src/imports"));
    }
}
