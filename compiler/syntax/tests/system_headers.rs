//! C's own headers parse as they are, through the system's preprocessor.

mod support;

use std::process::{Command, Stdio};
use support::parse_clean;

/// Headers that a Linux system with a C library has; those that are absent are left out by
/// `__has_include`.
const HEADERS: &str = "
    aio.h alloca.h argp.h arpa/inet.h assert.h complex.h cpio.h ctype.h dirent.h dlfcn.h elf.h
    endian.h envz.h err.h errno.h error.h execinfo.h fcntl.h fenv.h float.h fnmatch.h ftw.h
    getopt.h glob.h grp.h iconv.h ifaddrs.h immintrin.h inttypes.h iso646.h langinfo.h libgen.h
    limits.h link.h linux/fs.h locale.h malloc.h math.h monetary.h mqueue.h net/if.h netdb.h
    netinet/in.h netinet/tcp.h nl_types.h obstack.h poll.h printf.h pthread.h pty.h pwd.h regex.h
    resolv.h sched.h search.h semaphore.h setjmp.h shadow.h signal.h spawn.h stdalign.h stdarg.h
    stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h
    sys/epoll.h sys/eventfd.h sys/inotify.h sys/ioctl.h sys/mman.h sys/msg.h sys/ptrace.h
    sys/resource.h sys/select.h sys/sem.h sys/sendfile.h sys/shm.h sys/socket.h sys/stat.h
    sys/statvfs.h sys/time.h sys/timerfd.h sys/times.h sys/types.h sys/ucontext.h sys/uio.h
    sys/un.h sys/user.h sys/utsname.h sys/wait.h syslog.h termios.h tgmath.h threads.h time.h
    uchar.h ucontext.h unistd.h utime.h utmp.h wchar.h wctype.h wordexp.h";

/// The text of all headers within `extern "C" include`, or nothing where there is no `cc`.
fn preprocessed(flags: &[&str]) -> Option<String> {
    let mut source = String::from("extern \"C\" include {\n");
    for header in HEADERS.split_whitespace() {
        source += &format!("#if __has_include(<{header}>)\n#include <{header}>\n#endif\n");
    }
    source += "}\nint after;\n";
    let path = std::env::temp_dir().join(format!("tenure-headers-{}.c", std::process::id()));
    std::fs::write(&path, source).ok()?;
    let output = Command::new("cc")
        .args(["-E", "-x", "c"])
        .args(flags)
        .arg(&path)
        .stderr(Stdio::inherit())
        .output();
    let _ = std::fs::remove_file(&path);
    let output = output.ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

#[test]
fn system_headers_parse_without_an_error() {
    for flags in [&[][..], &["-D_GNU_SOURCE", "-O2", "-D_FORTIFY_SOURCE=2"]] {
        let Some(text) = preprocessed(flags) else { continue };
        let tree = parse_clean("system headers", &text);
        assert_eq!(tree.decls.len(), 2);
    }
}
