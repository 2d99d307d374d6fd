/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Decodes MP3 files to WAV with libmpg123 (papers/003…, §2.1). All memory that the decoder takes for a file is short-term: it is
 * allocated in a scope and expires at the one tick after the file. There is no free, and no call that deletes the decoder.
 *
 * usage: mp3batch scope|plain OUTPUT-DIRECTORY FILE.mp3...
 * To be run with LD_PRELOAD=libtenure-shortterm-preload.so; `plain` deletes each decoder and uses no scope.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <mpg123.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenure/shortterm.h>
#include <unistd.h>

static void fail(const char *what, const char *name) {
    fprintf(stderr, "mp3batch: %s: %s\n", name, what);
    exit(1);
}

static void put_little(unsigned char *place, unsigned long value, int bytes) {
    for (int i = 0; i < bytes; i++) place[i] = (unsigned char)(value >> (8 * i));
}

static void put_header(FILE *out, long rate, int channels, unsigned long data_bytes) {
    unsigned char header[44] = "RIFF....WAVEfmt ";
    put_little(header + 4, 36 + data_bytes, 4);
    put_little(header + 16, 16, 4);
    put_little(header + 20, 1, 2);
    put_little(header + 22, (unsigned long)channels, 2);
    put_little(header + 24, (unsigned long)rate, 4);
    put_little(header + 28, (unsigned long)(rate * channels * 2), 4);
    put_little(header + 32, (unsigned long)channels * 2, 2);
    put_little(header + 34, 16, 2);
    memcpy(header + 36, "data", 4);
    put_little(header + 40, data_bytes, 4);
    fwrite(header, 1, sizeof header, out);
}

static void decode(const char *name, int source, FILE *out, int plain) {
    int error;
    mpg123_handle *decoder = mpg123_new(NULL, &error);
    if (decoder == NULL) fail(mpg123_plain_strerror(error), name);
    long rate;
    int channels, encoding;
    if (mpg123_open_fd(decoder, source) != MPG123_OK || mpg123_getformat(decoder, &rate, &channels, &encoding) != MPG123_OK)
        fail(mpg123_strerror(decoder), name);
    mpg123_format_none(decoder);
    mpg123_format(decoder, rate, channels, MPG123_ENC_SIGNED_16);
    put_header(out, rate, channels, 0);
    size_t room = mpg123_outblock(decoder), got;
    unsigned char *block = malloc(room);
    if (block == NULL) fail("no memory", name);
    unsigned long bytes = 0;
    for (int blocks = 0;; blocks++) {
        int state = mpg123_read(decoder, block, room, &got);
        fwrite(block, 1, got, out);
        bytes += got;
        if (blocks % 64 == 0) stm_sample();
        if (state == MPG123_DONE) break;
        if (state != MPG123_OK && state != MPG123_NEW_FORMAT) fail(mpg123_strerror(decoder), name);
    }
    rewind(out);
    put_header(out, rate, channels, bytes);
    if (plain) {
        free(block);
        mpg123_delete(decoder);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: mp3batch scope|plain OUTPUT-DIRECTORY FILE.mp3...\n");
        return 2;
    }
    int plain = strcmp(argv[1], "plain") == 0;
    mpg123_init();
    for (int i = 3; i < argc; i++) {
        const char *base = strrchr(argv[i], '/');
        char name[4096];
        snprintf(name, sizeof name, "%s/%s.wav", argv[2], base != NULL ? base + 1 : argv[i]);
        int source = open(argv[i], O_RDONLY);
        FILE *out = fopen(name, "wb");
        if (source < 0 || out == NULL) fail("cannot open", argv[i]);
        static char buffer[1 << 16];
        setvbuf(out, buffer, _IOFBF, sizeof buffer);
        if (!plain && stm_scope_begin(0) != STM_OK) fail("run it with the preload library", argv[0]);
        decode(argv[i], source, out, plain);
        if (!plain) stm_scope_end();
        fclose(out);
        close(source);
        stm_tick();
    }
    return 0;
}
