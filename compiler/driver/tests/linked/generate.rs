//! Programs of several units, some of them in C: structs of libc's types that both see, names of C's for own functions, objects
//! that the collector must see, and throws without end. What each prints is known when it is written.

use crate::random::Random;
use std::fmt::Write;

/// Types of C's headers: the header, the type, and members that are integers.
const LIBC: &[(&str, &str, &[&str])] = &[
    ("time.h", "struct tm", &["tm_sec", "tm_year", "tm_yday", "tm_isdst"]),
    ("time.h", "struct timespec", &["tv_sec", "tv_nsec"]),
    ("sys/stat.h", "struct stat", &["st_size", "st_mode", "st_nlink", "st_ino", "st_uid"]),
    ("stdlib.h", "div_t", &["quot", "rem"]),
    ("stdlib.h", "ldiv_t", &["quot", "rem"]),
    ("poll.h", "struct pollfd", &["fd", "events", "revents"]),
    ("sys/time.h", "struct timeval", &["tv_sec", "tv_usec"]),
    ("sys/time.h", "struct itimerval", &["it_interval.tv_sec", "it_value.tv_usec"]),
    ("sys/resource.h", "struct rlimit", &["rlim_cur", "rlim_max"]),
    ("sys/resource.h", "struct rusage", &["ru_maxrss", "ru_utime.tv_sec", "ru_nivcsw"]),
    ("sys/ioctl.h", "struct winsize", &["ws_row", "ws_ypixel"]),
    ("termios.h", "struct termios", &["c_iflag", "c_lflag", "c_cc[3]"]),
    ("netinet/in.h", "struct sockaddr_in", &["sin_family", "sin_port", "sin_addr.s_addr"]),
    ("inttypes.h", "imaxdiv_t", &["quot", "rem"]),
    ("sys/utsname.h", "struct utsname", &["release[2]", "machine[1]"]),
];

const SCALARS: &[&str] =
    &["char", "short", "int", "unsigned char", "long", "unsigned", "long long", "unsigned short"];

/// Names that C's libraries and the runtime have, for functions of the program's own.
const NAMES: &[&str] = &[
    "read",
    "write",
    "open",
    "close",
    "mmap",
    "munmap",
    "sigaction",
    "getpid",
    "kill",
    "fork",
    "pipe",
    "dup2",
    "isatty",
    "madvise",
    "pthread_self",
    "sysconf",
    "environ_of",
    "tn_throw",
    "tn_frames",
    "lseek",
    "getuid",
    "writev",
    "tn_start",
];

/// What the first unit defines, and the second declares otherwise and uses.
const AGREED: &str = "int agreed(int n, unsigned m) { return n + (int)m; }\n\
                      struct Shape { int n; char name[8]; };\nstruct Shape shape;\nint many[4];\n";

const DISAGREEMENTS: &[[&str; 2]] = &[
    [
        "__attribute__((noreturn)) void agreed(int n, unsigned m);",
        "\nvoid use(void) { agreed(1, 2); }\n",
    ],
    [
        "__attribute__((noreturn)) int agreed(int n, unsigned m);",
        "\nvoid use(void) { agreed(1, 2); }\n",
    ],
    ["int agreed(int n, unsigned long m);", "\nvoid use(void) { agreed(1, 2); }\n"],
    ["int agreed(int n, ... unsigned m);", "\nvoid use(void) { agreed(1, 2); }\n"],
    [
        "struct Shape { int n; char name[9]; };\nextern struct Shape shape;",
        "\nint use(void) { return shape.n; }\n",
    ],
    [
        "struct Shape { long n; char name[8]; };\nextern struct Shape shape;",
        "\nlong use(void) { return shape.n; }\n",
    ],
    ["extern int many[5];", "\nint use(void) { return many[4]; }\n"],
    ["extern const int many[4];", "\nint use(void) { return many[3]; }\n"],
];

pub struct Program {
    /// Two units in Tenure and one in C.
    pub first: String,
    pub second: String,
    pub c: String,
    pub expected: String,
    /// The second unit, but for one thing that it says otherwise of the first, and what that is.
    pub disagreeing: (String, &'static str),
    /// With the collector.
    pub collected: bool,
}

struct Writer {
    random: Random,
    first: String,
    second: String,
    c: String,
    main: String,
    expected: String,
}

type Part = fn(&mut Writer);

/// The program of a seed, with all parts or one alone.
pub fn program(seed: u64, only: Option<&str>) -> Program {
    let mut writer = Writer {
        random: Random::new(seed),
        first: "#include <stdio.h>\n#include <stdlib.h>\n".into(),
        second: "#include <stdio.h>\n".into(),
        c: "#include <stdio.h>\n#include <string.h>\n".into(),
        main: String::new(),
        expected: String::new(),
    };
    let collected = writer.random.one_in(3);
    let parts: [(&str, Part); 5] = [
        ("names", Writer::names),
        ("record", Writer::record),
        ("stream", Writer::stream),
        ("list", Writer::linked_list),
        ("throws", Writer::throws),
    ];
    for (name, part) in parts {
        let fits = name != "throws" || !collected;
        if fits && only.is_none_or(|only| only == name) {
            part(&mut writer);
        }
    }
    let Writer { mut first, second, c, main, expected, .. } = writer;
    first.push_str(AGREED);
    let other = DISAGREEMENTS[seed as usize % DISAGREEMENTS.len()];
    let disagreeing = (format!("{second}{}{}", other[0], other[1]), other[0]);
    let _ = writeln!(first, "int main(void) {{\n{main}  return 0;\n}}");
    Program { first, second, c, expected, disagreeing, collected }
}

impl Writer {
    /// Functions called as C's are, in one unit, used in the other; C's own stay what they are.
    fn names(&mut self) {
        for _ in 0..5 {
            let name = self.random.pick(NAMES);
            if self.first.contains(&format!("int {name}(")) {
                continue;
            }
            let (by, n) = (self.random.below(90), self.random.below(90));
            let _ = writeln!(self.second, "int {name}(int n) {{ return n * 2 + {by}; }}");
            let _ = writeln!(self.first, "int {name}(int n);");
            let _ = writeln!(self.main, "  printf(\"%d\\n\", {name}({n}));");
            let _ = writeln!(self.expected, "{}", n * 2 + by);
        }
        // C's library calls its own `read`, `write`, `mmap` and `lseek` for this.
        self.c.push_str(
            "int c_file(void) {\n  char b[4] = {0};\n  FILE *f = tmpfile();\n  if (f == NULL) return 1;\n  fputs(\"abc\", f);\n  \
             rewind(f);\n  int n = fread(b, 1, 3, f) != 3 || strcmp(b, \"abc\");\n  return fclose(f) || n;\n}\n",
        );
        self.first.push_str("extern \"C\" { int c_file(void); }\n");
        self.main.push_str("  printf(\"file %d\\n\", c_file());\n");
        self.expected.push_str("file 0\n");
    }

    /// A struct of libc's types and others, filled on one side and read on the other.
    fn record(&mut self) {
        let (mut headers, mut members, mut leaves) = (String::new(), String::new(), Vec::new());
        for number in 0..3 + self.random.index(4) {
            let scalar = self.random.pick(SCALARS);
            let _ = writeln!(members, "  {scalar} s{number};");
            leaves.push(format!("s{number}"));
            let (header, of, parts) = LIBC[self.random.index(LIBC.len())];
            let _ = writeln!(headers, "#include <{header}>");
            let array = self.random.one_in(4);
            let _ = writeln!(members, "  {of} m{number}{};", if array { "[2]" } else { "" });
            let at = if array { "[1]" } else { "" };
            leaves.extend(parts.iter().map(|part| format!("m{number}{at}.{part}")));
        }
        let last = self.random.pick(SCALARS);
        let _ = writeln!(members, "  {last} last;");
        leaves.push("last".into());
        let record = format!("{headers}struct Both {{\n{members}}};\n");
        let values: Vec<u64> = leaves.iter().map(|_| self.random.below(100)).collect();
        let fill = |by: u64| -> String {
            let each = leaves.iter().zip(&values);
            each.map(|(leaf, value)| format!("  b->{leaf} = {};\n", value + by)).collect()
        };
        let sum: String = leaves
            .iter()
            .enumerate()
            .map(|(at, leaf)| format!("  n += {} * (long)b->{leaf};\n", at + 1))
            .collect();
        let total = |by: u64| -> u64 {
            values.iter().enumerate().map(|(at, value)| (at as u64 + 1) * (value + by)).sum()
        };
        for unit in [&mut self.first, &mut self.second, &mut self.c] {
            unit.push_str(&record);
        }
        let _ = writeln!(self.c, "void c_fill(struct Both *b) {{\n{}}}", fill(7));
        let _ =
            writeln!(self.c, "long c_sum(struct Both *b) {{\n  long n = 0;\n{sum}  return n;\n}}");
        let _ = writeln!(self.c, "unsigned long c_size(void) {{ return sizeof(struct Both); }}");
        self.first.push_str(
            "extern \"C\" { void c_fill(struct Both @b); long c_sum(struct Both @b); unsigned long c_size(void); }\n\
             long sum(struct Both @b);\n",
        );
        let _ = writeln!(
            self.second,
            "long sum(struct Both @b) {{\n  long n = 0;\n{sum}  return n;\n}}"
        );
        let _ = writeln!(
            self.first,
            "static struct {{ long before; struct Both b; long after; }} both = {{5}};\n\
             static void fill(struct Both @b) {{\n{}}}",
            fill(0)
        );
        self.main.push_str(
            "  both.after = 6;\n  fill(&both.b);\n  printf(\"%ld %ld\\n\", c_sum(&both.b), sum(&both.b));\n  \
             c_fill(&both.b);\n  printf(\"%ld %ld\\n\", sum(&both.b), both.before + both.after);\n  \
             printf(\"%d\\n\", c_size() == sizeof(struct Both));\n",
        );
        let _ = writeln!(self.expected, "{0} {0}\n{1} 11\n1", total(0), total(7));
    }

    /// A stream that both write.
    fn stream(&mut self) {
        let n = self.random.below(1000);
        self.c.push_str("void c_put(FILE *f, int n) { fprintf(f, \"c %d\\n\", n); }\n");
        self.first.push_str("extern \"C\" { void c_put(FILE *`H f, int n); }\n");
        let _ = writeln!(
            self.main,
            "  printf(\"here\\n\");\n  c_put(stdout, {n});\n  printf(\"here\\n\");"
        );
        let _ = writeln!(self.expected, "here\nc {n}\nhere");
    }

    /// Packed objects that alone refer to others, while garbage is made.
    fn linked_list(&mut self) {
        let pads: Vec<u64> = (0..3).map(|_| 8 * (1 + self.random.below(2)) - 1).collect();
        let _ = writeln!(
            self.first,
            "struct Tight {{ char a; char pad0[{}]; struct Tight *next; char b; char pad1[{}]; int *n; char c; }} \
             __attribute__((packed, aligned(8)));\n\
             static struct Tight *list(int n) {{\n  struct Tight *all = NULL;\n  for (int i = 0; i < n; i++) {{\n    \
             all = new Tight{{.a = 1, .next = all, .n = new i}};\n    \
             for (int k = 0; k < 20; k++) {{ int ?waste = calloc(64, sizeof(int)); waste[i & 63] = k; }}\n  }}\n  return all;\n}}\n\
             static long count(struct Tight *all) {{ long n = 0; for (; all != NULL; all = all->next) n += *all->n + all->a; return n; }}",
            pads[0], pads[1]
        );
        let n = 500 + self.random.below(1500);
        let _ = writeln!(self.main, "  printf(\"%ld\\n\", count(list({n})));");
        let _ = writeln!(self.expected, "{}", n * (n - 1) / 2 + n);
    }

    /// What a throw owns does not stay: memory is as large after many as after some.
    fn throws(&mut self) {
        let thrown = self.random.pick(&["Num(i)", "Two(i, \"text\")", "Failure(\"why\")"]);
        let by = self.random.pick(&[
            "case &Num(n): got += n & 1; case &Two(n, _): got += n & 1; case _: got++;",
            "case _: got++;",
            "case e: try { throw e; } catch { case _: got++; }",
            "case &Num(n) && n < 0: got--; default: got++;",
        ]);
        // A case that binds the object keeps it, unless throwing it on is all that it does with it.
        let by = if by.starts_with("case e:") { "case _: got++;" } else { by };
        let middle = self.random.pick(&[
            "once(i);",
            "try { once(i); } catch { case &Bad_alloc: got += 5; }",
            "try { once(i); } catch { case e: throw e; }",
            "try { once(i); } catch { case &Num(n): throw new Two(n, \"on\"); }",
            "{ region h; int *p = rnew(h) i; got += *p & 1; once(i); }",
        ]);
        let _ = writeln!(
            self.first,
            "@extensible datatype exn {{ Num(int); Two(int, const char ?); }};\nstatic long got;\n\
             static void once(int i) {{ throw new {thrown}; }}\n\
             static void often(int n) {{ for (int i = 0; i < n; i++) try {{ {middle} }} catch {{ {by} }} }}\n\
             extern \"C\" {{ long c_pages(void); }}"
        );
        self.c.push_str(
            "long c_pages(void) {\n  long all = 0, resident = 0;\n  FILE *f = fopen(\"/proc/self/statm\", \"r\");\n  \
             if (f != NULL) { if (fscanf(f, \"%ld %ld\", &all, &resident) != 2) resident = 0; fclose(f); }\n  return resident;\n}\n",
        );
        self.main.push_str(
            "  often(20000);\n  long before = c_pages();\n  often(300000);\n  long more = c_pages() - before;\n  \
             if (more > 64) printf(\"%ld pages more\\n\", more);\n  printf(\"%d\\n\", got > 0);\n",
        );
        self.expected.push_str("1\n");
    }
}
