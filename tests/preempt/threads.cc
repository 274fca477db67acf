// SPDX-License-Identifier: MIT
// Threads of C++: atomics, conditions, exceptions in and across threads; and a child process.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

int main()
{
	std::atomic<long> sum{0};
	std::mutex mutex;
	std::condition_variable all_there;
	int there = 0;
	std::vector<std::thread> threads;
	for (int i = 0; i < 4; i++)
		threads.emplace_back([&, i] {
			{
				std::unique_lock<std::mutex> lock(mutex);
				there++;
				all_there.notify_all();
				all_there.wait(lock, [&] { return there == 4; });
			}
			for (int k = 0; k < 200; k++)
				sum += i * k;
			try {
				throw i;
			} catch (int thrown) {
				sum += thrown;
			}
		});
	for (auto &thread : threads)
		thread.join();
	auto future = std::async(std::launch::async, []() -> int { throw 7; });
	int caught = 0;
	try {
		future.get();
	} catch (int thrown) {
		caught = thrown;
	}
	std::printf("%ld %d\n", sum.load(), caught);
	std::fflush(stdout);
	pid_t child = fork();
	if (!child) {
		sum += caught;
		std::thread([&] { sum++; }).join();
		std::printf("%ld in the child\n", sum.load());
		std::fflush(stdout);
		_exit(3);
	}
	int status = 0;
	waitpid(child, &status, 0);
	std::printf("%ld, the child ended with %d\n", sum.load(), WEXITSTATUS(status));
}
