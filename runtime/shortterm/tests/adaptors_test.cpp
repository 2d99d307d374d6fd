// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The C++ adaptors; every new and delete of this program is of the library.
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tenure/libscm.h"
#include "tenure/shortterm.hpp"

STM_REPLACE_NEW_AND_DELETE;

static int failures;
#define CHECK(condition)                                                                                               \
    ((condition) ? (void)0 : (void)(failures++, std::printf("%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition)))

static int alive;
struct Counted {
    explicit Counted(bool fails = false) {
        if (fails) throw 1;
        alive++;
    }
    ~Counted() { alive--; }
    std::string text = "long enough for storage of its own, surely it is";
};

static void made_objects_are_destroyed() {
    Counted *object = tenure::stm::make<Counted>(1);
    CHECK(alive == 1 && object->text.size() > 40);
    stm_tick();
    stm_collect();
    CHECK(alive == 1);
    stm_tick();
    stm_collect();
    CHECK(alive == 0);
    bool thrown = false;
    try {
        (void)tenure::stm::make<Counted>(0, true);
    } catch (int) {
        thrown = true;
    }
    CHECK(thrown && alive == 0);
}

// The containers end before their memory does.
static void use_resources() {
    tenure::stm::short_term_resource resource(0);
    std::pmr::vector<std::pmr::string> lines(&resource);
    for (int i = 0; i < 100; i++) lines.emplace_back("a line that is long enough for the heap, number " + std::to_string(i));
    std::pmr::map<int, std::pmr::string> map(&resource);
    for (int i = 0; i < 100; i++) map[i] = lines[static_cast<size_t>(i)];
    CHECK(map[99].find("99") != std::pmr::string::npos);
    stm_region *region = stm_region_create();
    tenure::stm::region_resource in_region(region);
    std::pmr::vector<int> numbers(&in_region);
    for (int i = 0; i < 10000; i++) numbers.push_back(i);
    CHECK(numbers[9999] == 9999);
    CHECK(stm_region_refresh(region, 0) == STM_OK);
}

static void resources() {
    for (int round = 0; round < 100; round++) {
        use_resources();
        stm_tick();
        stm_collect();
    }
    struct stm_statistics statistics;
    stm_thread_statistics(&statistics);
    CHECK(statistics.dates == 0 && statistics.expired_waiting == 0);
    tenure::stm::persistent_resource persistent;
    std::pmr::vector<int> numbers(100, &persistent);
    CHECK(stm_date_count(numbers.data()) == 0);
}

static void new_and_delete() {
    auto owned = std::make_unique<Counted>();
    CHECK(stm_date_count(owned.get()) == 0 && alive == 1);
    owned.reset();
    CHECK(alive == 0);
    int *dated = new (tenure::stm::for_ticks(2)) int(7);
    CHECK(stm_date_count(dated) == 1 && *dated == 7);
    struct alignas(64) Wide { char bytes[64]; };
    auto wide = std::make_unique<Wide>();
    CHECK((reinterpret_cast<std::uintptr_t>(wide.get()) & 63) == 0);
    for (int i = 0; i < 3; i++) stm_tick();
    stm_collect();
}

int main() {
    made_objects_are_destroyed();
    resources();
    new_and_delete();
    std::printf("3 tests, %d failures\n", failures == 0 ? 0 : 1);
    return failures != 0;
}
