#ifndef _SIGNAL_H
#define _SIGNAL_H

#include <tn/features.h>
#include <sys/types.h>
#include <tn/link.h>

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL 29
#define SIGPWR 30
#define SIGSYS 31
#define NSIG 65

/* A handler does not interrupt the program between two instructions, where nothing could be relied on:
   it runs, in order, at the next call that waits (sleep, pause, read, poll, wait, …) or at signal_run(). A
   signal that comes again before its handler ran has its default effect, so that a second ^C ends
   a program that never waits. SIGSEGV and SIGBUS cannot be handled. */
typedef void (*sighandler_t)(int);
typedef int sig_atomic_t;
typedef struct {
  unsigned long __val[16];
} sigset_t;

void tn_sig_ign(int sig) TN_LINK(tn_sig_ign);
void tn_sig_err(int sig) TN_LINK(tn_sig_err);
#define SIG_DFL NULL
#define SIG_IGN tn_sig_ign
#define SIG_ERR tn_sig_err

#define SA_RESTART 0x10000000
#define SA_NOCLDSTOP 1
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

struct __attribute__((not_c("pass the signal's number and its handler: SIG_IGN is a function here, and handlers run when the program waits"))) sigaction {
  sighandler_t sa_handler;
  sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};

sighandler_t signal(int sig, sighandler_t handler) TN_LINK(tn_signal);
int sigaction(int sig, const struct sigaction *action, struct sigaction *old) TN_LINK(tn_sigaction);
int raise(int sig) TN_LINK(tn_raise);
/* Runs the handlers of the signals that came; how many ran. */
int signal_run(void) TN_LINK(tn_signal_run);

extern "C" {
  int kill(pid_t pid, int sig);
  int sigprocmask(int how, const sigset_t *set, sigset_t *old);
  int sigpending(sigset_t @set);
  int sigemptyset(sigset_t @set);
  int sigfillset(sigset_t @set);
  int sigaddset(sigset_t @set, int sig);
  int sigdelset(sigset_t @set, int sig);
  int sigismember(const sigset_t @set, int sig);
}


#endif
