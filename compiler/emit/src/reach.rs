//! What a unit's text needs: everything with external linkage that it defines, and what that mentions.

use crate::walk::{self, Visitor};
use std::collections::{HashMap, HashSet};
use tenure_core::{FunctionId, GlobalId, Initializer, Linkage, Program};

/// Functions and globals that are printed or declared.
#[derive(Default)]
pub(crate) struct Reached {
    pub(crate) functions: HashSet<FunctionId>,
    pub(crate) globals: HashSet<GlobalId>,
    pending: Vec<Item>,
}

#[derive(Clone, Copy)]
enum Item {
    Function(FunctionId),
    Global(GlobalId),
}

impl Visitor for Reached {
    fn function(&mut self, id: FunctionId) {
        if self.functions.insert(id) {
            self.pending.push(Item::Function(id));
        }
    }
    fn global(&mut self, id: GlobalId) {
        if self.globals.insert(id) {
            self.pending.push(Item::Global(id));
        }
    }
}

impl Reached {
    /// Private functions and data that nothing mentions are left out, as are declarations of things that are not used.
    pub(crate) fn from(program: &Program) -> Reached {
        let mut reached = Reached::default();
        let bodies: HashMap<FunctionId, &tenure_core::Function> =
            program.functions.iter().map(|f| (f.id, f)).collect();
        let visible = |linkage| matches!(linkage, Linkage::External | Linkage::Weak);
        for function in &program.functions {
            let decl = &program.decls[function.id];
            let kept = decl.attributes.iter().any(|a| {
                a.contains("used") || a.contains("constructor") || a.contains("destructor")
            });
            if visible(decl.linkage) || kept {
                reached.function(function.id);
            }
        }
        for (id, global) in program.globals.iter_enumerated() {
            let kept = global.attributes.iter().any(|a| a.contains("used"));
            if visible(global.linkage) || kept {
                reached.global(id);
            }
        }
        program.main.iter().for_each(|&id| reached.function(id));
        while let Some(item) = reached.pending.pop() {
            match item {
                Item::Function(id) => {
                    if let Some(function) = bodies.get(&id) {
                        walk::block(&mut reached, &function.body);
                    }
                }
                Item::Global(id) => {
                    if let Some(init) = &program.globals[id].init {
                        initializer(&mut reached, init);
                    }
                }
            }
        }
        reached
    }
}

pub(crate) fn initializer(v: &mut impl Visitor, init: &Initializer) {
    match init {
        Initializer::Value(e) => walk::expr(v, e),
        Initializer::Record(parts) => parts.iter().for_each(|(_, part)| initializer(v, part)),
        Initializer::Array(parts) => parts.iter().for_each(|(_, part)| initializer(v, part)),
        Initializer::Repeat { value, .. } => initializer(v, value),
        Initializer::Bytes(_) | Initializer::Tag { .. } => {}
    }
}
