/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * UTF-8, a byte at a time, after Unicode's table 3-7. What is ill-formed decodes to U+FFFD. */
#ifndef SCHEME_HEAP_UTF8_H
#define SCHEME_HEAP_UTF8_H

// What was read of a character so far, and how many bytes are still wanted.
struct Utf8 { unsigned int so_far; int wanted; };

// The character that the byte completes, or -1.
static inline int decode(struct Utf8 @state, unsigned char byte) {
  if (byte < 0x80) { state->wanted = 0; return byte; }
  if (byte < 0xc0) {
    if (state->wanted == 0) return 0xfffd;
    state->so_far = (state->so_far << 6) | (byte & 0x3f);
    state->wanted--;
    if (state->wanted > 0) return -1;
    bool good = state->so_far < 0x110000 && (state->so_far < 0xd800 || state->so_far > 0xdfff);
    return good ? (int)state->so_far : 0xfffd;
  }
  state->wanted = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  state->so_far = byte < 0xe0 ? byte & 0x1f : byte < 0xf0 ? byte & 0x0f : byte & 0x07;
  return -1;
}

// The number of bytes of a character; they are stored to out.
static inline int encode(unsigned int c, unsigned char @{4} out) {
  if (c < 0x80) { out[0] = (unsigned char)c; return 1; }
  if (c < 0x800) {
    out[0] = (unsigned char)(0xc0 | (c >> 6));
    out[1] = (unsigned char)(0x80 | (c & 0x3f));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (unsigned char)(0xe0 | (c >> 12));
    out[1] = (unsigned char)(0x80 | ((c >> 6) & 0x3f));
    out[2] = (unsigned char)(0x80 | (c & 0x3f));
    return 3;
  }
  out[0] = (unsigned char)(0xf0 | (c >> 18));
  out[1] = (unsigned char)(0x80 | ((c >> 12) & 0x3f));
  out[2] = (unsigned char)(0x80 | ((c >> 6) & 0x3f));
  out[3] = (unsigned char)(0x80 | (c & 0x3f));
  return 4;
}

#endif
