//! The words for what is wrong.

use super::path::PathId;
use super::problem::{Problem, Wish};
use super::solve::Engine;
use super::state::{Gone, Site, Way};
use std::collections::BTreeSet;
use tenure_core::LocalId;
use tenure_span::{Diagnostic, Sink, Span};

/// Tells each problem once; of a variable that is misused, no leaks.
pub fn emit(engine: &Engine, problems: &[Problem], sink: &Sink) {
    let root = |problem: &Problem| engine.paths.local(problem.path());
    let wrong: BTreeSet<LocalId> =
        problems.iter().filter(|problem| !problem.is_leak()).map(root).collect();
    let mut told = BTreeSet::new();
    for problem in problems {
        let silent = problem.is_leak() && wrong.contains(&root(problem));
        if !silent && told.insert(problem.key()) {
            sink.emit(Words { engine }.diagnostic(problem));
        }
    }
}

struct Words<'e, 'a> {
    engine: &'e Engine<'a>,
}

impl Words<'_, '_> {
    fn name(&self, path: PathId) -> String {
        self.engine.paths.name(path)
    }

    fn span(&self, site: Site) -> Span {
        self.engine.sites.span(site)
    }

    fn diagnostic(&self, problem: &Problem) -> Diagnostic {
        match *problem {
            Problem::Used { path, at, gone, some_way, wish } => {
                self.used(path, at, gone, some_way, wish)
            }
            Problem::Lent { path, at, by, open, wish } => self.lent(path, at, by, open, wish),
            Problem::NotWhole { path, part, at, gone, wish } => {
                self.not_whole(path, part, at, gone, wish)
            }
            Problem::Exposed { path, at, address } => self.exposed(path, at, address),
            Problem::Kept { path, at, wish } => self.kept(path, at, wish),
            Problem::Overwritten { path, at, since } => self.overwritten(path, at, since),
            Problem::Ended { path, since, at } => self.ended(path, since, at),
            Problem::PartsLost { path, ref parts, at } => self.parts_lost(path, parts, at),
            Problem::Disagree { path, gone, test } => self.disagree(path, gone, test),
        }
    }

    /// Where and how a place was lost.
    fn lost(&self, gone: Gone, at: Span) -> (Span, String) {
        let span = self.span(gone.at);
        let what = match gone.way {
            Way::Moved => "moved here".to_string(),
            Way::Freed => "freed here".to_string(),
            Way::Lent => "lent here".to_string(),
            Way::Bound(local) => match self.engine.function.locals[local].name {
                Some(name) => format!("moved to `{name}` here"),
                None => "moved to a pattern's variable here".to_string(),
            },
        };
        if span == at {
            return (span, format!("{what}, in an earlier round of the loop"));
        }
        (span, what)
    }

    fn used(&self, path: PathId, at: Span, gone: Gone, some_way: bool, wish: Wish) -> Diagnostic {
        let again = if wish.done() == gone.way.done() { " again" } else { "" };
        let wanted = format!("{}{again}", wish.done());
        let name = self.name(path);
        let done = gone.way.done();
        let (lost, what) = self.lost(gone, at);
        if some_way {
            return Diagnostic::error(
                "E0741",
                format!("{name} may have been {done} before it is {wanted}"),
                at,
            )
            .label(format!("{wanted} here"))
            .secondary(lost, format!("{what}, on one of the ways to the use"))
            .help(match gone.way {
                Way::Freed => "free it on every way and do not use it after, or on none",
                _ => "move it on every way and do not use it after, or on none",
            });
        }
        let fix = match gone.way {
            Way::Freed => format!("free it after its last use, or give {name} a value first"),
            Way::Moved => format!(
                "use the place that it was moved to, lend it with `let alias`, or give {name} a value first"
            ),
            Way::Bound(_) => "use the pattern's variable".to_string(),
            Way::Lent => "use it after the loan".to_string(),
        };
        Diagnostic::error("E0740", format!("{name} is {wanted} after it was {done}"), at)
            .label(format!("{wanted} here"))
            .secondary(lost, what)
            .help(fix)
    }

    fn lent(&self, path: PathId, at: Span, by: Site, open: bool, wish: Wish) -> Diagnostic {
        let name = self.name(path);
        let done = wish.done();
        if open && wish == Wish::Lend {
            return Diagnostic::error(
                "E0746",
                format!("the region behind {name} is opened while it is open"),
                at,
            )
            .label("opened again here")
            .secondary(self.span(by), "opened here, to the end of the block")
            .help("use the handle of the first `open`");
        }
        if open {
            return Diagnostic::error(
                "E0747",
                format!("{name} is {done} while the region behind it is open"),
                at,
            )
            .label(format!("{done} here"))
            .secondary(self.span(by), "opened here, to the end of the block")
            .help("close the region first: end the block of `open` before this");
        }
        let (headline, label) = match wish {
            Wish::Lend => {
                (format!("{name} is lent already"), "lent again here, alone or with more")
            }
            _ => (format!("{name} is {done} while it is lent"), ""),
        };
        let label = if label.is_empty() { format!("{done} here") } else { label.to_string() };
        Diagnostic::error("E0742", headline, at)
            .label(label)
            .secondary(self.span(by), "lent here")
            .note("the owner is out of use as long as an alias may be used: to the end of the call, or of the alias's block")
            .help("use the alias, or end its block before this")
    }

    fn not_whole(
        &self,
        path: PathId,
        part: PathId,
        at: Span,
        gone: Gone,
        wish: Wish,
    ) -> Diagnostic {
        let (name, part) = (self.name(path), self.name(part));
        let done = wish.done();
        let (lost, what) = self.lost(gone, at);
        Diagnostic::error(
            "E0743",
            format!("{name} cannot be {done}: {part} was {} out of it", gone.way.done()),
            at,
        )
        .label(format!("{done} here, where a part is missing"))
        .secondary(lost, what)
        .help(format!("give {part} a value first, or `NULL`"))
    }

    fn exposed(&self, path: PathId, at: Span, address: Span) -> Diagnostic {
        let name = self.name(path);
        Diagnostic::error(
            "E0744",
            format!("{name} can only be swapped: its address is taken"),
            at,
        )
        .label("consumed here")
        .secondary(address, "whoever has this address can reach it too")
        .help(format!("take the value out with `:=:` and consume that, or do not take the address of {name}"))
    }

    fn kept(&self, path: PathId, at: Span, wish: Wish) -> Diagnostic {
        let local = self.engine.paths.local(path);
        let parameter = self.engine.kept.get(&local).copied().unwrap_or(local);
        let name = self.name(path);
        let done = wish.done();
        let headline = match parameter == local {
            true => format!("{name} is {done}, but the call does not consume the parameter"),
            false => format!(
                "{name} is {done}, but is a part of a parameter that the call does not consume"
            ),
        };
        let declared = self.engine.function.locals[parameter].span;
        Diagnostic::error("E0745", headline, at)
            .label(format!("{done} here"))
            .secondary(declared, "this parameter is `noconsume`: its object stays the caller's")
            .help("leave out `noconsume`, or lend it with `let alias`")
    }

    fn since(&self, diagnostic: Diagnostic, since: Site) -> Diagnostic {
        let text = match self.engine.sites.is_param(since) {
            true => "given to this function",
            false => "owned since here",
        };
        diagnostic.secondary(self.span(since), text)
    }

    fn overwritten(&self, path: PathId, at: Span, since: Site) -> Diagnostic {
        let name = self.name(path);
        let headline = format!("leak: {name} is overwritten while it owns an object");
        let again = self.span(since) == at;
        let label = match again {
            true => "overwritten here, in a later round of the loop",
            false => "overwritten here",
        };
        let diagnostic = Diagnostic::warning("W0701", headline, at).label(label);
        let diagnostic = if again { diagnostic } else { self.since(diagnostic, since) };
        diagnostic.help(format!("free or move {name} first"))
    }

    fn ended(&self, path: PathId, since: Site, at: Span) -> Diagnostic {
        let span = self.span(since);
        let named = self.engine.paths.is_named(path);
        let param = self.engine.sites.is_param(since);
        if !named {
            return Diagnostic::warning(
                "W0701",
                "leak: nobody takes the owned result of this expression",
                span,
            )
            .label("owned from here on")
            .help("give it to a variable and free it");
        }
        let name = self.name(path);
        let headline = format!("leak: {name} still owns an object where its scope ends");
        let label = if param { "given to this function" } else { "owned since here" };
        let mut diagnostic = Diagnostic::warning("W0701", headline, span).label(label);
        if at != span && !at.is_none() {
            diagnostic = diagnostic.secondary(at, "its scope ends here");
        }
        diagnostic.help(match param {
            true => format!("free or move {name}, or declare the parameter `noconsume`"),
            false => format!("free or move {name} before its scope ends"),
        })
    }

    fn parts_lost(&self, path: PathId, parts: &[PathId], at: Span) -> Diagnostic {
        let name = self.name(path);
        let parts: Vec<String> = parts.iter().map(|&part| self.name(part)).collect();
        let (parts, own) = match parts.as_slice() {
            [one] => (one.clone(), "owns"),
            [all @ .., last] => (format!("{} and {last}", all.join(", ")), "own"),
            [] => (name.clone(), "owns"),
        };
        Diagnostic::warning("W0701", format!("leak: freeing {name} loses what {parts} {own}"), at)
            .label(format!("{parts} still {own} an object here"))
            .help(format!("free or move {parts} first"))
    }

    fn disagree(&self, path: PathId, gone: Gone, test: Option<Span>) -> Diagnostic {
        let name = self.name(path);
        let done = gone.way.done();
        let at = self.span(gone.at);
        let headline =
            format!("leak: {name} is {done} on one way and still owns an object on another");
        let mut diagnostic =
            Diagnostic::warning("W0701", headline, at).label(format!("{done} here"));
        if let Some(test) = test {
            diagnostic = diagnostic.secondary(test, "but not on every way from here");
        }
        diagnostic.help(match gone.way {
            Way::Freed => "free it on the other ways too",
            _ => "free or move it on the other ways too",
        })
    }
}
