//! Modules can be read one after the other, in the order of `lib.rs`.

#[test]
fn modules_import_only_those_named_before_them() {
    carom_testkit::modules_are_in_order(env!("CARGO_MANIFEST_DIR"));
}
