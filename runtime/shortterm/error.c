/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "shortterm/error.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "prim/memory.h"
#include "shortterm/object.h"
#include "shortterm/root.h"

#define TEXT_MOST 400

static _Atomic(stm_error_handler) handler;

static void initial_handler(enum stm_error error, const char *function, const void *pointer, const char *text) {
    (void)pointer;
    char line[TEXT_MOST + 100];
    int length = snprintf(line, sizeof line, "tenure: %s: %s (%s)\n", function, text, stm_error_name(error));
    if (length > 0) tn_os_write_error(line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
    if ((mode() & MODE_CHECKED) != 0) abort();
}

stm_error_handler stm_set_error_handler(stm_error_handler next) {
    stm_error_handler before = atomic_exchange(&handler, next);
    return before != NULL ? before : initial_handler;
}

const char *stm_error_name(enum stm_error error) {
    static const char *const names[] = {
        [STM_OK] = "STM_OK",
        [STM_EXTENSION_TOO_LONG] = "STM_EXTENSION_TOO_LONG",
        [STM_NOT_AN_OBJECT] = "STM_NOT_AN_OBJECT",
        [STM_EXPIRED] = "STM_EXPIRED",
        [STM_FREED_SHORT_TERM] = "STM_FREED_SHORT_TERM",
        [STM_NOT_OWNER] = "STM_NOT_OWNER",
        [STM_NO_MEMORY] = "STM_NO_MEMORY",
        [STM_BAD_ARGUMENT] = "STM_BAD_ARGUMENT",
        [STM_NO_INTERPOSER] = "STM_NO_INTERPOSER",
    };
    size_t index = (size_t)error;
    return index < sizeof names / sizeof names[0] ? names[index] : "unknown";
}

int stm_error_report(enum stm_error error, const char *function, const void *pointer, const char *format, ...) {
    char text[TEXT_MOST];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    stm_error_handler current = atomic_load(&handler);
    (current != NULL && current != initial_handler ? current : initial_handler)(error, function, pointer, text);
    return (int)error;
}

int stm_error_pointer(const char *function, const void *pointer, uint64_t shared) {
    if ((shared & SHARED_TAG_MASK) == SHARED_EXPIRED_TAG)
        return stm_error_report(STM_EXPIRED, function, pointer, "%p was deallocated: it had expired, or was freed", pointer);
    return stm_error_report(STM_NOT_AN_OBJECT, function, pointer, "%p is not a live object of this library", pointer);
}
