/* SPDX-License-Identifier: MIT */
/* What goes from one socket to another: bytes, open files, and who sent them. */
#ifndef KERNEL_LINUX_SOCKET_SOCKET_MESSAGE_H
#define KERNEL_LINUX_SOCKET_SOCKET_MESSAGE_H

#include "kernel/linux/socket/socket.h"

struct message {
	struct list queue;     /**< of its receiver */
	struct socket *sender; /**< with a reference: its memory counts, and its name is told */
	struct socket *receiver;
	uint64_t charge;
	struct linux_ucred credentials;
	struct file **files; /**< with references; NULL: none */
	unsigned file_count;
	size_t bytes, taken;
	uint8_t data[];
};

/** What is sent: the vector is the kernel's, its pieces the program's. */
struct socket_send {
	const struct linux_iovec *iov;
	unsigned long count;
	struct socket_address to; /**< bytes 0: whoever it is connected to */
	struct file **files;      /**< with references; NULL when a message has taken them */
	unsigned file_count;
	struct linux_ucred credentials;
	bool has_credentials; /**< the program says who it is */
	int flags;            /**< LINUX_MSG_* */
	bool wait;
};

/** Where something is received to, and what comes with it. */
struct socket_receive {
	const struct linux_iovec *iov;
	unsigned long count;
	int flags;
	bool wait;
	struct socket_address from;
	struct file **files; /**< for message_put_files */
	unsigned file_count;
	struct linux_ucred credentials;
	int told; /**< LINUX_MSG_TRUNC, LINUX_MSG_OOB */
};

/** Sends. Bytes, or a negative errno; -EPIPE without a signal. */
long message_send(struct socket *socket, struct socket_send *send);

/** Receives. Bytes, 0 at the end, or a negative errno. */
long message_receive(struct socket *socket, struct socket_receive *receive);

/** Whether what is received next comes behind an urgent byte, or is one that may be received by MSG_OOB: SIOCATMARK. */
bool message_at_mark(const struct socket *socket);

/** Bytes that FIONREAD tells. */
int message_unread(const struct socket *socket);

/** Takes a message out of its queue, and forgets it. */
void message_free(struct message *message);

/** Gives up open files with their list; takes NULL. */
void message_put_files(struct file **files, unsigned count);

#endif
