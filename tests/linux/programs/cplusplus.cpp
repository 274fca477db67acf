// SPDX-License-Identifier: MIT
// C++ with its own library's run time: exceptions through frames, threads and other files, threads with locks and
// conditions, futures, thread-local objects, files, random numbers, and an exception that nobody catches.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <map>
#include <mutex>
#include <new>
#include <numeric>
#include <queue>
#include <random>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

struct Witness {
	const char *name;
	~Witness() { std::cout << "end of " << name << "\n"; }
};

thread_local Witness *perThread = nullptr;

struct Failure : std::runtime_error {
	int depth;
	explicit Failure(int depth) : std::runtime_error("failure"), depth(depth) {}
};

int fall(int depth, int *unwound)
{
	struct Count {
		int *n;
		~Count() { ++*n; }
	} count{unwound};
	if (depth == 0)
		throw Failure(depth);
	return fall(depth - 1, unwound) + 1;
}

void exceptions()
{
	int unwound = 0;
	try {
		fall(200, &unwound);
	} catch (const std::exception &e) {
		std::cout << e.what() << " unwound " << unwound << "\n";
	}
	try {
		try {
			throw std::out_of_range("inner");
		} catch (...) {
			std::throw_with_nested(std::logic_error("outer"));
		}
	} catch (const std::exception &e) {
		std::cout << e.what();
		try {
			std::rethrow_if_nested(e);
		} catch (const std::exception &inner) {
			std::cout << " of " << inner.what() << "\n";
		}
	}
	try {
		std::vector<int>().at(3);
	} catch (const std::out_of_range &e) {
		std::cout << e.what() << "\n";
	}
	try {
		volatile size_t much = size_t(1) << 62;
		char *p = new char[much];
		std::cout << (void *)p;
	} catch (const std::bad_alloc &e) {
		std::cout << e.what() << "\n";
	}
	int caught = 0;
	for (int i = 0; i < 2000; i++) {
		try {
			throw i;
		} catch (int k) {
			caught += k;
		}
	}
	std::cout << caught << "\n";
}

void threads()
{
	std::mutex lock;
	std::condition_variable_any more;
	std::queue<int> queue;
	bool done = false;
	std::atomic<long> sum{0};
	std::vector<std::thread> workers;
	for (int i = 0; i < 4; i++)
		workers.emplace_back([&] {
			for (;;) {
				std::unique_lock<std::mutex> held(lock);
				more.wait(held, [&] { return done || !queue.empty(); });
				if (queue.empty())
					return;
				int job = queue.front();
				queue.pop();
				held.unlock();
				try {
					if (job % 7 == 0)
						throw Failure(job);
					sum += job;
				} catch (const Failure &f) {
					sum -= f.depth;
				}
			}
		});
	for (int i = 1; i <= 1000; i++) {
		std::lock_guard<std::mutex> held(lock);
		queue.push(i);
		more.notify_one();
	}
	{
		std::lock_guard<std::mutex> held(lock);
		done = true;
		more.notify_all();
	}
	for (auto &worker : workers)
		worker.join();
	std::cout << "sum " << sum << "\n";

	auto future = std::async(std::launch::async, []() -> int { throw Failure(5); });
	try {
		future.get();
	} catch (const Failure &f) {
		std::cout << "from another thread " << f.depth << "\n";
	}
	std::promise<std::string> promise;
	std::thread([&] {
		thread_local Witness local{"a thread's own"};
		perThread = &local;
		promise.set_value_at_thread_exit("promised");
	}).join();
	std::cout << promise.get_future().get() << " " << (perThread == nullptr) << "\n";

	std::shared_mutex shared;
	std::once_flag once;
	int value = 0, called = 0;
	std::vector<std::future<int>> readers;
	for (int i = 0; i < 8; i++)
		readers.push_back(std::async(std::launch::async, [&, i] {
			std::call_once(once, [&] { called++; });
			if (i % 2) {
				std::unique_lock<std::shared_mutex> held(shared);
				return ++value, 0;
			}
			std::shared_lock<std::shared_mutex> held(shared);
			return value >= 0 ? 1 : 0;
		}));
	int seen = 0;
	for (auto &reader : readers)
		seen += reader.get();
	std::cout << value << called << seen << "\n";

	std::timed_mutex timed;
	timed.lock();
	std::thread([&] { std::cout << timed.try_lock_for(std::chrono::milliseconds(20)) << "\n"; }).join();
	std::atomic<bool> ready{false};
	std::thread setter([&] {
		std::this_thread::sleep_for(std::chrono::milliseconds(5));
		ready = true;
	});
	while (!ready)
		std::this_thread::yield();
	setter.join();
	std::atomic<int> turn{0};
	std::thread other([&] {
		turn.wait(0);
		turn = 2;
		turn.notify_one();
	});
	turn = 1;
	turn.notify_one();
	turn.wait(1);
	other.join();
	std::cout << turn << "\n";
}

void library()
{
	std::mt19937_64 engine(42);
	std::normal_distribution<double> normal(0, 1);
	double total = 0;
	for (int i = 0; i < 10000; i++)
		total += normal(engine);
	std::cout.precision(17);
	std::cout << total << "\n";
	std::unordered_map<std::string, int> count;
	std::istringstream words("the cat and the dog and the bird");
	for (std::string word; words >> word;)
		count[word]++;
	for (auto &[word, n] : count)
		std::cout << word << n << " ";
	std::cout << "\n";

	namespace fs = std::filesystem;
	fs::create_directories("tree/a/b");
	std::ofstream("tree/a/b/file") << std::string(1000, 'x');
	std::ofstream("tree/z") << 1.5;
	fs::copy("tree", "copy", fs::copy_options::recursive);
	fs::rename("copy/z", "copy/y");
	std::vector<std::string> paths;
	for (auto &entry : fs::recursive_directory_iterator("copy"))
		paths.push_back(entry.path().string() + (entry.is_directory() ? "/" : ""));
	std::sort(paths.begin(), paths.end());
	for (auto &path : paths)
		std::cout << path << " ";
	std::cout << fs::file_size("copy/a/b/file") << " " << fs::remove_all("tree") << "\n";
	try {
		std::cout << fs::file_size("nothing");
	} catch (const fs::filesystem_error &e) {
		std::cout << e.what() << "\n";
	}
	auto begin = std::chrono::steady_clock::now();
	std::this_thread::sleep_for(std::chrono::milliseconds(3));
	std::cout << (std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(3)) << "\n";
	std::random_device device;
	std::cout << (device() == device() && device() == device()) << "\n";
}

} // namespace

int main()
{
	std::ios::sync_with_stdio(false);
	exceptions();
	threads();
	library();
	try {
		std::cout << std::stoi("no number");
	} catch (const std::invalid_argument &e) {
		std::cout << e.what() << std::endl;
	}
	std::set_terminate([] {
		std::cout << "terminate" << std::endl;
		std::abort();
	});
	std::thread([] { throw Failure(1); }).join();
}
