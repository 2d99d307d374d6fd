#ifndef _SYS_IOCTL_H
#define _SYS_IOCTL_H

#include <tn/link.h>

#define TIOCGWINSZ 0x5413

struct winsize {
  unsigned short ws_row;
  unsigned short ws_col;
  unsigned short ws_xpixel;
  unsigned short ws_ypixel;
};

/* The one request whose argument has one type. */
extern "C" int tn_window_size(int fd, unsigned long request, struct winsize @out);
#define ioctl(fd, request, out) tn_window_size(fd, request, out)

#endif
