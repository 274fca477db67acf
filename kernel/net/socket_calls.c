/* SPDX-License-Identifier: MIT */
/* Calls that send and receive: sendmsg(2), recvmsg(2), sendto(2), recvfrom(2), sendmmsg(2), recvmmsg(2), with ancillary
 * data (cmsg(3)). */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/vfs/anon.h"
#include "kernel/net/socket_control.h"
#include "kernel/net/socket_error.h"
#include "kernel/net/socket_message.h"
#include "kernel/net/socket_name.h"
#include "kernel/net/socket_stamp.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/personality.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/pipe.h"
#include "kernel/vfs/vfs.h"

#define CAP_SETGID 6
#define CAP_SETUID 7
#define CAP_SYS_ADMIN 21
#define MSG_COMPAT INT32_MIN /* MSG_CMSG_COMPAT is the kernel's own */
#define CONTROL_MAX 131072   /* net.core.optmem_max */

/* Gets the socket file of a descriptor, with a reference. Returns 0, -EBADF or -ENOTSOCK. */
static int get_socket_file(int fd, struct file **file)
{
	*file = anon_get(fd);
	if (!*file)
		return -EBADF;
	if (!socket_of(*file))
		return -ENOTSOCK;
	file_get(*file);
	return 0;
}

static bool call_waits(const struct file *file, int flags)
{
	return !((file->flags & LINUX_O_NONBLOCK) || (flags & LINUX_MSG_DONTWAIT));
}

/* Copies a vector into kernel memory and checks it. Returns 0 or a negative errno. */
static int copy_message_vector(uint64_t user, uint64_t count, struct linux_iovec **out)
{
	uint64_t total = 0;
	if (count > LINUX_IOV_MAX)
		return -EMSGSIZE;
	struct linux_iovec *iov = kmalloc((count + 1) * sizeof(*iov));
	if (!iov)
		return -ENOMEM;
	int error = copy_from_user(iov, (const void *)user, count * sizeof(*iov));
	for (uint64_t i = 0; i < count && !error; i++) {
		if ((int64_t)iov[i].iov_len < 0)
			error = -EINVAL;
		else if (iov[i].iov_len > LINUX_MAX_RW_COUNT - total)
			iov[i].iov_len = LINUX_MAX_RW_COUNT - total;
		total += iov[i].iov_len;
	}
	if (error)
		kfree(iov);
	else
		*out = iov;
	return error;
}

/* Adds the open files of one piece of control data to those to be sent. */
static int add_files(struct socket_send *send, const int *fds, uint64_t count)
{
	if (count + send->file_count > LINUX_SCM_MAX_FD)
		return -EINVAL;
	struct file **files = krealloc(send->files, (send->file_count + count + 1) * sizeof(*files));
	if (!files)
		return -ENOMEM;
	send->files = files;
	for (uint64_t i = 0; i < count; i++) {
		struct file *file = fdtable_get(&process_current->files->fds, fds[i]);
		if (!file)
			return -EBADF;
		send->files[send->file_count++] = file_get(file);
	}
	return 0;
}

/* A sender may name another process, but that process must exist. */
static int check_credentials(const struct linux_ucred *credentials)
{
	if (credentials->uid == UINT32_MAX || credentials->gid == UINT32_MAX)
		return -EINVAL;
	const struct linux_ucred own = socket_credentials();
	if ((credentials->pid != own.pid && !personality.may(CAP_SYS_ADMIN)) ||
	    (credentials->uid != own.uid && credentials->uid != (uint32_t)sys_getuid() &&
	     !personality.may(CAP_SETUID)) ||
	    (credentials->gid != own.gid && credentials->gid != (uint32_t)sys_getgid() && !personality.may(CAP_SETGID)))
		return -EPERM;
	uint32_t pid = (uint32_t)credentials->pid;
	return pid && (thread_find(pid) || personality.process_exists(pid)) ? 0 : -ESRCH;
}

static int add_control(struct socket_send *send, const struct linux_cmsghdr *header)
{
	uint64_t bytes = header->cmsg_len - sizeof(*header);
	switch (header->cmsg_type) {
	case LINUX_SCM_RIGHTS:
		return add_files(send, (const int *)(header + 1), bytes / sizeof(int));
	case LINUX_SCM_CREDENTIALS:
		if (bytes != sizeof(send->credentials))
			return -EINVAL;
		memcpy(&send->credentials, header + 1, sizeof(send->credentials));
		send->has_credentials = true;
		return check_credentials(&send->credentials);
	default:
		return -EINVAL;
	}
}

/* Other families than AF_UNIX ignore files and credentials. */
static int check_control(const struct linux_cmsghdr *header)
{
	bool is_unix = header->cmsg_type == LINUX_SCM_RIGHTS || header->cmsg_type == LINUX_SCM_CREDENTIALS;
	return is_unix ? 0 : -EINVAL;
}

/* Takes one piece of control data. Families ignore levels that are not theirs. */
static int take_control_piece(const struct socket *socket, struct socket_send *send, const struct linux_cmsghdr *header)
{
	if (header->cmsg_level == LINUX_SOL_SOCKET)
		return socket->domain == LINUX_AF_UNIX ? add_control(send, header) : check_control(header);
	return socket->family->take_control ? socket->family->take_control(socket, header, send) : 0;
}

static int read_control(const struct socket *socket, struct socket_send *send, const uint8_t *control, uint64_t bytes)
{
	uint64_t at = 0;
	while (bytes - at >= sizeof(struct linux_cmsghdr)) {
		const struct linux_cmsghdr *header = (const struct linux_cmsghdr *)(control + at);
		if (header->cmsg_len < sizeof(*header) || header->cmsg_len > bytes - at)
			return -EINVAL;
		int error = take_control_piece(socket, send, header);
		if (error)
			return error;
		at += (header->cmsg_len + 7) & ~7UL;
		if (at > bytes)
			break;
	}
	if (!send->file_count) {
		kfree(send->files);
		send->files = NULL;
	}
	return 0;
}

static int copy_control(const struct socket *socket, struct socket_send *send, const struct linux_msghdr *header)
{
	if (!header->msg_controllen)
		return 0;
	if (header->msg_controllen > CONTROL_MAX)
		return -ENOBUFS;
	uint8_t *control = kmalloc(header->msg_controllen);
	if (!control)
		return -ENOBUFS;
	int error = copy_from_user(control, (const void *)header->msg_control, header->msg_controllen);
	if (!error)
		error = read_control(socket, send, control, header->msg_controllen);
	kfree(control);
	return error;
}

/* Sends a message that is already described in kernel memory. */
static long transmit(struct file *file, struct socket_send *send)
{
	struct socket *socket = socket_of(file);
	send->wait = call_waits(file, send->flags);
	long result = socket_message_send(socket, send);
	if (result == -EPIPE && socket->type == LINUX_SOCK_STREAM && !(send->flags & LINUX_MSG_NOSIGNAL))
		pipe_broken();
	return result;
}

static long send_one(struct file *file, const struct linux_msghdr *header, int flags)
{
	struct linux_iovec *iov;
	struct socket_send send = {.flags = flags, .count = header->msg_iovlen, .ttl = INET_UNSET, .tos = INET_UNSET};
	int error = 0;
	if (header->msg_namelen < 0)
		return -EINVAL;
	if (header->msg_name && header->msg_namelen)
		error = socket_name_copy((const void *)header->msg_name, header->msg_namelen, &send.to);
	if (!error)
		error = copy_message_vector(header->msg_iov, header->msg_iovlen, &iov);
	if (error)
		return error;
	send.iov = iov;
	long result = copy_control(socket_of(file), &send, header);
	if (!result)
		result = transmit(file, &send);
	socket_message_put_files(send.files, send.file_count);
	kfree(iov);
	return result;
}

long sys_sendmsg(int fd, const struct linux_msghdr *user, int flags)
{
	struct linux_msghdr header;
	struct file *file;
	int error = flags & MSG_COMPAT ? -EINVAL : get_socket_file(fd, &file);
	if (error)
		return error;
	long result = copy_from_user(&header, user, sizeof(header));
	if (!result)
		result = send_one(file, &header, flags);
	file_put(file);
	return result;
}

long sys_sendmmsg(int fd, struct linux_mmsghdr *user, unsigned int count, int flags)
{
	struct linux_mmsghdr message;
	struct file *file;
	unsigned int done = 0;
	long result = flags & MSG_COMPAT ? -EINVAL : get_socket_file(fd, &file);
	if (result)
		return result;
	if (count > LINUX_IOV_MAX)
		count = LINUX_IOV_MAX;
	while (done < count) {
		result = copy_from_user(&message, &user[done], sizeof(message));
		if (!result)
			result = send_one(file, &message.msg_hdr, flags);
		if (result < 0)
			break;
		message.msg_len = (uint32_t)result;
		result = copy_to_user(&user[done].msg_len, &message.msg_len, sizeof(message.msg_len));
		if (result)
			break;
		done++;
	}
	file_put(file);
	return done ? (long)done : result;
}

long sys_sendto(int fd, const void *from, unsigned long bytes, int flags, const void *name, int name_bytes)
{
	struct linux_iovec iov = {(void *)from, bytes < LINUX_MAX_RW_COUNT ? bytes : LINUX_MAX_RW_COUNT};
	struct socket_send send = {.flags = flags, .iov = &iov, .count = 1, .ttl = INET_UNSET, .tos = INET_UNSET};
	struct file *file;
	long result = get_socket_file(fd, &file);
	if (result)
		return result;
	if (name)
		result = socket_name_copy(name, name_bytes, &send.to);
	if (!result)
		result = transmit(file, &send);
	file_put(file);
	return result;
}

/* Opens the received files, as many as fit. */
static int put_files(struct socket_control *control, struct socket_receive *receive, bool cloexec)
{
	unsigned count = 0;
	int *fds = kmalloc(receive->file_count * sizeof(*fds)), error = 0;
	if (!fds)
		return -ENOMEM;
	uint64_t most = control->room < sizeof(struct linux_cmsghdr)
	                        ? 0
	                        : (control->room - sizeof(struct linux_cmsghdr)) / sizeof(int);
	while (count < receive->file_count && count < most) {
		int fd = fdtable_find(&process_current->files->fds, 0);
		if (fd < 0)
			break;
		fdtable_install(&process_current->files->fds, fd, receive->files[count], cloexec);
		receive->files[count] = NULL;
		fds[count++] = fd;
	}
	if (count < receive->file_count)
		control->told |= LINUX_MSG_CTRUNC;
	if (count)
		error = socket_control_put(control, LINUX_SOL_SOCKET, LINUX_SCM_RIGHTS, fds, count * sizeof(*fds));
	kfree(fds);
	return error;
}

static int put_all(struct linux_msghdr *header, const struct socket *socket, struct socket_receive *receive)
{
	struct socket_control control = {header->msg_control, header->msg_controllen, 0};
	int error = receive->has_error ? 0 : socket_stamp_put(socket, receive, &control);
	if (!error && socket->flags >> LINUX_SO_PASSCRED & 1)
		error = socket_control_put(&control, LINUX_SOL_SOCKET, LINUX_SCM_CREDENTIALS, &receive->credentials,
		                           sizeof(receive->credentials));
	if (!error && receive->file_count)
		error = put_files(&control, receive, receive->flags & LINUX_MSG_CMSG_CLOEXEC);
	if (!error && receive->has_error)
		error = socket_error_put(socket, receive, &control);
	else if (!error && socket->family->put_control)
		error = socket->family->put_control(socket, receive, &control);
	header->msg_controllen = control.at - header->msg_control;
	receive->told |= control.told;
	return error;
}

/* Stores the address for recvfrom and recvmsg; nothing when the sender has no name. */
static int put_name(const struct socket_receive *receive, void *user, int room, int *bytes)
{
	*bytes = (int)receive->from.bytes;
	return copy_to_user(user, &receive->from.un, (size_t)(*bytes < room ? *bytes : room));
}

static long receive_one(struct file *file, struct linux_msghdr *header, int flags)
{
	struct linux_iovec *iov;
	struct socket *socket = socket_of(file);
	struct socket_receive receive = {.flags = flags, .wait = call_waits(file, flags), .count = header->msg_iovlen};
	if (header->msg_namelen < 0)
		return -EINVAL;
	int error = copy_message_vector(header->msg_iov, header->msg_iovlen, &iov);
	if (error)
		return error;
	receive.iov = iov;
	long result = socket_message_receive(socket, &receive);
	if (result >= 0) {
		error = put_all(header, socket, &receive);
		if (!error && header->msg_name)
			error = put_name(&receive, (void *)header->msg_name, header->msg_namelen, &header->msg_namelen);
		header->msg_flags = (uint32_t)(receive.told | (flags & LINUX_MSG_CMSG_CLOEXEC));
	}
	socket_message_put_files(receive.files, receive.file_count);
	kfree(iov);
	return error ? error : result;
}

static int put_header(struct linux_msghdr *user, const struct linux_msghdr *header)
{
	if (header->msg_name && copy_to_user(&user->msg_namelen, &header->msg_namelen, sizeof(header->msg_namelen)))
		return -EFAULT;
	return copy_to_user(&user->msg_flags, &header->msg_flags, sizeof(header->msg_flags)) ||
	                       copy_to_user(&user->msg_controllen, &header->msg_controllen,
	                                    sizeof(header->msg_controllen))
	               ? -EFAULT
	               : 0;
}

long sys_recvmsg(int fd, struct linux_msghdr *user, int flags)
{
	struct linux_msghdr header;
	struct file *file;
	int error = flags & MSG_COMPAT ? -EINVAL : get_socket_file(fd, &file);
	if (error)
		return error;
	long result = copy_from_user(&header, user, sizeof(header));
	if (!result)
		result = receive_one(file, &header, flags);
	if (result >= 0 && put_header(user, &header))
		result = -EFAULT;
	file_put(file);
	return result;
}

static int read_timeout(const struct linux_timespec *user, uint64_t *deadline)
{
	struct linux_timespec ts;
	*deadline = SCHED_FOREVER;
	if (!user)
		return 0;
	if (copy_from_user(&ts, user, sizeof(ts)))
		return -EFAULT;
	int64_t ns = timespec_to_ns(&ts);
	if (ns < 0)
		return -EINVAL;
	*deadline = vclock_now() + (uint64_t)ns;
	return 0;
}

/* As on Linux, the timeout is checked only after each message, and a pending error only before the first one. */
long sys_recvmmsg(int fd, struct linux_mmsghdr *user, unsigned int count, int flags, struct linux_timespec *timeout)
{
	struct linux_mmsghdr message;
	struct file *file;
	uint64_t deadline;
	unsigned int done = 0;
	long result = flags & MSG_COMPAT ? -EINVAL : read_timeout(timeout, &deadline);
	if (!result)
		result = get_socket_file(fd, &file);
	if (result)
		return result;
	struct socket *socket = socket_of(file);
	result = socket_take_error(socket);
	if (result)
		count = 0;
	while (done < count) {
		result = copy_from_user(&message, &user[done], sizeof(message));
		if (!result)
			result = receive_one(file, &message.msg_hdr, flags & ~LINUX_MSG_WAITFORONE);
		if (result < 0)
			break;
		message.msg_len = (uint32_t)result;
		if (put_header(&user[done].msg_hdr, &message.msg_hdr) ||
		    copy_to_user(&user[done].msg_len, &message.msg_len, sizeof(message.msg_len))) {
			result = -EFAULT;
			break;
		}
		done++;
		if (flags & LINUX_MSG_WAITFORONE)
			flags |= LINUX_MSG_DONTWAIT;
		if (vclock_now() >= deadline)
			break;
	}
	if (done && result < 0 && result != -EAGAIN)
		socket->error = (int)-result; /* the next call returns it */
	file_put(file);
	return done ? (long)done : result;
}

long sys_recvfrom(int fd, void *to, unsigned long bytes, int flags, void *name, int *name_bytes)
{
	const struct linux_iovec iov = {to, bytes < LINUX_MAX_RW_COUNT ? bytes : LINUX_MAX_RW_COUNT};
	struct file *file;
	int room = 0, told, error = get_socket_file(fd, &file);
	if (error)
		return error;
	struct socket_receive receive = {.flags = flags, .wait = call_waits(file, flags), .iov = &iov, .count = 1};
	long result = socket_message_receive(socket_of(file), &receive);
	socket_message_put_files(receive.files, receive.file_count);
	file_put(file);
	if (result < 0 || !name)
		return result;
	if (copy_from_user(&room, name_bytes, sizeof(room)))
		return -EFAULT;
	if (room < 0)
		return -EINVAL;
	if (put_name(&receive, name, room, &told) || copy_to_user(name_bytes, &told, sizeof(told)))
		return -EFAULT;
	return result;
}
