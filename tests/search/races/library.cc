/* SPDX-License-Identifier: MIT */
/* Threads of C++: with `new`, they race for a word that was made by new. Otherwise they are ordered by what the standard
 * library has for it. */
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::shared_mutex shared;
static int *word;

static int made_once()
{
	static std::vector<int> made(100, 1);
	return made[50];
}

static void in_two(const std::function<void(int)> &work)
{
	std::thread first(work, 0), second(work, 1);
	first.join();
	second.join();
}

#ifdef PROMISE /* which calls pthread_once: no race of such a program is certain */
static void hand_over()
{
	std::promise<int *> promise;
	auto future = promise.get_future();
	std::thread taker([&future] { (*future.get())++; });
	(*word)++;
	promise.set_value(word);
	taker.join();
}
#else
static void hand_over() {}
#endif

static void by_flag_on_stack()
{
	std::atomic<bool> ready{false};
	std::thread taker([&ready] {
		while (!ready.load(std::memory_order_acquire))
			std::this_thread::yield();
		(*word)++;
	});
	(*word)++;
	ready.store(true, std::memory_order_release);
	taker.join();
}

/* The flag is on the stack of the thread that waits for it. */
static void by_flag_on_own_stack()
{
	std::atomic<bool> ready{false};
	std::thread giver([&ready] {
		(*word)++;
		ready.store(true, std::memory_order_release);
	});
	while (!ready.load(std::memory_order_acquire))
		std::this_thread::yield();
	(*word)++;
	giver.join();
}

int main(int argc, char **argv)
{
	const std::string way = argc > 1 ? argv[1] : "";
	word = new int[4]();
	if (way == "new") {
		in_two([](int) { word[1]++; });
		return word[1] != 2;
	}
	if (way == "mutex")
		in_two([](int) {
			std::lock_guard<std::mutex> guard(mutex);
			(*word)++;
		});
	else if (way == "shared_mutex")
		in_two([](int self) {
			if (self) {
				std::unique_lock<std::shared_mutex> guard(shared);
				(*word)++;
			} else {
				std::shared_lock<std::shared_mutex> guard(shared);
				printf("%d\n", *word);
			}
		});
	else if (way == "shared_ptr") {
		auto text = std::make_shared<std::string>(100, 'x');
		in_two([text](int) {
			auto copy = text;
			std::string more = *copy + "y";
			printf("%zu\n", more.size());
		});
	} else if (way == "static")
		in_two([](int) { printf("%d\n", made_once()); });
	else if (way == "promise")
		hand_over();
	else if (way == "stack")
		by_flag_on_stack();
	else if (way == "own_stack")
		by_flag_on_own_stack();
	else
		return 2;
	return 0;
}
