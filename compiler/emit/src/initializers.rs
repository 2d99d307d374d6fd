//! Static initial values.

use crate::functions::Body;
use crate::places;
use crate::types::field_name;
use crate::unit::Unit;
use tenure_core::{Global, GlobalId, Initializer, Linkage, Quals, Record, Ty, TyId};

/// Bytes of a cache line, on every processor that there is a port for.
const CACHE_LINE: u32 = 64;

/// Records and arrays in each other that are counted when a size is estimated.
const NESTING_LOOKED_INTO: u32 = 8;

impl<'a> Unit<'a> {
    /// The declaration of a global without its initial value.
    pub(crate) fn global_declaration(&mut self, id: GlobalId, with_label: bool) -> String {
        let global = &self.program.globals[id];
        let name = self.names.global(id).to_string();
        let quals = Quals { is_const: global.is_const, is_volatile: global.is_volatile };
        let text = match &global.init {
            Some(Initializer::Tag { .. }) => format!("const struct tn_exn_tag {name}"),
            // Another unit's descriptor.
            None if matches!(self.types.get(global.ty), Ty::Void) => {
                format!("const struct tn_exn_tag {name}")
            }
            _ => self.types.qualified(global.ty, quals, &name),
        };
        let symbol = global.c_name.as_str();
        let linked = !matches!(global.linkage, Linkage::Internal | Linkage::Inline);
        let runtime = self.names.in_runtime(symbol);
        let label = if with_label && linked && name != symbol && !runtime {
            format!(" __asm__({})", crate::constants::quote(symbol))
        } else {
            String::new()
        };
        format!("{}{text}{label}", self.storage(global))
    }

    fn storage(&self, global: &Global) -> String {
        let mut out = String::new();
        match global.linkage {
            Linkage::Internal | Linkage::Inline => out.push_str("static "),
            Linkage::Weak => out.push_str("__attribute__((weak)) "),
            Linkage::External | Linkage::Import => {}
        }
        if global.thread_local {
            out.push_str("_Thread_local ");
        }
        // How another unit aligns its object is for that unit to say; cc would believe it here.
        let import = global.linkage == Linkage::Import;
        if let Some(align) = self.alignment(global).filter(|_| !import) {
            out.push_str(&format!("_Alignas({align}) "));
        }
        if !global.attributes.is_empty() {
            out.push_str(&format!("__attribute__(({})) ", global.attributes.join(", ")));
        }
        out
    }

    /// An object that fills a cache line begins with one: where it lies is then no accident of what else is linked.
    fn alignment(&self, global: &Global) -> Option<u32> {
        let private = matches!(global.linkage, Linkage::Internal | Linkage::Inline);
        let large = private
            && global.init.is_some()
            && self.types.size_at_least(global.ty, NESTING_LOOKED_INTO) >= u64::from(CACHE_LINE);
        global.align.or(large.then_some(CACHE_LINE))
    }

    /// The definition of a global.
    pub(crate) fn global_definition(&mut self, id: GlobalId) -> String {
        let head = self.global_declaration(id, false);
        let global = &self.program.globals[id];
        match &global.init {
            None => format!("{head};"),
            Some(Initializer::Tag { name }) => {
                let name = crate::constants::quote(name.as_str());
                match self.describer(id) {
                    Some((describe, text)) => {
                        format!("{text}{head} = {{.name = {name}, .describe = {describe}}};")
                    }
                    None => format!("{head} = {{.name = {name}}};"),
                }
            }
            Some(init) => {
                let ty = global.ty;
                let text = Body::for_constants(self).static_value(init, ty);
                format!("{head} = {text};")
            }
        }
    }
}

impl Body<'_, '_> {
    fn static_value(&mut self, init: &Initializer, ty: TyId) -> String {
        match init {
            Initializer::Value(e) => self.initialiser(e, ty),
            Initializer::Record(parts) => {
                let Ty::Record(id) = self.ty(ty) else {
                    return self.unit.types.zero_braces(ty);
                };
                let record = &self.unit.program.types.records[*id];
                let mut items = Vec::new();
                self.static_items(&mut items, record, parts);
                self.all_or_zero(items, ty)
            }
            Initializer::Array(parts) => {
                let of = self.element(ty);
                let mut items = Vec::new();
                let mut next = 0;
                for (at, part) in parts {
                    if let Initializer::Repeat { from, to, value } = part {
                        let value = self.static_value(value, of);
                        items.push(format!("[{from} ... {}] = {value}", to.saturating_sub(1)));
                        next = *to;
                        continue;
                    }
                    let value = self.static_value(part, of);
                    if *at == next {
                        items.push(value);
                    } else {
                        items.push(format!("[{at}] = {value}"));
                    }
                    next = at + 1;
                }
                self.all_or_zero(items, ty)
            }
            Initializer::Repeat { from, to, value } if from < to => {
                let of = self.element(ty);
                let value = self.static_value(value, of);
                format!("{{[{from} ... {}] = {value}}}", to - 1)
            }
            Initializer::Repeat { .. } => self.unit.types.zero_braces(ty),
            Initializer::Bytes(id) => self.static_bytes(*id, ty),
            Initializer::Tag { name } => {
                format!("{{.name = {}}}", crate::constants::quote(name.as_str()))
            }
        }
    }

    fn element(&self, ty: TyId) -> TyId {
        match self.ty(ty) {
            Ty::Array { of, .. } => *of,
            _ => ty,
        }
    }

    fn static_items(
        &mut self,
        items: &mut Vec<String>,
        record: &Record,
        parts: &[(u32, Initializer)],
    ) {
        for (at, part) in parts {
            let Some(field) = record.fields.as_ref().and_then(|f| f.get(*at as usize)) else {
                continue;
            };
            let anonymous = places::is_anonymous(record, *at as usize, self.ty(field.ty));
            match (part, self.ty(field.ty)) {
                (Initializer::Record(inner), Ty::Record(id)) if anonymous => {
                    let member = &self.unit.program.types.records[*id];
                    self.static_items(items, member, inner);
                }
                _ => {
                    let value = self.static_value(part, field.ty);
                    items.push(format!(".{} = {value}", field_name(record, *at as usize)));
                }
            }
        }
    }

    /// A character array from a literal: as a string where the array is one byte longer at least, else unit by unit,
    /// since a literal that fills the array exactly draws a warning in newer compilers.
    fn static_bytes(&mut self, id: tenure_core::StringId, ty: TyId) -> String {
        let string = &self.unit.program.strings[id];
        let Ty::Array { of, len } = self.ty(ty) else {
            return self.unit.types.zero_braces(ty);
        };
        let fits = (string.units.len() as u64) < *len;
        let wide = matches!(self.ty(*of), Ty::Int(tenure_core::IntTy::Int));
        if fits {
            return crate::constants::string_literal(&string.units, string.unit_size, wide);
        }
        let units = string.units.iter().take(usize::try_from(*len).unwrap_or(0));
        let items: Vec<String> = units
            .map(|&unit| {
                let value = tenure_core::Const::Int(i128::from(unit));
                let e = tenure_core::Expr { kind: tenure_core::ExprKind::Const(value), ty: *of };
                self.expr(&e).arg()
            })
            .collect();
        self.all_or_zero(items, ty)
    }

    fn all_or_zero(&self, items: Vec<String>, ty: TyId) -> String {
        if items.is_empty() {
            self.unit.types.zero_braces(ty)
        } else {
            format!("{{{}}}", items.join(", "))
        }
    }
}
