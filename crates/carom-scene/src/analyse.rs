//! What `[run] analysis` asks for besides the motion under forces.

use std::ops::ControlFlow;

use carom::{Analysis, AnalysisError, Equilibrium, Modes, Posture, StaticsError};

use crate::scene::Scene;

/// What came out of an analysis that integrates nothing.
#[derive(Clone, Debug)]
pub enum Analysed {
    /// a driven mechanism from instant to instant: kinematic, or inverse
    Postures {
        /// one an output time
        all: Vec<Posture>,
        /// whether it was stopped before its end
        stopped: bool,
    },
    /// where bodies come to rest
    Static(Equilibrium),
    /// how they move near there
    Modes(Modes),
}

/// Why nothing came out of an analysis.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// a mechanism that cannot be analysed
    #[error(transparent)]
    Mechanism(#[from] AnalysisError),
    /// no equilibrium, or no modes
    #[error(transparent)]
    Statics(#[from] StaticsError),
}

impl Scene {
    /// Does the analysis that the scene asks for; `None`: it asks for a run ([`Scene::simulation`]). `go_on` is told the time \[s\] of every posture of a driven mechanism,
    /// and may end the analysis there; while an equilibrium is looked for it is asked too, and ends the search, of which nothing is left.
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
        let mut told = |t: f64| {
            let answer = go_on(t);
            stopped |= answer.is_break();
            answer
        };
        Ok(Some(match self.analysis {
            Analysis::Dynamic => return Ok(None),
            Analysis::Kinematic => {
                let all = self.cycle().kinematics_while(&mut told)?;
                Analysed::Postures { all, stopped }
            }
            Analysis::Inverse => {
                let all = self.cycle().inverse_while(&mut told)?;
                Analysed::Postures { all, stopped }
            }
            Analysis::Static => Analysed::Static(Equilibrium::find_while(&self.model, &mut || told(0.0))?),
            Analysis::Modes => {
                let at = Equilibrium::find_while(&self.model, &mut || told(0.0))?;
                Analysed::Modes(Modes::about(&self.model, at)?)
            }
        }))
    }
}

impl std::fmt::Display for Analysed {
    /// How it went, in a line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Analysed::Postures { all, .. } => write!(f, "{} postures", all.len()),
            Analysed::Static(at) => at.fmt(f),
            Analysed::Modes(modes) => modes.at.fmt(f),
        }
    }
}

impl Analysed {
    /// Where bodies come to rest, if that was asked for.
    pub fn equilibrium(&self) -> Option<&Equilibrium> {
        match self {
            Analysed::Postures { .. } => None,
            Analysed::Static(at) => Some(at),
            Analysed::Modes(modes) => Some(&modes.at),
        }
    }

    /// Whether it was stopped before its end.
    pub fn stopped(&self) -> bool {
        matches!(self, Analysed::Postures { stopped: true, .. })
    }
}
