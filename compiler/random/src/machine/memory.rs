//! Memory as C has it: objects of bytes, each bit written or not, each object alive or dead. An address is
//! an object's number in its upper half and a distance in its lower one, so that what leaves one object
//! never meets another.

use super::{bug, Stop};
use tenure_core::FunctionId;

pub type Address = u64;

pub const NULL: Address = 0;

#[derive(Clone, Default, Debug)]
pub struct Cells {
    pub bytes: Vec<u8>,
    /// A bit that is set was written.
    pub written: Vec<u8>,
}

impl Cells {
    pub fn zero(size: u64) -> Cells {
        Cells { bytes: vec![0; size as usize], written: vec![0xff; size as usize] }
    }

    pub fn unwritten(size: u64) -> Cells {
        // What stands in memory that nobody wrote is no zero.
        Cells { bytes: vec![0xa5; size as usize], written: vec![0; size as usize] }
    }

    pub fn of(bytes: &[u8]) -> Cells {
        Cells { bytes: bytes.to_vec(), written: vec![0xff; bytes.len()] }
    }
}

#[derive(Clone, Debug)]
pub enum Kind {
    Data,
    Unique,
    Counted,
    /// Of the checked heap.
    Checked,
    /// May not be written: a string literal.
    Constant,
    Function(FunctionId),
}

struct Object {
    cells: Cells,
    kind: Kind,
    live: bool,
}

#[derive(Default)]
pub struct Memory {
    objects: Vec<Object>,
}

pub fn object_of(address: Address) -> usize {
    (address >> 32) as usize
}

pub fn moved(address: Address, by: i128) -> Address {
    let low = (address as u32).wrapping_add(by as u32);
    (address & !0xffff_ffff) | u64::from(low)
}

impl Memory {
    pub fn new() -> Memory {
        let mut memory = Memory::default();
        memory.place(Cells::default(), Kind::Data);
        memory.objects[0].live = false;
        memory
    }

    pub fn place(&mut self, cells: Cells, kind: Kind) -> Address {
        self.objects.push(Object { cells, kind, live: true });
        ((self.objects.len() - 1) as u64) << 32
    }

    pub fn kill(&mut self, address: Address) {
        if let Some(object) = self.objects.get_mut(object_of(address)) {
            object.live = false;
            object.cells = Cells::default();
        }
    }

    pub fn is_live_of(&self, address: Address, kind: impl Fn(&Kind) -> bool) -> bool {
        let object = self.objects.get(object_of(address));
        object.is_some_and(|object| object.live && kind(&object.kind))
    }

    pub fn function(&self, address: Address) -> Option<FunctionId> {
        match self.objects.get(object_of(address))?.kind {
            Kind::Function(id) if address as u32 == 0 => Some(id),
            _ => None,
        }
    }

    /// The bytes of an object from the address to its end.
    pub fn rest(&self, address: Address) -> Result<&[u8], Stop> {
        let object = &self.objects[object_of(address).min(self.objects.len() - 1)];
        let at = address as u32 as usize;
        if !object.live || at > object.cells.bytes.len() {
            return bug("a sequence is not in a live object");
        }
        Ok(&object.cells.bytes[at..])
    }

    fn range(&self, address: Address, size: u64, what: &str) -> Result<(usize, usize), Stop> {
        let number = object_of(address);
        if number == 0 || number >= self.objects.len() {
            return bug(format!("{what} through {address:#x}, which is no address"));
        }
        let object = &self.objects[number];
        if !object.live {
            return bug(format!("{what} of an object that is dead"));
        }
        let (at, len) = (address as u32 as usize, object.cells.bytes.len());
        if at as u64 + size > len as u64 {
            return bug(format!("{what} of {size} bytes at {} in an object of {len}", at as i32));
        }
        Ok((number, at))
    }

    pub fn read(&self, address: Address, size: u64) -> Result<Cells, Stop> {
        let (number, at) = self.range(address, size, "a read")?;
        let cells = &self.objects[number].cells;
        let end = at + size as usize;
        Ok(Cells { bytes: cells.bytes[at..end].into(), written: cells.written[at..end].into() })
    }

    pub fn write(&mut self, address: Address, from: &Cells) -> Result<(), Stop> {
        let (number, at) = self.range(address, from.bytes.len() as u64, "a store")?;
        let object = &mut self.objects[number];
        if matches!(object.kind, Kind::Constant) {
            return bug("a store to a constant");
        }
        let end = at + from.bytes.len();
        object.cells.bytes[at..end].copy_from_slice(&from.bytes);
        object.cells.written[at..end].copy_from_slice(&from.written);
        Ok(())
    }

    /// The value of so many bits that begin at a bit of the byte at the address, without a sign.
    pub fn read_bits(&self, address: Address, first: u32, count: u32) -> Result<u128, Stop> {
        let cells = self.read(address, u64::from((first + count).div_ceil(8)))?;
        let mut value = 0;
        for bit in 0..count {
            let (byte, mask) = (((first + bit) / 8) as usize, 1u8 << ((first + bit) % 8));
            if cells.written[byte] & mask == 0 {
                return bug("a bit-field that nobody wrote is read");
            }
            value |= u128::from(cells.bytes[byte] & mask != 0) << bit;
        }
        Ok(value)
    }

    pub fn write_bits(
        &mut self,
        address: Address,
        first: u32,
        count: u32,
        value: u128,
    ) -> Result<(), Stop> {
        let mut cells = self.read(address, u64::from((first + count).div_ceil(8)))?;
        for bit in 0..count {
            let (byte, mask) = (((first + bit) / 8) as usize, 1u8 << ((first + bit) % 8));
            cells.bytes[byte] &= !mask;
            if value >> bit & 1 != 0 {
                cells.bytes[byte] |= mask;
            }
            cells.written[byte] |= mask;
        }
        self.write(address, &cells)
    }
}
