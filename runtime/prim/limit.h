/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * How much memory the control group that the process runs in may have: a container's limit; and whether there is too
 * little. Allocates nothing, and uses little stack: one caller at a time. errno is kept.
 */
#ifndef TENURE_PRIM_LIMIT_H
#define TENURE_PRIM_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct tn_limit {
    uint64_t most; /* bytes, of the group that is nearest to its limit */
    uint64_t used;
};

/* False if there is no limit, or the kernel does not tell. */
bool tn_limit_read(struct tn_limit *limit);

/* Times that the process ever waited for a page to be read, and did not find it in memory. */
uint64_t tn_limit_faults(void);

#endif
