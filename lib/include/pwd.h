#ifndef _PWD_H
#define _PWD_H

#include <sys/types.h>
#include <tn/link.h>

struct passwd {
  char *pw_name;
  char *pw_passwd;
  uid_t pw_uid;
  gid_t pw_gid;
  char *pw_gecos;
  char *pw_dir;
  char *pw_shell;
};

/* A copy on the heap, NULL if there is no such user. */
struct passwd *getpwnam(const char ?name) TN_LINK(tn_getpwnam);
extern "C" struct passwd *getpwuid(uid_t id) TN_LINK(tn_getpwuid);

#endif
