//! How much of many alike cases a test goes through.

/// Whether tests are to go through all of their cases: `CAROM_ALL` is set, as by `cargo xtask verify tests`.
pub fn all_cases() -> bool {
    std::env::var_os("CAROM_ALL").is_some()
}

/// One in `n` of the cases, from the first on; all of them if that is asked for ([`all_cases`]). For cases that are alike in kind, so that tests at each commit stay short.
///
/// ```
/// let some: Vec<usize> = carom_testkit::one_in(3, 0..8).collect();
/// assert!(some == [0, 3, 6] || carom_testkit::all_cases());
/// ```
pub fn one_in<T>(n: usize, cases: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    cases.into_iter().step_by(if all_cases() { 1 } else { n.max(1) })
}
