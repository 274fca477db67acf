/* SPDX-License-Identifier: MIT */
/* A stack without locks, with ABA: a thread takes two nodes and puts the first one back while another takes it. */
#include <atomic>
#include <cstdlib>
#include <thread>

struct node {
	node *next;
	bool taken;
};

class stack {
	std::atomic<node *> head{nullptr};

public:
	void push(node *added)
	{
		added->next = head.load();
		while (!head.compare_exchange_weak(added->next, added)) /* cause */
			;
	}

	node *pop()
	{
		node *first = head.load(); /* cause */
		while (first) {
			node *next = first->next;                      /* cause */
			if (head.compare_exchange_weak(first, next)) /* cause */
				break;
		}
		return first;
	}
};

static stack shared;
static node nodes[3];

static void take(node *taken)
{
	if (!taken)
		return;
	if (taken->taken)
		abort();
	taken->taken = true;
}

static void take_two()
{
	node *first = shared.pop(), *second = shared.pop();
	if (first)
		shared.push(first);
	take(second);
}

int main()
{
	for (node &added : nodes)
		shared.push(&added);
	std::thread a([] { take(shared.pop()); }), b(take_two);
	a.join();
	b.join();
	for (node *left; (left = shared.pop());)
		take(left);
}
