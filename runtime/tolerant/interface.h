/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The names under which the malloc is linked: C's own in what programs are run under, and with TT_PREFIXED
 * tn_tolerant_… for a program that keeps its malloc beside this one, such as a test under a sanitizer.
 */
#ifndef TENURE_TOLERANT_INTERFACE_H
#define TENURE_TOLERANT_INTERFACE_H

#if defined(TT_PREFIXED)
#define TT_NAME(name) tn_tolerant_##name
#else
#define TT_NAME(name) name
#endif
#define TT_EXPORT __attribute__((visibility("default")))

extern const char tt_start_is_linked __attribute__((visibility("hidden")));

#define TT_CALLER() ((uintptr_t)__builtin_return_address(0))

#endif
