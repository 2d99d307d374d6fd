/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/compact.h"

void tt_compact_cold(size_t mappings_most, size_t mappings_now) { (void)mappings_most, (void)mappings_now; }

uint64_t tt_compact_shared_bytes(void) { return 0; }
