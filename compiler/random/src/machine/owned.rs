//! Objects that the program frees: unique and counted ones, dynamic regions with their keys, and what a throw owns.
//!
//! The rules are those of the runtime (`tenure/unique.h`, `counted.h`, `dynamic.h`, `exception.h`): a key is an object, and
//! the objects of its region die with it; the object of `throw new X(…)` dies when the handler that has it says so.

use super::memory::{object_of, Address, Cells, Kind, NULL};
use super::{bug, Flow, Machine, Stop, Value};
use std::collections::HashMap;
use tenure_core::{AllocCount, AllocPlace, Allocation, Expr, FunctionId};

/// Allocations beyond this many bytes fail.
const MOST_BYTES: i128 = 1 << 20;

#[derive(Default)]
pub struct Owned {
    /// How many pointers refer to a counted object.
    counts: HashMap<Address, u64>,
    /// By the frame of a handler: what it caught and owns.
    caught: HashMap<Address, Address>,
    /// What the throw that comes next owns.
    thrown_new: Option<Address>,
}

impl<'p> Machine<'p> {
    pub(super) fn alloc(&mut self, alloc: &'p Allocation) -> Flow {
        let elem = i128::from(self.shape(alloc.elem)?.size);
        let bytes = match &alloc.count {
            AllocCount::One => elem,
            AllocCount::Elements(count) => elem.saturating_mul(self.int(count)?),
            AllocCount::Bytes(bytes) => self.int(bytes)?,
        };
        if !(0..MOST_BYTES).contains(&bytes) {
            return self.raise("Bad_alloc");
        }
        let size = bytes as u64;
        // Without initial zeros the statements that follow write all of it.
        let cells = if alloc.zeroed { Cells::zero(size) } else { Cells::unwritten(size) };
        let kind = match alloc.place {
            AllocPlace::Unique => Kind::Unique,
            AllocPlace::Counted => Kind::Counted,
            AllocPlace::Checked => Kind::Checked,
            AllocPlace::Heap | AllocPlace::Arena(_) => Kind::Data,
        };
        let object = self.memory.place(cells, kind);
        match &alloc.place {
            AllocPlace::Counted => drop(self.owned.counts.insert(object, 1)),
            AllocPlace::Arena(handle) => self.put_in_arena(handle, object)?,
            _ => {}
        }
        self.store(&alloc.dest, Value::Int(i128::from(object)))
    }

    /// A handle of NULL is the heap's.
    fn put_in_arena(&mut self, handle: &'p Expr, object: Address) -> Flow {
        match self.pointer(handle)? {
            NULL => Ok(()),
            handle => match self.arenas.get_mut(&handle) {
                Some(objects) => {
                    objects.push(object);
                    Ok(())
                }
                None => bug("an allocation in a region that is closed"),
            },
        }
    }

    /// The functions of the runtime that this is about; None if it is another.
    pub(super) fn ownership(
        &mut self,
        id: FunctionId,
        args: &[Value],
    ) -> Result<Option<Option<Value>>, Stop> {
        let name = self.program.decls[id].c_name.as_str();
        let first = match args.first() {
            Some(&Value::Int(p)) => p as u64,
            _ => NULL,
        };
        match name {
            "tn_unique_free" => self.free(first)?,
            "tn_object_delete" => self.delete(first)?,
            "tn_counted_alias" => {
                if first != NULL {
                    *self.count(first)? += 1;
                }
                return Ok(Some(Some(Value::Int(i128::from(first)))));
            }
            "tn_counted_count" => {
                let count = if first == NULL { 0 } else { *self.count(first)? };
                return Ok(Some(Some(Value::Int(i128::from(count)))));
            }
            "tn_counted_drop" => drop(self.dropped(first)?),
            "tn_new_ukey" => return Ok(Some(Some(self.key(Kind::Unique)))),
            "tn_new_rckey" => return Ok(Some(Some(self.key(Kind::Counted)))),
            "tn_free_ukey" => {
                self.free(first)?;
                self.close_arena(first);
            }
            "tn_free_rckey" => {
                if self.dropped(first)? {
                    self.close_arena(first);
                }
            }
            "tn_thrown_new" => self.owned.thrown_new = Some(first),
            // What a throw past a clause that holds its exception frees stays here.
            "tn_caught_hold" => {}
            "tn_caught_free" | "tn_caught_release" => {
                if let Some(exn) = self.owned.caught.remove(&first) {
                    self.memory.kill(exn);
                }
            }
            "tn_caught_keep" => drop(self.owned.caught.remove(&first)),
            "tn_caught_again" => {
                if let Some(exn) = self.owned.caught.remove(&first) {
                    self.owned.thrown_new = Some(exn);
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(None))
    }

    fn key(&mut self, kind: Kind) -> Value {
        let counted = matches!(kind, Kind::Counted);
        // What is in a key is the runtime's own: of no bytes here.
        let key = self.memory.place(Cells::default(), kind);
        if counted {
            self.owned.counts.insert(key, 1);
        }
        self.arenas.insert(key, Vec::new());
        Value::Cells(Cells::of(&key.to_le_bytes()))
    }

    fn free(&mut self, p: Address) -> Flow {
        if p != NULL {
            if p as u32 != 0 || !self.memory.is_live_of(p, |kind| matches!(kind, Kind::Unique)) {
                return bug(format!("free of object {} that is not one to free", object_of(p)));
            }
            self.memory.kill(p);
        }
        Ok(())
    }

    fn count(&mut self, p: Address) -> Result<&mut u64, Stop> {
        match self.owned.counts.get_mut(&p) {
            Some(count) if *count > 0 => Ok(count),
            _ => bug(format!("object {} is no counted one that lives", object_of(p))),
        }
    }

    /// One pointer less; whether it was the last.
    fn dropped(&mut self, p: Address) -> Result<bool, Stop> {
        if p == NULL {
            return Ok(false);
        }
        let count = self.count(p)?;
        *count -= 1;
        let last = *count == 0;
        if last {
            self.memory.kill(p);
        }
        Ok(last)
    }

    pub(super) fn throw<T>(&mut self, exn: Address) -> Result<T, Stop> {
        let owned = self.owned.thrown_new.take() == Some(exn);
        Err(Stop::Throw(exn, owned))
    }

    pub(super) fn throw_again<T>(&mut self, exn: Address) -> Result<T, Stop> {
        let frame = self.owned.caught.iter().find(|(_, caught)| **caught == exn).map(|(at, _)| *at);
        let owned = frame.is_some_and(|frame| self.owned.caught.remove(&frame).is_some());
        Err(Stop::Throw(exn, owned))
    }

    pub(super) fn catch(&mut self, frame: Address, exn: Address, owned: bool) {
        match owned {
            true => drop(self.owned.caught.insert(frame, exn)),
            false => drop(self.owned.caught.remove(&frame)),
        }
    }
}
