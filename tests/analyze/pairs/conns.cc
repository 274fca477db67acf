/* SPDX-License-Identifier: MIT */
/* A server gives out a pointer to a connection, which another thread closes before it is used. */
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

struct connection {
	int number;
	bool open;
};

class server {
	std::mutex lock;
	std::map<int, std::unique_ptr<connection>> table;
	std::unique_ptr<connection> closed;

public:
	void add(int number)
	{
		std::lock_guard<std::mutex> hold(lock);
		table[number] = std::make_unique<connection>(connection{number, true});
	}

	connection *find(int number)
	{
		std::lock_guard<std::mutex> hold(lock);
		const auto at = table.find(number);
		return at == table.end() ? nullptr : at->second.get();
	}

	void close(int number)
	{
		std::lock_guard<std::mutex> hold(lock);
		const auto at = table.find(number);
		at->second->open = false; /* cause */
		closed = std::move(at->second);
		table.erase(at);
	}
};

static server all;

static void request()
{
	connection *found = all.find(1);
	if (found && !found->open) /* cause */
		abort();
}

int main()
{
	all.add(1);
	all.add(2);
	std::thread a(request), b([] { all.close(1); });
	a.join();
	b.join();
}
