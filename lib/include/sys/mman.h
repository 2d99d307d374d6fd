#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H

#include <sys/types.h>
#include <tn/link.h>

/* Nothing says how long memory from here lives, nor of which type it is. */
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON MAP_ANONYMOUS
#define MAP_FAILED NULL
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4

#define TN_NO_MAPPING TN_UNAVAILABLE("read the file: `rfile_contents` of <stdio.h> puts it into a region, `fread` into a buffer")

void *mmap() TN_NO_MAPPING;
int munmap() TN_NO_MAPPING;
int mprotect() TN_NO_MAPPING;
int msync() TN_NO_MAPPING;
int madvise() TN_NO_MAPPING;
int posix_madvise() TN_NO_MAPPING;
int mlock() TN_NO_MAPPING;
int munlock() TN_NO_MAPPING;
int mlockall() TN_NO_MAPPING;
int munlockall() TN_NO_MAPPING;
void *mremap() TN_NO_MAPPING;
int mincore() TN_NO_MAPPING;

#endif
