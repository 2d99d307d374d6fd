#ifndef _GETOPT_H
#define _GETOPT_H

#include <tn/base.h>

/* The option's argument, an element of argv or a part of one. */
extern "C" {
extern char ?optarg TN_LINK(tn_optarg);
extern int optind TN_LINK(tn_optind);
extern int opterr TN_LINK(tn_opterr);
extern int optopt TN_LINK(tn_optopt);
}

#define no_argument 0
#define required_argument 1
#define optional_argument 2

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

/* argv is main's; options end at the first argument that is none, as POSIX has it. */
int getopt(int argc, char ?`H ?argv, const char ?options) TN_LINK(tn_getopt);
/* The table ends where a name is NULL or at its bound. */
int getopt_long(int argc, char ?`H ?argv, const char ?options, const struct option ?table, int *index) TN_LINK(tn_getopt_long);

#endif
