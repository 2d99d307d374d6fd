#ifndef _FCNTL_H
#define _FCNTL_H

#include <tn/features.h>
#include <sys/types.h>
#include <tn/link.h>

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_ACCMODE 3
#define O_CREAT 0100
#define O_EXCL 0200
#define O_NOCTTY 0400
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_NDELAY 04000
#define O_DSYNC 010000
#define O_SYNC 04010000
#define O_RSYNC 04010000
#define O_CLOEXEC 02000000
#define O_PATH 010000000
#if defined(__arm__) || defined(__aarch64__)
#define O_DIRECTORY 040000
#define O_NOFOLLOW 0100000
#else
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#endif
#define O_TMPFILE (020000000 | O_DIRECTORY)
#define O_NOATIME 01000000
#define F_DUPFD 0
#define F_DUPFD_CLOEXEC 1030
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define AT_FDCWD (-100)
#define AT_SYMLINK_NOFOLLOW 256
#define AT_REMOVEDIR 512
#define AT_SYMLINK_FOLLOW 1024
#define AT_EACCESS 512
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8

/* Extra arguments: the mode of a file that is created, the argument of a command that takes an int. */
int open(const char ?path, int flags, ... int mode) TN_LINK(tn_open);
int openat(int dir, const char ?path, int flags, ... int mode) TN_LINK(tn_openat);
int creat(const char ?path, mode_t mode) TN_LINK(tn_creat);
int fcntl(int fd, int command, ... int argument) TN_LINK(tn_fcntl);

extern "C" {
  int flock(int fd, int operation);
  int posix_fadvise(int fd, off_t from, off_t n, int advice);
  int posix_fallocate(int fd, off_t from, off_t n);
}

#endif
