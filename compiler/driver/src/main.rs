//! The `tenure` command.

use mimalloc::MiMalloc;
use std::io::Write;

/// The phases make and drop small nodes by the million; libc's allocator took a quarter of their time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    std::panic::set_hook(Box::new(|info| {
        let _ = writeln!(
            std::io::stderr(),
            "error[E0901]: internal error: {info}\n  \
             this is a mistake in the compiler, not in the program; please report it"
        );
    }));
    let worker = std::thread::Builder::new()
        .stack_size(tenure_driver::STACK_BYTES)
        .spawn(tenure_driver::main);
    let status = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        // The hook has said why.
        Ok(Err(_)) | Err(_) => 2,
    };
    std::process::exit(status);
}
