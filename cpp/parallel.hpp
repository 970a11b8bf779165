// Runs a body over [0, count) on several threads, in chunks. The body writes to places of its own for
// each index, so the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace corrigenda {

// `make_worker()` is called once a thread and returns a callable `worker(index)`, so that scratch memory
// lives as long as its thread and is never shared.
template <typename MakeWorker>
void parallel_for(std::size_t count, std::size_t threads, std::size_t chunk, MakeWorker make_worker) {
    threads = std::max<std::size_t>(1, std::min(threads, (count + chunk - 1) / chunk));
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_guard;

    auto run = [&] {
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
            const std::lock_guard<std::mutex> lock(failure_guard);
            if (!failure) failure = std::current_exception();
        }
    };

    std::vector<std::thread> pool;
    pool.reserve(threads - 1);
    for (std::size_t i = 1; i < threads; ++i) pool.emplace_back(run);
    run();
    for (auto& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace corrigenda
