//! A test that the modules of a crate can be read in order: it fails where a module imports one that `lib.rs` declares
//! after it.
//!
//! The modules are those that `lib.rs` (or `main.rs`) declares, lowest first, each with all files in its folder. An
//! import is any path that starts with `crate::` or leads out of the module by `super::`, in a `use` or in code. A name
//! that the root imports (`pub use a::Name`) counts as an import of the module it comes from. Items defined in the root
//! itself come after all modules. Code that is compiled for tests only may import anything.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use source::{Found, found};

/// The name of the root file as a module, for items that are defined in it and imported from it.
const ROOT: &str = "the root";

/// The modules of a crate and the imports among them, from its source files.
struct Crate {
    /// the modules in the order of their `mod` lines, the root last
    modules: Vec<String>,
    imports: Vec<Edge>,
}

/// An import: the importing module, the imported module, and the file and line.
struct Edge {
    from: String,
    to: String,
    place: String,
}

/// Asserts that every module of a crate imports only modules that the root file declares before it; so no two modules
/// import each other. `folder` is the folder of the crate, `env!("CARGO_MANIFEST_DIR")`.
///
/// ```
/// carom_testkit::modules_are_in_order(env!("CARGO_MANIFEST_DIR"));
/// ```
#[track_caller]
pub fn modules_are_in_order(folder: &str) {
    let wrong = imports_out_of_order(folder);
    assert!(wrong.is_empty(), "modules import what the root file names after them:\n{}", wrong.join("\n"));
}

/// Returns the imports of a crate that lead to a module declared after the importing one: one text for each, with its
/// file and line.
#[track_caller]
pub fn imports_out_of_order(folder: &str) -> Vec<String> {
    out_of_order(&read(folder))
}

#[track_caller]
fn read(folder: &str) -> Crate {
    let src = Path::new(folder).join("src");
    let mut files = Vec::new();
    collect(&src, &mut Vec::new(), &mut files);
    assert!(!files.is_empty(), "there are no source files in {}", src.display());
    of_files(&files)
}

/// A source file: its path within `src`, its module path, and its text.
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
    let named_in_root: BTreeMap<&str, &str> = roots()
        .flat_map(|(_, f)| &f.uses)
        .filter_map(|u| Some((u.name.as_str(), u.path.first().filter(|m| modules.contains(m))?.as_str())))
        .collect();
    let mut imports = Vec::new();
    for (file, found) in &read {
        if (1..=file.module.len()).any(|n| for_tests.contains(&file.module[..n])) {
            continue;
        }
        let from = file.module.first().map_or(ROOT, String::as_str);
        for import in &found.imports {
            let Some(first) = import.path.first() else { continue };
            let direct = modules.contains(first).then_some(first.as_str());
            let to = direct.or_else(|| named_in_root.get(first.as_str()).copied()).unwrap_or(ROOT);
            if to != from {
                let place = format!("{}:{}", file.path, import.line);
                imports.push(Edge { from: from.to_owned(), to: to.to_owned(), place });
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
        out_of_order(&of_texts(files))
    }

    /// Checks two modules: `b` comes after `a` and imports it.
    fn two(a: &str) -> Vec<String> {
        let root = "mod c;\nmod a;\npub mod b;\npub use b::{B, inner::Deep as D};\npub(crate) use a::A;";
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
            assert!(!found.is_empty(), "{import}");
            for wrong in found {
                assert!(
                    wrong.starts_with("  a.rs:") && wrong.ends_with(": a imports b"),
                    "{import}: {wrong}"
                );
            }
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
        for declared in ["#[cfg(test)]\nmod tests;", "#[cfg(test)]\npub(crate) mod tests;"] {
            assert_eq!(of(&[("lib.rs", root), ("a/mod.rs", declared), b, tests]).len(), 0);
        }
        assert_eq!(of(&[("lib.rs", root), ("a/mod.rs", "mod tests;"), b, tests]).len(), 1);
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
