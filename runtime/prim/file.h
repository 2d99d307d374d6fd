/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Writing a file from inside an allocator: signal safe, without allocation, errno kept.
 */
#ifndef TENURE_PRIM_FILE_H
#define TENURE_PRIM_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The process's number. */
uint64_t tn_file_process(void);

/* Opens the file for appending, made if need be; %p in the name becomes the process's number. Negative on failure. One
 * caller at a time. */
int tn_file_append(const char *name);

void tn_file_write(int file, const char *bytes, size_t size);

/* Writes all of the named file. One caller at a time. */
void tn_file_copy(int file, const char *name);
void tn_file_close(int file);

#endif
