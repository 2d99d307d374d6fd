//! Checks: each is executed, whatever the analysis says of it.

use super::memory::NULL;
use super::{bug, Flow, Machine, Stop, Value};
use tenure_core::{Check, CheckKind, CheckStatus, Expr};

/// The exception of a check that does not hold.
type Verdict = Result<Option<&'static str>, Stop>;

fn unless(holds: bool, exception: &'static str) -> Verdict {
    Ok(if holds { None } else { Some(exception) })
}

impl<'p> Machine<'p> {
    pub(super) fn check(&mut self, check: &'p Check) -> Flow {
        let verdict = self.verdict(&check.kind)?;
        if let CheckStatus::Proved(fact) | CheckStatus::Verified(fact) = &check.status {
            self.proved_run += 1;
            if verdict.is_some() {
                return bug(format!("{:?} was proved ({fact:?}) and fails", check.kind));
            }
        }
        match verdict {
            None => Ok(()),
            Some(exception) => self.raise(exception),
        }
    }

    fn verdict(&mut self, kind: &'p CheckKind) -> Verdict {
        match kind {
            CheckKind::NonNull(p) => unless(self.pointer(p)? != NULL, "Null_Exception"),
            CheckKind::Index { index, size } => {
                let (index, size) = (self.int(index)?, self.int(size)?);
                unless(index >= 0 && index < size, "Array_bounds")
            }
            CheckKind::IndexOrEnd { index, size } => {
                let (index, size) = (self.int(index)?, self.int(size)?);
                unless(index >= 0 && index <= size, "Array_bounds")
            }
            CheckKind::FatIndex { ptr, index } => {
                let ((base, idx, len), by) = (self.fat(ptr)?, self.int(index)?);
                if base == NULL {
                    return Ok(Some("Null_Exception"));
                }
                let number = self.numbered(index.ty, idx, by);
                unless(number < i128::from(len), "Array_bounds")
            }
            CheckKind::FatCount { ptr, count, nullable } => {
                let ((base, idx, len), count) = (self.fat(ptr)?, self.int(count)?);
                match (base, nullable) {
                    (NULL, true) => Ok(None),
                    (NULL, false) => Ok(Some("Null_Exception")),
                    _ => unless(count <= i128::from(len.saturating_sub(idx)), "Array_bounds"),
                }
            }
            CheckKind::FatStep { ptr, count } => {
                let ((_, idx, len), count) = (self.fat(ptr)?, self.int(count)? as i64);
                let last = i128::from(len.max(i32::MAX as u32));
                let position = if idx <= len { i128::from(idx) } else { i128::from(idx as i32) };
                let to = position + i128::from(count);
                let stands = (last - i128::from(u32::MAX)..=last).contains(&to);
                unless(i32::try_from(count).is_ok() || stands, "Array_bounds")
            }
            CheckKind::NonZero(n) => unless(self.int(n)? != 0, "Arithmetic_Exception"),
            CheckKind::NoDivOverflow { dividend, divisor } => {
                let int = self.int_ty(dividend.ty);
                let least = int.filter(|int| int.is_signed()).map(|int| -1i128 << (int.bits() - 1));
                let overflows = least == Some(self.int(dividend)?) && self.int(divisor)? == -1;
                unless(!overflows, "Arithmetic_Exception")
            }
            CheckKind::Tag { tag, expected } => {
                unless(self.int(tag)? == *expected, "Match_Exception")
            }
            CheckKind::Fits32 { count, .. } => {
                unless((0..=i128::from(u32::MAX)).contains(&self.int(count)?), "Bad_alloc")
            }
            CheckKind::Touch(reference) => {
                let reference = self.pointer(reference)?;
                self.touch(reference)
            }
            CheckKind::Assert(holds) => unless(self.truth(holds)?, "Assert_Exception"),
            CheckKind::ZeroTermIndex { ptr, index } => {
                let (before, index) = self.before_zero(ptr, index)?;
                unless(index >= 0 && index <= before, "Array_bounds")
            }
            CheckKind::ZeroTermStore { ptr, index, value } => self.zero_kept(ptr, index, value),
            CheckKind::HasZero { ptr } => self.has_zero(ptr),
        }
    }

    fn before_zero(&mut self, ptr: &'p Expr, index: &'p Expr) -> Result<(i128, i128), Stop> {
        let size = self.pointee_size(ptr.ty)?;
        let (p, index) = (self.pointer(ptr)?, self.int(index)?);
        Ok((self.terminated(p, size)?, index))
    }

    fn zero_kept(&mut self, ptr: &'p Expr, index: &'p Expr, value: &'p Expr) -> Verdict {
        let size = self.pointee_size(ptr.ty)?;
        let (p, index) = (self.pointer(ptr)?, self.int(index)?);
        let new = match self.eval(value)? {
            Value::Int(n) => n != 0,
            Value::Fat { base, .. } => base != NULL,
            _ => return bug("a zero-terminated sequence of records"),
        };
        let cells = self.memory.read(super::memory::moved(p, index * size), size as u64)?;
        unless(!new || cells.bytes.iter().any(|byte| *byte != 0), "Array_bounds")
    }

    fn has_zero(&mut self, ptr: &'p Expr) -> Verdict {
        let size = self.pointee_size(ptr.ty)?;
        let (base, idx, len) = self.fat(ptr)?;
        if base == NULL {
            return Ok(None);
        }
        let cells = self.memory.read(base, u64::from(len) * size as u64)?;
        let mut elements = cells.bytes.chunks_exact(size.max(1) as usize).skip(idx as usize);
        unless(elements.any(|element| element.iter().all(|byte| *byte == 0)), "Array_bounds")
    }
}
