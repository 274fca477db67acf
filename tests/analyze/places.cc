// SPDX-License-Identifier: MIT
// Bug: find() gives out a pointer, and the lock is released before it is used. Another thread closes what it points to.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

struct Connection {
	int number = 0;
	bool open = true;
};

class Server
{
	std::mutex lock;
	std::map<int, std::unique_ptr<Connection>> table;
	std::unique_ptr<Connection> closed;

public:
	void add(int number)
	{
		std::lock_guard<std::mutex> hold(lock);
		table[number] = std::make_unique<Connection>();
	}
	Connection *find(int number)
	{
		std::lock_guard<std::mutex> hold(lock);
		auto found = table.find(number);
		return found == table.end() ? nullptr : found->second.get();
	}
	void close(int number)
	{
		std::lock_guard<std::mutex> hold(lock);
		auto found = table.find(number);
		if (found == table.end())
			return;
		found->second->open = false;
		closed = std::move(found->second);
		table.erase(found);
	}
};

static Server server;

static void request(int number)
{
	Connection *connection = server.find(number);
	if (connection && !connection->open) {
		std::fprintf(stderr, "request on a closed connection\n");
		std::abort();
	}
}

int main()
{
	server.add(1);
	std::thread asks(request, 1), closes([] { server.close(1); });
	asks.join();
	closes.join();
}
