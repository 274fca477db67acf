/* SPDX-License-Identifier: MIT */
/* Two threads look for a producer that nobody uses, and both take the same one: they look and take in two steps. The
 * main thread waits in a loop that yields. */
#include <atomic>
#include <cstdlib>
#include <thread>

struct producer {
	std::atomic<int> count{0};
	std::atomic<bool> inactive{true};
	producer *next = nullptr;
};

static std::atomic<producer *> list{nullptr};
static std::atomic<int> ended{0};

static void add(producer *added)
{
	producer *first = list.load();
	do
		added->next = first;
	while (!list.compare_exchange_weak(first, added));
}

static void produce()
{
	producer *own = nullptr;
	for (producer *at = list.load(); at && !own; at = at->next)
		if (at->inactive.load()) { /* cause */
			at->inactive.store(false); /* cause */
			own = at;
		}
	if (!own) {
		own = new producer;
		own->inactive = false;
		add(own);
	}
	for (int i = 0; i < 2; i++)
		own->count.store(own->count.load() + 1); /* cause */
	own->inactive.store(true);
	ended++;
}

int main()
{
	add(new producer);
	std::thread a(produce), b(produce);
	while (ended.load() != 2)
		std::this_thread::yield();
	a.join();
	b.join();
	int sum = 0;
	for (producer *at = list.load(); at; at = at->next)
		sum += at->count;
	if (sum != 4)
		abort();
}
