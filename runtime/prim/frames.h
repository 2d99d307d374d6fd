/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Frames that several places of the address space show. A place is a private view: what is written there stays there,
 * in this process and in every child. Allocates nothing, and uses little stack: one caller at a time. errno is kept.
 */
#ifndef TENURE_PRIM_FRAMES_H
#define TENURE_PRIM_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

/* What the kernel calls them, among the process's mappings. */
#define TN_FRAMES_NAME "tenure-tolerant"

/* New frames of size bytes, zero, to be filled through *view and then closed; negative if the system has none. No
 * descriptor outlives tn_frames_close. */
int tn_frames_open(size_t size, unsigned char **view);

/* Shows the frames at the place, which must be mapped, instead of what was there. False leaves it as it was. */
bool tn_frames_show(int frames, void *place, size_t size);

/* Ends the filling. The frames live as long as a place shows them. */
void tn_frames_close(int frames, unsigned char *view, size_t size);

/* Puts fresh zero memory at the place. False leaves it as it was. */
bool tn_frames_forget(void *place, size_t size);

/* What the kernel's page map says of pages: whether they have a frame, and whether they are in swap. */
enum { TN_FRAME_PRESENT = 1, TN_FRAME_SWAPPED = 2 };
int tn_frames_map_open(void); /* negative if it cannot be read */
void tn_frames_map_close(int map);

/* The flags of `count` pages of the system's from `start` on; all present if the map does not tell. */
void tn_frames_map_read(int map, const void *start, size_t count, unsigned char *flags);

/* Copies memory of the process; false if it may not be read, or is not there. */
bool tn_frames_read(const void *from, void *to, size_t size);

/* The same by the processor where the system lets no process read its memory: then it has to be readable. */
bool tn_frames_copy(const void *from, void *to, size_t size);

/* Whether no kernel work that the process queued (io_uring), and no transfer past the page cache, which may be queued,
 * too (io_submit), is known to be possible now: what could write to the process's memory beside its threads. Adds to
 * *files how many open files it asked about. */
bool tn_frames_quiet(size_t *files);

#endif
