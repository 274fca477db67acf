/* SPDX-License-Identifier: MIT */
/* Sockets of the family AF_UNIX (unix(7)). There is no other yet. */
#ifndef KERNEL_LINUX_SOCKET_SOCKET_H
#define KERNEL_LINUX_SOCKET_SOCKET_H

#include "abi/linux_event.h"
#include "abi/linux_socket.h"
#include "kernel/lib/list.h"
#include "kernel/vfs/file.h"
#include "kernel/vfs/readiness.h"

#define SOCKET_SHUT_RECEIVE 1
#define SOCKET_SHUT_SEND 2
#define SOCKET_SHUT_BOTH 3

#define SOCKET_READABLE (LINUX_POLLIN | LINUX_POLLRDNORM)
#define SOCKET_WRITABLE (LINUX_POLLOUT | LINUX_POLLWRNORM | LINUX_POLLWRBAND)
#define SOCKET_ANYTHING UINT32_MAX /* for those who watch: whatever they ask for may hold */

/** A name, of as many bytes with the family; 0: there is none. An abstract one begins with a NUL. */
struct socket_address {
	uint32_t bytes;
	struct linux_sockaddr_un un;
	char end; /**< a NUL behind the longest path */
};

enum socket_state {
	SOCKET_UNCONNECTED,
	SOCKET_LISTENING,
	SOCKET_CONNECTED,
};

struct socket {
	uint32_t refs;              /**< its file or place in a listener's queue, its peers, its messages, who waits */
	struct list all;            /**< of all sockets, the oldest first */
	struct list waiting;        /**< in the queue of the listener that is to accept it */
	struct list messages;       /**< to be received */
	struct message *urgent;     /**< of those: the byte that was sent by MSG_OOB last, if it has not been read */
	struct list connections;    /**< of a listener: to be accepted */
	const struct inode *inode;  /**< of its open file; NULL: it has none yet, or no more */
	struct inode *bound;        /**< its name's, with a reference; NULL: it has none in a directory */
	struct socket *peer;        /**< with a reference */
	struct socket_address name; /**< its own */
	int type;                   /**< LINUX_SOCK_* */
	enum socket_state state;
	int shut; /**< SOCKET_SHUT_* */
	int error;
	bool dead;
	bool named;       /**< its name leads to it: an accepted one only has its listener's */
	unsigned queued;  /**< messages, or connections */
	unsigned backlog; /**< queued may be one more */
	uint64_t charged; /**< memory of messages it sent that nobody has received */
	uint32_t send_bytes, receive_bytes;
	uint64_t flags; /**< options that are on or off, by number */
	int priority, receive_least;
	int32_t linger[2];
	uint64_t receive_timeout_ns, send_timeout_ns; /**< 0: none */
	struct linux_ucred peer_credentials;
	struct readiness_queue receiving, sending;
	struct readiness_queue arriving; /**< others, for a place in its queue */
};

/** A new socket with one reference, the caller's; NULL without memory. */
struct socket *socket_create(int type);

static inline struct socket *socket_get(struct socket *socket)
{
	socket->refs++;
	return socket;
}

/** Gives a reference back; takes NULL. */
void socket_put(struct socket *socket);

/** An open file takes the caller's reference. flags: LINUX_O_NONBLOCK. 0 or -ENOMEM, which leaves the reference. */
int socket_open(struct socket *socket, int flags, struct file **out);

/** The socket of an open file; NULL: it is none. */
struct socket *socket_of(const struct file *file);

/** Nobody has it any more: its peer is told, and what it has not received is gone. */
void socket_close(struct socket *socket, bool was_accepted);

/** Makes two sockets each other's peer. */
void socket_pair(struct socket *a, struct socket *b);

/** Tells all who watch or wait for a socket that these events hold. */
void socket_tell(struct socket *socket, unsigned int events);

/** Whether poll(2) says that one may send. */
bool socket_is_writable(const struct socket *socket);

/** Whether no other socket's message, or connection, finds a place. */
bool socket_is_full(const struct socket *socket);

/** Whether it has a connection, or is for one. */
static inline bool socket_connects(const struct socket *socket)
{
	return socket->type != LINUX_SOCK_DGRAM;
}

/** The error that others have left behind, negative, or 0; it is told once. */
int socket_take_error(struct socket *socket);

/** Goes through all sockets; NULL: the first; NULL after the last. */
struct socket *socket_next(const struct socket *socket);

/** What the running process is told to be. */
struct linux_ucred socket_credentials(void);

/** Whether a system call, by its number and first argument, is one on a socket whose timeout (SO_RCVTIMEO, SO_SNDTIMEO)
 * bounds its wait: it is not begun anew after a handler (signal(7)). */
bool socket_call_has_timeout(uint64_t number, int fd);

/** The deadline of a wait: a timeout from now, 0: none, and at once when the caller does not wait. */
uint64_t socket_deadline(uint64_t timeout_ns);

#endif
