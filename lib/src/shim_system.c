/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The system's tables of users and groups, whose entries are copied, and what else is asked of it by name.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/ioctl.h>

#include "tenure/heap.h"

struct tn_passwd {
    char *name, *passwd;
    unsigned uid, gid;
    char *gecos, *dir, *shell;
};

struct tn_group {
    char *name, *passwd;
    unsigned gid;
};

const char *tnc_program_name(void);
struct tn_passwd *tnc_getpwnam(const char *name);
struct tn_passwd *tn_getpwuid(unsigned id);
struct tn_group *tnc_getgrnam(const char *name);
struct tn_group *tn_getgrgid(unsigned id);
int tnc_fnmatch(const char *pattern, const char *s, int flags);
int tn_window_size(int fd, unsigned long request, struct winsize *out);

const char *tnc_program_name(void) { return program_invocation_short_name; }

static char *kept(const char *s) { return s == NULL ? NULL : strdup(s); }

/* Copies are the program's, which may put heap pointers of its own there. */
static struct tn_passwd *user(const struct passwd *from) {
    if (from == NULL) return NULL;
    struct tn_passwd *to = tn_heap_alloc(sizeof *to, _Alignof(struct tn_passwd), NULL);
    to->name = kept(from->pw_name);
    to->passwd = kept(from->pw_passwd);
    to->uid = from->pw_uid;
    to->gid = from->pw_gid;
    to->gecos = kept(from->pw_gecos);
    to->dir = kept(from->pw_dir);
    to->shell = kept(from->pw_shell);
    return to;
}

static struct tn_group *group(const struct group *from) {
    if (from == NULL) return NULL;
    struct tn_group *to = tn_heap_alloc(sizeof *to, _Alignof(struct tn_group), NULL);
    to->name = kept(from->gr_name);
    to->passwd = kept(from->gr_passwd);
    to->gid = from->gr_gid;
    return to;
}

struct tn_passwd *tnc_getpwnam(const char *name) { return user(getpwnam(name)); }
struct tn_passwd *tn_getpwuid(unsigned id) { return user(getpwuid(id)); }
struct tn_group *tnc_getgrnam(const char *name) { return group(getgrnam(name)); }
struct tn_group *tn_getgrgid(unsigned id) { return group(getgrgid(id)); }

int tnc_fnmatch(const char *pattern, const char *s, int flags) { return fnmatch(pattern, s, flags & 7); }

int tn_window_size(int fd, unsigned long request, struct winsize *out) {
    if (request == TIOCGWINSZ) return ioctl(fd, TIOCGWINSZ, out);
    errno = EINVAL;
    return -1;
}
