//! Modules can be read one after the other. Those of the Python package are looked at here, as it has no tests in Rust.

#[test]
fn modules_import_only_those_named_before_them() {
    carom_testkit::modules_are_in_order(env!("CARGO_MANIFEST_DIR"));
    carom_testkit::modules_are_in_order(concat!(env!("CARGO_MANIFEST_DIR"), "/../python"));
}
