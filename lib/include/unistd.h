#ifndef _UNISTD_H
#define _UNISTD_H

#include <tn/features.h>
#include <tn/base.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _SC_HOST_NAME_MAX 180
#define _SC_LINE_MAX 43
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define X_OK 1
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
#define _PC_PIPE_BUF 5
#define _POSIX_VERSION 200809L

extern "C" {
  int close(int fd);
  off_t lseek(int fd, off_t offset, int whence);
  int dup(int fd);
  int dup2(int fd, int to);
  int pipe(int @{2} fds);
  int fsync(int fd);
  int fdatasync(int fd);
  int ftruncate(int fd, off_t n);
  int isatty(int fd);
  int fchdir(int fd);
  pid_t fork(void);
  void _exit(int status) __attribute__((noreturn));
  pid_t getpid(void);
  pid_t getppid(void);
  pid_t getpgrp(void);
  pid_t getpgid(pid_t pid);
  int setpgid(pid_t pid, pid_t group);
  pid_t setsid(void);
  uid_t getuid(void);
  uid_t geteuid(void);
  gid_t getgid(void);
  gid_t getegid(void);
  int setuid(uid_t id);
  int setgid(gid_t id);
  int seteuid(uid_t id);
  int setegid(gid_t id);
  int setreuid(uid_t real, uid_t effective);
  int setregid(gid_t real, gid_t effective);
  pid_t getsid(pid_t pid);
  int fchown(int fd, uid_t user, gid_t group);
  int lockf(int fd, int command, off_t n);
  long fpathconf(int fd, int name);
  int getdtablesize(void);
  int daemon(int keep_directory, int keep_files);
  int nice(int step);
  unsigned int alarm(unsigned int seconds);
  long sysconf(int name);
  int getpagesize(void);
  void sync(void);
  pid_t tcgetpgrp(int fd);
  int tcsetpgrp(int fd, pid_t group);
}

/* At most n bytes, which the buffer must have. */
ssize_t read(int fd, char ?buf, size_t n) TN_LINK(tn_read) __attribute__((bytes, overload(read_z))) TN_CALLER;
ssize_t read_z(int fd, char ?@zeroterm buf, size_t n) TN_LINK(tn_read_z) __attribute__((bytes)) TN_CALLER;
ssize_t write(int fd, const char ?buf, size_t n) TN_LINK(tn_write) __attribute__((bytes)) TN_CALLER;
ssize_t pread(int fd, char ?buf, size_t n, off_t at) TN_LINK(tn_pread) __attribute__((bytes)) TN_CALLER;
ssize_t pwrite(int fd, const char ?buf, size_t n, off_t at) TN_LINK(tn_pwrite) __attribute__((bytes)) TN_CALLER;

int access(const char ?path, int mode) TN_LINK(tn_access);
int unlink(const char ?path) TN_LINK(tn_unlink);
int rmdir(const char ?path) TN_LINK(tn_rmdir);
int chdir(const char ?path) TN_LINK(tn_chdir);
int link(const char ?from, const char ?to) TN_LINK(tn_link);
int symlink(const char ?from, const char ?to) TN_LINK(tn_symlink);
int chown(const char ?path, uid_t user, gid_t group) TN_LINK(tn_chown);
int lchown(const char ?path, uid_t user, gid_t group) TN_LINK(tn_lchown);
int fchownat(int dir, const char ?path, uid_t user, gid_t group, int flags) TN_LINK(tn_fchownat);
int faccessat(int dir, const char ?path, int mode, int flags) TN_LINK(tn_faccessat);
int unlinkat(int dir, const char ?path, int flags) TN_LINK(tn_unlinkat);
int linkat(int from_dir, const char ?from, int to_dir, const char ?to, int flags) TN_LINK(tn_linkat);
int symlinkat(const char ?from, int dir, const char ?to) TN_LINK(tn_symlinkat);
long pathconf(const char ?path, int name) TN_LINK(tn_pathconf);
int chroot(const char ?path) TN_LINK(tn_chroot);
int truncate(const char ?path, off_t n) TN_LINK(tn_truncate);
ssize_t readlink(const char ?path, char ?buf, size_t n) TN_LINK(tn_readlink) TN_CALLER;
int gethostname(char ?buf, size_t n) TN_LINK(tn_gethostname) TN_CALLER __attribute__((overload(gethostname_z)));
int gethostname_z(char ?@zeroterm buf, size_t n) TN_LINK(tn_gethostname_z) TN_CALLER;
/* buf, or NULL where the path does not fit. */
char ?`r getcwd(char ?`r buf, size_t n) TN_LINK(tn_getcwd) TN_CALLER __attribute__((overload(getcwd_z)));
char ?@zeroterm`r getcwd_z(char ?@zeroterm`r buf, size_t n) TN_LINK(tn_getcwd_z) TN_CALLER;
char *getlogin(void) TN_LINK(tn_getlogin);
char *ttyname(int fd) TN_LINK(tn_ttyname);

unsigned int sleep(unsigned int seconds) TN_LINK(tn_sleep);
int usleep(useconds_t microseconds) TN_LINK(tn_usleep);
int pause(void) TN_LINK(tn_pause);

/* The arguments go up to the first NULL or to the end of the array. */
int execv(const char ?path, const char ?`r ?args) TN_LINK(tn_execv);
int execvp(const char ?file, const char ?`r ?args) TN_LINK(tn_execvp);
int execl(const char ?path, ... const char ?`r args) TN_LINK(tn_execl);
int execlp(const char ?file, ... const char ?`r args) TN_LINK(tn_execlp);

#include <getopt.h>

#endif
