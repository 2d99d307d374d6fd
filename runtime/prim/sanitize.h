/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Which sanitizer is there, and what AddressSanitizer is told about memory that is reserved and holds no object.
 */
#ifndef TENURE_PRIM_SANITIZE_H
#define TENURE_PRIM_SANITIZE_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define TN_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TN_ASAN 1
#endif
#endif
#ifndef TN_ASAN
#define TN_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__)
#define TN_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TN_TSAN 1
#endif
#endif
#ifndef TN_TSAN
#define TN_TSAN 0
#endif

#if TN_ASAN
#include <sanitizer/asan_interface.h>
/* [start, start + size) may not be touched; a partial last granule of 8 bytes stays as it was. */
static inline void tn_asan_poison(const void *start, size_t size) { __asan_poison_memory_region(start, size); }
/* [start, start + size) may be touched; start is a multiple of 8. */
static inline void tn_asan_unpoison(const void *start, size_t size) { __asan_unpoison_memory_region(start, size); }
/* To be called before a jump that leaves frames of the stack. */
static inline void tn_asan_before_jump(void) { __asan_handle_no_return(); }
#else
static inline void tn_asan_poison(const void *start, size_t size) { (void)start, (void)size; }
static inline void tn_asan_unpoison(const void *start, size_t size) { (void)start, (void)size; }
static inline void tn_asan_before_jump(void) {}
#endif

#endif
