/* SPDX-License-Identifier: MIT */
/* An object that is shown to others before it is filled in. */
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

struct config {
	int port;
};

static std::atomic<config *> instance{nullptr};
static std::mutex lock;

static config *get()
{
	config *found = instance.load();
	if (found)
		return found;
	std::lock_guard<std::mutex> hold(lock);
	found = instance.load();
	if (!found) {
		found = new config{0};
		instance.store(found);
		found->port = 8080; /* cause */
	}
	return found;
}

static void use()
{
	if (get()->port != 8080) /* cause */
		abort();
}

int main()
{
	std::thread a(use), b(use);
	a.join();
	b.join();
}
