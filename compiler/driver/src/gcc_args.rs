//! gcc's command line, as far as builds use it.

use crate::settings::Settings;

/// How far the compilation goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Goal {
    /// `-E`
    Preprocess,
    /// `-M`, `-MM`
    Dependencies,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    #[default]
    Program,
}

/// What an input file is to us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    /// Goes through Tenure.
    Tenure,
    /// Goes to cc as it is: plain C, assembler, other languages.
    Cc,
    /// Goes to the linker.
    Linker,
}

/// An element of the command line whose order matters to the linker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    Input {
        path: String,
        language: Language,
    },
    /// `-lfoo`, `-Wl,…`, and what else only the linker reads.
    Flag(String),
}

/// A command line that was understood.
#[derive(Clone, Debug, Default)]
pub(crate) struct GccArgs {
    pub(crate) goal: Goal,
    pub(crate) items: Vec<Item>,
    pub(crate) output: Option<String>,
    /// `-MD`, `-MMD`.
    pub(crate) dependencies: Option<String>,
    pub(crate) dependency_file: Option<String>,
    /// `-MT`, `-MQ`, `-MP` and so on, for the run that writes dependencies.
    pub(crate) dependency_args: Vec<String>,
    pub(crate) has_target: bool,
    /// Everything apart from inputs and `-o`, for inputs that are cc's.
    pub(crate) plain_args: Vec<String>,
    /// The command only asks cc about itself.
    pub(crate) is_query: bool,
    pub(crate) verbose: bool,
    pub(crate) shared: bool,
    pub(crate) partial_link: bool,
    pub(crate) no_libraries: bool,
    pub(crate) settings: Settings,
}

/// Flags whose value is the next argument.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-x",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-isysroot",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xclang",
    "-T",
    "-u",
    "-z",
    "-e",
    "-B",
    "-A",
    "--param",
    "-aux-info",
    "-target",
    "-arch",
    "-framework",
];

const QUERIES: &[&str] = &[
    "--version",
    "-dumpversion",
    "-dumpfullversion",
    "-dumpmachine",
    "-dumpspecs",
    "--help",
    "--target-help",
    "-v",
    "-###",
];

impl GccArgs {
    /// Understands gcc's arguments, or says which is no good.
    pub(crate) fn parse(args: &[String]) -> Result<GccArgs, String> {
        let args = expanded(args)?;
        let mut parsed = GccArgs::default();
        parsed.settings.color = crate::settings::When::Auto;
        let mut language: Option<String> = None;
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            if arg == "-" || !arg.starts_with('-') {
                parsed.input(arg, language.as_deref());
                continue;
            }
            let mut value = None;
            if WITH_VALUE.contains(&arg.as_str()) {
                let next = rest.next();
                value = Some(next.ok_or(format!("`{arg}` needs an argument"))?.clone());
            }
            if arg == "-x" || (arg.starts_with("-x") && arg.len() > 2) {
                let name = value.unwrap_or_else(|| arg[2..].to_string());
                language = (name != "none").then_some(name);
                continue;
            }
            if silences_linker(arg, value.as_deref()) {
                return Err(format!(
                    "`{arg}{}` lets the linker pass what units do not agree about",
                    value.map_or(String::new(), |value| format!(" {value}"))
                ));
            }
            if changes_layouts(arg) {
                return Err(format!(
                    "`{arg}` changes how data is laid out or passed, so that it would not agree with the library"
                ));
            }
            parsed.flag(arg, value);
        }
        parsed.check_output()?;
        if parsed.items.iter().any(|item| matches!(item, Item::Input { .. })) {
            // `-v` beside an input is no question.
            parsed.is_query &= args.iter().any(|arg| arg.starts_with("-###") || arg == "--version");
        }
        Ok(parsed)
    }

    /// Several files do not go into one.
    fn check_output(&self) -> Result<(), String> {
        let compiled = |item: &&Item| matches!(item, Item::Input { language, .. } if *language != Language::Linker);
        let several = self.items.iter().filter(compiled).count() > 1;
        let each = matches!(self.goal, Goal::Assembly | Goal::Object);
        match &self.output {
            Some(output) if each && several && output != "/dev/null" => {
                Err(format!("`-o {output}` is one file, but several are compiled"))
            }
            _ => Ok(()),
        }
    }

    fn input(&mut self, path: &str, language: Option<&str>) {
        let extension = std::path::Path::new(path).extension().and_then(|ext| ext.to_str());
        let language = match language {
            Some("c" | "cyc" | "cyclone" | "tenure" | "cpp-output") => Language::Tenure,
            Some(_) => Language::Cc,
            None => match extension {
                // What was preprocessed is no less C.
                Some("c" | "cyc" | "i") => Language::Tenure,
                Some("s" | "S" | "sx" | "cc" | "cpp" | "cxx" | "C" | "m") => Language::Cc,
                _ => Language::Linker,
            },
        };
        self.items.push(Item::Input { path: path.to_string(), language });
    }

    fn flag(&mut self, arg: &str, value: Option<String>) {
        if self.own_flag(arg) || self.goal_flag(arg, &value) || self.dependency_flag(arg, &value) {
            return;
        }
        let whole: Vec<String> = std::iter::once(arg.to_string()).chain(value.clone()).collect();
        if is_linker_flag(arg) {
            self.items.extend(whole.into_iter().map(Item::Flag));
            self.shared |= arg == "-shared";
            self.partial_link |= arg == "-r";
            self.no_libraries |= matches!(arg, "-nostdlib" | "-nodefaultlibs");
            return;
        }
        self.plain_args.extend(whole.iter().cloned());
        if is_preprocessor_flag(arg) {
            self.settings.cpp_args.extend(whole);
        } else if let Some(warning) = arg.strip_prefix("-W") {
            // A warning that is not ours is about C, and emitted C is ours.
            let _ = self.settings.warnings.option(warning);
        } else if arg == "-w" {
            self.settings.warnings.none = true;
        } else if is_code_flag(arg) {
            self.settings.debug |= arg.starts_with("-g") && arg != "-g0";
            self.settings.cc_args.extend(whole);
        }
    }

    /// Flags of ours that a build may pass along.
    fn own_flag(&mut self, arg: &str) -> bool {
        if let Some(file) = arg.strip_prefix("--plain-c=") {
            self.items.push(Item::Input { path: file.to_string(), language: Language::Cc });
            return true;
        }
        match arg {
            "--no-checks" => self.settings.no_checks = true,
            "--checks" => self.settings.list_checks = true,
            "--list-trusted" => self.settings.list_trusted = true,
            "--cyclone1" => self.settings.cyclone1 = true,
            "--error-format=json" => {
                self.settings.error_format = crate::settings::ErrorFormat::Json;
            }
            "--error-format=sarif" => {
                self.settings.error_format = crate::settings::ErrorFormat::Sarif;
            }
            "--error-format=human" => {}
            "-fdiagnostics-color" | "-fdiagnostics-color=always" | "-fcolor-diagnostics" => {
                self.settings.color = crate::settings::When::Always;
            }
            "-fdiagnostics-color=never" | "-fno-diagnostics-color" | "-fno-color-diagnostics" => {
                self.settings.color = crate::settings::When::Never;
            }
            _ => return false,
        }
        true
    }

    fn goal_flag(&mut self, arg: &str, value: &Option<String>) -> bool {
        let goal = match arg {
            "-E" => Goal::Preprocess,
            "-M" | "-MM" => {
                self.plain_args.push(arg.to_string());
                Goal::Dependencies
            }
            "-S" => Goal::Assembly,
            "-c" => Goal::Object,
            "-fsyntax-only" => Goal::Object,
            "-o" => {
                self.output.clone_from(value);
                return true;
            }
            _ if QUERIES.contains(&arg)
                || arg.starts_with("-print-")
                || arg.starts_with("--print-") =>
            {
                self.is_query = true;
                self.verbose |= arg == "-v";
                return true;
            }
            _ if arg.starts_with("-o") && arg.len() > 2 && !arg.starts_with("-openmp") => {
                self.output = Some(arg[2..].to_string());
                return true;
            }
            _ => return false,
        };
        if arg == "-fsyntax-only" {
            self.output = Some("/dev/null".to_string());
        }
        // The earliest goal wins, as in gcc.
        if self.goal == Goal::Program || (goal as u8) < (self.goal as u8) {
            self.goal = goal;
        }
        true
    }

    fn dependency_flag(&mut self, arg: &str, value: &Option<String>) -> bool {
        match arg {
            "-MD" => self.dependencies = Some("-M".to_string()),
            "-MMD" => self.dependencies = Some("-MM".to_string()),
            "-MF" => self.dependency_file.clone_from(value),
            "-MT" | "-MQ" => {
                self.has_target = true;
                self.dependency_args.push(arg.to_string());
                self.dependency_args.extend(value.clone());
            }
            "-MP" | "-MG" => self.dependency_args.push(arg.to_string()),
            _ => match arg.strip_prefix("-Wp,-MD,").or_else(|| arg.strip_prefix("-Wp,-MMD,")) {
                Some(file) => {
                    let all = arg.starts_with("-Wp,-MD");
                    self.dependencies = Some(if all { "-M" } else { "-MM" }.to_string());
                    self.dependency_file = Some(file.to_string());
                }
                None => return false,
            },
        }
        true
    }
}

/// `@file` stands for the arguments in the file.
fn expanded(args: &[String]) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    for arg in args {
        match arg.strip_prefix('@') {
            Some(file) if std::path::Path::new(file).is_file() => {
                let text = std::fs::read_to_string(file)
                    .map_err(|error| format!("cannot read `{file}`: {error}"))?;
                out.extend(words(&text));
            }
            _ => out.push(arg.clone()),
        }
    }
    Ok(out)
}

/// Words of a response file: quotes group, a backslash takes the next character as it is.
fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(q)) if c == q => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => out.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    out
}

fn is_linker_flag(arg: &str) -> bool {
    const EXACT: &[&str] = &[
        "-shared",
        "-static",
        "-rdynamic",
        "-nostdlib",
        "-nodefaultlibs",
        "-nostartfiles",
        "-s",
        "-r",
        "-pie",
        "-no-pie",
        "-static-pie",
        "-static-libgcc",
        "-shared-libgcc",
        "-Xlinker",
        "-T",
        "-u",
        "-z",
        "-e",
        "-L",
        "-l",
        "-framework",
        "-symbolic",
    ];
    EXACT.contains(&arg)
        || ["-l", "-L", "-Wl,", "-fuse-ld=", "-T", "-z"].iter().any(|lead| arg.starts_with(lead))
}

fn is_preprocessor_flag(arg: &str) -> bool {
    const LEADS: &[&str] = &[
        "-I",
        "-D",
        "-U",
        "-i",
        "-Wp,",
        "-Xpreprocessor",
        "-nostdinc",
        "-std=",
        "-ansi",
        "-pthread",
        "-A",
    ];
    (LEADS.iter().any(|lead| arg.starts_with(lead)) && arg != "-pthread") || arg == "-undef"
}

/// What cc is told when it compiles and when it links: code generation, debug information.
fn is_code_flag(arg: &str) -> bool {
    let ours = [
        "-fwrapv",
        "-ftrapv",
        "-fstrict-overflow",
        "-fstrict-aliasing",
        "-ffast-math",
        "-funsafe-math-optimizations",
        "-ffinite-math-only",
        "-funsigned-char",
        "-fno-signed-char",
        "-Ofast",
        "-fdelete-null-pointer-checks",
        "-fgnu89-inline",
        "-fpermissive",
        "-fms-extensions",
        "-fplan9-extensions",
        "-funsigned-bitfields",
        "-fno-signed-bitfields",
        "-fno-wrapv",
        "-fno-wrapv-pointer",
        "-fcommon",
        "-fwhole-program",
        "-fpreprocessed",
        "-fdirectives-only",
        "-fno-dollars-in-identifiers",
    ];
    let leads = [
        "-O",
        "-g",
        "-f",
        "-m",
        "-pthread",
        "-pipe",
        "-B",
        "-Xassembler",
        "-Wa,",
        "-target",
        // Whatever else it is, cc knows, or says that it does not.
        "--",
    ];
    !ours.contains(&arg) && leads.iter().any(|lead| arg.starts_with(lead))
}

/// The linker finds out that units do not agree, unless it is told to let that pass or to give a symbol another
/// meaning.
fn silences_linker(arg: &str, value: Option<&str>) -> bool {
    const OPTIONS: &[&str] = &[
        "allow-multiple-definition",
        "unresolved-symbols",
        "warn-unresolved-symbols",
        "noinhibit-exec",
        "defsym",
        "wrap",
        "just-symbols",
    ];
    const KEYWORDS: &[&str] = &["muldefs", "nodefs"];
    let words = match arg {
        "-Xlinker" | "-z" => value.unwrap_or_default(),
        _ => arg.strip_prefix("-Wl,").or(arg.strip_prefix("-z")).unwrap_or_default(),
    };
    words.split(',').any(|word| {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        let option = name.strip_prefix("--").or(name.strip_prefix('-'));
        option.is_some_and(|option| OPTIONS.contains(&option)) || KEYWORDS.contains(&name)
    })
}

/// Objects and the library are one program only if they agree about what is where.
fn changes_layouts(arg: &str) -> bool {
    const FLAGS: &[&str] = &[
        "-m16",
        "-m32",
        "-mx32",
        "-malign-double",
        "-mms-bitfields",
        "-mrtd",
        "-fshort-enums",
        "-fshort-wchar",
        "-fpcc-struct-return",
        "-freg-struct-return",
        "-fleading-underscore",
        "-msseregparm",
        "-msoft-float",
    ];
    const LEADS: &[&str] = &[
        "-fpack-struct",
        "-mlong-double-",
        "-mregparm",
        "-mabi=",
        "-fsso-struct=",
        "-ffixed-",
        "-fcall-used-",
        "-fcall-saved-",
        "-fexec-charset",
        "-fwide-exec-charset",
        "-mno-sse",
        "-mpreferred-stack-boundary",
        "-mincoming-stack-boundary",
    ];
    FLAGS.contains(&arg) || LEADS.iter().any(|lead| arg.starts_with(lead))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> GccArgs {
        let args: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        GccArgs::parse(&args).unwrap_or_default()
    }

    fn languages(args: &GccArgs) -> Vec<Language> {
        let language = |item: &Item| match item {
            Item::Input { language, .. } => Some(*language),
            Item::Flag(_) => None,
        };
        args.items.iter().filter_map(language).collect()
    }

    #[test]
    fn c_goes_through_tenure_unless_it_is_called_plain() {
        let args = parse("-c a.c b.cyc x.o y.s -x plain-c c.c -x none d.c --plain-c=e.c");
        assert_eq!(args.goal, Goal::Object);
        use Language::*;
        assert_eq!(languages(&args), [Tenure, Tenure, Linker, Cc, Cc, Tenure, Cc]);
    }

    #[test]
    fn flags_go_to_the_phase_that_reads_them() {
        let args =
            parse("-O2 -g -Wall -Ifoo -D X=1 -fPIC -o out a.c -lm -Wl,-rpath,x -L. -ffast-math");
        assert_eq!(args.settings.cpp_args, ["-Ifoo", "-D", "X=1"]);
        assert_eq!(args.settings.cc_args, ["-O2", "-g", "-fPIC"]);
        assert!(args.settings.debug);
        assert_eq!(args.output.as_deref(), Some("out"));
        assert_eq!(args.items.len(), 4);
    }

    #[test]
    fn questions_about_cc_are_told_from_compilations() {
        assert!(parse("--version").is_query);
        assert!(parse("-v").is_query);
        assert!(parse("-dumpmachine").is_query);
        assert!(!parse("-v -c a.c").is_query);
        assert!(!parse("-c a.c").is_query);
    }

    #[test]
    fn dependency_flags_are_kept_for_their_own_run() {
        let args = parse("-MD -MT x.o -MF x.d -c a.c -o x.o");
        assert_eq!(args.dependencies.as_deref(), Some("-M"));
        assert_eq!(args.dependency_file.as_deref(), Some("x.d"));
        assert_eq!(args.dependency_args, ["-MT", "x.o"]);
        assert_eq!(parse("-Wp,-MMD,y.d -c a.c").dependency_file.as_deref(), Some("y.d"));
    }

    #[test]
    fn a_response_file_may_quote() {
        assert_eq!(words("-DA=\"x y\" 'b c' d\\ e\n"), ["-DA=x y", "b c", "d e"]);
    }
}
