//! What an uncaught exception says beyond its name: the string that it carries, if it carries one.

use crate::types::field_name;
use crate::unit::Unit;
use tenure_core::{GlobalId, Initializer, IntTy, RecordKind, Ty};

impl Unit<'_> {
    /// The name of the function that describes exceptions of the variant whose descriptor is this global, and the
    /// function's text.
    pub(crate) fn describer(&mut self, id: GlobalId) -> Option<(String, String)> {
        let global = &self.program.globals[id];
        if !matches!(global.init, Some(Initializer::Tag { .. })) {
            return None;
        }
        let variant = tenure_core::tagged_variant(global.c_name.as_str())?;
        let records = &self.program.types.records;
        let record = records.iter().find(|record| {
            let name = record.c_name.as_str().split_once('$');
            record.kind == RecordKind::Variant && name.is_some_and(|(_, rest)| rest == variant)
        })?;
        let fields = record.fields.as_ref()?;
        let is_string = |ty| match self.types.get(ty) {
            Ty::Fat { to, .. } => matches!(self.types.get(*to), Ty::Int(IntTy::Char)),
            _ => false,
        };
        let at = fields.iter().position(|field| is_string(field.ty))?;
        let field = field_name(record, at);
        let id = records.iter_enumerated().find(|(_, r)| r.c_name == record.c_name)?.0;
        let object = self.types.record(id);
        let name = format!("tn_describe_{variant}");
        let text = format!(
            "static void {name}(const void *exn, char *out, size_t size) {{\n    \
             const {object} *e = exn;\n    \
             size_t n = 0;\n    \
             for (unsigned int i = e->{field}.idx; i < e->{field}.len && n + 1 < size && e->{field}.base[i] != 0; i++)\n        \
             out[n++] = e->{field}.base[i];\n    \
             if (n < size) out[n] = 0;\n\
             }}\n"
        );
        Some((name, text))
    }
}
