#ifndef _SYS_STAT_H
#define _SYS_STAT_H

#include <sys/types.h>
#include <time.h>
#include <tn/link.h>

#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFLNK 0120000
#define S_IFREG 0100000
#define S_IFBLK 060000
#define S_IFDIR 040000
#define S_IFCHR 020000
#define S_IFIFO 010000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 070
#define S_IRGRP 040
#define S_IWGRP 020
#define S_IXGRP 010
#define S_IRWXO 7
#define S_IROTH 4
#define S_IWOTH 2
#define S_IXOTH 1
#define UTIME_NOW 1073741823l
#define UTIME_OMIT 1073741822l

#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)

struct stat {
  dev_t st_dev;
  ino_t st_ino;
#if defined(__aarch64__)
  mode_t st_mode;
  nlink_t st_nlink;
#else
  nlink_t st_nlink;
  mode_t st_mode;
#endif
  uid_t st_uid;
  gid_t st_gid;
#if !defined(__aarch64__)
  int __pad0;
#endif
  dev_t st_rdev;
#if defined(__aarch64__)
  unsigned long __pad1;
#endif
  off_t st_size;
  blksize_t st_blksize;
#if defined(__aarch64__)
  int __pad2;
#endif
  blkcnt_t st_blocks;
  struct timespec st_atim;
  struct timespec st_mtim;
  struct timespec st_ctim;
#if defined(__aarch64__)
  int __glibc_reserved[2];
#else
  long __glibc_reserved[3];
#endif
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec

int stat(const char ?path, struct stat @out) TN_LINK(tn_stat);
int lstat(const char ?path, struct stat @out) TN_LINK(tn_lstat);
int mkdir(const char ?path, mode_t mode) TN_LINK(tn_mkdir);
int chmod(const char ?path, mode_t mode) TN_LINK(tn_chmod);
int mkdirat(int dir, const char ?path, mode_t mode) TN_LINK(tn_mkdirat);
int fchmodat(int dir, const char ?path, mode_t mode, int flags) TN_LINK(tn_fchmodat);
int fstatat(int dir, const char ?path, struct stat @out, int flags) TN_LINK(tn_fstatat);
/* The times of the last access and of the last change; NULL for now. */
int utimensat(int dir, const char ?path, const struct timespec *{2} times, int flags) TN_LINK(tn_utimensat);
int mkfifo(const char ?path, mode_t mode) TN_LINK(tn_mkfifo);

extern "C" {
  int fstat(int fd, struct stat @out) TN_LINK(tn_fstat);
  int fchmod(int fd, mode_t mode);
  int futimens(int fd, const struct timespec *{2} times);
  mode_t umask(mode_t mask);
}

#endif
