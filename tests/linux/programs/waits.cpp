// SPDX-License-Identifier: MIT
// Threads that count while they wait for an atomic variable, in the ways of C++: an unoptimised build calls functions
// for each look at it, and keeps all else in memory.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

static std::atomic<bool> stop;
static volatile bool plain_stop;

struct work {
	std::atomic<int> ready{0};
	long rounds = 0;

	void wait()
	{
		while (ready.load(std::memory_order_acquire) == 0)
			rounds++;
	}
};

static bool is_done()
{
	return plain_stop;
}

template <typename Loop, typename End> static void run(const char *name, const long &rounds, Loop loop, End end)
{
	std::thread thread(loop);
	std::this_thread::sleep_for(std::chrono::milliseconds(5));
	end();
	thread.join();
	printf("%s: %s\n", name, rounds ? "counted" : "did not count");
	fflush(stdout);
}

int main()
{
	long rounds = 0, calls = 0, tries = 0;
	work work;
	std::atomic<bool> local{false};
	std::atomic<long> shared{0};
	std::atomic_flag flag;
	flag.test_and_set();
	run("a flag of the program's", rounds, [&] { while (!stop) rounds++; }, [] { stop = true; });
	run("a member", work.rounds, [&] { work.wait(); }, [&] { work.ready = 1; });
	run("by a function", calls, [&] { while (!is_done()) calls++; }, [] { plain_stop = true; });
	run("counted atomically", calls, [&] { while (!local.load()) shared.fetch_add(1); }, [&] { local = true; });
	run("a lock that is tried", tries, [&] { while (flag.test_and_set(std::memory_order_acquire)) tries++; },
	    [&] { flag.clear(); });
}
