//! Which figures of which papers: words of the command line.

use carom_studies::paper::{Figure, Paper};

use super::library::{self, Files};
use crate::failure::Failure;

/// The word for every paper.
const ALL: &str = "all";

/// A paper, and the figures that are wanted of it.
pub(super) struct Choice {
    pub(super) files: &'static Files,
    pub(super) paper: Paper,
    /// names; empty: all
    names: Vec<String>,
}

impl Choice {
    /// In the order of the paper.
    pub(super) fn figures(&self) -> Vec<&Figure> {
        self.paper.figures.iter().filter(|f| self.names.is_empty() || self.names.contains(&f.name)).collect()
    }

    pub(super) fn is_whole(&self) -> bool {
        self.figures().len() == self.paper.figures.len()
    }

    /// What its report is called.
    pub(super) fn report(&self) -> String {
        if self.names.is_empty() { "report".to_owned() } else { self.names.join("-") }
    }

    fn of(name: &str) -> Result<Choice, Failure> {
        let files = library::named(name)?;
        Ok(Choice { files, paper: files.paper()?, names: Vec::new() })
    }

    fn take(&mut self, figure: &str) -> Result<(), Failure> {
        let found = library::figure(&self.paper, figure)?;
        self.names.push(found.name.clone());
        Ok(())
    }
}

/// `all`; papers; a paper and figures of it; `paper/figure`.
pub(super) fn read(words: &[String]) -> Result<Vec<Choice>, Failure> {
    let mut chosen: Vec<Choice> = Vec::new();
    for word in words {
        let (name, figure) = word.split_once('/').map_or((word.as_str(), None), |(n, f)| (n, Some(f)));
        if word == ALL {
            chosen = library::ALL.iter().map(|f| Choice::of(f.name)).collect::<Result<_, _>>()?;
        } else if figure.is_none()
            && library::named(name).is_err()
            && let Some(last) = chosen.last_mut()
        {
            last.take(name)?;
        } else {
            let index = match chosen.iter().position(|c| c.paper.name == name) {
                Some(index) => index,
                None => {
                    chosen.push(Choice::of(name)?);
                    chosen.len() - 1
                }
            };
            figure.map_or(Ok(()), |figure| chosen[index].take(figure))?;
        }
    }
    Ok(chosen)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use super::*;

    fn chosen(words: &[&str]) -> Vec<String> {
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        let name = |c: &Choice| format!("{} {}", c.paper.name, c.report());
        read(&words).unwrap_or_default().iter().map(name).collect()
    }

    #[test]
    fn words_name_figures() {
        assert_eq!(chosen(&["torus-plane"]), ["torus-plane report"]);
        assert_eq!(chosen(&["torus-plane", "fig6", "fig8"]), ["torus-plane fig6-fig8"]);
        assert_eq!(
            chosen(&["torus-plane/fig8", "sphere-algorithms", "torus-plane/fig6"]),
            ["torus-plane fig8-fig6", "sphere-algorithms report"]
        );
        assert_eq!(chosen(&["all"]).len(), library::ALL.len());
        assert!(chosen(&["fig6"]).is_empty() && chosen(&["torus-plane", "fig66"]).is_empty());
    }
}
