//! The checked heap: any reference may delete its object, and each use of one that is gone is found.
//!
//! A reference is the object's address here, which no other object ever has. What is pinned keeps its bytes until the last pin
//! goes, but is gone for every reference at once. Where the program follows a reference that it did not touch, memory says so.

use super::memory::{object_of, Address, Kind, NULL};
use super::{bug, Flow, Machine};
use std::collections::HashMap;
use tenure_core::{Expr, Place};

#[derive(Default)]
pub struct Checked {
    /// Pins, the last one last: the object of each.
    pins: Vec<Address>,
    /// How many pins an object has.
    pinned: HashMap<usize, u32>,
    /// Deleted, and pinned still.
    deleted: Vec<usize>,
}

impl<'p> Machine<'p> {
    /// The object is there, or an exception is raised.
    pub(super) fn touch(
        &mut self,
        reference: Address,
    ) -> Result<Option<&'static str>, super::Stop> {
        if reference == NULL {
            return Ok(Some("Null_Exception"));
        }
        let is_there = self.memory.is_live_of(reference, |kind| matches!(kind, Kind::Checked))
            && !self.checked.deleted.contains(&object_of(reference));
        Ok((!is_there).then_some("Dangling_Exception"))
    }

    /// `delete(p)`.
    pub(super) fn delete(&mut self, reference: Address) -> Flow {
        if reference == NULL {
            return Ok(());
        }
        if let Some(exception) = self.touch(reference)? {
            return self.raise(exception);
        }
        if reference as u32 != 0 {
            return self.raise("Dangling_Exception");
        }
        match self.checked.pinned.contains_key(&object_of(reference)) {
            true => self.checked.deleted.push(object_of(reference)),
            false => self.memory.kill(reference),
        }
        Ok(())
    }

    pub(super) fn pin(&mut self, dest: &'p Place, reference: &'p Expr) -> Flow {
        let address = self.pointer(reference)?;
        if address != NULL {
            if let Some(exception) = self.touch(address)? {
                return self.raise(exception);
            }
            *self.checked.pinned.entry(object_of(address)).or_default() += 1;
        }
        self.checked.pins.push(address);
        self.store(dest, super::Value::Int(i128::from(address)))
    }

    pub(super) fn pins(&self) -> usize {
        self.checked.pins.len()
    }

    /// Ends the last pins until so many are left.
    pub(super) fn unpin_to(&mut self, left: usize) -> Flow {
        while self.checked.pins.len() > left {
            let Some(address) = self.checked.pins.pop() else { break };
            if address == NULL {
                continue;
            }
            let object = object_of(address);
            let Some(count) = self.checked.pinned.get_mut(&object) else {
                return bug("a pin of what is not pinned");
            };
            *count -= 1;
            if *count == 0 {
                self.checked.pinned.remove(&object);
                if let Some(at) = self.checked.deleted.iter().position(|gone| *gone == object) {
                    self.checked.deleted.swap_remove(at);
                    self.memory.kill(address);
                }
            }
        }
        Ok(())
    }
}
