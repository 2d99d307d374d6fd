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

const char *tnc_program_name(void);
struct passwd *tnc_getpwnam(const char *name);
struct passwd *tn_getpwuid(unsigned id);
struct group *tnc_getgrnam(const char *name);
struct group *tn_getgrgid(unsigned id);
int tnc_fnmatch(const char *pattern, const char *s, int flags);
int tn_window_size(int fd, unsigned long request, struct winsize *out);

const char *tnc_program_name(void) { return program_invocation_short_name; }

static char *kept(const char *s) { return s == NULL ? NULL : strdup(s); }

/* Copies are the program's, which may put heap pointers of its own there. */
static struct passwd *user(const struct passwd *from) {
    if (from == NULL) return NULL;
    struct passwd *to = tn_heap_alloc(sizeof *to, _Alignof(struct passwd), NULL);
    to->pw_name = kept(from->pw_name);
    to->pw_passwd = kept(from->pw_passwd);
    to->pw_uid = from->pw_uid;
    to->pw_gid = from->pw_gid;
    to->pw_gecos = kept(from->pw_gecos);
    to->pw_dir = kept(from->pw_dir);
    to->pw_shell = kept(from->pw_shell);
    return to;
}

static struct group *group(const struct group *from) {
    if (from == NULL) return NULL;
    struct group *to = tn_heap_alloc(sizeof *to, _Alignof(struct group), NULL);
    to->gr_name = kept(from->gr_name);
    to->gr_passwd = kept(from->gr_passwd);
    to->gr_gid = from->gr_gid;
    size_t members = 0;
    while (from->gr_mem[members] != NULL) members++;
    to->gr_mem = tn_heap_alloc((members + 1) * sizeof *to->gr_mem, _Alignof(char *), NULL);
    for (size_t i = 0; i < members; i++) to->gr_mem[i] = kept(from->gr_mem[i]);
    to->gr_mem[members] = NULL;
    return to;
}

struct passwd *tnc_getpwnam(const char *name) { return user(getpwnam(name)); }
struct passwd *tn_getpwuid(unsigned id) { return user(getpwuid(id)); }
struct group *tnc_getgrnam(const char *name) { return group(getgrnam(name)); }
struct group *tn_getgrgid(unsigned id) { return group(getgrgid(id)); }

int tnc_fnmatch(const char *pattern, const char *s, int flags) { return fnmatch(pattern, s, flags & 7); }

int tn_window_size(int fd, unsigned long request, struct winsize *out) {
    if (request == TIOCGWINSZ) return ioctl(fd, TIOCGWINSZ, out);
    errno = EINVAL;
    return -1;
}
