//! `tenure cc`: what gcc does with gcc's flags, but C and Tenure sources go through the phases first.

use crate::gcc_args::{GccArgs, Goal, Item, Language};
use crate::link::{self, Failed};
use crate::preprocess;
use crate::run;
use crate::settings::Settings;
use crate::signatures;
use crate::world::Disk;
use std::path::Path;

/// Carries out a gcc command line; the exit status.
pub(crate) fn main(world: &Disk, args: &[String]) -> i32 {
    let parsed = match GccArgs::parse(args) {
        Ok(parsed) => parsed,
        Err(text) => {
            run::complain(&text);
            return run::WRONG_COMMAND;
        }
    };
    let has_input = parsed.items.iter().any(|item| matches!(item, Item::Input { .. }));
    // `-Wl,--version` and the like ask the linker.
    let asks_linker = !has_input && !parsed.items.is_empty();
    if parsed.is_query || asks_linker {
        return through(world, args);
    }
    if !has_input {
        run::complain("no input files");
        return run::WRONG_COMMAND;
    }
    let compiled = inputs(&parsed).filter(|(_, language)| *language != Language::Linker);
    let compiled: Vec<String> = compiled.map(|(path, _)| path.to_string()).collect();
    if run::unreadable(&compiled) {
        return run::WRONG_COMMAND;
    }
    run::status(compile(world, &parsed))
}

fn compile(world: &Disk, args: &GccArgs) -> Result<(), Failed> {
    match args.goal {
        Goal::Preprocess | Goal::Dependencies => preprocess_only(world, args),
        Goal::Assembly | Goal::Object => each(world, args),
        Goal::Program => link_program(world, args),
    }
}

/// Everything to cc as it is.
fn through(world: &Disk, args: &[String]) -> i32 {
    match world.cc.run(args) {
        Ok(true) => 0,
        Ok(false) => run::WRONG_PROGRAM,
        Err(error) => {
            run::complain(&error.0);
            run::WRONG_COMMAND
        }
    }
}

fn inputs(args: &GccArgs) -> impl Iterator<Item = (&str, Language)> {
    args.items.iter().filter_map(|item| match item {
        Item::Input { path, language } => Some((path.as_str(), *language)),
        Item::Flag(_) => None,
    })
}

/// `-E`, `-M`: the preprocessor is cc's own, with our headers before the system's.
fn preprocess_only(world: &Disk, args: &GccArgs) -> Result<(), Failed> {
    let mut command = args.plain_args.clone();
    if args.goal == Goal::Preprocess {
        command.push("-E".to_string());
    }
    command.extend(args.dependency_args.iter().cloned());
    if let Some(file) = &args.dependency_file {
        command.extend(["-MF".to_string(), file.clone()]);
    }
    for (path, language) in inputs(args) {
        if language == Language::Tenure {
            command.extend(preprocess::include_args(&world.home, path));
            command.extend(["-x".to_string(), "c".to_string()]);
        }
        command.push(path.to_string());
    }
    if let Some(output) = &args.output {
        command.extend(["-o".to_string(), output.clone()]);
    }
    quietly(world, &command)
}

/// Runs cc with its messages as they are.
fn quietly(world: &Disk, command: &[String]) -> Result<(), Failed> {
    if world.cc.run(command)? {
        Ok(())
    } else {
        Err(Failed::Reported)
    }
}

/// `-c`, `-S`: each input gives a file of its own.
fn each(world: &Disk, args: &GccArgs) -> Result<(), Failed> {
    let temp = link::temporary()?;
    let extension = if args.goal == Goal::Assembly { "s" } else { "o" };
    let mut result = Ok(());
    for (path, language) in inputs(args) {
        let own = Path::new(path).file_name().unwrap_or_else(|| "a".as_ref());
        let default = Path::new(own).with_extension(extension).display().to_string();
        let output = args.output.clone().unwrap_or(default);
        let done = match language {
            Language::Linker => continue,
            Language::Cc => plain(world, args, path, &output),
            Language::Tenure => source(world, args, path, &output, temp.path()),
        };
        match done {
            Ok(()) | Err(Failed::Done) => {}
            // The other inputs have errors to show too.
            Err(Failed::Reported) => result = Err(Failed::Reported),
            Err(failed) => return Err(failed),
        }
    }
    result
}

fn goal_flag(goal: Goal) -> String {
    if goal == Goal::Assembly { "-S" } else { "-c" }.to_string()
}

/// A file that cc compiles as it is.
fn plain(world: &Disk, args: &GccArgs, path: &str, output: &str) -> Result<(), Failed> {
    let mut command = args.plain_args.clone();
    command.push(goal_flag(if args.goal == Goal::Program { Goal::Object } else { args.goal }));
    let is_c = Path::new(path).extension().is_some_and(|ext| ext == "c" || ext == "cyc");
    if is_c {
        command.extend(["-x".to_string(), "c".to_string()]);
    }
    command.extend([path.to_string(), "-o".to_string(), output.to_string()]);
    if let Some(kind) = &args.dependencies {
        command.push(format!("{kind}D"));
        command.extend(args.dependency_args.iter().cloned());
        if let Some(file) = &args.dependency_file {
            command.extend(["-MF".to_string(), file.clone()]);
        }
    }
    quietly(world, &command)
}

/// A file that goes through the phases.
fn source(
    world: &Disk,
    args: &GccArgs,
    path: &str,
    output: &str,
    temp: &Path,
) -> Result<(), Failed> {
    let c = temp.join(link::c_name(path));
    let text = link::to_c_printing(world, path, &args.settings)?;
    std::fs::write(&c, text).map_err(|error| link::write_failed(&c, &error))?;
    if let Some(kind) = &args.dependencies {
        dependencies(world, args, path, output, kind)?;
    }
    let goal = if args.goal == Goal::Program { Goal::Object } else { args.goal };
    let mut command = vec![goal_flag(goal)];
    command.extend(link::compile_args(world, &args.settings, temp));
    command.extend([c.display().to_string(), "-o".to_string(), output.to_string()]);
    if args.verbose {
        run::say(&format!("{} {}\n", world.cc.name(), command.join(" ")));
    }
    link::run_cc(&world.cc, &command, path)
}

/// `-MD`: what make is told about the headers of a source.
fn dependencies(
    world: &Disk,
    args: &GccArgs,
    path: &str,
    output: &str,
    kind: &str,
) -> Result<(), Failed> {
    let mut command: Vec<String> = vec![kind.to_string(), "-w".to_string()];
    command.extend(args.settings.cpp_args.iter().cloned());
    command.extend(preprocess::include_args(&world.home, path));
    command.extend(args.dependency_args.iter().cloned());
    if !args.has_target {
        command.extend(["-MT".to_string(), output.to_string()]);
    }
    let file = args
        .dependency_file
        .clone()
        .unwrap_or_else(|| Path::new(output).with_extension("d").display().to_string());
    command.extend(["-MF".to_string(), file, "-x".to_string(), "c".to_string(), path.to_string()]);
    quietly(world, &command)
}

fn link_program(world: &Disk, args: &GccArgs) -> Result<(), Failed> {
    let temp = link::temporary()?;
    let mut command: Vec<String> = args.settings.cc_args.clone();
    let mut failed = false;
    for (number, item) in args.items.iter().enumerate() {
        let (path, language) = match item {
            Item::Flag(flag) => {
                command.push(flag.clone());
                continue;
            }
            Item::Input { path, language } => (path, *language),
        };
        // With the source's name, for what the linker says of it.
        let stem = Path::new(path).file_stem().map_or("unit".into(), |stem| stem.to_string_lossy());
        let dir = temp.path().join(number.to_string());
        std::fs::create_dir_all(&dir).map_err(|error| link::write_failed(&dir, &error))?;
        let object = dir.join(format!("{stem}.o")).display().to_string();
        let done = match language {
            Language::Linker => {
                command.push(path.clone());
                continue;
            }
            Language::Cc => plain(world, args, path, &object),
            Language::Tenure => source(world, args, path, &object, temp.path()),
        };
        match done {
            Ok(()) => command.push(object),
            Err(Failed::Reported) => failed = true,
            Err(other) => return Err(other),
        }
    }
    if failed {
        return Err(Failed::Reported);
    }
    command.extend(runtime(world, args)?);
    command.extend(["-o".to_string(), args.output.clone().unwrap_or("a.out".to_string())]);
    if args.verbose {
        run::say(&format!("{} {}\n", world.cc.name(), command.join(" ")));
    }
    signatures::link(world, &command, &args.settings)
}

/// The library and the runtime, unless the objects are only gathered into another one.
fn runtime(world: &Disk, args: &GccArgs) -> Result<Vec<String>, Failed> {
    if args.partial_link || args.no_libraries {
        return Ok(Vec::new());
    }
    let asks_for = |sanitizer: &str| {
        let lists = args.settings.cc_args.iter().filter_map(|arg| arg.strip_prefix("-fsanitize="));
        lists.flat_map(|list| list.split(',')).any(|found| found == sanitizer)
    };
    let sanitize = asks_for("address");
    let settings = Settings { sanitize, ..Settings::default() };
    let mut libraries = link::library_args(world, &settings)?;
    // The sanitized library calls both sanitizers' functions, whichever the program asked for.
    if sanitize && !asks_for("undefined") {
        libraries.push("-fsanitize=undefined".to_string());
    }
    Ok(libraries)
}
