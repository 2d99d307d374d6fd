#ifndef _SETJMP_H
#define _SETJMP_H

#include <tn/link.h>

/* A jump would leave arenas open and owned memory behind. The types stand here for structs that have members of them. */
#if defined(__aarch64__)
struct __attribute__((not_c("use exceptions"))) tn_no_jump { long words[39]; };
#else
struct __attribute__((not_c("use exceptions"))) tn_no_jump { long words[25]; };
#endif
typedef struct tn_no_jump jmp_buf[1];
typedef struct tn_no_jump sigjmp_buf[1];

#define TN_NO_JUMP TN_UNAVAILABLE("use `try { … } catch { … }` and `throw`")

int setjmp() TN_NO_JUMP;
int _setjmp() TN_NO_JUMP;
int sigsetjmp() TN_NO_JUMP;
void longjmp() TN_NO_JUMP;
void _longjmp() TN_NO_JUMP;
void siglongjmp() TN_NO_JUMP;

#endif
