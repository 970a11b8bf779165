// Calls the fuzz target where there is no libFuzzer: on files, and on random changes of them.
//
//     own_loop SECONDS SEED FILE…
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

using Bytes = std::vector<std::uint8_t>;

static void change(Bytes& bytes, std::mt19937_64& random) {
    static const std::uint8_t special[] = {0, 1, 2, 127, 128, 254, 255};
    for (auto left = 1 + random() % 6; left > 0; --left) {
        const auto kind = random() % 5;
        if (bytes.empty() || kind == 0) {
            bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(random() % (bytes.size() + 1)),
                         static_cast<std::uint8_t>(random()));
        } else if (kind == 1) {
            bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(random() % bytes.size()));
        } else if (kind == 2) {
            bytes[random() % bytes.size()] = special[random() % sizeof special];
        } else if (kind == 3) {
            bytes[random() % bytes.size()] ^= static_cast<std::uint8_t>(1u << (random() % 8));
        } else {
            bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
        }
    }
    if (bytes.size() > 400) bytes.resize(400);
}

int main(int count, char** arguments) {
    if (count < 3) return 2;
    std::vector<Bytes> pool{{}};
    for (int i = 3; i < count; ++i) {
        std::ifstream file(arguments[i], std::ios::binary);
        pool.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        LLVMFuzzerTestOneInput(pool.back().data(), pool.back().size());
    }
    std::mt19937_64 random(std::strtoull(arguments[2], nullptr, 10));
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::seconds(std::strtoll(arguments[1], nullptr, 10));
    unsigned long long runs = pool.size() - 1;
    while (std::chrono::steady_clock::now() < end) {
        Bytes bytes = pool[random() % pool.size()];
        change(bytes, random);
        // What crashed is kept for the next run.
        std::ofstream("last-input.bin", std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
        if (random() % 64 == 0 && pool.size() < 5000) pool.push_back(bytes);
        ++runs;
    }
    std::printf("%llu runs\n", runs);
}
