/* SPDX-License-Identifier: MIT */
/* All stay for the same time, so the list of all is in the order of their ends. */
#include "kernel/net/inet_closed.h"

#include "kernel/mm/kmalloc.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define STAY_NS (60UL * NS_PER_S) /* TCP_TIMEWAIT_LEN */
#define MOST 32768                /* as net.ipv4.tcp_max_tw_buckets, which depends on the machine's memory */

#define BUCKETS 4096

static struct inet_closed *buckets[BUCKETS]; /* by the pair */
static struct list all = {&all, &all};
static unsigned count;

static struct inet_closed *closed_at(struct list *link)
{
	return link == &all ? NULL : list_entry(link, struct inet_closed, of_all);
}

static struct inet_closed **bucket(const struct inet_address *local, const struct inet_address *remote)
{
	return &buckets[(local->port * 31U + remote->port) % BUCKETS];
}

/* Leaves the port, even if it has become empty. */
static void leave_port(struct inet_closed *closed)
{
	struct inet_closed **place = bucket(&closed->local, &closed->remote);
	while (*place != closed)
		place = &(*place)->next;
	*place = closed->next;
	list_remove(&closed->of_port);
	list_remove(&closed->of_all);
	kfree(closed);
	count--;
}

static void forget_closed(struct inet_closed *closed)
{
	struct inet_port *port = closed->port;
	leave_port(closed);
	inet_table_drop(port);
}

void inet_closed_expire(void)
{
	struct inet_closed *first;
	while ((first = closed_at(all.next)) && first->end_ns <= vclock_now())
		forget_closed(first);
}

const struct inet_closed *inet_closed_next(const struct inet_closed *closed)
{
	if (!closed)
		inet_closed_expire();
	return closed_at(closed ? closed->of_all.next : all.next);
}

static struct inet_closed *find_closed(const struct inet_address *local, const struct inet_address *remote)
{
	inet_closed_expire();
	struct inet_closed *closed = *bucket(local, remote);
	while (closed &&
	       !(closed->local.port == local->port && closed->remote.port == remote->port &&
	         inet_address_is_same(&closed->remote, remote) && inet_address_is_same(&closed->local, local)))
		closed = closed->next;
	return closed;
}

/* Begins the time in which it stays. */
static void stay(struct inet_closed *closed, int tcp)
{
	closed->tcp = tcp;
	closed->end_ns = vclock_now() + STAY_NS;
	list_add_last(&all, &closed->of_all);
}

void inet_closed_finish(const struct inet_address *local, const struct inet_address *remote)
{
	struct inet_closed *closed = find_closed(local, remote);
	if (!closed)
		return;
	list_remove(&closed->of_all);
	stay(closed, LINUX_TCP_TIME_WAIT);
}

void inet_closed_keep(const struct socket *socket, int tcp)
{
	const struct inet *inet = &socket->inet;
	struct inet_closed *closed = find_closed(&inet->local, &inet->remote);
	if (closed)
		forget_closed(closed);
	if (!inet->port || count == MOST)
		return;
	closed = kzalloc(sizeof(*closed));
	if (!closed)
		return;
	closed->port = inet->port;
	closed->local = inet->local;
	closed->remote = inet->remote;
	closed->domain = socket->domain;
	closed->flags = socket->flags;
	list_add_last(&closed->port->closed, &closed->of_port);
	struct inet_closed **place = bucket(&closed->local, &closed->remote);
	closed->next = *place;
	*place = closed;
	count++;
	stay(closed, tcp);
}

bool inet_closed_free_port(struct inet_port *port)
{
	if (!list_is_empty(&port->sockets) || !list_is_empty(&port->accepted))
		return false;
	while (!list_is_empty(&port->closed))
		leave_port(list_entry(port->closed.next, struct inet_closed, of_port));
	inet_table_drop(port);
	return true;
}

void inet_closed_forget(const struct inet_address *local, const struct inet_address *remote)
{
	struct inet_closed *closed = find_closed(local, remote);
	if (closed)
		forget_closed(closed);
}
