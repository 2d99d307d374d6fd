#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H

#include <sys/types.h>
#include <tn/link.h>

#define WNOHANG 1
#define WUNTRACED 2
#define WCONTINUED 8

#define WEXITSTATUS(status) ((status) >> 8 & 255)
#define WTERMSIG(status) ((status) & 127)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (WTERMSIG(status) != 0 && WTERMSIG(status) != 127)
#define WIFSTOPPED(status) (((status) & 255) == 127)
#define WIFCONTINUED(status) ((status) == 65535)
#define WCOREDUMP(status) ((status) & 128)

pid_t wait(int *status) TN_LINK(tn_wait);
pid_t waitpid(pid_t pid, int *status, int options) TN_LINK(tn_waitpid);

#endif
