/* SPDX-License-Identifier: MIT */
/* Sockets (socket(7)): what all families share. What differs is behind struct socket_family. */
#ifndef KERNEL_NET_SOCKET_H
#define KERNEL_NET_SOCKET_H

#include "abi/delivery.h"
#include "abi/linux_event.h"
#include "abi/linux_socket.h"
#include "kernel/lib/list.h"
#include "kernel/net/inet_address.h"
#include "kernel/vfs/file.h"
#include "kernel/vfs/readiness.h"

#define SOCKET_SHUT_RECEIVE 1
#define SOCKET_SHUT_SEND 2
#define SOCKET_SHUT_BOTH 3

#define SOCKET_READABLE (LINUX_POLLIN | LINUX_POLLRDNORM)
#define SOCKET_WRITABLE (LINUX_POLLOUT | LINUX_POLLWRNORM | LINUX_POLLWRBAND)
#define SOCKET_ANYTHING UINT32_MAX /* for observers: any requested event may hold */

/** An address of `bytes` bytes, including the family; 0: none. An abstract name of unix(7) starts with a NUL. */
struct socket_address {
	uint32_t bytes;
	union {
		uint16_t family;
		struct linux_sockaddr_un un;
		struct linux_sockaddr_in in;
		struct linux_sockaddr_in6 in6;
	};
	char end; /**< NUL after the longest path */
};

struct message;
struct socket;
struct socket_send;
struct socket_receive;
struct socket_control;
struct outside_flow;

#define SOCKET_STORED 10 /* places of the table in socket_stored.c */
#define INET_OPTIONS 51  /* places of the table in inet_option.c */

struct inet_port;

/** What passed one end of a connection, for TCP_INFO. */
struct inet_traffic {
	uint64_t sent_bytes, received_bytes;
	uint32_t sent_pieces, received_pieces; /**< with data */
	uint64_t sent_ns, received_ns;         /**< when the last of them was sent and received */
};

/** The part of internet sockets. */
struct inet {
	struct inet_port *port; /**< NULL: none; see inet_table.h */
	struct list place;      /**< link in one of its lists */
	struct inet_address local, remote;
	bool has_address, has_port;  /**< chosen by bind(2): kept when the socket is disconnected */
	bool is_connecting;          /**< no connect(2) has returned the result yet */
	bool has_finished;           /**< sent its end (FIN) */
	bool has_send_bytes;         /**< the program has set SO_SNDBUF */
	bool is_reno;                /**< TCP_CONGESTION */
	int tcp;                     /**< LINUX_TCP_*, as TCP_INFO shows it */
	struct socket *listener;     /**< with a reference: the one whose queue has no room for this connection yet */
	struct list deferred;        /**< of a listener: connections that wait for data, by `waiting` (inet_defer.h) */
	bool is_deferred;            /**< it waits for data in the list `deferred` of its listener */
	bool is_opener;              /**< the end that has opened its connection */
	struct list pending;         /**< of a listener: sockets that wait for room in its queue, by `waiting` */
	int32_t group_interface;     /**< IP_MULTICAST_IF: by its number; 0: none */
	uint8_t group_source[4];     /**< and by its address */
	uint64_t received;           /**< memory of unread datagrams */
	struct message *cork;        /**< of UDP: the datagram that is being put together (MSG_MORE, UDP_CORK) */
	bool is_outside;             /**< of UDP: it waits for datagrams from outside the guest */
	struct outside_flow *flow;   /**< of the end of a connection that is outside the guest (outside_stream.c) */
	uint64_t connection;         /**< of TCP: the number of its connection, which both ends have; 0: none */
	struct inet_traffic traffic; /**< of TCP */
	struct message *held;        /**< of TCP: bytes that wait for a full segment (inet_cork.h); NULL: none */
	uint64_t held_until_ns;      /**< when they are sent at the latest */
	bool has_held_timer;         /**< a timer for that is under way */
	uint32_t arriving;           /**< how much is under way to it (net_delay.h) */
	uint64_t arrival_ns;         /**< when the last of that arrives */
	int32_t options[INET_OPTIONS];
};

/** Options of socket_stamp.h. */
struct socket_stamp {
	int32_t flags;             /**< SO_TIMESTAMPING */
	bool is_on, is_ns, is_new; /**< SO_TIMESTAMP, its shape, and the option's newer number */
};

/** What a family of sockets does its own way. Functions return 0 or a negative errno unless they say more. A function
 * that may be missing says so. */
struct socket_family {
	uint16_t message_ns, kib_ns; /**< DELIVERY_*: what delivery costs in virtual time */
	int (*bind)(struct socket *socket, const struct socket_address *name);
	/** Whether listen(2) may be called; binds the socket when the family binds by itself. */
	int (*listen)(struct socket *socket);
	int (*connect)(struct socket *socket, const struct socket_address *name, bool wait);
	/** After accept(2) has taken a connection from the queue of a listener, which has room now. May be missing. */
	void (*accepted)(struct socket *listener);
	/** Connects two new sockets. Missing: the family has no pairs (socketpair(2)). */
	void (*pair)(struct socket *a, struct socket *b);
	/** Stores the socket's own name. */
	void (*name)(const struct socket *socket, struct socket_address *name);
	/** Stores the name of its peer. closed_too: also when the connection has ended, as accept(2) shows it. */
	int (*peer_name)(const struct socket *socket, bool closed_too, struct socket_address *name);
	int (*shutdown)(struct socket *socket, int shut);
	/** Informs the peer that the socket is closed, and drops what refers to the socket. */
	void (*close)(struct socket *socket, bool was_accepted);
	/** After a descriptor of a socket was closed, or a message with it dropped; NULL: the socket is gone with it.
	 * May be missing. */
	void (*closed)(struct socket *socket);
	/** The events that hold (poll(2)). */
	unsigned int (*poll)(const struct socket *socket);
	bool (*is_writable)(const struct socket *socket);
	/** Returns the number of bytes; -EPIPE without a signal. */
	long (*send)(struct socket *socket, struct socket_send *send);
	/** Whether the socket's state allows it to receive. */
	int (*check_receive)(struct socket *socket);
	/** Stores the name of a message's sender, and what the family's control data need. */
	void (*describe)(const struct message *message, struct socket_receive *receive);
	/** Takes control data of the level IP or IPV6 from a sender. Returns 0 or a negative errno. May be missing. */
	int (*take_control)(const struct socket *socket, const struct linux_cmsghdr *header, struct socket_send *send);
	/** Adds the family's own control data of a received message. Returns 0 or -EFAULT. */
	int (*put_control)(const struct socket *socket, const struct socket_receive *receive,
	                   struct socket_control *control);
	/** After anything about the socket has changed. May be missing. */
	void (*told)(struct socket *socket);
	/** After a message has left its receiver's queue. */
	void (*taken)(struct message *message, bool was_full);
	/** The value of SIOCOUTQ. */
	int (*unsent)(const struct socket *socket);
	/** Options of other levels than SOL_SOCKET, with their value in kernel memory (setsockopt(2)). */
	int (*set_option)(struct socket *socket, int level, int option, const void *value, int bytes);
	/** Stores an option's value and its length, which is at most *bytes. */
	int (*get_option)(struct socket *socket, int level, int option, void *value, int *bytes);
};

enum socket_state {
	SOCKET_UNCONNECTED,
	SOCKET_LISTENING,
	SOCKET_CONNECTED,
};

struct socket {
	const struct socket_family *family;
	uint32_t refs;             /**< its file or place in a listener's queue, its peers, its messages, its waiters */
	struct list all;           /**< list of all sockets, oldest first */
	struct list reached;       /**< link in lists of unix_rights.c, as are the next three */
	uint64_t visit;            /**< the last search of unix_rights.c that came to it */
	unsigned carried;          /**< references to its file in messages */
	bool is_reached;           /**< other references lead to it */
	struct list waiting;       /**< link in the queue of the listener that will accept it */
	struct list messages;      /**< received messages that were not read yet */
	struct list errors;        /**< see socket_error.h */
	uint64_t error_bytes;      /**< memory of these */
	uint32_t zerocopies;       /**< number of sends with MSG_ZEROCOPY */
	struct message *urgent;    /**< the message with the last byte sent by MSG_OOB, until it is read */
	struct list connections;   /**< of a listener: connections to accept */
	const struct inode *inode; /**< inode of its open file; NULL: not opened yet, or closed */
	struct inode *bound;       /**< inode of its name, with a reference; NULL: no name in a directory */
	struct socket *peer;       /**< with a reference */
	struct socket_address name; /**< of AF_UNIX: its own */
	int domain;                 /**< LINUX_AF_* */
	int type;                   /**< LINUX_SOCK_* */
	int protocol;
	enum socket_state state;
	int shut; /**< SOCKET_SHUT_* */
	int error;
	bool dead;
	bool ended;       /**< TCP: its peer has ended the stream, so that receive reports no error any more */
	bool named;       /**< its name can be looked up; an accepted socket only shares its listener's */
	unsigned queued;  /**< number of messages or connections in its queue */
	unsigned backlog; /**< maximum of `queued`, less one */
	uint64_t charged; /**< memory of the messages that it sent and that were not received yet */
	uint32_t send_bytes, receive_bytes;
	uint64_t flags; /**< boolean options, one bit for each option number */
	int priority, receive_least;
	int32_t stored[SOCKET_STORED]; /**< see socket_stored.h */
	struct socket_stamp stamp;
	int32_t peek_offset; /**< SO_PEEK_OFF: where MSG_PEEK begins, in bytes from the first unread one; -1: off */
	uint32_t lost;       /**< datagrams that came when the receive buffer was full */
	int32_t interface;   /**< SO_BINDTODEVICE: by its number; 0: any */
	uint64_t cookie;     /**< SO_COOKIE: the number of its creation */
	uint32_t owner;      /**< the process that made it, or its listener; 0: it is outside the guest */
	int32_t linger[2];
	uint64_t receive_timeout_ns, send_timeout_ns; /**< 0: none */
	struct linux_ucred peer_credentials;
	struct inet inet;      /**< of internet sockets */
	uint32_t netlink_port; /**< of AF_NETLINK: its own address; 0: none yet */
	struct readiness_queue receiving, sending;
	struct readiness_queue arriving; /**< senders that wait for room in its queue */
};

/** Makes a socket with one reference, the caller's; NULL without memory. */
struct socket *socket_create(const struct socket_family *family, int domain, int type);

static inline struct socket *socket_get(struct socket *socket)
{
	socket->refs++;
	return socket;
}

/** Drops a reference; takes NULL. */
void socket_put(struct socket *socket);

/** Opens a file for the socket, which takes the caller's reference. flags: LINUX_O_NONBLOCK. Returns 0, or -ENOMEM and
 * leaves the reference. */
int socket_open(struct socket *socket, int flags, struct file **out);

/** The socket of an open file; NULL for other files. */
struct socket *socket_of(const struct file *file);

/** Closes a socket that is no longer open: informs its peer and drops unread messages. */
void socket_close(struct socket *socket, bool was_accepted);

/** Removes a connection that was not accepted from its listener's queue. NULL: the queue is empty. */
struct socket *socket_take_connection(struct socket *listener);

/** Adds a connection, with the caller's reference, to the queue of its listener. */
void socket_add_connection(struct socket *listener, struct socket *connection);

/** Reports events to all observers and waiters of a socket. */
void socket_tell(struct socket *socket, unsigned int events);

/** Reports that something is in a socket's queue that one thread takes: a connection or a datagram. Of the threads that
 * wait for it in accept or receive the policy chooses one. That thread wakes the next if it leaves something. */
void socket_tell_one(struct socket *socket, unsigned int events);

/** Advances the virtual clock by the cost of a delivery to a socket (abi/delivery.h). */
void socket_pay_delivery(const struct socket *receiver, size_t bytes);

/** Whether poll(2) reports that the socket is writable. */
bool socket_is_writable(const struct socket *socket);

/** Whether its queue has no room for a message or connection of another socket. */
bool socket_is_full(const struct socket *socket);

/** Whether its type uses connections. */
static inline bool socket_connects(const struct socket *socket)
{
	return socket->type == LINUX_SOCK_STREAM || socket->type == LINUX_SOCK_SEQPACKET;
}

/** Returns the pending error, negative, or 0, and clears it. */
int socket_take_error(struct socket *socket);

/** Iterates over all sockets. NULL: the first one; returns NULL after the last. */
struct socket *socket_next(const struct socket *socket);

/** The credentials that the running process has for its peers. */
struct linux_ucred socket_credentials(void);

/** Whether a system call, by its number and first argument, waits on a socket with a timeout (SO_RCVTIMEO,
 * SO_SNDTIMEO). Such a call is not restarted after a handler (signal(7)). */
bool socket_call_has_timeout(uint64_t number, int fd);

/** The deadline of a wait: `timeout_ns` from now; SCHED_FOREVER when that is 0. */
uint64_t socket_deadline(uint64_t timeout_ns);

#endif
