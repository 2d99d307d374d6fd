// SPDX-License-Identifier: MIT OR Apache-2.0
//
// C++'s operators: what is too large throws or is a null pointer, a new-handler is asked first, and alignments are kept.
#include <cstdint>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

static int handled;
static void *volatile sink;
static volatile std::size_t huge = std::size_t(1) << 60;

static void give_up() {
    if (++handled == 3) std::set_new_handler(nullptr);
}

template <std::size_t alignment> static bool is_aligned() {
    struct alignas(alignment) Wide {
        char bytes[alignment + 1];
    };
    bool good = true;
    for (int i = 0; i < 200; i++) {
        Wide *one = new Wide, *several = new Wide[3];
        good = good && reinterpret_cast<std::uintptr_t>(one) % alignment == 0;
        good = good && reinterpret_cast<std::uintptr_t>(several) % alignment == 0;
        delete one;
        delete[] several;
    }
    return good;
}

static bool throws() {
    try {
        sink = new char[huge];
    } catch (const std::bad_alloc &) {
        return true;
    }
    return false;
}

int main() {
    bool good = throws() && new (std::nothrow) char[huge] == nullptr;
    good = good && operator new(huge, std::align_val_t(64), std::nothrow) == nullptr;
    std::set_new_handler(give_up);
    good = throws() && handled == 3 && good;
    good = is_aligned<16>() && is_aligned<64>() && is_aligned<256>() && is_aligned<4096>() && is_aligned<65536>() && good;
    for (std::size_t size = 1; size < 100000; size = size * 3 / 2 + 1) {
        void *object = operator new(size);
        sink = object;
        operator delete(object, size);
        void *aligned = operator new(size, std::align_val_t(128));
        good = good && reinterpret_cast<std::uintptr_t>(aligned) % 128 == 0;
        operator delete(aligned, size, std::align_val_t(128));
    }
    std::vector<std::string> strings;
    for (int i = 0; i < 20000; i++) strings.push_back(std::string(static_cast<std::size_t>(i % 200), 'x'));
    for (int i = 0; i < 20000; i++) good = good && strings[static_cast<std::size_t>(i)].size() == static_cast<std::size_t>(i % 200);
    std::puts(good ? "1 tests, 0 failures" : "1 tests, 1 failures");
    return good ? 0 : 1;
}
