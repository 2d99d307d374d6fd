//! Words that mean something only where their construct may stand.

use tenure_span::Symbol;

macro_rules! words {
    ($($field:ident $text:literal,)*) => {
        /// Interned once for each parser, so that comparing them costs nothing.
        pub struct Words {
            $(pub $field: Symbol,)*
        }

        impl Words {
            pub fn new() -> Words {
                Words { $($field: Symbol::new($text),)* }
            }
        }
    };
}

words! {
    r#as "as", alias "alias", inject "inject", open "open", single "single", include "include",
    tagged "tagged", extensible "extensible", immediate "immediate",
    thin "thin", fat "fat", notnull "notnull", nonnull "nonnull", nullable "nullable",
    numelts "numelts", zeroterm "zeroterm", nozeroterm "nozeroterm", region "region",
    effect "effect", aqual "aqual", autoreleased "autoreleased",
    requires "requires", ensures "ensures", throws "throws", nothrow "nothrow",
    unique "UNIQUE", refcnt "REFCNT", aliasable "ALIASABLE", restricted "RESTRICTED",
    u "U", rc "RC", a "A", t "T", uint128 "__uint128_t",
}
