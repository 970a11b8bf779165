// Runs parallel_for once and prints what happened. Arguments: count, threads, chunk, the number of
// allocations of the calling thread that succeed (-1: all), and which exception a worker throws:
// none, index (at index 37), other (in a thread that is not the calling one), make (no worker is
// made).
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "parallel.hpp"

namespace {

thread_local long allocations_left = -1;

}  // namespace

void* operator new(std::size_t size) {
    if (allocations_left == 0) throw std::bad_alloc();
    if (allocations_left > 0) --allocations_left;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main(int, char** arguments) {
    const std::size_t count = std::strtoul(arguments[1], nullptr, 10);
    const std::size_t threads = std::strtoul(arguments[2], nullptr, 10);
    const std::size_t chunk = std::strtoul(arguments[3], nullptr, 10);
    const long allocations = std::atol(arguments[4]);
    const std::string failure = arguments[5];

    std::vector<int> visits(count, 0);
    std::atomic<int> workers{0};
    std::atomic<bool> other_failed{false};
    const auto calling_thread = std::this_thread::get_id();
    const auto make_worker = [&] {
        ++workers;
        const bool is_other = std::this_thread::get_id() != calling_thread;
        if (failure == "make") throw std::runtime_error("no worker");
        while (failure == "other" && !is_other && !other_failed) std::this_thread::yield();
        return [&, is_other](std::size_t index) {
            if (failure == "index" && index == 37) throw std::runtime_error("at index 37");
            if (failure == "other" && is_other) {
                other_failed = true;
                throw std::runtime_error("in another thread");
            }
            ++visits[index];
        };
    };
    std::string thrown = "nothing";
    try {
        allocations_left = allocations;
        corrigenda::parallel_for(count, threads, chunk, make_worker);
        allocations_left = -1;
    } catch (const std::exception& problem) {
        allocations_left = -1;
        thrown = problem.what();
    }
    std::size_t visited_once = 0;
    for (const int times : visits) visited_once += times == 1;
    std::printf("%d workers, %zu visited once, thrown: %s\n", workers.load(), visited_once,
                thrown.c_str());
}
