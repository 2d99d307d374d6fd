#ifndef _GRP_H
#define _GRP_H

#include <sys/types.h>
#include <tn/link.h>

struct group {
  char *gr_name;
  char *gr_passwd;
  gid_t gr_gid;
  /* The members' names; NULL ends them. */
  char **@zeroterm gr_mem;
};

/* A copy on the heap, NULL if there is no such group. */
struct group *getgrnam(const char ?name) TN_LINK(tn_getgrnam);
extern "C" struct group *getgrgid(gid_t id) TN_LINK(tn_getgrgid);

#endif
