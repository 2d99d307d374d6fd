/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "prim/mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "prim/frames.h"

static size_t number_after(const char *text, const char *name) {
    size_t length = strlen(name), value = 0;
    if (strncmp(text, name, length) != 0) return SIZE_MAX;
    for (text += length; *text == ' '; text++) {}
    for (; *text >= '0' && *text <= '9'; text++) value = value * 10 + (size_t)(*text - '0');
    return value;
}

static const char *hex(const char *text, uintptr_t *value) {
    *value = 0;
    for (;; text++) {
        unsigned digit;
        if (*text >= '0' && *text <= '9')
            digit = (unsigned)(*text - '0');
        else if (*text >= 'a' && *text <= 'f')
            digit = (unsigned)(*text - 'a') + 10;
        else
            return text;
        *value = *value << 4 | digit;
    }
}

/* Also of memory that may not be read and written, or may be executed: somebody protects it. */
static bool has_special_flag(const char *line) {
    static const char flags[][4] = {" lo", " dc", " wf", " dd", " um", " uw", " ui", " mg", " ex"};
    if (strstr(line, " rd") == NULL || strstr(line, " wr") == NULL) return true;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strstr(line, flags[i]) != NULL) return true;
    return false;
}

/* What follows the addresses: protection, offset, device, inode, of which only a file's is not 0. */
static bool has_file(const char *rest) {
    for (unsigned field = 0; field < 4; field++) {
        while (*rest == ' ') rest++;
        if (field == 3) break;
        while (*rest != ' ' && *rest != '\0') rest++;
    }
    return *rest >= '1' && *rest <= '9';
}

struct reader {
    struct tn_mapping mapping;
    bool any;
    void (*each)(const struct tn_mapping *mapping, void *context);
    void *context;
};

static void take_line(struct reader *reader, const char *line) {
    uintptr_t start, end;
    const char *rest = hex(line, &start);
    if (rest != line && *rest == '-') {
        if (reader->any) reader->each(&reader->mapping, reader->context);
        rest = hex(rest + 1, &end);
        reader->mapping = (struct tn_mapping){.start = start, .end = end, .file = has_file(rest), .frames = strstr(rest, "/memfd:" TN_FRAMES_NAME) != NULL};
        reader->any = true;
        return;
    }
    size_t kib;
    if ((kib = number_after(line, "Rss:")) != SIZE_MAX) reader->mapping.resident = kib * 1024;
    if ((kib = number_after(line, "Referenced:")) != SIZE_MAX) reader->mapping.referenced = kib * 1024;
    if ((kib = number_after(line, "Swap:")) != SIZE_MAX) reader->mapping.swapped = kib * 1024;
    if (strncmp(line, "VmFlags:", 8) == 0) reader->mapping.special = has_special_flag(line);
}

bool tn_mappings_each(char *buffer, size_t size, void (*each)(const struct tn_mapping *mapping, void *context),
                      void *context) {
    int error = errno;
    struct reader reader = {.each = each, .context = context};
    int file = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);
    size_t used = 0;
    ssize_t got = -1;
    while (file >= 0) {
        got = read(file, buffer + used, size - 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        used += (size_t)got;
        buffer[used] = '\0';
        char *line = buffer;
        for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            take_line(&reader, line);
        }
        used -= (size_t)(line - buffer);
        memmove(buffer, line, used);
    }
    if (file >= 0) (void)close(file);
    if (reader.any) each(&reader.mapping, context);
    errno = error;
    return got == 0 && reader.any;
}

/* Wider than any range that a kernel flushes page by page. */
#define WIDE ((size_t)8 * 1024 * 1024)

/* The kernel clears the bits without flushing the processors' translations, and a processor that has one sets no bit:
 * pages that are used all the time would look unused. Unmapping two pages this far apart has it flush all of them. */
static void flush_translations(void) {
    char *wide = mmap(NULL, WIDE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (wide == MAP_FAILED) return;
    (void)madvise(wide, WIDE, MADV_NOHUGEPAGE);
    *(volatile char *)wide = 1;
    *(volatile char *)(wide + WIDE - 1) = 1;
    (void)munmap(wide, WIDE);
}

bool tn_mappings_forget_references(void) {
    int error = errno;
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    bool done = file >= 0 && write(file, "1", 1) == 1;
    if (file >= 0) (void)close(file);
    if (done) flush_translations();
    errno = error;
    return done;
}

size_t tn_mappings_most(void) {
    int error = errno;
    char text[32];
    int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) (void)close(file);
    errno = error;
    if (got <= 0) return 65530;
    text[got] = '\0';
    return number_after(text, "");
}
