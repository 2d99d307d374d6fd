/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Characters and bytes of ports. A port on a file reads through libc's buffer; one on a string from its text. */
#ifndef SCHEME_READ_PORT_H
#define SCHEME_READ_PORT_H

#include "../heap/machine.h"

typedef struct Port<`r> @`r port_t<`r::R>;

#define NOTHING_PEEKED (-2)

// The next character, -1 at the end.
int read_character(port_t<`r> p);
int peek_character(port_t<`r> p);
int read_byte(port_t<`r> p);
int peek_byte(port_t<`r> p);

void write_character(machine_t<`r> m, port_t<`r> p, unsigned int c);
void write_text(machine_t<`r> m, port_t<`r> p, const char ?text);
void write_byte(machine_t<`r> m, port_t<`r> p, unsigned char b);

port_t<`r> open_string_port(machine_t<`r> m, struct String<`r> @`r text);
port_t<`r> open_file_port(machine_t<`r> m, FILE *`H file, int flags);
port_t<`r> open_output_string_port(machine_t<`r> m);
void close_port(port_t<`r> p, int sides);

#endif
