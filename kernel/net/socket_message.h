/* SPDX-License-Identifier: MIT */
/* Messages between sockets: bytes, open files, and the sender's credentials. */
#ifndef KERNEL_NET_SOCKET_MESSAGE_H
#define KERNEL_NET_SOCKET_MESSAGE_H

#include "kernel/net/socket.h"

struct message {
	struct list queue;     /**< link in its receiver's queue */
	struct socket *sender; /**< with a reference: it is charged for the memory, and its name is reported */
	struct socket *receiver;
	uint64_t charge;
	struct linux_ucred credentials;
	struct inet_address from, to; /**< of a datagram of UDP */
	int64_t arrived_ns;           /**< when it was delivered, by CLOCK_REALTIME */
	uint32_t lost;                /**< how many datagrams its receiver had lost before it */
	uint8_t ttl, tos;             /**< of a datagram: hop limit and traffic class, as it arrives */
	bool is_peeked;               /**< MSG_PEEK has shown it */
	uint16_t segment;             /**< of several datagrams in one: the bytes of each but the last; 0: one */
	struct file **files;          /**< with references; NULL: none */
	unsigned file_count;
	bool joins; /**< of a stream: it may share its memory with those before and behind it */
	size_t bytes, taken;
	size_t room; /**< bytes that `data` has room for; 0: for no more than there are */
	uint8_t data[];
};

#define INET_UNSET (-1) /* the socket's own value counts */

/** A send request. The vector is in kernel memory, its pieces are in the program's. */
struct socket_send {
	const struct linux_iovec *iov;
	unsigned long count;
	struct socket_address to; /**< bytes 0: the connected peer */
	struct file **files;      /**< with references; NULL after a message has taken them */
	unsigned file_count;
	struct inet_address source; /**< of a datagram of UDP, if has_source */
	bool has_source;
	struct linux_ucred credentials;
	bool has_credentials; /**< the program passes its credentials itself */
	uint16_t segment;     /**< UDP_SEGMENT in control data; 0: the socket's own value counts */
	int ttl, tos;         /**< of a datagram: INET_UNSET unless control data choose them */
	int flags;            /**< LINUX_MSG_* */
	bool wait;
};

/** A receive request, and what was received besides data. */
struct socket_receive {
	const struct linux_iovec *iov;
	unsigned long count;
	int flags;
	bool wait;
	struct socket_address from;
	struct inet_address to; /**< of a datagram of UDP */
	bool has_arrival;       /**< the fields from here to tos are those of a message */
	uint16_t segment;
	int64_t arrived_ns;
	uint32_t lost;
	uint8_t ttl, tos;
	struct file **files; /**< release with socket_message_put_files */
	unsigned file_count;
	struct linux_ucred credentials;
	int told; /**< flags to return: LINUX_MSG_TRUNC, LINUX_MSG_OOB */
	bool has_error;
	struct socket_extended_error error; /**< received by MSG_ERRQUEUE, if has_error */
};

/** Sends. Returns the number of bytes, or a negative errno; -EPIPE without a signal. */
long socket_message_send(struct socket *socket, struct socket_send *send);

/** Receives. Returns the number of bytes, 0 at the end, or a negative errno. */
long socket_message_receive(struct socket *socket, struct socket_receive *receive);

/** The number of bytes of a vector. */
size_t socket_message_total(const struct linux_iovec *iov, unsigned long count);

/** Copies data to the receiver, and tells MSG_TRUNC if they do not fit. Returns the number of bytes or -EFAULT. */
long socket_message_copy_out(struct socket_receive *receive, uint8_t *data, size_t bytes);

/** Makes a message with a part of the data to send. Returns 0, -ENOBUFS or -EFAULT. */
int socket_message_make(const struct socket_send *send, size_t offset, size_t bytes, struct message **out);

/** Makes a message with a part of the data of another one, its addresses and marks. NULL without memory. */
struct message *socket_message_copy(const struct message *from, size_t offset, size_t bytes);

/** Waits until another message may be charged to the socket. Returns 0, the pending error, or a negative errno. */
int socket_message_wait_for_memory(struct socket *socket, bool wait, uint64_t deadline);

/** Puts a message into a queue, or its bytes into the last message there, if that has room: so many small pieces of a
 * stream take little more memory than their bytes, as under Linux (tcp_try_coalesce). Returns whether the queue has one
 * message more. */
bool socket_message_queue(struct list *queue, struct message *message);

/** Puts a message, which has its sender and its charge, into its receiver's queue and reports it. */
void socket_message_deliver(struct socket *receiver, struct message *message, bool is_urgent);

/** Whether a receive without MSG_OOB would find a message. */
bool socket_message_has(const struct socket *socket);

/** SIOCATMARK: whether the next data follow an urgent byte, or are one that MSG_OOB may receive. */
bool socket_message_at_mark(const struct socket *socket);

/** The number of unread bytes for FIONREAD. */
int socket_message_unread(const struct socket *socket);

/** Gives a message's memory back to its sender, which may wait for that. */
void socket_message_discharge(struct message *message);

/** Removes a message from its queue and frees it. */
void socket_message_free(struct message *message);

/** Whether messages are being freed, whose files may close further sockets. */
bool socket_message_is_freeing(void);

/** Closes open files and frees their list; takes NULL. */
void socket_message_put_files(struct file **files, unsigned count);

#endif
