//! How large objects may be.
//!
//! A struct's members are structs again, so that thirty lines can state an object of more bytes than there are
//! addresses, and of more members than can be visited. Whoever walks an object's type, in any phase, relies on the
//! bound on members; whoever adds sizes, on the bound on bytes; and what cc and the linker place, on the bound on
//! variables.

use super::{Unsized, LIMIT};
use crate::checker::Checker;
use crate::hir::Linkage;
use crate::ty::{RecordId, Type, TypeId};
use tenure_span::{Diagnostic, Span};

/// Members of an object, those of its members included. Arrays count as one element.
const MOST_MEMBERS: u32 = 4096;

/// Bytes of a variable, and of all static variables of a unit: with more of them addresses do not fit the instructions
/// that name them.
const LARGEST_VARIABLE: u64 = 1 << 30;

impl Checker<'_> {
    /// What is wrong with objects of the type, if they are too large.
    pub(crate) fn excess(&mut self, ty: TypeId) -> Option<String> {
        if self.members(ty) > MOST_MEMBERS {
            return Some(format!(
                "an object has at most {MOST_MEMBERS} members, those of its members included"
            ));
        }
        let is_too_large = self.try_layout(ty) == Err(Unsized::TooLarge);
        is_too_large.then(|| format!("an object has at most 2^{} bytes", LIMIT.ilog2()))
    }

    /// A new record's excess is reported, and its members are errors from then on.
    pub(crate) fn bound_record(&mut self, id: RecordId, ty: TypeId, span: Span) {
        let members = self.fields_members(id);
        self.record_members.insert(id, members);
        if let Some(text) = self.excess(ty) {
            self.type_error(Diagnostic::error("E0246", text, span));
            let error = self.basics.error;
            for field in self.types.records[id].fields.iter_mut().flatten() {
                field.ty.ty = error;
            }
            self.record_members.insert(id, 1);
            self.layouts.clear();
        }
    }

    /// A record is counted once, when it is defined; a type variable is a word.
    fn members(&self, ty: TypeId) -> u32 {
        match self.kind(ty) {
            Type::Array { elem, .. } => self.members(elem.ty),
            Type::Tuple(fields) => {
                fields.iter().fold(0, |sum: u32, field| sum.saturating_add(self.members(field.ty)))
            }
            Type::Record(id, _) => self.record_members.get(id).copied().unwrap_or(1),
            _ => 1,
        }
    }

    fn fields_members(&self, id: RecordId) -> u32 {
        let fields = self.types.records[id].fields.iter().flatten();
        fields.fold(0, |sum: u32, field| sum.saturating_add(self.members(field.ty.ty)))
    }

    /// Reports a variable that is too large.
    pub(crate) fn bound_variable(&mut self, ty: TypeId, span: Span) {
        if self.size_of(ty).is_some_and(|size| size > LARGEST_VARIABLE) {
            let text = format!("a variable has at most 2^{} bytes", LARGEST_VARIABLE.ilog2());
            let error = Diagnostic::error("E0246", text, span);
            self.error(error.help("allocate it: `new`, `malloc`"));
        }
    }

    /// Likewise for all static variables of the unit.
    pub(crate) fn bound_globals(&mut self) {
        let mut sum = 0;
        let globals = self.globals.iter().filter(|global| global.linkage != Linkage::Import);
        for (ty, span) in globals.map(|global| (global.ty.ty, global.span)).collect::<Vec<_>>() {
            self.bound_variable(ty, span);
            let before = sum;
            sum += self.size_of(ty).unwrap_or(0).min(LARGEST_VARIABLE);
            if before <= LARGEST_VARIABLE
                && sum > LARGEST_VARIABLE
                && self.sink.has_errors().is_none()
            {
                let most = LARGEST_VARIABLE.ilog2();
                let text =
                    format!("with this variable, those of the file have more than 2^{most} bytes");
                let error = Diagnostic::error("E0246", text, span);
                self.error(error.help("allocate it: `new`, `malloc`"));
            }
        }
    }
}
