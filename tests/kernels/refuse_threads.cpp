// A library for LD_PRELOAD that refuses threads, as a system that has no more of them does. It lets
// as many threads start as the environment variable THREADS_THAT_START says, counted from the
// moment when the variable is set.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) {
    static std::atomic<long> asked{0};
    const char* allowed = std::getenv("THREADS_THAT_START");
    if (allowed != nullptr && asked.fetch_add(1) >= std::atol(allowed)) return EAGAIN;
    static const auto original =
        reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return original(thread, attributes, start, argument);
}
