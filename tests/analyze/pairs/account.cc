/* SPDX-License-Identifier: MIT */
/* Two locked sections, between which the balance changes. */
#include <mutex>
#include <thread>

class account {
	mutable std::mutex lock;
	long balance = 0;

	void set(long value)
	{
		std::lock_guard<std::mutex> hold(lock); /* cause */
		balance = value; /* cause */
	}

public:
	long get() const
	{
		std::lock_guard<std::mutex> hold(lock); /* cause */
		return balance;                         /* cause */
	}

	void deposit(long amount)
	{
		const long before = get();
		set(before + amount);
	}
};

int main()
{
	account shared;
	std::thread a([&] { shared.deposit(10); }), b([&] { shared.deposit(10); });
	a.join();
	b.join();
	return shared.get() != 20;
}
