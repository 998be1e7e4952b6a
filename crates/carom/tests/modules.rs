//! Modules can be read one after the other.

#[test]
fn modules_import_one_another_in_no_circle() {
    carom_testkit::modules_form_no_cycle(env!("CARGO_MANIFEST_DIR"));
}
