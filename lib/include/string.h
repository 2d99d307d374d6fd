#ifndef _STRING_H
#define _STRING_H

#include <tn/features.h>
#include <tn/base.h>

/* A string ends at its first zero or at its bound, whichever comes first; NULL is an empty string.
   Functions that only read have a form for zero-terminated strings (strlen) and one for pointers with bounds (fstrlen);
   the compiler takes the one that fits when the plain name is called.
   A function that writes checks first that the whole result fits, the terminating zero included, else
   it raises Array_bounds and has written nothing.
   What gives a pointer into its argument has four forms: for zero-terminated strings (strchr), const ones (zstrchr), pointers with
   bounds (mstrchr), and const ones (cstrchr). */

size_t fstrlen(const char ?s) TN_LINK(tn_strlen);
extern "C" size_t strlen(const char *s) TN_LINK(tn_strlen_z) __attribute__((overload(fstrlen)));
size_t strnlen(const char ?s, size_t n) TN_LINK(tn_strnlen);

int fstrcmp(const char ?a, const char ?b) TN_LINK(tn_strcmp);
extern "C" int strcmp(const char *a, const char *b) TN_LINK(tn_strcmp_z) __attribute__((overload(fstrcmp)));
int fstrncmp(const char ?a, const char ?b, size_t n) TN_LINK(tn_strncmp);
extern "C" int strncmp(const char *a, const char *b, size_t n) TN_LINK(tn_strncmp_z) __attribute__((overload(fstrncmp)));
int fstrcasecmp(const char ?a, const char ?b) TN_LINK(tn_strcasecmp);
extern "C" int strcasecmp(const char *a, const char *b) TN_LINK(tn_strcasecmp_z) __attribute__((overload(fstrcasecmp)));
int fstrncasecmp(const char ?a, const char ?b, size_t n) TN_LINK(tn_strncasecmp);
extern "C" int strncasecmp(const char *a, const char *b, size_t n) TN_LINK(tn_strncasecmp_z) __attribute__((overload(fstrncasecmp)));
/* As strcmp, but numbers within the strings are compared by their value. */
int strverscmp(const char ?a, const char ?b) TN_LINK(tn_strverscmp);
int strcoll(const char ?a, const char ?b) TN_LINK(tn_strcoll);
size_t strxfrm(char ?dest, const char ?src, size_t n) TN_LINK(tn_strxfrm) TN_CALLER;

char ?`r strcpy(char ?`r dest, const char ?src) TN_LINK(tn_strcpy) TN_CALLER __attribute__((overload(strcpy_z)));
char ?@zeroterm`r strcpy_z(char ?@zeroterm`r dest, const char ?src) TN_LINK(tn_strcpy_z) TN_CALLER;
char ?`r strncpy(char ?`r dest, const char ?src, size_t n) TN_LINK(tn_strncpy) TN_CALLER __attribute__((overload(strncpy_z)));
char ?@zeroterm`r strncpy_z(char ?@zeroterm`r dest, const char ?src, size_t n) TN_LINK(tn_strncpy_z) TN_CALLER;
char ?`r stpcpy(char ?`r dest, const char ?src) TN_LINK(tn_stpcpy) TN_CALLER __attribute__((overload(stpcpy_z)));
char ?@zeroterm`r stpcpy_z(char ?@zeroterm`r dest, const char ?src) TN_LINK(tn_stpcpy_z) TN_CALLER;
/* As strncpy; the place behind the last character that is no zero. */
char ?`r stpncpy(char ?`r dest, const char ?src, size_t n) TN_LINK(tn_stpncpy) TN_CALLER __attribute__((overload(stpncpy_z)));
char ?@zeroterm`r stpncpy_z(char ?@zeroterm`r dest, const char ?src, size_t n) TN_LINK(tn_stpncpy_z) TN_CALLER;
char ?`r strcat(char ?`r dest, const char ?src) TN_LINK(tn_strcat) TN_CALLER __attribute__((overload(strcat_z)));
char ?@zeroterm`r strcat_z(char ?@zeroterm`r dest, const char ?src) TN_LINK(tn_strcat_z) TN_CALLER;
char ?`r strncat(char ?`r dest, const char ?src, size_t n) TN_LINK(tn_strncat) TN_CALLER __attribute__((overload(strncat_z)));
char ?@zeroterm`r strncat_z(char ?@zeroterm`r dest, const char ?src, size_t n) TN_LINK(tn_strncat_z) TN_CALLER;

/* Zero-terminated, on the heap. */
char *strdup(const char ?s) TN_LINK(tn_strdup);
char *strndup(const char ?s, size_t n) TN_LINK(tn_strndup);
extern "C" char *`r strchr(char *`r s, int c) TN_LINK(tn_strchr_z) __attribute__((overload(zstrchr, mstrchr, cstrchr)));
extern "C" const char *`r zstrchr(const char *`r s, int c) TN_LINK(tn_zstrchr_z);
const char ?`r cstrchr(const char ?`r s, int c) TN_LINK(tn_strchr);
char ?`r mstrchr(char ?`r s, int c) TN_LINK(tn_mstrchr);
extern "C" char *`r strchrnul(char *`r s, int c) TN_LINK(tn_strchrnul_z) __attribute__((overload(zstrchrnul, mstrchrnul, cstrchrnul)));
extern "C" const char *`r zstrchrnul(const char *`r s, int c) TN_LINK(tn_zstrchrnul_z);
const char ?`r cstrchrnul(const char ?`r s, int c) TN_LINK(tn_strchrnul);
char ?`r mstrchrnul(char ?`r s, int c) TN_LINK(tn_mstrchrnul);
extern "C" char *`r strrchr(char *`r s, int c) TN_LINK(tn_strrchr_z) __attribute__((overload(zstrrchr, mstrrchr, cstrrchr)));
extern "C" const char *`r zstrrchr(const char *`r s, int c) TN_LINK(tn_zstrrchr_z);
const char ?`r cstrrchr(const char ?`r s, int c) TN_LINK(tn_strrchr);
char ?`r mstrrchr(char ?`r s, int c) TN_LINK(tn_mstrrchr);
extern "C" char *`r strstr(char *`r s, const char *needle) TN_LINK(tn_strstr_z) __attribute__((overload(zstrstr, mstrstr, cstrstr)));
extern "C" const char *`r zstrstr(const char *`r s, const char *needle) TN_LINK(tn_zstrstr_z);
const char ?`r cstrstr(const char ?`r s, const char ?needle) TN_LINK(tn_strstr);
char ?`r mstrstr(char ?`r s, const char ?needle) TN_LINK(tn_mstrstr);
extern "C" char *`r strcasestr(char *`r s, const char *needle) TN_LINK(tn_strcasestr_z) __attribute__((overload(zstrcasestr, mstrcasestr, cstrcasestr)));
extern "C" const char *`r zstrcasestr(const char *`r s, const char *needle) TN_LINK(tn_zstrcasestr_z);
const char ?`r cstrcasestr(const char ?`r s, const char ?needle) TN_LINK(tn_strcasestr);
char ?`r mstrcasestr(char ?`r s, const char ?needle) TN_LINK(tn_mstrcasestr);
extern "C" char *`r strpbrk(char *`r s, const char *accept) TN_LINK(tn_strpbrk_z) __attribute__((overload(zstrpbrk, mstrpbrk, cstrpbrk)));
extern "C" const char *`r zstrpbrk(const char *`r s, const char *accept) TN_LINK(tn_zstrpbrk_z);
const char ?`r cstrpbrk(const char ?`r s, const char ?accept) TN_LINK(tn_strpbrk);
char ?`r mstrpbrk(char ?`r s, const char ?accept) TN_LINK(tn_mstrpbrk);
size_t strspn(const char ?s, const char ?accept) TN_LINK(tn_strspn);
size_t strcspn(const char ?s, const char ?reject) TN_LINK(tn_strcspn);

/* strtok copies its string to the heap when it starts, so no token points into a buffer that may
   be gone at the next call; strtok_r and strsep cut the caller's own string. */
char ?`H strtok(char ?s, const char ?delim) TN_LINK(tn_strtok);
char ?`r strtok_r(char ?`r s, const char ?delim, char ?`r @save) TN_LINK(tn_strtok_r);
char ?`r strsep(char ?`r @s, const char ?delim) TN_LINK(tn_strsep);

const char ?`H strerror(int error) TN_LINK(tn_strerror);
/* The message in buf, cut to its n bytes; 0 always. */
int strerror_r(int error, char ?buf, size_t n) TN_LINK(tn_strerror_r) TN_CALLER __attribute__((overload(strerror_r_z)));
int strerror_r_z(int error, char ?@zeroterm buf, size_t n) TN_LINK(tn_strerror_r_z) TN_CALLER;
const char ?`H strsignal(int sig) TN_LINK(tn_strsignal);

/* Bytes. A pointer to any bits-only type is taken as its bytes; n never passes the bound. */
char ?`r memcpy(char ?`r dest, const char ?src, size_t n) TN_LINK(tn_memcpy) __attribute__((bytes, overload(memcpy_z))) TN_CALLER;
char ?@zeroterm`r memcpy_z(char ?@zeroterm`r dest, const char ?src, size_t n) TN_LINK(tn_memcpy_z) __attribute__((bytes)) TN_CALLER;
char ?`r memmove(char ?`r dest, const char ?src, size_t n) TN_LINK(tn_memmove) __attribute__((bytes, overload(memmove_z))) TN_CALLER;
char ?@zeroterm`r memmove_z(char ?@zeroterm`r dest, const char ?src, size_t n) TN_LINK(tn_memmove_z) __attribute__((bytes)) TN_CALLER;
char ?`r mempcpy(char ?`r dest, const char ?src, size_t n) TN_LINK(tn_mempcpy) __attribute__((bytes)) TN_CALLER;
char ?`r memset(char ?`r dest, int c, size_t n) TN_LINK(tn_memset) __attribute__((bytes, overload(memset_z))) TN_CALLER;
char ?@zeroterm`r memset_z(char ?@zeroterm`r dest, int c, size_t n) TN_LINK(tn_memset_z) __attribute__((bytes)) TN_CALLER;
/* As memset, and never left out by the compiler. */
void explicit_bzero(char ?dest, size_t n) TN_LINK(tn_explicit_bzero) __attribute__((bytes)) TN_CALLER;
int bcmp(const char ?a, const char ?b, size_t n) TN_LINK(tn_memcmp) __attribute__((bytes)) TN_CALLER;
int memcmp(const char ?a, const char ?b, size_t n) TN_LINK(tn_memcmp) __attribute__((bytes)) TN_CALLER;
char ?`r memchr(char ?`r s, int c, size_t n) TN_LINK(tn_mmemchr) __attribute__((bytes, overload(cmemchr))) TN_CALLER;
const char ?`r cmemchr(const char ?`r s, int c, size_t n) TN_LINK(tn_memchr) __attribute__((bytes));
char ?`r mmemchr(char ?`r s, int c, size_t n) TN_LINK(tn_mmemchr) __attribute__((bytes));
char ?`r memrchr(char ?`r s, int c, size_t n) TN_LINK(tn_mmemrchr) __attribute__((bytes, overload(cmemrchr))) TN_CALLER;
const char ?`r cmemrchr(const char ?`r s, int c, size_t n) TN_LINK(tn_memrchr) __attribute__((bytes));
char ?`r mmemrchr(char ?`r s, int c, size_t n) TN_LINK(tn_mmemrchr) __attribute__((bytes));
const char ?`r memmem(const char ?`r s, size_t n, const char ?needle, size_t m) TN_LINK(tn_memmem) __attribute__((bytes)) TN_CALLER;

#ifndef __TENURE_C__
#include <list.h>

int strptrcmp(Core::string_t @a, Core::string_t @b) TN_LINK(tn_strptrcmp);
/* Zeros are characters like any other here: all numelts of both are compared. */
int zstrcmp(const char ?a, const char ?b) TN_LINK(tn_zstrcmp);
int zstrncmp(const char ?a, const char ?b, size_t n) TN_LINK(tn_zstrncmp);
int zstrptrcmp(Core::string_t @a, Core::string_t @b) TN_LINK(tn_zstrptrcmp);
char ?`r zstrncpy(char ?`r dest, const char ?src, size_t n) TN_LINK(tn_zstrncpy) TN_CALLER;
/* At most size - 1 characters and a zero; the length that was wanted. */
size_t strlcpy(char ?dest, const char ?src, size_t size) TN_LINK(tn_strlcpy) TN_CALLER __attribute__((overload(strlcpy_z)));
size_t strlcpy_z(char ?@zeroterm dest, const char ?src, size_t size) TN_LINK(tn_strlcpy_z) TN_CALLER;
size_t strlcat(char ?dest, const char ?src, size_t size) TN_LINK(tn_strlcat) TN_CALLER __attribute__((overload(strlcat_z)));
size_t strlcat_z(char ?@zeroterm dest, const char ?src, size_t size) TN_LINK(tn_strlcat_z) TN_CALLER;

/* Strings that are made of others. */
char ?`r rstrdup(region_t<`r>, const char ?s) TN_LINK(tn_rstrdup);
char ?`H strconcat(const char ?a, const char ?b) TN_LINK(tn_strconcat);
char ?`r rstrconcat(region_t<`r>, const char ?a, const char ?b) TN_LINK(tn_rstrconcat);
char ?`H strconcat_l(List::list_t<Core::string_t<`r> @`s,`t> l) TN_LINK(tn_strconcat_l);
char ?`q rstrconcat_l(region_t<`q>, List::list_t<Core::string_t<`r> @`s,`t> l) TN_LINK(tn_rstrconcat_l);
char ?`H str_sepstr(List::list_t<Core::string_t<`r> @`s,`t> l, const char ?sep) TN_LINK(tn_str_sepstr);
char ?`q rstr_sepstr(region_t<`q>, List::list_t<Core::string_t<`r> @`s,`t> l, const char ?sep) TN_LINK(tn_rstr_sepstr);

/* n characters from s[from] on, and a zero. */
char ?`H substring(const char ?s, int from, size_t n) TN_LINK(tn_substring) TN_CALLER;
char ?`r rsubstring(region_t<`r>, const char ?s, int from, size_t n) TN_LINK(tn_rsubstring);
/* Raises Invalid_argument where s does not end in suffix. */
char ?`H replace_suffix(const char ?s, const char ?suffix, const char ?by) TN_LINK(tn_replace_suffix);
char ?`r rreplace_suffix(region_t<`r>, const char ?s, const char ?suffix, const char ?by) TN_LINK(tn_rreplace_suffix);
/* s and zeros, n characters in all. */
char ?`H expand(const char ?s, size_t n) TN_LINK(tn_expand);
char ?`r rexpand(region_t<`r>, const char ?s, size_t n) TN_LINK(tn_rexpand);

/* Lists of characters and of strings. */
List::list_t<int,`H> to_list(const char ?s) TN_LINK(tn_to_list);
List::list_t<int,`r> rto_list(region_t<`r>, const char ?s) TN_LINK(tn_rto_list);
char ?`H from_list(List::list_t<int,`s> chars) TN_LINK(tn_from_list);
char ?`r rfrom_list(region_t<`r>, List::list_t<int,`s> chars) TN_LINK(tn_rfrom_list);
List::list_t<int,`H> explode(const char ?s) TN_LINK(tn_to_list);
List::list_t<int,`r> rexplode(region_t<`r>, const char ?s) TN_LINK(tn_rto_list);
char ?`H implode(List::list_t<int,`s> chars) TN_LINK(tn_from_list);
/* The pieces of s between characters of delims, without the empty ones. */
List::list_t<Core::string_t<`H> @`H,`H> split(const char ?s, const char ?delims) TN_LINK(tn_split);
List::list_t<Core::string_t<`r> @`r,`r> rsplit(region_t<`r>, const char ?s, const char ?delims) TN_LINK(tn_rsplit);
#endif

#endif
