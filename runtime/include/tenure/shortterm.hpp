// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Short-term memory for C++: new, std::pmr::memory_resource, and finalizers that are destructors. Needs C++17.
#ifndef TENURE_SHORTTERM_HPP
#define TENURE_SHORTTERM_HPP

#include <cstddef>
#include <limits>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>

#include "tenure/shortterm.h"

namespace tenure::stm {

// The placement argument of `new (tenure::stm::for_ticks(n)) T(…)`: short-term with extension n.
struct for_ticks {
    explicit for_ticks(unsigned extension) noexcept : extension(extension) {}
    unsigned extension;
};

namespace detail {

inline void *allocate(std::size_t size, std::size_t alignment) {
    void *object = alignment <= 16 ? stm_malloc(size) : stm_aligned_alloc(alignment, size);
    if (object == nullptr) throw std::bad_alloc();
    return object;
}

inline void *allocate_dated(std::size_t size, std::size_t alignment, unsigned extension) {
    void *object = allocate(size, alignment);
    if (stm_refresh(object, extension) == STM_OK) return object;
    stm_free(object);
    throw std::bad_alloc();
}

template <class T> int destroy(void *object, void *) {
    static_cast<T *>(object)->~T();
    return 0;
}

} // namespace detail

// Constructs a T that is destroyed, then deallocated, when it has expired. Its destructor must not use other objects that
// expire. Throws what the constructor throws, or std::bad_alloc.
template <class T, class... Arguments> T *make(unsigned extension, Arguments &&...arguments) {
    void *place = detail::allocate(sizeof(T), alignof(T));
    T *object;
    try {
        object = ::new (place) T(std::forward<Arguments>(arguments)...);
    } catch (...) {
        stm_free(place);
        throw;
    }
    int error = STM_OK;
    if constexpr (!std::is_trivially_destructible_v<T>) error = stm_set_finalizer(place, detail::destroy<T>, nullptr);
    if (error == STM_OK) error = stm_refresh(place, extension);
    if (error == STM_OK) return object;
    object->~T();
    stm_free(place);
    throw std::bad_alloc();
}

// Memory that expires: containers over it are never freed piece by piece. What a container gives back early is left to expire.
class short_term_resource final : public std::pmr::memory_resource {
public:
    explicit short_term_resource(unsigned extension = 0) noexcept : extension_(extension) {}

private:
    void *do_allocate(std::size_t size, std::size_t alignment) override {
        return detail::allocate_dated(size, alignment, extension_);
    }
    void do_deallocate(void *, std::size_t, std::size_t) noexcept override {}
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override { return this == &other; }

    unsigned extension_;
};

// Memory of a region, which is refreshed as a whole. Alignments above 16 are not served.
class region_resource final : public std::pmr::memory_resource {
public:
    explicit region_resource(stm_region *region) noexcept : region_(region) {}

private:
    void *do_allocate(std::size_t size, std::size_t alignment) override {
        void *object = alignment <= 16 ? stm_region_malloc(region_, size) : nullptr;
        if (object == nullptr) throw std::bad_alloc();
        return object;
    }
    void do_deallocate(void *, std::size_t, std::size_t) noexcept override {}
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override {
        const auto *that = dynamic_cast<const region_resource *>(&other);
        return that != nullptr && that->region_ == region_;
    }

    stm_region *region_;
};

// Persistent memory whose objects may be refreshed later.
class persistent_resource final : public std::pmr::memory_resource {
    void *do_allocate(std::size_t size, std::size_t alignment) override { return detail::allocate(size, alignment); }
    void do_deallocate(void *object, std::size_t, std::size_t) noexcept override {
        if (stm_date_count(object) == 0) stm_free(object);
    }
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override {
        return dynamic_cast<const persistent_resource *>(&other) != nullptr;
    }
};

} // namespace tenure::stm

inline void *operator new(std::size_t size, tenure::stm::for_ticks ticks) {
    return tenure::stm::detail::allocate_dated(size, 16, ticks.extension);
}
inline void *operator new[](std::size_t size, tenure::stm::for_ticks ticks) {
    return tenure::stm::detail::allocate_dated(size, 16, ticks.extension);
}
// Only for a constructor that throws: what it leaves behind expires.
inline void operator delete(void *, tenure::stm::for_ticks) noexcept {}
inline void operator delete[](void *, tenure::stm::for_ticks) noexcept {}

// In one source file of a program: every new and delete is of this library, and any object may be refreshed.
#define STM_REPLACE_NEW_AND_DELETE                                                                                     \
    void *operator new(std::size_t size) { return tenure::stm::detail::allocate(size, 16); }                           \
    void *operator new[](std::size_t size) { return tenure::stm::detail::allocate(size, 16); }                         \
    void *operator new(std::size_t size, std::align_val_t alignment) {                                                 \
        return tenure::stm::detail::allocate(size, static_cast<std::size_t>(alignment));                               \
    }                                                                                                                  \
    void *operator new[](std::size_t size, std::align_val_t alignment) {                                               \
        return tenure::stm::detail::allocate(size, static_cast<std::size_t>(alignment));                               \
    }                                                                                                                  \
    static void stm_delete(void *object) noexcept {                                                                    \
        if (object != nullptr && stm_date_count(object) == 0) stm_free(object);                                        \
    }                                                                                                                  \
    void operator delete(void *object) noexcept { stm_delete(object); }                                                \
    void operator delete[](void *object) noexcept { stm_delete(object); }                                              \
    void operator delete(void *object, std::size_t) noexcept { stm_delete(object); }                                   \
    void operator delete[](void *object, std::size_t) noexcept { stm_delete(object); }                                 \
    void operator delete(void *object, std::align_val_t) noexcept { stm_delete(object); }                              \
    void operator delete[](void *object, std::align_val_t) noexcept { stm_delete(object); }                            \
    void operator delete(void *object, std::size_t, std::align_val_t) noexcept { stm_delete(object); }                 \
    void operator delete[](void *object, std::size_t, std::align_val_t) noexcept { stm_delete(object); }               \
    static_assert(true)

#endif
