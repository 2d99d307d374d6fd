/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Heaps of threads that live and do not allocate: nobody else may take in what was freed of their pages, but a page all
 * of whose slots other threads freed needs no frame.
 */
#ifndef TENURE_TOLERANT_DORMANT_H
#define TENURE_TOLERANT_DORMANT_H

/* Gives such frames back, of heaps that have not allocated since the last call. One caller at a time. */
void tt_dormant_release(void);

#endif
