// Runs a body over [0, count) on several threads, in chunks. The body writes to separate places for
// each index, so the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace corrigenda {

// Starts up to `wanted` threads that run `body`. The system may refuse a thread, and there may be
// no memory for one. Then this returns the threads that did start: the caller must join them,
// because destroying a joinable thread ends the process.
template <typename Body>
std::vector<std::thread> start_threads(std::size_t wanted, Body& body) noexcept {
    std::vector<std::thread> started;
    try {
        started.reserve(wanted);
        while (started.size() < wanted) started.emplace_back(std::ref(body));
    } catch (...) {
        // Fewer threads take longer. They still do all the work, because they share one queue.
    }
    return started;
}

// Calls `make_worker()` once per thread. It returns a callable `worker(index)`, whose scratch
// memory lives as long as its thread and is never shared. The calling thread also works, so the
// work is done even if no other thread starts. Throws the first exception of a worker after all
// threads have ended.
template <typename MakeWorker>
void parallel_for(std::size_t count, std::size_t threads, std::size_t chunk,
                  MakeWorker make_worker) {
    threads = std::max<std::size_t>(1, std::min(threads, (count + chunk - 1) / chunk));
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;  // written by the thread that sets `failed`, read after the join

    auto run = [&]() noexcept {
        try {
            auto worker = make_worker();
            for (;;) {
                const std::size_t begin = next.fetch_add(chunk);
                if (begin >= count) return;
                const std::size_t end = std::min(begin + chunk, count);
                for (std::size_t index = begin; index < end; ++index) worker(index);
            }
        } catch (...) {
            next.store(count);
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };

    std::vector<std::thread> others = start_threads(threads - 1, run);
    run();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace corrigenda
