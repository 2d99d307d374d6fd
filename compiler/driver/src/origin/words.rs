//! The words of the library's headers that a macro of a program's could replace, or that decide what is read.

use std::collections::{HashMap, HashSet};

/// The words of a header outside of comments and literals, and those among them that an opening parenthesis follows.
#[derive(Default)]
pub(super) struct Words {
    all: HashSet<String>,
    called: HashSet<String>,
    /// The words of `#if` and the like.
    tested: HashSet<String>,
    /// The words of declarations that end with a semicolon and give no name for the linker.
    linked: HashSet<String>,
}

/// The words that each macro of the library's and the system's headers stands for.
pub(super) type Bodies = HashMap<String, Vec<(String, bool)>>;

impl Words {
    /// Whether a macro of the name could change what stands for a declaration, or whether it is read.
    pub(super) fn have(&self, name: &str, takes_arguments: bool) -> bool {
        let set = if takes_arguments { &self.called } else { &self.all };
        set.contains(name) || self.tested.contains(name)
    }

    /// Whether a conditional asks for the name.
    pub(super) fn test(&self, name: &str) -> bool {
        self.tested.contains(name)
    }

    /// Whether a function that is called so here is found by the linker under that name alone.
    pub(super) fn link(&self, name: &str) -> bool {
        self.linked.contains(name)
    }

    /// The words of a header outside of comments, literals and directives, and those that its macros stand for.
    pub(super) fn add(&mut self, text: &str) {
        let text = without_comments(text);
        let mut declarations = String::new();
        let mut continued = false;
        for line in text.lines() {
            let directive = line.trim_start().strip_prefix('#');
            let goes_on = line.trim_end().ends_with('\\');
            match directive.filter(|_| !continued) {
                None => {
                    self.line(line);
                    if !continued {
                        declarations.push_str(line);
                        declarations.push('\n');
                    }
                }
                Some(directive) => match body_of_definition(directive) {
                    Some(body) => self.line(body),
                    None if directive.trim_start().starts_with("define") => {}
                    None => {
                        self.tested.extend(words_of(directive).map(|(word, _)| word.to_string()))
                    }
                },
            }
            continued = goes_on && (continued || directive.is_some());
        }
        self.declarations(&declarations);
    }

    fn line(&mut self, line: &str) {
        for (word, is_called) in words_of(line) {
            self.all.insert(word.to_string());
            if is_called {
                self.called.insert(word.to_string());
            }
        }
    }

    /// A definition needs no linker, and what has a name for it keeps that one whatever it is called here.
    fn declarations(&mut self, text: &str) {
        for piece in text.split_inclusive([';', '{', '}']) {
            if piece.ends_with(';') && !piece.contains("TN_LINK") {
                self.linked.extend(words_of(piece).map(|(word, _)| word.to_string()));
            }
        }
    }

    /// Adds what the macros of other headers stand for where this one uses them.
    pub(super) fn follow(&mut self, bodies: &Bodies) {
        let mut open: Vec<String> = self.all.iter().chain(&self.tested).cloned().collect();
        while let Some(name) = open.pop() {
            for (word, is_called) in bodies.get(&name).into_iter().flatten() {
                if *is_called {
                    self.called.insert(word.clone());
                }
                if self.all.insert(word.clone()) {
                    open.push(word.clone());
                }
            }
        }
    }
}

/// The words of a text, each with whether an opening parenthesis follows.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| c.is_alphabetic() || c == '_')?;
        let word = &rest[start..];
        let end = word.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        rest = after;
        Some((word, after.trim_start().starts_with('(')))
    })
}

fn body_of_definition(directive: &str) -> Option<&str> {
    let rest = directive.trim_start().strip_prefix("define")?.trim_start();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let body = &rest[end..];
    Some(match body.strip_prefix('(') {
        Some(parameters) => parameters.split_once(')').map_or("", |(_, body)| body),
        None => body,
    })
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        out.push_str(&rest[..start]);
        let comment = &rest[start..];
        let end = comment.find("*/").map_or(comment.len(), |end| end + 2);
        out.extend(comment[..end].chars().filter(|c| *c == '\n'));
        rest = &comment[end..];
    }
    out.push_str(rest);
    out
}
