//! `carom query`

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::path::PathBuf;

use carom_studies::query::{StreamError, answer_all};
use clap::Args;

use crate::failure::Failure;

/// Answer distances between surfaces: one JSON object a line in, one out
///
/// In: surfaces a and b with the keys of a scene, pose_a and pose_b (position, quaternion
/// w x y z; left out: the origin). Out: distance (negative on overlap), nearest points,
/// normal from a to b, whether bounds from both sides certify the distance (as of convex
/// solids), and all contact points; with "all": true, for two ellipsoids or
/// balls, every common normal, with its kind. A line that cannot be answered gets
/// {"error": "…"}, and the rest goes on; an id comes back.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  carom query < pairs.jsonl > answers.jsonl
  carom query pairs.jsonl

A line, and its answer:
  {\"a\":{\"type\":\"plane\"},\"b\":{\"type\":\"sphere\",\"radius\":1},\"pose_b\":{\"position\":[0,0,3]}}
  {\"distance\":2,\"point_a\":[0,0,0],\"point_b\":[0,0,2],\"normal\":[0,0,1],…}"
)]
pub(crate) struct Query {
    /// JSON lines [default: the standard input]
    file: Option<PathBuf>,
}

impl Query {
    pub(crate) fn go(self) -> Result<(), Failure> {
        let (name, input): (String, Box<dyn Read>) = match &self.file {
            Some(path) => {
                let name = path.display().to_string();
                let file = File::open(path).map_err(|e| Failure::Input(format!("{name}: {e}")))?;
                (name, Box::new(file))
            }
            None => {
                if io::stdin().is_terminal() {
                    let _ = writeln!(io::stderr().lock(), "one JSON object a line; Ctrl-D ends");
                }
                ("standard input".to_owned(), Box::new(io::stdin().lock()))
            }
        };
        let mut input = BufReader::with_capacity(1 << 18, input);
        match answer_all(&mut input, &mut io::stdout().lock()) {
            Ok(_) => Ok(()),
            Err(StreamError::Read(e)) => Err(Failure::Input(format!("{name}: {e}"))),
            Err(StreamError::Write(e)) => Err(e.into()),
        }
    }
}
