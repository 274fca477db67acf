/* SPDX-License-Identifier: MIT */
/* The end that connects is connected meanwhile. Linux asks it again after 1, 3, 7, ... seconds, and accepts the
 * connection when it has asked as often as the option allows. */
#include "kernel/net/inet/inet_defer.h"

#include "kernel/net/fault/net_delay.h"
#include "kernel/net/inet_option.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define FIRST_S 1
#define LONGEST_S 120
#define COUNT_MAX 255

int32_t inet_defer_seconds(int32_t count)
{
	int32_t timeout = FIRST_S, period = 0;
	for (; count > 0; count--) {
		period += timeout;
		timeout = timeout * 2 < LONGEST_S ? timeout * 2 : LONGEST_S;
	}
	return period;
}

int32_t inet_defer_count(int32_t seconds)
{
	int32_t count = 0;
	while (count < COUNT_MAX && inet_defer_seconds(count) < seconds)
		count++;
	return count;
}

bool inet_defer_drop(struct socket *connection)
{
	if (!connection->inet.is_deferred)
		return false;
	list_remove(&connection->waiting);
	connection->inet.is_deferred = false;
	socket_put(connection->inet.listener);
	connection->inet.listener = NULL;
	return true;
}

void inet_defer_release(struct socket *connection)
{
	if (!connection->inet.is_deferred)
		return;
	struct socket *listener = socket_get(connection->inet.listener);
	inet_defer_drop(connection);
	socket_add_connection(listener, connection);
	socket_put(listener);
}

static void end_waiting(const struct net_delay_item *item)
{
	if (item->from->inet.connection == item->connection)
		inet_defer_release(item->from);
}

bool inet_defer_hold(struct socket *listener, struct socket *connection)
{
	int32_t seconds = inet_defer_seconds(inet_option_value(listener, INET_DEFER_ACCEPT));
	const struct net_delay_item item = {
		.arrive = end_waiting, .from = connection, .connection = connection->inet.connection};
	if (!seconds || !net_delay_hold(&item, vclock_now() + (uint64_t)seconds * NS_PER_S))
		return false;
	connection->inet.is_deferred = true;
	connection->inet.listener = socket_get(listener);
	list_add_last(&listener->inet.deferred, &connection->waiting);
	return true;
}

struct socket *inet_defer_take(struct socket *listener)
{
	if (list_is_empty(&listener->inet.deferred))
		return NULL;
	struct socket *connection = list_entry(listener->inet.deferred.next, struct socket, waiting);
	inet_defer_drop(connection);
	return connection;
}
