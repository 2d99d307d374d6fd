/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Scopes, in a program whose malloc is directed to the library: preloaded, or wrapped (then argument 1 is "wrapped", and libc's own
 * allocations are not directed).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <iconv.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness.h"

static int wrapped(void) { return test_argc > 1 && strcmp(test_argv[1], "wrapped") == 0; }

static int death(void *object, void *argument) {
    (void)object;
    ++*(int *)argument;
    return 0;
}

static void everything_in_a_scope_expires(void) {
    int dead[5] = {0};
    CHECK(stm_scope_begin(1) == STM_OK);
    void *blocks[5] = {malloc(10), calloc(10, 10), realloc(NULL, 3000), aligned_alloc(128, 256), NULL};
    CHECK(posix_memalign(&blocks[4], 4096, 100) == 0 && ((uintptr_t)blocks[4] & 4095) == 0);
    CHECK(stm_scope_end() == STM_OK && stm_scope_end() == STM_BAD_ARGUMENT);
    for (int i = 0; i < 5; i++) {
        CHECK(stm_date_count(blocks[i]) == 1);
        CHECK(stm_set_finalizer(blocks[i], death, &dead[i]) == STM_OK);
    }
    char *outside = malloc(10);
    CHECK(stm_date_count(outside) == 0);
    strcpy(outside, "stays");
    stm_tick();
    stm_collect();
    for (int i = 0; i < 5; i++) CHECK(dead[i] == 0);
    stm_tick();
    stm_collect();
    for (int i = 0; i < 5; i++) CHECK(dead[i] == 1);
    CHECK(strcmp(outside, "stays") == 0);
    free(outside);
}

static void free_is_honoured_early(void) {
    CHECK(stm_scope_begin(0) == STM_OK);
    struct stm_statistics statistics;
    stm_thread_statistics(&statistics);
    uint64_t before = statistics.dates;
    void *kept[10];
    for (int i = 0; i < 100000; i++) {
        char *block = malloc(1000);
        memset(block, 1, 1000);
        if (i % 10000 == 0) kept[i / 10000] = block;
        else free(block);
    }
    stm_thread_statistics(&statistics);
    CHECK(statistics.dates - before < 20 && statistics.descriptor_bytes < 20000);
    char *text = malloc(8);
    strcpy(text, "moves");
    for (size_t size = 10; size < 100000; size *= 2) text = realloc(text, size);
    CHECK(strcmp(text, "moves") == 0 && stm_date_count(text) == 1);
    CHECK(stm_scope_end() == STM_OK);
    free(kept[0]);
    stm_tick();
    stm_collect();
    stm_thread_statistics(&statistics);
    CHECK(statistics.dates == before && statistics.expired_waiting == 0);
}

static void scopes_nest(void) {
    CHECK(stm_scope_begin(0) == STM_OK && stm_scope_begin(5) == STM_OK);
    char *inner = malloc(10);
    CHECK(stm_scope_end() == STM_OK);
    void *persistent = stm_malloc(10);
    CHECK(stm_date_count(persistent) == 0);
    CHECK(stm_scope_end() == STM_OK);
    strcpy(inner, "inner");
    stm_tick();
    stm_collect();
    CHECK(strcmp(inner, "inner") == 0 && stm_date_count(inner) == 1);
    CHECK(stm_refresh(inner, 10) == STM_OK);
    free(inner);
    CHECK(strcmp(inner, "inner") == 0);
    for (int i = 0; i < 11; i++) stm_tick();
    stm_collect();
    free(persistent);
    CHECK(stm_scope_begin(stm_extension_limit() + 1U) == STM_EXTENSION_TOO_LONG);
}

static void *other_thread(void *argument) {
    char *block = malloc(10);
    CHECK(stm_date_count(block) == 0);
    free(block);
    /* Of a scope of another thread: it stays until it expires. */
    free(*(void **)argument);
    return NULL;
}

static void scopes_are_of_one_thread(void) {
    CHECK(stm_scope_begin(0) == STM_OK);
    char *mine = malloc(10);
    strcpy(mine, "mine");
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, other_thread, &mine) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(strcmp(mine, "mine") == 0);
    CHECK(stm_scope_end() == STM_OK);
    stm_tick();
    stm_collect();
}

static void libraries_are_in_the_scope(void) {
    CHECK(stm_scope_begin(0) == STM_OK);
    char *copy = strdup("by the C library");
    char *line = NULL;
    CHECK(asprintf(&line, "%s, %d", copy, 1) > 0);
    if (!wrapped()) CHECK(stm_date_count(copy) == 1 && stm_date_count(line) == 1);
    free(line);
    FILE *file = tmpfile();
    fprintf(file, "%s\n", copy);
    fclose(file);
    free(copy);
    CHECK(stm_scope_end() == STM_OK);
    stm_tick();
    stm_collect();
}

static void standard_output_outlives_a_scope(void) {
    CHECK(stm_scope_begin(0) == STM_OK);
    printf("written in a scope,");
    CHECK(stm_scope_end() == STM_OK);
    stm_tick();
    stm_collect();
    for (int i = 0; i < 10; i++) memset(malloc(4096), 'x', 4096);
    printf(" and after it\n");
}

static void nothing(void) {}

/* Time zones, locales, the environment, converters, exit handlers, user names, error texts. */
static void the_c_library_keeps_its_own(void) {
    time_t when = 1000000000;
    char zone[32], *text = NULL;
    CHECK(stm_scope_begin(0) == STM_OK);
    CHECK(setenv("TZ", "Europe/Vienna", 1) == 0 && setenv("TENURE_STM_TEST", "in a scope", 1) == 0);
    struct tm *local = localtime(&when);
    CHECK(local != NULL && strftime(zone, sizeof zone, "%Z", local) > 0);
    CHECK(setlocale(LC_ALL, "C.UTF-8") != NULL);
    iconv_t converter = iconv_open("UTF-16", "ISO-8859-15");
    if (converter != (iconv_t)-1) CHECK(iconv_close(converter) == 0);
    for (int i = 0; i < 100; i++) CHECK(atexit(nothing) == 0);
    (void)getpwnam("root");
    CHECK(dlopen("no-such-library.so", RTLD_NOW) == NULL);
    FILE *open_still = tmpfile();
    CHECK(fprintf(open_still, "not closed") > 0);
    CHECK(asprintf(&text, "%s", "given away") > 0);
    if (!wrapped()) CHECK(stm_date_count(text) == 1);
    CHECK(stm_scope_end() == STM_OK);
    stm_tick();
    stm_collect();
    for (size_t size = 8; size < 3000; size += 8)
        for (int i = 0; i < 20; i++) memset(malloc(size), 'x', size);
    CHECK(strstr(dlerror(), "no-such-library.so") != NULL);
    CHECK(strcmp(setlocale(LC_ALL, NULL), "C.UTF-8") == 0 && setlocale(LC_ALL, "C") != NULL);
    CHECK(setenv("TENURE_STM_TEST", "after it, and a little longer", 1) == 0 && getenv("TZ") != NULL);
    CHECK(strcmp(getenv("TZ"), "Europe/Vienna") == 0 && unsetenv("TZ") == 0);
    CHECK(localtime(&when) != NULL);
    converter = iconv_open("UTF-16", "ISO-8859-15");
    if (converter != (iconv_t)-1) CHECK(iconv_close(converter) == 0);
    (void)getpwnam("daemon");
    CHECK(fclose(open_still) == 0);
}

static void the_whole_interface(void) {
    size_t impossible = SIZE_MAX;
    __asm__("" : "+r"(impossible));
    errno = 0;
    CHECK(malloc(impossible) == NULL && errno == ENOMEM);
    CHECK(calloc(impossible / 2, 3) == NULL);
    void *block = NULL;
    CHECK(posix_memalign(&block, 3, 10) == EINVAL && posix_memalign(&block, 64, impossible / 2) == ENOMEM);
    block = malloc(100);
    if (!wrapped()) CHECK(reallocarray(block, impossible / 2, 4) == NULL);
    block = realloc(block, 10000);
    memset(block, 1, 10000);
    free(block);
    free(NULL);
    block = strdup("freed");
    free(block);
}

const struct test tests[] = {
    {"standard output outlives a scope", standard_output_outlives_a_scope},
    {"everything that is allocated in a scope expires", everything_in_a_scope_expires},
    {"a free in a scope is honoured early, and costs no descriptor", free_is_honoured_early},
    {"scopes nest", scopes_nest},
    {"a scope is of one thread", scopes_are_of_one_thread},
    {"what libraries allocate is in the scope", libraries_are_in_the_scope},
    {"what the C library keeps for itself outlives a scope", the_c_library_keeps_its_own},
    {"the whole interface", the_whole_interface},
    {NULL, NULL},
};
