#ifndef _DIRENT_H
#define _DIRENT_H

#include <tn/features.h>
#include <sys/types.h>
#include <tn/link.h>

#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
#define DT_WHT 14

/* A DIR is a cell that is never freed; after closedir each function on it fails with EBADF. */
struct __attribute__((not_c("pass its descriptor, `dirfd(d)`, and open that with `fdopendir`"))) tn_dir;
typedef struct tn_dir DIR;

struct dirent {
  ino_t d_ino;
  off_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};

DIR *opendir(const char ?path) TN_LINK(tn_opendir);

extern "C" {
  DIR *fdopendir(int fd) TN_LINK(tn_fdopendir);
  /* The entry is a copy in the DIR, which the next readdir overwrites. */
  struct dirent *readdir(DIR @dir) TN_LINK(tn_readdir);
  int closedir(DIR @dir) TN_LINK(tn_closedir);
  void rewinddir(DIR @dir) TN_LINK(tn_rewinddir);
  long telldir(DIR @dir) TN_LINK(tn_telldir);
  void seekdir(DIR @dir, long at) TN_LINK(tn_seekdir);
  int dirfd(DIR @dir) TN_LINK(tn_dirfd);
}

#endif
