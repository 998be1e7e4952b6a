//! Finds what a source file imports from other modules of its crate. It parses Rust only as far as paths require: it
//! ignores comments, literals and everything that is compiled for tests only.

/// A path from the root of the crate, and the line in which it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    /// the names along the path, without the root
    pub(super) path: Vec<String>,
    pub(super) line: usize,
}

/// The declarations and imports found in a file.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// every `crate::…` and `super::…`, in code and in `use`
    pub(super) imports: Vec<Import>,
    /// `mod NAME;` declarations that are compiled for tests only
    pub(super) test_modules: Vec<String>,
    /// all modules that the file declares
    pub(super) modules: Vec<String>,
    /// `use` of names without `crate` or `super` in front; in the root file these are its re-exports and imports
    pub(super) uses: Vec<Use>,
}

/// A path of a `use`.
#[derive(Debug)]
pub(super) struct Use {
    pub(super) path: Vec<String>,
    /// the name it has in this module; `*` for all names
    pub(super) name: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    /// `::`
    Path,
    Mark(char),
}

/// Returns the imports of a file that is the module `at` (names from the root; empty for the root itself).
pub(super) fn found(text: &str, at: &[String]) -> Found {
    let tokens = tokens(text);
    let mut reader = Reader { tokens: &tokens, next: 0, found: Found::default() };
    let mut at = at.to_vec();
    reader.items(&mut at);
    reader.found
}

struct Reader<'t> {
    tokens: &'t [(Token, usize)],
    next: usize,
    found: Found,
}

impl Reader<'_> {
    fn mark(&self, ahead: usize, mark: char) -> bool {
        self.tokens.get(self.next + ahead).is_some_and(|(t, _)| *t == Token::Mark(mark))
    }

    fn word(&self, ahead: usize) -> Option<&str> {
        match self.tokens.get(self.next + ahead) {
            Some((Token::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    fn is_path(&self, ahead: usize) -> bool {
        self.tokens.get(self.next + ahead).is_some_and(|(t, _)| *t == Token::Path)
    }

    fn line(&self) -> usize {
        self.tokens.get(self.next).map_or(0, |(_, line)| *line)
    }

    /// Reads items up to the end of the file or to the brace that ends an inline module.
    fn items(&mut self, at: &mut Vec<String>) {
        let (mut depth, mut for_tests) = (0, false);
        while self.next < self.tokens.len() {
            if self.mark(0, '{') {
                depth += 1;
            } else if self.mark(0, '}') {
                if depth == 0 {
                    return;
                }
                depth -= 1;
            }
            // `$crate::…` is resolved where a macro is used, not here
            if self.mark(0, '$') && self.word(1) == Some("crate") {
                self.next += 2;
                continue;
            }
            if self.mark(0, ';') || self.mark(0, '{') || self.mark(0, '}') {
                for_tests = false;
            } else if self.mark(0, '#') && self.mark(1, '[') {
                for_tests |= self.attribute_of_tests();
                continue;
            } else if for_tests && !matches!(self.word(0), Some("mod" | "pub")) {
                self.skip_item();
                for_tests = false;
                continue;
            }
            match self.word(0) {
                Some("pub") => {
                    self.next += 1;
                    if self.mark(0, '(') {
                        self.skip('(', ')');
                    }
                    continue;
                }
                Some("mod") if self.word(1).is_some() => {
                    self.module(at, for_tests);
                    for_tests = false;
                    continue;
                }
                Some("use") => {
                    self.next += 1;
                    let line = self.line();
                    let mut paths = Vec::new();
                    self.tree(&mut Vec::new(), &mut paths);
                    self.used(paths, line, at);
                    continue;
                }
                Some("crate" | "super") if self.is_path(1) => {
                    let line = self.line();
                    let mut paths = Vec::new();
                    self.tree(&mut Vec::new(), &mut paths);
                    for (path, _) in paths {
                        self.imported(path, line, at);
                    }
                    continue;
                }
                _ => {}
            }
            self.next += 1;
        }
    }

    /// Skips an attribute. Returns whether it is `#[cfg(test)]`.
    fn attribute_of_tests(&mut self) -> bool {
        self.next += 1;
        let is = |ahead: usize, word: &str| self.word(ahead) == Some(word);
        let tests = is(1, "cfg") && self.mark(2, '(') && is(3, "test") && self.mark(4, ')');
        self.skip('[', ']');
        tests
    }

    /// Skips an item or a field: to the end of its braces, or to the mark that ends it.
    fn skip_item(&mut self) {
        while self.next < self.tokens.len() {
            if self.mark(0, '(') {
                self.skip('(', ')');
            } else if self.mark(0, '{') {
                return self.skip('{', '}');
            } else if [';', ',', '}'].into_iter().any(|end| self.mark(0, end)) {
                return;
            } else {
                self.next += 1;
            }
        }
    }

    fn module(&mut self, at: &mut Vec<String>, for_tests: bool) {
        let name = self.word(1).unwrap_or_default().to_owned();
        self.next += 2;
        if !self.mark(0, '{') {
            let list = if for_tests { &mut self.found.test_modules } else { &mut self.found.modules };
            list.push(name);
            return;
        }
        if for_tests {
            self.skip('{', '}');
            return;
        }
        if at.is_empty() {
            self.found.modules.push(name.clone());
        }
        self.next += 1;
        at.push(name);
        self.items(at);
        at.pop();
        self.next += 1;
    }

    /// Skips brackets and everything within them.
    fn skip(&mut self, open: char, close: char) {
        let mut depth = 0;
        while self.next < self.tokens.len() {
            if self.mark(0, open) {
                depth += 1;
            } else if self.mark(0, close) {
                depth -= 1;
            }
            self.next += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Reads `a::b`, `a::{b, c::d}`, `a::*` or `a as b`: collects the full paths and the names they are given.
    fn tree(&mut self, stem: &mut Vec<String>, paths: &mut Vec<(Vec<String>, String)>) {
        let depth = stem.len();
        loop {
            if self.is_path(0) {
                self.next += 1;
            }
            if self.mark(0, '{') {
                self.next += 1;
                while self.next < self.tokens.len() && !self.mark(0, '}') {
                    self.tree(stem, paths);
                    if self.mark(0, ',') {
                        self.next += 1;
                    } else if !self.mark(0, '}') {
                        break;
                    }
                }
                self.next += 1;
                break;
            }
            if self.mark(0, '*') {
                self.next += 1;
                paths.push((stem.clone(), "*".to_owned()));
                break;
            }
            let Some(word) = self.word(0).map(str::to_owned) else { break };
            self.next += 1;
            stem.push(word.clone());
            if self.is_path(0) {
                continue;
            }
            let mut name = word;
            if self.word(0) == Some("as") {
                name = self.word(1).unwrap_or("_").to_owned();
                self.next += 2;
            }
            paths.push((stem.clone(), name));
            break;
        }
        stem.truncate(depth);
    }

    fn used(&mut self, paths: Vec<(Vec<String>, String)>, line: usize, at: &[String]) {
        for (mut path, name) in paths {
            match path.first().map(String::as_str) {
                Some("crate" | "super") if !at.is_empty() => self.imported(path, line, at),
                Some(_) => {
                    if path[0] == "crate" || path[0] == "self" {
                        path.remove(0);
                    }
                    self.found.uses.push(Use { path, name });
                }
                None => {}
            }
        }
    }

    /// Records a path that begins with `crate` or `super`, in the module `at`.
    fn imported(&mut self, path: Vec<String>, line: usize, at: &[String]) {
        let mut base = at.to_vec();
        let mut rest = path.as_slice();
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" => base.clear(),
                "super" => drop(base.pop()),
                "self" => {}
                _ => break,
            }
            rest = others;
        }
        base.extend(rest.iter().cloned());
        self.found.imports.push(Import { path: base, line });
    }
}

/// Returns the words and marks of a text, without comments and literals, each with its line.
fn tokens(text: &str) -> Vec<(Token, usize)> {
    let chars: Vec<char> = text.chars().collect();
    let mut all = Vec::new();
    let (mut i, mut line) = (0, 1);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    while i < chars.len() {
        let start = i;
        let c = chars[i];
        let next = chars.get(i + 1).copied().unwrap_or(' ');
        if c == '/' && next == '/' {
            i = (i..chars.len()).find(|j| chars[*j] == '\n').unwrap_or(chars.len());
        } else if c == '/' && next == '*' {
            i = comment_end(&chars, i);
        } else if let Some(end) = raw_text_end(&chars, i) {
            i = end;
        } else if c == '"' {
            i = quoted_end(&chars, i, '"');
        } else if c == '\'' && (next == '\\' || chars.get(i + 2) == Some(&'\'')) {
            i = quoted_end(&chars, i, '\'');
        } else if c == ':' && next == ':' {
            all.push((Token::Path, line));
            i += 2;
        } else if is_word(c) {
            i = (i..chars.len()).find(|j| !is_word(chars[*j])).unwrap_or(chars.len());
            all.push((Token::Word(chars[start..i].iter().collect()), line));
        } else {
            if !c.is_whitespace() {
                all.push((Token::Mark(c), line));
            }
            i += 1;
        }
        line += chars[start..i].iter().filter(|c| **c == '\n').count();
    }
    all
}

/// Returns the index after a block comment, which may contain others.
fn comment_end(chars: &[char], start: usize) -> usize {
    let (mut depth, mut i) = (0, start);
    while i < chars.len() {
        match (chars[i], chars.get(i + 1)) {
            ('/', Some('*')) => depth += 1,
            ('*', Some('/')) => depth -= 1,
            _ => {
                i += 1;
                continue;
            }
        }
        i += 2;
        if depth == 0 {
            break;
        }
    }
    i
}

/// Returns the index after `r"…"` or `r#"…"#`, if one starts here.
fn raw_text_end(chars: &[char], start: usize) -> Option<usize> {
    let word_before = start > 0 && (chars[start - 1].is_alphanumeric() || chars[start - 1] == '_');
    let head = if chars[start] == 'b' && chars.get(start + 1) == Some(&'r') { start + 1 } else { start };
    if chars[head] != 'r' || word_before {
        return None;
    }
    let hashes = chars[head + 1..].iter().take_while(|c| **c == '#').count();
    let open = head + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return None;
    }
    let closes =
        |i: &usize| chars[*i] == '"' && chars[i + 1..].iter().take_while(|c| **c == '#').count() >= hashes;
    Some((open + 1..chars.len()).find(closes).map_or(chars.len(), |i| i + 1 + hashes))
}

/// Returns the index after a literal in quotes.
fn quoted_end(chars: &[char], start: usize, quote: char) -> usize {
    let mut i = start + 1;
    while i < chars.len() && chars[i] != quote {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    (i + 1).min(chars.len())
}
