/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Encodes a generated video with libx264 (papers/003…, §2.1 and 2.2). Before it is encoded, each frame is smoothed against the frames of
 * a reference queue: the REFERENCES newest ones, and a key frame, which stays until the next one. So a frame is in several places at
 * once, and how long it is needed depends on the data. The smoothing runs in one thread or in several, which share the frames.
 *
 * usage: encode MODE THREADS FRAMES OUTPUT
 *   pool               frames have reference counts and go back to a pool
 *   single             refreshed once, for as long as a frame may be needed
 *   continuous         refreshed by 1 before each tick, as long as it is needed
 *   local-single, local-continuous, global-single, global-continuous
 *                      the same, but each thread refreshes and ticks: its own clock, or global time
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenure/shortterm.h>
#include <x264.h>

enum { WIDTH = 176, HEIGHT = 144, LUMA = WIDTH * HEIGHT, BYTES = LUMA * 3 / 2 };
enum { REFERENCES = 4, KEY_PERIOD = 25, THREADS_MOST = 4 };

struct frame {
    int number;
    int references; /* mode `pool` only */
    struct frame *next_free;
    uint8_t pixels[BYTES];
};

static enum { POOL, SINGLE, CONTINUOUS } mode;
static enum { MAIN, LOCAL, GLOBAL } who;
static int threads, frames;

/* The newest frames, and the key frame, as everybody reads them in a round. */
static struct frame *queue[REFERENCES + THREADS_MOST], *key;
static int queued;
static uint8_t smoothed[THREADS_MOST][BYTES];
static struct frame *pool;
static pthread_barrier_t round_begins, round_ends;

static void fail(const char *what) {
    fprintf(stderr, "encode: %s\n", what);
    exit(1);
}

static void check(int error) {
    if (error != STM_OK) fail(stm_error_name((enum stm_error)error));
}

static struct frame *new_frame(int number) {
    struct frame *frame = pool;
    if (frame != NULL) pool = frame->next_free;
    else frame = stm_malloc(sizeof *frame);
    if (frame == NULL) fail("no memory");
    frame->number = number;
    frame->references = 0;
    return frame;
}

static void drop_reference(struct frame *frame) {
    if (mode != POOL || frame == NULL || --frame->references > 0) return;
    frame->next_free = pool;
    pool = frame;
}

/* Moving blobs over a gradient with noise, the same at each run. */
static void draw(struct frame *frame) {
    uint32_t noise = (uint32_t)frame->number * 2654435761U + 1;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            noise = noise * 1664525U + 1013904223U;
            int dx = x - (frame->number * 3) % WIDTH, dy = y - (frame->number * 2) % HEIGHT;
            int value = (x + y) / 2 + (dx * dx + dy * dy < 900 ? 90 : 0) + (int)(noise >> 28);
            frame->pixels[y * WIDTH + x] = (uint8_t)value;
        }
    memset(frame->pixels + LUMA, 118 + frame->number % 20, LUMA / 4);
    memset(frame->pixels + LUMA * 5 / 4, 128, LUMA / 4);
}

/* Pixel by pixel, the mean over the references that are near it. */
static void smooth(int which) {
    const struct frame *frame = queue[queued - threads + which];
    for (int i = 0; i < BYTES; i++) {
        int value = frame->pixels[i], sum = value, count = 1;
        for (int r = 0; r <= REFERENCES; r++) {
            int at = queued - threads + which - 1 - r;
            const struct frame *other = r == REFERENCES ? key : at >= 0 ? queue[at] : NULL;
            if (other == NULL || abs(other->pixels[i] - value) > 12) continue;
            sum += other->pixels[i];
            count++;
        }
        smoothed[which][i] = (uint8_t)(sum / count);
    }
}

static void refresh(struct frame *frame, unsigned extension) {
    check(who == GLOBAL ? stm_global_refresh(frame, extension) : stm_refresh(frame, extension));
}

static int is_key(const struct frame *frame) { return frame->number % KEY_PERIOD == 0; }

/* In whichever thread manages memory, before its tick: what is needed in the next round must not expire before its end. */
static void keep_and_tick(void) {
    if (mode == SINGLE) {
        unsigned rounds = (unsigned)((REFERENCES + threads - 1) / threads);
        unsigned key_rounds = (unsigned)((KEY_PERIOD + threads - 1) / threads) + 1;
        for (int i = queued - threads; i < queued; i++) refresh(queue[i], is_key(queue[i]) ? key_rounds : rounds);
    } else if (mode == CONTINUOUS) {
        int newest = queued - (REFERENCES > threads ? REFERENCES : threads);
        if (newest < 0) newest = 0;
        for (int i = newest; i < queued; i++) refresh(queue[i], 1);
        if (key != NULL && key->number < queue[newest]->number) refresh(key, 1);
    }
    if (who == GLOBAL) check(stm_global_tick());
    else stm_tick();
}

static void *worker(void *argument) {
    int which = (int)(intptr_t)argument;
    if (who == GLOBAL) check(stm_global_join());
    for (int done = 0; done < frames; done += threads) {
        pthread_barrier_wait(&round_begins);
        smooth(which);
        if (who != MAIN) keep_and_tick();
        pthread_barrier_wait(&round_ends);
    }
    return NULL;
}

static x264_t *open_encoder(void) {
    x264_param_t parameters;
    x264_param_default_preset(&parameters, "veryfast", NULL);
    parameters.i_csp = X264_CSP_I420;
    parameters.i_width = WIDTH;
    parameters.i_height = HEIGHT;
    parameters.i_threads = 1;
    parameters.i_log_level = X264_LOG_ERROR;
    parameters.b_repeat_headers = 1;
    parameters.b_annexb = 1;
    x264_t *encoder = x264_encoder_open(&parameters);
    if (encoder == NULL) fail("x264_encoder_open");
    return encoder;
}

static void put(FILE *out, x264_nal_t *units, int bytes) {
    if (bytes < 0) fail("x264_encoder_encode");
    if (bytes > 0) fwrite(units[0].p_payload, 1, (size_t)bytes, out);
}

static void encode_one(x264_t *encoder, FILE *out, uint8_t *pixels, int number) {
    x264_picture_t picture, result;
    x264_picture_init(&picture);
    picture.i_pts = number;
    picture.img.i_csp = X264_CSP_I420;
    picture.img.i_plane = 3;
    picture.img.i_stride[0] = WIDTH;
    picture.img.i_stride[1] = picture.img.i_stride[2] = WIDTH / 2;
    picture.img.plane[0] = pixels;
    picture.img.plane[1] = pixels + LUMA;
    picture.img.plane[2] = pixels + LUMA * 5 / 4;
    x264_nal_t *units;
    int count;
    int bytes = x264_encoder_encode(encoder, &units, &count, &picture, &result);
    put(out, units, bytes);
}

/* The frames of the next round come in; those that leave the queue are needed no more, unless one is the key frame. */
static void fill_queue(int first) {
    int keep = queued < REFERENCES ? queued : REFERENCES;
    for (int i = 0; i < queued - keep; i++) drop_reference(queue[i]);
    memmove(queue, queue + queued - keep, (size_t)keep * sizeof queue[0]);
    queued = keep;
    for (int i = 0; i < threads; i++) {
        struct frame *frame = new_frame(first + i);
        draw(frame);
        frame->references = 1;
        queue[queued++] = frame;
    }
}

/* After a round: its newest key frame takes the place of the old one. */
static void choose_key(void) {
    for (int i = queued - threads; i < queued; i++) {
        if (!is_key(queue[i])) continue;
        drop_reference(key);
        key = queue[i];
        key->references++;
    }
}

static void run(FILE *out) {
    x264_t *encoder = open_encoder();
    pthread_t workers[THREADS_MOST];
    pthread_barrier_init(&round_begins, NULL, (unsigned)threads + 1);
    pthread_barrier_init(&round_ends, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads; i++) pthread_create(&workers[i], NULL, worker, (void *)(intptr_t)i);
    for (int first = 0; first < frames; first += threads) {
        fill_queue(first);
        pthread_barrier_wait(&round_begins);
        pthread_barrier_wait(&round_ends);
        for (int i = 0; i < threads; i++) encode_one(encoder, out, smoothed[i], first + i);
        choose_key();
        if (who == MAIN) keep_and_tick();
        else stm_sample();
    }
    for (int i = 0; i < threads; i++) pthread_join(workers[i], NULL);
    while (x264_encoder_delayed_frames(encoder) > 0) {
        x264_nal_t *units;
        x264_picture_t result;
        int count;
        int bytes = x264_encoder_encode(encoder, &units, &count, NULL, &result);
        put(out, units, bytes);
    }
    x264_encoder_close(encoder);
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: encode MODE THREADS FRAMES OUTPUT\n");
        return 2;
    }
    who = strncmp(argv[1], "local-", 6) == 0 ? LOCAL : strncmp(argv[1], "global-", 7) == 0 ? GLOBAL : MAIN;
    mode = strstr(argv[1], "single") != NULL ? SINGLE : strstr(argv[1], "continuous") != NULL ? CONTINUOUS : POOL;
    threads = atoi(argv[2]);
    if (threads < 1 || threads > THREADS_MOST) fail("1 to 4 threads");
    frames = atoi(argv[3]) / threads * threads;
    FILE *out = fopen(argv[4], "wb");
    if (out == NULL) fail("cannot open the output");
    run(out);
    return fclose(out) != 0;
}
