/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Preloaded: records which pages a program of one thread touches, in order, without rights of any kind. All of its
 * anonymous memory but for stacks and what belongs to files is protected, except for the WINDOW pages that were touched
 * last; a touch of another is a fault, which is written down and lets the page in for the oldest. What is left out are
 * touches of pages in the window: for the faults of memories much larger than that, the trace says as much as a full one
 * would. System calls on protected pages would fail: only programs that make none on allocated memory can be recorded.
 *
 * TOUCHES names the file, which gets each page's number in 8 bytes; TOUCHES_PROGRAM what the name of the program to be
 * recorded ends with.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WINDOW = 64, PAGE = 4096, RANGES = 8192, BUFFERED = 8192, FAULTS_UNTIL_MAPS = 512 };

struct range {
    uintptr_t start, end;
};

/* What is protected, in order of addresses. */
static struct range known[RANGES];
static unsigned known_count;
static uintptr_t window[WINDOW];
static unsigned oldest, until_maps;
static uint64_t buffer[BUFFERED];
static unsigned buffered;
static int file = -1;
static char maps[1 << 20];
static unsigned char alternate[1 << 16];

static long call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

static void flush(void) {
    call(SYS_write, file, (long)buffer, (long)(buffered * sizeof buffer[0]));
    buffered = 0;
}

static void protect(uintptr_t start, uintptr_t end, int protection) {
    if (start < end) call(SYS_mprotect, (long)start, (long)(end - start), protection);
}

static const char *hex(const char *at, uintptr_t *value) {
    for (*value = 0;; at++) {
        unsigned digit = *at >= '0' && *at <= '9' ? (unsigned)(*at - '0') : *at >= 'a' && *at <= 'f' ? (unsigned)(*at - 'a') + 10 : 16;
        if (digit == 16) return at;
        *value = *value << 4 | digit;
    }
}

static int is_let_in(uintptr_t page) {
    for (unsigned i = 0; i < WINDOW; i++)
        if (window[i] == page) return 1;
    return 0;
}

/* Protects a mapping in which other pages may be touched than those that are let in. */
static void protect_open(struct range range) {
    uintptr_t page = range.start;
    while (page < range.end && is_let_in(page)) page += PAGE;
    if (page < range.end) protect(range.start, range.end, PROT_NONE);
}

/* The anonymous mappings that no file's precedes directly (a program's zero-initialised data does), but for the one that
 * has the thread's own block; they are protected. Adjacent ones become one range. */
static unsigned read_ranges(struct range *ranges) {
    long in = call(SYS_open, (long)"/proc/self/maps", O_RDONLY, 0), used = 0, got;
    while ((got = call(SYS_read, in, (long)(maps + used), (long)sizeof maps - 1 - used)) > 0) used += got;
    call(SYS_close, in, 0, 0);
    maps[used] = '\0';
    unsigned count = 0;
    uintptr_t files_end = 0, own;
    __asm__("mov %%fs:0, %0" : "=r"(own));
    for (const char *line = maps, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        struct range range;
        const char *rest = hex(hex(line, &range.start) + 1, &range.end);
        int has_inode = 0, is_heap = memmem(line, (size_t)(end - line), "[heap]", 6) != NULL;
        int is_kernels = !is_heap && memchr(line, '[', (size_t)(end - line)) != NULL;
        unsigned blanks = 0;
        for (const char *at = rest; at < end; at++) {
            blanks += *at == ' ';
            if (blanks == 4 && *at >= '1' && *at <= '9') has_inode = 1;
            if (blanks > 4) break;
        }
        if (has_inode || (range.start == files_end && !is_heap)) {
            files_end = range.end;
            continue;
        }
        if (is_kernels || rest[4] != 'p' || (rest[1] == '-' && rest[3] == 'x') || (own >= range.start && own < range.end)) continue;
        if (rest[1] == 'r') protect_open(range);
        if (count > 0 && ranges[count - 1].end == range.start)
            ranges[count - 1].end = range.end;
        else if (count < RANGES)
            ranges[count++] = range;
    }
    return count;
}

/* Protects what was mapped or opened since the last time. */
static void protect_news(void) {
    known_count = read_ranges(known);
    for (unsigned i = 0; i < WINDOW; i++)
        if (window[i] != 0) protect(window[i], window[i] + PAGE, PROT_READ | PROT_WRITE);
}

static int is_known(uintptr_t page) {
    for (unsigned low = 0, high = known_count; low < high;) {
        unsigned middle = (low + high) / 2;
        if (page < known[middle].start)
            high = middle;
        else if (page >= known[middle].end)
            low = middle + 1;
        else
            return 1;
    }
    return 0;
}

static void fault(int number, siginfo_t *information, void *context) {
    (void)context;
    uintptr_t page = (uintptr_t)information->si_addr & ~(uintptr_t)(PAGE - 1);
    if (!is_known(page) || is_let_in(page)) {
        signal(number, SIG_DFL);
        return;
    }
    if (buffered == BUFFERED) flush();
    buffer[buffered++] = page / PAGE;
    if (window[oldest] != 0) protect(window[oldest], window[oldest] + PAGE, PROT_NONE);
    window[oldest] = page;
    oldest = (oldest + 1) % WINDOW;
    protect(page, page + PAGE, PROT_READ | PROT_WRITE);
    if (until_maps-- == 0) {
        protect_news();
        until_maps = FAULTS_UNTIL_MAPS;
    }
}

/* Called by the program now and then: where nothing is protected yet, there are no faults either. */
void touches_news(void);
void touches_news(void) {
    if (file >= 0) protect_news();
}

__attribute__((destructor)) static void end(void) {
    if (file < 0) return;
    for (unsigned i = 0; i < known_count; i++) protect(known[i].start, known[i].end, PROT_READ | PROT_WRITE);
    flush();
}

__attribute__((constructor)) static void start(void) {
    const char *name = getenv("TOUCHES"), *program = getenv("TOUCHES_PROGRAM");
    char self[4096] = "";
    if (name == NULL || program == NULL || readlink("/proc/self/exe", self, sizeof self - 1) < 0) return;
    size_t length = strlen(self), tail = strlen(program);
    if (length < tail || strcmp(self + length - tail, program) != 0) return;
    file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) return;
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaction(SIGSEGV, &action, NULL);
    protect_news();
}
