//! Random inputs to everything that reads what others wrote: none may make the program panic, hang or answer wrongly.
//!
//! Inputs are made from those of a corpus by changes of bytes, words and numbers (`mutate.rs`). What an input does is known by its
//! answer without numbers and quotations: one that gives an answer that was not there before is changed further. (Feedback from the
//! instrumentation of the compiler needs its nightly version.) A target is a function in `targets.rs`, and a line in [`TARGETS`].
//!
//! `cargo xtask fuzz [TARGET] [MINUTES]` runs it for a while. What it finds goes into `corpus/TARGET/`, which is run at each commit.

mod mutate;
mod sequences;
mod targets;

use std::collections::HashSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use carom_testkit::Random;

/// A target: its name, files of the repository whose bytes are inputs, what it does with an input and answers, and how many changed inputs
/// the test at each commit takes.
type Target = (&'static str, fn() -> Vec<Vec<u8>>, fn(&[u8]) -> String, usize);

const TARGETS: [Target; 10] = [
    ("scene", targets::example_scenes, targets::scene, 300),
    ("units", Vec::new, targets::units, 5000),
    ("expression", Vec::new, targets::expression, 5000),
    ("measure", Vec::new, targets::measure, 2000),
    ("stl", Vec::new, targets::stl, 300),
    ("obj", Vec::new, targets::obj, 300),
    ("ply", Vec::new, targets::ply, 300),
    ("csv", Vec::new, targets::csv, 5000),
    ("query", Vec::new, targets::query, 500),
    ("commands", Vec::new, sequences::commands, 20),
];

/// An input that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(20);
/// Inputs are not longer [bytes], but for those of the corpus.
const LARGEST: usize = 1 << 15;

/// A run of a target.
struct Fuzz {
    target: Target,
    random: Random,
    corpus: Vec<Vec<u8>>,
    /// what was answered so far
    answers: HashSet<String>,
    /// the input that is tried, for when the program does not survive it
    current: PathBuf,
    failed: Vec<String>,
}

fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target)
}

impl Fuzz {
    fn new(target: Target, seed: &str) -> Fuzz {
        let (name, seeds, ..) = target;
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let mut corpus: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
        corpus.extend(seeds());
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
        fs::create_dir_all(&place).unwrap();
        let random = Random::of(&format!("{name} {seed}"));
        Fuzz {
            target,
            random,
            corpus,
            answers: HashSet::new(),
            current: place.join(name),
            failed: Vec::new(),
        }
    }

    /// Tries an input. What it answers that nobody has answered before makes it a member of the corpus.
    fn attempt(&mut self, input: &[u8], keep: bool) {
        let (name, _, does, _) = self.target;
        if keep {
            fs::write(&self.current, input).unwrap();
        }
        NOW.fetch_add(1, Ordering::SeqCst);
        let start = Instant::now();
        let answer = catch_unwind(|| does(input));
        let took = start.elapsed();
        NOW.fetch_add(1, Ordering::SeqCst);
        let said = match answer {
            Ok(answer) if took < LONGEST => {
                if self.answers.len() < 5000 && self.answers.insert(shape(&answer)) && keep {
                    self.corpus.push(input.to_vec());
                }
                return;
            }
            Ok(_) => format!("took {took:?}"),
            Err(_) => "panicked".to_owned(),
        };
        let file = self.current.with_extension(format!("{}.found", self.failed.len()));
        fs::write(&file, input).unwrap();
        self.failed.push(format!("{name}: {said}: {}", file.display()));
    }

    /// The corpus as it is.
    fn regress(&mut self) {
        for input in self.corpus.clone() {
            self.attempt(&input, false);
        }
    }

    /// One input that was made from the corpus.
    fn once(&mut self, keep: bool) {
        let input = mutate::changed(&self.corpus, &mut self.random);
        if input.len() <= LARGEST {
            self.attempt(&input, keep);
        }
    }
}

/// An answer without what differs from input to input.
fn shape(answer: &str) -> String {
    let mut out = String::new();
    let mut quoted = false;
    for c in answer.chars() {
        match c {
            '`' | '"' => quoted = !quoted,
            _ if quoted || c.is_ascii_digit() || "+-.e ".contains(c) => {}
            c => out.push(c),
        }
    }
    out.chars().take(200).collect()
}

/// Twice the number of inputs that were tried, and one more while one is: for the watch that ends a program that hangs.
static NOW: AtomicU64 = AtomicU64::new(0);

/// The corpus, and some changed inputs: always the same ones.
#[test]
fn nothing_that_is_read_makes_it_panic() {
    let mut failed = Vec::new();
    for target in TARGETS {
        let mut fuzz = Fuzz::new(target, "each commit");
        fuzz.regress();
        (0..target.3).for_each(|_| fuzz.once(false));
        failed.append(&mut fuzz.failed);
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// `CAROM_FUZZ` names a target, or `all`, `CAROM_MINUTES` says for how long, `CAROM_SEED` with which random numbers.
#[test]
#[ignore = "as long as asked for: cargo xtask fuzz"]
#[allow(clippy::print_stdout, reason = "it is looked at")]
fn for_minutes() {
    let asked = std::env::var("CAROM_FUZZ").unwrap_or_else(|_| "all".to_owned());
    let minutes: f64 = std::env::var("CAROM_MINUTES").map_or(1.0, |m| m.parse().unwrap());
    let seed = std::env::var("CAROM_SEED").unwrap_or_else(|_| "0".to_owned());
    // what never comes back, and what exhausts the stack, is found in the file of the input
    std::thread::spawn(|| {
        let (mut last, mut waited) = (0, Duration::ZERO);
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let now = NOW.load(Ordering::SeqCst);
            waited = if now == last && now % 2 == 1 {
                waited + Duration::from_millis(500)
            } else {
                Duration::ZERO
            };
            last = now;
            if waited > 3 * LONGEST {
                std::process::abort();
            }
        }
    });
    let chosen: Vec<Target> = TARGETS.into_iter().filter(|t| asked == "all" || asked == t.0).collect();
    let names: Vec<&str> = TARGETS.iter().map(|t| t.0).collect();
    assert!(!chosen.is_empty(), "there is no target `{asked}`; there are {}", names.join(", "));
    let mut failed = Vec::new();
    for target in chosen {
        let mut fuzz = Fuzz::new(target, &seed);
        fuzz.regress();
        let (start, mut count) = (Instant::now(), 0);
        while start.elapsed().as_secs_f64() < 60.0 * minutes {
            fuzz.once(true);
            count += 1;
        }
        let (answers, found) = (fuzz.answers.len(), fuzz.failed.len());
        println!(
            "{}: {count} inputs in {:.0} s, {answers} kinds of answers, {found} failures",
            target.0,
            60.0 * minutes
        );
        failed.append(&mut fuzz.failed);
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
