/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tenure/start.h"

#include <stdlib.h>
#include <string.h>

#include "prim/fault.h"
#include "prim/memory.h"
#include "prim/option.h"
#include "region/storage.h"
#include "region/trace.h"
#include "tenure/check.h"
#include "tenure/heap.h"
#include "tenure/signature.h"

/* Emitted code reads these through its own fat pointer types, which have the layout of struct tn_fat. */
typedef struct TN_MAY_ALIAS {
    void *base;
    uint32_t idx;
    uint32_t len;
} fat_element;

_Static_assert(sizeof(fat_element) == sizeof(struct tn_fat), "one layout for all fat pointers");

/* Constructors of the program run before main, and may use up the stack as well: an overflow has its report from here
 * on. The strings of the environment stand above the first frame, as those of the arguments do. */
__attribute__((constructor(101))) static void before_main(void) {
    extern char **environ;
    if (environ == NULL) return;
    (void)tn_fault_install(environ[0] != NULL ? (const void *)environ[0] : (const void *)environ);
}

/* Where a leak checker finds the arguments, also when the program has lost sight of them. */
static fat_element *volatile arguments;

struct tn_fat tn_start(int argc, char **argv) {
    tn_options_load();
    /* The system puts the arguments' strings above the first frame. */
    const void *stack_top = argc > 0 ? (const void *)argv[0] : (const void *)argv;
    /* Without a handler an overflow still ends the program, only with the system's message. */
    (void)tn_fault_install(stack_top);
    tn_trace_begin();
    tn_storage_settle();

    size_t count = argc > 0 ? (size_t)argc : 0;
    /* On the heap, because the program may put pointers of its own there. */
    fat_element *strings =
        (fat_element *)tn_heap_alloc((count + 1) * sizeof *strings, _Alignof(fat_element), NULL);
    for (size_t i = 0; i < count; i++) {
        strings[i].base = argv[i];
        strings[i].len = tn_zt_numelts_1(argv[i], NULL);
    }
    arguments = strings;
    /* The last one is NULL (C11 5.1.2.2.1p2), and an element like the others. */
    return (struct tn_fat){.base = strings, .idx = 0, .len = (uint32_t)count + 1};
}

static void say(const char *text) { tn_os_write_error(text, strlen(text)); }

void tn_undefined(const char *symbol, const char *place) {
    say("tenure: ");
    say(symbol);
    say(" is used at ");
    say(place);
    say(", but no unit in Tenure defines it\n");
    tn_os_exit_now(70);
}

int tn_thread_attach(void) { return tn_fault_attach_thread(); }
