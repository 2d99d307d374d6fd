//! Makes a failing program smaller while it fails in the same way: functions are left out, then statements.

use crate::batch::Batch;
use crate::oracle::{Failure, Oracles, Tally};
use std::time::{Duration, Instant};
use tenure_driver::Disk;

/// The smallest program found in so much time that still fails so, and what is said of it.
pub fn minimised(
    disk: &Disk,
    oracles: &Oracles,
    batch: &Batch,
    failure: &Failure,
    time: Duration,
) -> (Batch, Failure) {
    let end = Instant::now() + time;
    let mut search = Search { disk, oracles, end, batch: batch.clone(), failure: failure.clone() };
    search.functions();
    search.lines();
    (search.batch, search.failure)
}

struct Search<'d> {
    disk: &'d Disk,
    oracles: &'d Oracles,
    end: Instant,
    batch: Batch,
    failure: Failure,
}

impl Search<'_> {
    /// Goes on with the candidate if it fails as before.
    fn fails(&mut self, mut candidate: Batch) -> bool {
        if Instant::now() > self.end {
            return false;
        }
        match self.oracles.ask(self.disk, &mut candidate, &mut Tally::default()) {
            Err(found) if found.kind == self.failure.kind => {
                (self.batch, self.failure) = (candidate, found);
                true
            }
            _ => false,
        }
    }

    fn functions(&mut self) {
        let mut size = self.batch.kept.len().div_ceil(2);
        while size > 0 {
            let all: Vec<usize> = self.batch.kept.iter().copied().collect();
            let mut smaller = false;
            for chunk in all.chunks(size) {
                let mut candidate = self.batch.clone();
                candidate.kept.retain(|number| !chunk.contains(number));
                smaller |= !candidate.kept.is_empty() && self.fails(candidate);
            }
            if size == 1 && !smaller {
                return;
            }
            size = if smaller { size.min(self.batch.kept.len()) } else { size / 2 };
        }
    }

    fn lines(&mut self) {
        let mut smaller = true;
        while smaller && Instant::now() < self.end {
            smaller = false;
            let kept: Vec<usize> = self.batch.kept.iter().copied().collect();
            for number in kept {
                let mut at = self.batch.functions[number].lines.len();
                while at > 0 {
                    at -= 1;
                    smaller |= self.line(number, at);
                    at = at.min(self.batch.functions[number].lines.len());
                }
            }
            smaller |= self.prelude();
        }
    }

    /// Leaves out a line; one that opens a block, with the block, or else the braces alone.
    fn line(&mut self, number: usize, at: usize) -> bool {
        let lines = &self.batch.functions[number].lines;
        if at + 1 >= lines.len() || at == 0 {
            return false;
        }
        let end = block_end(lines, at);
        let mut without = self.batch.clone();
        without.functions[number].lines.drain(at..=end);
        if self.fails(without) {
            return true;
        }
        if end == at {
            return false;
        }
        let mut bare = self.batch.clone();
        bare.functions[number].lines.remove(end);
        bare.functions[number].lines.remove(at);
        self.fails(bare)
    }

    /// Leaves out declarations that nobody needs.
    fn prelude(&mut self) -> bool {
        let lines: Vec<String> = self.batch.prelude.lines().map(str::to_string).collect();
        let (mut kept, mut at, mut smaller) = (lines, 0, false);
        while at < kept.len() && Instant::now() < self.end {
            let end = block_end(&kept, at);
            let mut fewer = kept.clone();
            fewer.drain(at..=end);
            let mut candidate = self.batch.clone();
            candidate.prelude = fewer.join("\n") + "\n";
            if self.fails(candidate) {
                (kept, smaller) = (fewer, true);
            } else {
                at += 1;
            }
        }
        smaller
    }
}

/// The last line of the block that a line opens, or the line itself.
fn block_end(lines: &[String], at: usize) -> usize {
    let mut depth = 0i32;
    for (number, line) in lines.iter().enumerate().skip(at) {
        for c in line.chars() {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
        }
        if depth <= 0 {
            return number;
        }
    }
    at
}
