/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Types in object files. A unit that defines `f` defines also the symbol `tn.type$f$TYPE`, where TYPE stands for the
 * whole type, and a unit that uses `f` refers to it: so the linker finds units that do not agree, and uses of what no
 * unit of the language defines. Neither takes room in the program. What stands beside is for the message.
 *
 * A unit that shares a struct, union, enumeration or datatype with others and knows what is in it says that too, in a
 * group of sections of which the linker keeps one (COMDAT): what another unit says of a type of that name is then not
 * defined.
 *
 * Build systems ask whether a library has a function by linking a program that calls it as `char f(void)`. Such a
 * program links, and ends with a message before it does anything (TN_PROBES).
 */
#ifndef TENURE_SIGNATURE_H
#define TENURE_SIGNATURE_H

#include "tenure/platform.h"

#define TN_SIGNATURE_NOTE(role, symbol, type, place) \
    "\t.asciz \"tenure-type: " role " " symbol " " type " " place "\"\n"

#define TN_DEFINES(symbol, type, place)                                               \
    __asm__(".weak tn.type$" symbol "$" type "\n"                                     \
            "\t.type tn.type$" symbol "$" type ", %object\n"                          \
            "\t.size tn.type$" symbol "$" type ", 1\n"                                \
            "\t.set tn.type$" symbol "$" type ", 1\n"                                 \
            "\t.pushsection .tenure.types,\"R\",%progbits\n"                          \
            TN_SIGNATURE_NOTE("define", symbol, type, place)                          \
            "\t.popsection")

#define TN_USES(symbol, type, place)                                                  \
    __asm__(".pushsection .tenure.types,\"R\",%progbits\n"                            \
            "\t.8byte tn.type$" symbol "$" type "\n"                                  \
            TN_SIGNATURE_NOTE("use", symbol, type, place)                             \
            "\t.popsection")

/* Where link-time optimisation makes one unit of several, the assembler compares. */
#define TN_CONTAINS(type, contents, place)                                            \
    __asm__(".ifndef .Ltn.contents$" type "\n"                                        \
            "\t.set .Ltn.contents$" type ", 0x" contents "\n"                         \
            "\t.pushsection .tenure.contents,\"GR\",%progbits,tn.contents$" type ",comdat\n" \
            "\t.globl tn.contents$" type "$" contents "\n"                            \
            "\t.hidden tn.contents$" type "$" contents "\n"                           \
            "tn.contents$" type "$" contents ":\n"                                    \
            "\t.popsection\n"                                                        \
            "\t.pushsection .tenure.types,\"R\",%progbits\n"                         \
            "\t.8byte tn.contents$" type "$" contents "\n"                            \
            TN_SIGNATURE_NOTE("contents", type, contents, place)                      \
            "\t.popsection\n"                                                        \
            "\t.elseif .Ltn.contents$" type " - 0x" contents "\n"                     \
            "\t.error \"undefined: tn.contents$" type "$" contents "\"\n"             \
            "\t.endif")

#define TN_PROBES(number, symbol, signature, place)                                                      \
    extern const char tn_marker_##number __asm__("tn.type$" symbol "$" signature) __attribute__((weak)); \
    static __attribute__((constructor(101))) void tn_require_##number(void) {                                 \
        if (&tn_marker_##number == NULL) tn_undefined(symbol, place);                                    \
    }                                                                                                    \
    _Static_assert(1, "")

/* Ends the program with status 70: `symbol` is used at `place`, and nothing in the language defines it. */
TN_RAISER void tn_undefined(const char *symbol, const char *place);

#endif
