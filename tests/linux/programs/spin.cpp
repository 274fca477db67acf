// SPDX-License-Identifier: MIT
// Threads that take turns and locks, and wait for both without anything but loads and stores in their loops.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <unistd.h>
#include <vector>

constexpr int threads = 4, rounds = 25;

static std::atomic<int> turn{0};
static std::atomic_flag taken = ATOMIC_FLAG_INIT;
static int guarded, numbered; // by the one lock, and by the other

struct ticket_lock {
	std::atomic<unsigned> next{0}, now{0};

	void lock()
	{
		unsigned mine = next.fetch_add(1);
		while (now.load(std::memory_order_acquire) != mine)
			;
	}

	void unlock()
	{
		now.store(now.load() + 1);
	}
};

static ticket_lock tickets;

static void work(int self)
{
	for (int round = 0; round < rounds; round++) {
		while (turn.load() % threads != self)
			;
		turn.store(turn.load() + 1);
	}
	for (int round = 0; round < 16; round++) {
		while (taken.test_and_set(std::memory_order_acquire))
			;
		guarded++;
		if (round % 8 == 0)
			usleep(1);
		taken.clear(std::memory_order_release);
		tickets.lock();
		numbered++;
		if (round % 8 == 4)
			usleep(1);
		tickets.unlock();
	}
}

int main(int argc, char **argv)
{
	auto wait = [] {
		while (turn.load() == 0)
			;
	};
	if (argc > 1 && !strcmp(argv[1], "for-ever"))
		wait();
	if (argc > 1 && !strcmp(argv[1], "together")) {
		std::thread one(wait), two(wait);
		one.join();
	}
	volatile bool goes_on = argc > 1;
	for (unsigned long count = 0; goes_on; count++)
		asm volatile("" : : "r"(count));
	std::vector<std::thread> all;
	for (int i = 0; i < threads; i++)
		all.emplace_back(work, i);
	for (auto &thread : all)
		thread.join();
	printf("%d turns, %s\n", turn.load(), guarded == threads * 16 && numbered == threads * 16 ? "all locked" : "not all locked");
}
