/* Memory that ends where a page begins that cannot be touched. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>

struct fat {
    void *base;
    uint32_t index, count;
};

static void *fence(size_t n) {
    size_t page = 4096, bytes = (n + page - 1) / page * page;
    char *at = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || mprotect(at + bytes, page, PROT_NONE) != 0) abort();
    return at + bytes - n;
}

static struct fat fat(void *base, size_t n) { return (struct fat){base, 0, (uint32_t)n}; }

static void *filled(size_t n, size_t text) { return memset(fence(n), 'X', text); }

struct fat fence_bytes(size_t n) { return fat(filled(n, n), n); }
struct fat fence_zeros(size_t n) { return fat(fence(n), n); }
char *fence_string(size_t n) { return filled(n + 1, n); }

struct fat fence_wide(size_t n, int ends) {
    wchar_t *s = fence((n + (size_t)ends) * sizeof *s);
    for (size_t i = 0; i < n; i++) s[i] = L'X';
    return fat(s, n + (size_t)ends);
}
