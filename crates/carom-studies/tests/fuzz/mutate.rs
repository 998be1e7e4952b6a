//! Inputs made from others.

use carom_testkit::Random;

/// Pieces of the languages that are read, and numbers at the ends of what there is.
const WORDS: [&str; 72] = [
    "0",
    "-0",
    "1",
    "-1",
    "1e308",
    "-1e308",
    "1e-308",
    "5e-324",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "9007199254740993",
    "18446744073709551616",
    "-9223372036854775809",
    "0x",
    "1_000",
    "1.",
    ".5",
    "1e",
    "\"",
    "'",
    "`",
    "\\",
    "\\u0000",
    "\\ud800",
    "\u{0}",
    "\n",
    "\r\n",
    "\t",
    "\u{feff}",
    "\u{202e}",
    "é",
    "𝛿",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "(",
    ")",
    ",",
    ";",
    ":",
    "=",
    "==",
    "#",
    "*",
    "?",
    "/",
    "~",
    ".",
    "..",
    "../",
    "^",
    "%",
    "&",
    "|",
    "<",
    ">",
    "if(",
    "max(",
    "mean(",
    "linear(",
    " m",
    " mm/s^2",
    " deg",
    "null",
    "true",
    "\"= pi\"",
    "/dev/zero",
];

/// Returns an input of the corpus with one to eight changes.
pub(super) fn changed(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = corpus[random.one_of(corpus.len())].clone();
    let most = [1, 2, 4, 8][random.one_of(4)];
    for _ in 0..1 + random.one_of(most) {
        change(&mut input, corpus, random);
    }
    input
}

fn place(input: &[u8], random: &mut Random) -> usize {
    random.one_of(input.len() + 1)
}

/// A stretch of an input; most are short.
fn stretch(input: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let from = place(input, random);
    let length = [1, 4, 16, 64, 1 << 20][random.one_of(5)].min(input.len() - from);
    from..from + if length == 0 { 0 } else { 1 + random.one_of(length) }
}

/// A stretch of a whole number, of a word, or of a line.
fn token(input: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let at = place(input, random).min(input.len().saturating_sub(1));
    let kinds: [fn(u8) -> bool; 3] = [
        |b| b.is_ascii_digit() || b"+-.eE_".contains(&b),
        |b| b.is_ascii_alphanumeric() || b == b'_',
        |b| b != b'\n',
    ];
    let is = kinds[random.one_of(3)];
    let from = input[..at].iter().rposition(|b| !is(*b)).map_or(0, |i| i + 1);
    let to = input[at..].iter().position(|b| !is(*b)).map_or(input.len(), |i| at + i);
    from..to.max(from)
}

fn change(input: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    let word = || WORDS[0].as_bytes().to_vec();
    match random.one_of(9) {
        0 if !input.is_empty() => {
            let at = random.one_of(input.len());
            input[at] ^= 1 << random.one_of(8);
        }
        1 => drop(input.drain(stretch(input, random))),
        2 => drop(input.drain(token(input, random))),
        3 => {
            let (at, word) = (place(input, random), WORDS[random.one_of(WORDS.len())]);
            input.splice(at..at, word.bytes());
        }
        4 | 5 => {
            let (at, word) = (token(input, random), WORDS[random.one_of(WORDS.len())]);
            input.splice(at, word.bytes());
        }
        6 => {
            let piece = input[stretch(input, random)].to_vec();
            let (at, base, power) = (place(input, random), random.one_of(4), random.one_of(4));
            let times = 1 + base.pow(power as u32);
            input.splice(at..at, piece.repeat(times));
        }
        7 => {
            let other = &corpus[random.one_of(corpus.len())];
            let piece = other[stretch(other, random)].to_vec();
            let at = stretch(input, random);
            input.splice(at, piece);
        }
        _ => {
            let from = token(input, random);
            let piece = if from.is_empty() { word() } else { input[from].to_vec() };
            let to = token(input, random);
            input.splice(to, piece);
        }
    }
}
