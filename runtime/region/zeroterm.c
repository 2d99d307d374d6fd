/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Lengths of zero-terminated sequences.
 */
#include <string.h>

#include "tenure/check.h"

static uint32_t as_len(size_t count, const struct tn_site *site) {
    if (tn_unlikely(count > UINT32_MAX)) tn_raise_numelts(site, count, UINT32_MAX);
    return (uint32_t)count;
}

uint32_t tn_zt_numelts_1(const void *p, const struct tn_site *site) {
    return p == NULL ? 0 : as_len(strlen((const char *)p) + 1, site);
}

#define TN_ZT_NUMELTS(bytes, bits)                                              \
    uint32_t tn_zt_numelts_##bytes(const void *p, const struct tn_site *site) { \
        typedef uint##bits##_t TN_MAY_ALIAS element;                            \
        const element *e = (const element *)p;                                  \
        if (e == NULL) return 0;                                                \
        size_t count = 0;                                                       \
        while (e[count] != 0) count++;                                          \
        return as_len(count + 1, site);                                         \
    }
TN_ZT_NUMELTS(2, 16)
TN_ZT_NUMELTS(4, 32)
TN_ZT_NUMELTS(8, 64)
#undef TN_ZT_NUMELTS
