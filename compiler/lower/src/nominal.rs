//! The named types that signatures speak of, and what this unit believes to be in them.

use crate::signature::{self, NamedType, Spelling};
use crate::unit::Lowerer;
use tenure_core::{Nominal, NominalId, Signature};
use tenure_span::{Span, Symbol};
use tenure_types::names::QualName;
use tenure_types::ty::{RecordSort, TypeTable};

impl Lowerer<'_> {
    /// What object files say of a function or an object.
    pub(crate) fn signature(&mut self, spelling: &Spelling) -> Signature {
        let nominals = self.nominals_of(&spelling.names);
        Signature { hash: Some(spelling.hash), nominals }
    }

    /// Each named type is spelled once, so the work is linear in what the unit declares, and a type may contain itself.
    pub(crate) fn nominals_of(&mut self, names: &[NamedType]) -> Vec<NominalId> {
        let mut pending = Vec::new();
        let ids = self.numbered(names, &mut pending);
        while let Some((named, id)) = pending.pop() {
            if let Some(contents) = signature::of_contents(&self.unit.types, named) {
                let parts = self.numbered(&contents.names, &mut pending);
                let nominal = &mut self.program.nominals[id];
                nominal.contents = Some(contents.hash);
                nominal.parts = parts;
            }
        }
        ids
    }

    fn numbered(
        &mut self,
        names: &[NamedType],
        pending: &mut Vec<(NamedType, NominalId)>,
    ) -> Vec<NominalId> {
        let mut ids = Vec::new();
        for &named in names {
            if let Some(&known) = self.nominals.get(&named) {
                ids.push(known);
                continue;
            }
            let (name, span) = described(&self.unit.types, named);
            let nominal =
                Nominal { name: Symbol::new(&name), contents: None, parts: Vec::new(), span };
            let id = self.program.nominals.push(nominal);
            self.nominals.insert(named, id);
            pending.push((named, id));
            ids.push(id);
        }
        ids
    }
}

/// As the user writes it, and where it is defined.
fn described(types: &TypeTable, named: NamedType) -> (String, Span) {
    let (keyword, name, span): (_, Option<&QualName>, _) = match named {
        NamedType::Record(id) => {
            let def = &types.records[id];
            let keyword = match def.sort {
                RecordSort::Struct => "struct",
                RecordSort::Union | RecordSort::TaggedUnion => "union",
            };
            (keyword, def.name.as_ref(), def.span)
        }
        NamedType::Enum(id) => ("enum", types.enums[id].name.as_ref(), types.enums[id].span),
        NamedType::Datatype(id) => {
            let def = &types.datatypes[id];
            ("datatype", Some(&def.name), def.span)
        }
    };
    (format!("{keyword} {}", name.map_or(String::new(), ToString::to_string)), span)
}
