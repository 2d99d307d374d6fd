/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * One character between its wide and its multibyte form, in the current locale.
 */
#include <limits.h>
#include <string.h>
#include <wchar.h>

_Static_assert(MB_LEN_MAX <= 16, "wchar.cyc has 16 bytes for a character");

long tnc_mbtowc(wchar_t *out, const char *s, size_t n);
long tnc_wctomb(char *out, wchar_t c);

long tnc_mbtowc(wchar_t *out, const char *s, size_t n) {
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t used = mbrtowc(out, s, n, &state);
    return used > n ? -1 : (long)used;
}

long tnc_wctomb(char *out, wchar_t c) {
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t used = wcrtomb(out, c, &state);
    return used == (size_t)-1 ? -1 : (long)used;
}
