//! `carom sweep --slurm`

use carom_studies::sweep::slurm_script;

use super::PlanArgs;

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+~@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) && !word.starts_with('~') {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The job script of a sweep in so many shards.
pub(super) fn of(plan: &PlanArgs, tasks: usize) -> String {
    let mut words = vec!["carom".to_owned(), "sweep".to_owned(), plan.scene().display().to_string()];
    let mut option = |name: &str, value: String| words.push(format!("{name}={value}"));
    plan.vary.iter().for_each(|v| option("--vary", v.clone()));
    plan.set.iter().for_each(|v| option("--set", v.clone()));
    plan.measure.iter().for_each(|v| option("--measure", v.clone()));
    if let Some(n) = plan.samples {
        option("--samples", n.to_string());
    }
    if let Some(design) = plan.design {
        option("--design", design.name().to_owned());
    }
    if let Some(seed) = plan.seed {
        option("--seed", seed.to_string());
    }
    if plan.keep {
        words.push("--keep".to_owned());
    }
    let command = words.iter().map(|w| quoted(w)).collect::<Vec<_>>().join(" ");
    slurm_script(&command, &quoted(&plan.whole().display().to_string()), tasks)
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_for_a_shell() {
        for (word, text) in [
            ("out/a-sweep", "out/a-sweep"),
            ("--vary=a/b~c=1:2:3", "--vary=a/b~c=1:2:3"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("max(x)", "'max(x)'"),
            ("", "''"),
            ("~/x", "'~/x'"),
        ] {
            assert_eq!(quoted(word), text);
        }
    }
}
