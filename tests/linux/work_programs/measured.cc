/* SPDX-License-Identifier: MIT */
/* A program of Google Benchmark: it repeats a loop until enough time has passed. */
#include <benchmark/benchmark.h>
#include <vector>

static void sum(benchmark::State &state)
{
	std::vector<int> numbers(state.range(0), 3);
	for (auto _ : state) {
		long total = 0;
		for (int number : numbers)
			benchmark::DoNotOptimize(total += number);
	}
}
BENCHMARK(sum)->Arg(64)->Arg(4096);
BENCHMARK_MAIN();
