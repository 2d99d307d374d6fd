/* No guard: C lets NDEBUG change between two inclusions. `assert` is a word of the language. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#endif
#undef static_assert
#define static_assert _Static_assert
