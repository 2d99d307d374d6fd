/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The plugin of leaks.cc: one function that leaks, and one that does not.
 */
#include <stdlib.h>
#include <string.h>

void leak_here(unsigned i);
void clean_here(unsigned i);

static void *volatile sink;

void leak_here(unsigned i) {
    sink = memset(malloc(100 + i % 8), 1, 100); // leak 20
}

void clean_here(unsigned i) {
    leak_here(i);
    free(sink);
}
