//! Values at the borders of functions: parameters, arguments, results.

use super::build::{Builder, Call};
use super::facts::{Relation, Source};
use super::program::Param;
use super::value::{ValueId, IDX, LEN, POINTER, UINT};
use tenure_core::{Callee, Expr, LocalId, Place, Ty};

impl Builder<'_, '_, '_> {
    /// Gives the parameters their values, with what all callers agree on.
    pub fn parameters(&mut self) {
        let function = self.function;
        let entry = self.summaries.entry(function.id).cloned();
        let mut values: Vec<ValueId> = Vec::new();
        for (n, &param) in function.params.iter().enumerate() {
            let known = entry.as_ref().and_then(|entry| entry.params.get(n));
            let value = self.parameter(param, known.copied().unwrap_or(Param::Any));
            values.push(value);
        }
        if self.summaries.is_main(function.id) {
            self.main_arguments(&mut values);
        }
        for (&param, &value) in function.params.iter().zip(&values) {
            if self.memory.is_value(param) {
                let var = self.memory.local_var(param);
                self.now[var as usize] = Some(value);
            }
        }
        let source = Source::Branch(self.program.decls[function.id].span);
        for (a, b, k) in entry.map(|entry| entry.relations).unwrap_or_default() {
            let (x, y) = (self.extent(&values, a), self.extent(&values, b));
            let place = self.here();
            self.fact(Relation::AtMost, (x, y, k), place, source);
        }
    }

    /// The value itself, or the number of elements of a fat pointer.
    fn extent(&mut self, values: &[ValueId], n: usize) -> ValueId {
        let param = self.function.params[n];
        match self.program.types.get(self.function.locals[param].ty) {
            Ty::Fat { .. } => {
                let [idx, len] = [IDX, LEN].map(|part| self.values.fat_part(values[n], part));
                self.values.count(idx, len)
            }
            _ => values[n],
        }
    }

    fn parameter(&mut self, param: LocalId, known: Param) -> ValueId {
        let ty = self.function.locals[param].ty;
        let block = self.block;
        match (known, self.program.types.get(ty)) {
            (Param::Between(lo, hi), Ty::Int(_) | Ty::Enum(_) | Ty::Ptr { .. }) => {
                let (least, greatest) = self.range(ty);
                self.values.unknown((lo.max(least), hi.min(greatest)), block)
            }
            (Param::AtStart { least }, Ty::Fat { .. }) => {
                let base = self.values.unknown((i128::from(least > 0), POINTER.1), block);
                let len = self.values.unknown((least.max(0), UINT.1), block);
                let zero = self.values.zero;
                self.values.fat(base, zero, len)
            }
            _ => {
                let value = self.unknown(ty);
                self.obtain(value, ty);
                value
            }
        }
    }

    /// `argc` is not negative, and `argv` has so many elements.
    fn main_arguments(&mut self, values: &mut [ValueId]) {
        let types: Vec<&Ty> = self
            .function
            .params
            .iter()
            .map(|&param| self.program.types.get(self.function.locals[param].ty))
            .collect();
        let [Ty::Int(_), Ty::Fat { .. }, ..] = types[..] else { return };
        let block = self.block;
        let argc = self.values.unknown((0, i128::from(i32::MAX)), block);
        let base = self.values.unknown((1, POINTER.1), block);
        let zero = self.values.zero;
        values[0] = argc;
        values[1] = self.values.fat(base, zero, argc);
    }

    pub fn call(&mut self, callee: &Callee, args: &[Expr]) {
        self.at_most = None;
        let mut values = Vec::new();
        for arg in args {
            let value = self.eval(arg);
            self.publish(value, arg.ty);
            values.push(value);
        }
        let Callee::Direct(id) = callee else { return };
        if self.summaries.is_followed(*id) {
            let at = self.here();
            self.calls.push(Call { callee: *id, args: values, at });
            return;
        }
        let decl = &self.program.decls[*id];
        if decl.linkage != tenure_core::Linkage::Import {
            return;
        }
        let name = decl.c_name.as_str();
        if let Some(n) = tenure_core::result_at_most(name) {
            self.at_most = match (values.get(n), args.get(n)) {
                (Some(&value), Some(arg)) => Some(self.extent_of(value, arg.ty)),
                _ => None,
            };
        }
    }

    /// Stores what a call gives.
    pub fn call_result(&mut self, place: &Place, callee: &Callee) {
        let known = match callee {
            Callee::Direct(id) => self.summaries.result(*id),
            Callee::Indirect(_) => None,
        };
        let (least, greatest) = self.range(place.ty);
        let (lo, hi) = known.unwrap_or((least, greatest));
        let block = self.block;
        let value = self.values.unknown((lo.max(least), hi.min(greatest)), block);
        self.obtain(value, place.ty);
        if let Some(most) = self.at_most.take() {
            let here = self.here();
            let source = Source::Check(tenure_span::Span::NONE);
            self.fact(Relation::AtMost, (value, most, 0), here, source);
        }
        self.store(place, value);
    }
}
