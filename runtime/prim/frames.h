/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Frames that several places of the address space show. A place is a private view: what is written there stays there,
 * in this process and in every child. Allocates nothing; errno is kept.
 */
#ifndef TENURE_PRIM_FRAMES_H
#define TENURE_PRIM_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

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

/* Whether nothing but the calling thread can write to the process's memory now: it is the only thread, and no kernel
 * work that it queued (io_uring, asynchronous I/O) is known to be under way. */
bool tn_frames_alone(void);

/* Whether no kernel work that the process queued, and no transfer past the page cache, is known to be possible now: what
 * could write to memory that a hold (prim/hold.h) is to keep. */
bool tn_frames_quiet(void);

/* Keeps all signals from the calling thread until tn_frames_signals_on. */
void tn_frames_signals_off(void);
void tn_frames_signals_on(void);

#endif
