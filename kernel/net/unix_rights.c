/* SPDX-License-Identifier: MIT */
/* A socket in a message keeps its file open, also when the message is in the socket's own queue, where nobody can
 * receive it after the last descriptor is closed. Marks what descriptors and running calls reach, and drops the rest.
 */
#include "kernel/net/unix_rights.h"

#include "kernel/net/socket_message.h"

/* While false, no message has a socket of AF_UNIX. */
static bool has_sent;
static uint64_t visits; /* searches of leads_to_itself() */

static struct socket *unix_socket_of(const struct file *file)
{
	struct socket *socket = file ? socket_of(file) : NULL;
	return socket && socket->domain == LINUX_AF_UNIX ? socket : NULL;
}

void unix_rights_sent(struct file *const *files, unsigned count)
{
	for (unsigned i = 0; files && i < count; i++)
		has_sent |= unix_socket_of(files[i]) != NULL;
}

/* Calls a function with each socket that the messages of a socket carry, and its file. */
static void each_carried(const struct socket *socket, void (*call)(struct socket *, const struct file *, void *),
                         void *context)
{
	for (struct list *at = socket->messages.next; at != &socket->messages; at = at->next) {
		const struct message *message = list_entry(at, struct message, queue);
		for (unsigned i = 0; message->files && i < message->file_count; i++) {
			struct socket *carried = unix_socket_of(message->files[i]);
			if (carried)
				call(carried, message->files[i], context);
		}
	}
}

static void count_reference(struct socket *socket, const struct file *file, void *context)
{
	socket->carried++;
	socket->is_reached = file->refs > socket->carried;
	*(bool *)context = true;
}

static void reach_socket(struct socket *socket, const struct file *, void *context)
{
	if (socket->is_reached)
		return;
	socket->is_reached = true;
	list_add_last(context, &socket->reached);
}

/* Counts the references in messages, and decides which sockets are reached from elsewhere. Returns false if no message
 * has a socket. */
static bool count_references(void)
{
	bool any = false;
	for (struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket)) {
		socket->carried = 0;
		socket->is_reached = true;
	}
	for (struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket))
		if (socket->domain == LINUX_AF_UNIX)
			each_carried(socket, count_reference, &any);
	return any;
}

/* Unreaches connections that wait in the queues of unreached listeners, and reaches what the others carry. */
static void spread(void)
{
	struct list found = {&found, &found};
	for (struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket))
		for (struct list *at = socket->connections.next; at != &socket->connections && !socket->is_reached;
		     at = at->next)
			list_entry(at, struct socket, waiting)->is_reached = false;
	for (struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket))
		if (socket->domain == LINUX_AF_UNIX && socket->is_reached)
			list_add_last(&found, &socket->reached);
	while (!list_is_empty(&found)) {
		struct socket *socket = list_entry(found.next, struct socket, reached);
		list_remove(&socket->reached);
		each_carried(socket, reach_socket, &found);
		for (struct list *at = socket->connections.next; at != &socket->connections; at = at->next)
			reach_socket(list_entry(at, struct socket, waiting), NULL, &found);
	}
}

/* Drops the files in the messages of unreached sockets, by which these are closed. */
static void drop_unreached(void)
{
	struct list unreached = {&unreached, &unreached};
	for (struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket))
		if (!socket->is_reached)
			list_add_last(&unreached, &socket_get(socket)->reached);
	while (!list_is_empty(&unreached)) {
		struct socket *socket = list_entry(unreached.next, struct socket, reached);
		list_remove(&socket->reached);
		while (!list_is_empty(&socket->messages))
			socket_message_free(list_entry(socket->messages.next, struct message, queue));
		socket_put(socket);
	}
}

/* A search for a way from a socket to itself. */
struct search {
	const struct socket *start;
	struct list found;
	bool is_closed;
};

static void visit_socket(struct socket *socket, const struct file *, void *context)
{
	struct search *search = context;
	search->is_closed |= socket == search->start;
	if (socket->visit == visits)
		return;
	socket->visit = visits;
	list_add_last(&search->found, &socket->reached);
}

/* Whether the messages of a socket lead back to it. Only such a socket can be lost when its last descriptor is closed:
 * the others that carry it were reached before, and not by it. */
static bool leads_to_itself(struct socket *start)
{
	struct search search = {.start = start};
	list_init(&search.found);
	visits++;
	visit_socket(start, NULL, &search);
	search.is_closed = false;
	while (!list_is_empty(&search.found)) {
		struct socket *socket = list_entry(search.found.next, struct socket, reached);
		list_remove(&socket->reached);
		if (search.is_closed)
			continue;
		each_carried(socket, visit_socket, &search);
		for (struct list *at = socket->connections.next; at != &socket->connections; at = at->next)
			visit_socket(list_entry(at, struct socket, waiting), NULL, &search);
	}
	return search.is_closed;
}

void unix_rights_closed(struct socket *left)
{
	static bool is_busy;
	if (!has_sent || is_busy || socket_message_is_freeing() || (left && !leads_to_itself(left)))
		return;
	is_busy = true;
	has_sent = count_references();
	if (has_sent) {
		spread();
		drop_unreached();
	}
	is_busy = false;
}
