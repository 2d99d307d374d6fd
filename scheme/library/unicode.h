/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Character classes and case. */
#ifndef SCHEME_LIBRARY_UNICODE_H
#define SCHEME_LIBRARY_UNICODE_H

#include <core.h>

unsigned int char_up(unsigned int c);
unsigned int char_down(unsigned int c);
unsigned int char_fold(unsigned int c);
bool char_is_alphabetic(unsigned int c);
bool char_is_numeric(unsigned int c);
bool char_is_white(unsigned int c);
bool char_is_upper(unsigned int c);
bool char_is_lower(unsigned int c);
int char_digit(unsigned int c);

#endif
