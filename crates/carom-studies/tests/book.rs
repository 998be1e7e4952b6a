//! The book's reference of recipes is that of their tables of keys; its maps of papers are those of the papers' folders.

mod maps;

use std::path::Path;

/// Compares a generated file with what it should be; with `CAROM_GEN=1` (`cargo xtask gen`) writes it.
fn generated(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("CAROM_GEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{} is out of date: run `cargo xtask gen`", path.display());
}

#[test]
fn the_recipe_reference_is_current() {
    generated("book/src/paper-reference.md", &carom_studies::paper::reference());
}
