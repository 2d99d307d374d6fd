//! The few functions of C and of the runtime that random programs call.

use super::memory::{moved, Cells};
use super::{bug, unknown, Machine, Stop, Value};
use std::fmt::Write;
use tenure_core::FunctionId;

impl Machine<'_> {
    pub(super) fn library(
        &mut self,
        id: FunctionId,
        args: Vec<Value>,
    ) -> Result<Option<Value>, Stop> {
        if let Some(result) = self.ownership(id, &args)? {
            return Ok(result);
        }
        let decl = &self.program.decls[id];
        match decl.c_name.as_str() {
            "tn_printf_direct" => self.print(&args),
            "tn_memcpy" | "tn_memmove" | "tn_memcpy_z" | "tn_memmove_z" => self.copy(&args),
            "tn_memset" | "tn_memset_z" => self.fill(&args),
            "abort" | "tn_abort" => Err(Stop::Exit(134)),
            name => unknown(format!("the function {name}")),
        }
    }

    /// The first byte of a fat pointer to so many.
    fn bytes(&mut self, pointer: &Value, count: i128) -> Result<u64, Stop> {
        match *pointer {
            Value::Fat { base, idx, len } if count <= i128::from(len.saturating_sub(idx)) => {
                Ok(moved(base, i128::from(idx)))
            }
            Value::Fat { .. } => self.raise("Array_bounds"),
            _ => bug("memory functions take fat pointers"),
        }
    }

    fn copy(&mut self, args: &[Value]) -> Result<Option<Value>, Stop> {
        let [to, from, Value::Int(count)] = args else { return bug("arguments of memcpy") };
        let (dest, source) = (self.bytes(to, *count)?, self.bytes(from, *count)?);
        if *count > 0 {
            let cells = self.memory.read(source, *count as u64)?;
            self.memory.write(dest, &cells)?;
        }
        Ok(Some(to.clone()))
    }

    fn fill(&mut self, args: &[Value]) -> Result<Option<Value>, Stop> {
        let [to, Value::Int(byte), Value::Int(count)] = args else {
            return bug("arguments of memset");
        };
        let dest = self.bytes(to, *count)?;
        if *count > 0 {
            self.memory.write(dest, &Cells::of(&vec![*byte as u8; *count as usize]))?;
        }
        Ok(Some(to.clone()))
    }

    /// `printf` of integers.
    fn print(&mut self, args: &[Value]) -> Result<Option<Value>, Stop> {
        let Some(&Value::Int(format)) = args.first() else { return bug("no format") };
        let format = self.memory.rest(format as u64)?.split(|byte| *byte == 0).next();
        let format = String::from_utf8_lossy(format.unwrap_or_default()).into_owned();
        let (mut out, mut args, mut parts) = (String::new(), args[1..].iter(), format.chars());
        while let Some(c) = parts.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            let mut long = false;
            let letter = loop {
                match parts.next() {
                    Some('l') => long = true,
                    other => break other,
                }
            };
            let Some(Value::Int(n)) = args.next() else { return unknown("printf's argument") };
            let _ = match (letter, long) {
                (Some('d'), false) => write!(out, "{}", *n as i32),
                (Some('d'), true) => write!(out, "{}", *n as i64),
                (Some('u'), false) => write!(out, "{}", *n as u32),
                (Some('u'), true) => write!(out, "{}", *n as u64),
                (Some('x'), true) => write!(out, "{:x}", *n as u64),
                (Some('x'), false) => write!(out, "{:x}", *n as u32),
                _ => return unknown(format!("the format {format}")),
            };
        }
        self.output.extend_from_slice(out.as_bytes());
        Ok(Some(Value::Int(out.len() as i128)))
    }
}
