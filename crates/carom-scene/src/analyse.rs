//! The analyses other than a dynamic run that `[run] analysis` can ask for: kinematic, inverse, static and modal.

use std::ops::ControlFlow;

use carom::{Analysis, AnalysisError, Equilibrium, Modes, Posture, StaticsError};

use crate::scene::Scene;

/// The result of an analysis that does not integrate over time.
#[derive(Clone, Debug)]
pub enum Analysed {
    /// the postures of a driven mechanism, from a kinematic or an inverse analysis
    Postures {
        /// one posture per output time
        all: Vec<Posture>,
        /// whether the caller stopped the analysis before its end
        stopped: bool,
    },
    /// the configuration in which the bodies are at rest
    Static(Equilibrium),
    /// the natural modes about that equilibrium
    Modes(Modes),
}

/// The reason why an analysis failed.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// the mechanism cannot be analysed
    #[error(transparent)]
    Mechanism(#[from] AnalysisError),
    /// no equilibrium, or no modes, were found
    #[error(transparent)]
    Statics(#[from] StaticsError),
}

impl Scene {
    /// Performs the analysis that the scene asks for; returns `None` if it asks for a dynamic run ([`Scene::simulation`]).
    /// `go_on` receives the time \[s\] of every posture of a driven mechanism and may end the analysis there, keeping the
    /// postures so far. During the search for an equilibrium it is called too, with 0; if it ends the search, the result is
    /// an error.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use carom_scene::{Analysed, Format, Scene};
    /// let text = r#"
    ///     run = { duration = 1, analysis = "modes" }
    ///     body = [{ name = "mass", mass = 2, dofs = ["z"] }, { name = "wall", fixed = true, position = [0, 0, 1] }]
    ///     force = [{ type = "spring-damper", between = ["mass", "wall"], stiffness = 800, rest_length = 0.5 }]
    /// "#;
    /// let scene = Scene::from_text(text, Format::Toml, "spring.toml", &[])?;
    /// let Some(found) = scene.analyse(&mut |_| ControlFlow::Continue(()))? else { panic!("modes are asked for") };
    /// assert!(found.equilibrium().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyse(
        &self,
        go_on: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Option<Analysed>, AnalyseError> {
        let mut stopped = false;
        let mut on_time = |t: f64| {
            let answer = go_on(t);
            stopped |= answer.is_break();
            answer
        };
        Ok(Some(match self.analysis {
            Analysis::Dynamic => return Ok(None),
            Analysis::Kinematic => {
                let all = self.cycle().kinematics_while(&mut on_time)?;
                Analysed::Postures { all, stopped }
            }
            Analysis::Inverse => {
                let all = self.cycle().inverse_while(&mut on_time)?;
                Analysed::Postures { all, stopped }
            }
            Analysis::Static => Analysed::Static(Equilibrium::find_while(&self.model, &mut || on_time(0.0))?),
            Analysis::Modes => {
                let at = Equilibrium::find_while(&self.model, &mut || on_time(0.0))?;
                Analysed::Modes(Modes::about(&self.model, at)?)
            }
        }))
    }
}

impl std::fmt::Display for Analysed {
    /// Writes a summary of the result in one line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Analysed::Postures { all, .. } => write!(f, "{} postures", all.len()),
            Analysed::Static(at) => at.fmt(f),
            Analysed::Modes(modes) => modes.at.fmt(f),
        }
    }
}

impl Analysed {
    /// Returns the equilibrium, if one was asked for.
    pub fn equilibrium(&self) -> Option<&Equilibrium> {
        match self {
            Analysed::Postures { .. } => None,
            Analysed::Static(at) => Some(at),
            Analysed::Modes(modes) => Some(&modes.at),
        }
    }

    /// Returns whether a kinematic or inverse analysis was stopped before its end.
    pub fn stopped(&self) -> bool {
        matches!(self, Analysed::Postures { stopped: true, .. })
    }
}
