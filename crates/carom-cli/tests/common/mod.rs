//! Running the program in a folder of the test's own.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)] // every test file uses its own part

pub mod numbers;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A folder of a test's own, taken away at the end.
pub struct Place(pub PathBuf);

impl Place {
    pub fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("carom-cli-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.args(args).current_dir(&self.0).env_remove("NO_COLOR");
        command
    }

    /// Runs the program and waits for its end.
    pub fn carom(&self, args: &[&str]) -> Said {
        Said::new(self.command(args).output().unwrap())
    }

    /// The same with something on the standard input.
    pub fn carom_with(&self, args: &[&str], input: &[u8]) -> Said {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Said::new(child.wait_with_output().unwrap())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What the program said.
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Said {
    pub fn new(output: Output) -> Said {
        let said = Said {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!said.err.contains("panicked"), "{}", said.err);
        said
    }

    /// It is done, and nothing was wrong.
    pub fn done(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.out
    }

    /// It failed with this code, and only the errors speak.
    pub fn failed(self, code: i32) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(code), ""), "{}", self.err);
        self.err
    }
}

pub fn json(path: impl AsRef<Path>) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A scene of the examples.
pub fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).display().to_string()
}

/// All scenes of the examples.
pub fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut all: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml" || e == "json"))
        .map(|path| path.display().to_string())
        .collect();
    all.sort();
    all
}

/// The lines of a CSV file by column name; names without commas.
pub fn csv(path: impl AsRef<Path>) -> Vec<std::collections::HashMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    lines
        .map(|line| header.iter().map(|h| (*h).to_owned()).zip(line.split(',').map(str::to_owned)).collect())
        .collect()
}

/// A figure that was written: a whole SVG, whose text is returned, or a PNG.
pub fn drawn(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    assert!(bytes.len() > 5_000, "{} has {} bytes", path.display(), bytes.len());
    if path.extension().unwrap().eq_ignore_ascii_case("png") {
        assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
        assert_eq!(bytes[bytes.len() - 8..bytes.len() - 4], *b"IEND");
        // width and height, as the header has them
        let side = |i: usize| u32::from_be_bytes(bytes[i..i + 4].try_into().unwrap());
        assert!((250..8000).contains(&side(16)) && (200..8000).contains(&side(20)));
        return String::new();
    }
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
    assert_eq!(text.matches("<g ").count() + text.matches("<g>").count(), text.matches("</g>").count());
    // curves, dots, or bars on the sheet
    let something = text.contains("<path") || text.contains("<circle") || text.matches("<rect").count() > 3;
    // (three letters of a picture of pixels may be any)
    let drawn = text
        .split("<image ")
        .enumerate()
        .map(|(i, part)| if i == 0 { part } else { &part[part.find("/>").unwrap()..] });
    assert!(!drawn.collect::<String>().contains("NaN") && something);
    text
}
