//! Names of functions and data in object files.

use tenure_span::Symbol;

/// The object-file name of `name` inside the namespaces `path`, outermost first.
///
/// A name outside any namespace is its own, as in C. `N::x` becomes `N$x`: no identifier of the
/// language contains `$`, so that no other name can clash with it, whatever underscores either has.
/// Both gcc and clang take `$` in identifiers, and so do assemblers, linkers and debuggers on ELF and Mach-O.
pub fn c_name(path: &[Symbol], name: Symbol) -> Symbol {
    if path.is_empty() {
        return name;
    }
    let mut text = String::new();
    for part in path {
        text.push_str(part.as_str());
        text.push('$');
    }
    text.push_str(name.as_str());
    Symbol::new(&text)
}

/// A name of the compiler's own derived from a user's: a second copy of a polymorphic function,
/// a variant's descriptor, a `static` variable of a function. The `$` keeps it apart from
/// all names that a user can write.
pub fn derived_name(base: Symbol, suffix: &str) -> Symbol {
    Symbol::new(&format!("{}${suffix}", base.as_str()))
}

/// The descriptor of an extensible variant, with the signature of what it carries.
pub fn tag_name(variant: Symbol, carried: Option<u64>) -> Symbol {
    match carried {
        Some(signature) => Symbol::new(&format!("tn_tag_{}${signature:016x}", variant.as_str())),
        None => Symbol::new(&format!("tn_tag_{}", variant.as_str())),
    }
}

/// The variant whose descriptor has this name.
pub fn tagged_variant(name: &str) -> Option<&str> {
    let variant = name.strip_prefix("tn_tag_")?;
    let is_signature = |text: &str| text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    match variant.rsplit_once('$') {
        Some((variant, signature)) if is_signature(signature) => Some(variant),
        _ => Some(variant),
    }
}
