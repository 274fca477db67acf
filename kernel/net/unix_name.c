/* SPDX-License-Identifier: MIT */
/* Names in a directory are identified by their inode, abstract ones by their bytes. Each type of socket has abstract
 * names of its own. */
#include "kernel/net/unix_name.h"

#include "abi/errno.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/vfs/namei.h"

#define FAMILY_BYTES sizeof(uint16_t)
#define NUMBERS 0x100000 /* names generated for sockets without one */

int unix_name_check(const struct socket_address *from, struct socket_address *name)
{
	*name = *from;
	if (name->bytes >= FAMILY_BYTES && name->family == LINUX_AF_UNSPEC)
		return 0;
	if (name->bytes < FAMILY_BYTES || name->bytes > sizeof(name->un) || name->family != LINUX_AF_UNIX)
		return -EINVAL;
	if (name->bytes > FAMILY_BYTES && name->un.sun_path[0]) /* the path ends at its NUL */
		name->bytes = (uint32_t)(FAMILY_BYTES + strlen(name->un.sun_path) + 1);
	return 0;
}

static bool is_same_name(const struct socket_address *a, const struct socket_address *b)
{
	return a->bytes == b->bytes && !memcmp(&a->un, &b->un, a->bytes);
}

static struct socket *find_abstract(const struct socket_address *name, int type)
{
	for (struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket))
		if (socket->named && socket->domain == LINUX_AF_UNIX && !socket->bound && socket->type == type &&
		    is_same_name(&socket->name, name))
			return socket;
	return NULL;
}

static struct socket *find_bound(const struct inode *inode)
{
	for (struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket))
		if (socket->bound == inode)
			return socket;
	return NULL;
}

static int bind_path(struct socket *socket, const struct socket_address *name)
{
	struct inode *inode;
	int error = namei_mknod(LINUX_AT_FDCWD, name->un.sun_path, LINUX_S_IFSOCK | 0777, 0);
	if (error == 0)
		error = path_find(LINUX_AT_FDCWD, name->un.sun_path, 0, &inode);
	if (error)
		return error == -EEXIST ? -EADDRINUSE : error;
	if (socket->name.bytes) { /* Linux also checks this only here */
		namei_unlink(LINUX_AT_FDCWD, name->un.sun_path);
		return -EINVAL;
	}
	socket->bound = inode_get(inode);
	return 0;
}

/* Linux begins with a random number. */
static int bind_any(struct socket *socket)
{
	static unsigned next;
	for (unsigned i = 0; i < NUMBERS; i++) {
		struct socket_address name = {.bytes = FAMILY_BYTES + 6, .un = {.sun_family = LINUX_AF_UNIX}};
		char digits[8];
		format(digits, sizeof(digits), "%x", NUMBERS | next);
		memcpy(name.un.sun_path + 1, digits + 1, 5);
		next = (next + 1) % NUMBERS;
		if (find_abstract(&name, socket->type))
			continue;
		socket->name = name;
		socket->named = true;
		return 0;
	}
	return -ENOSPC;
}

int unix_name_bind(struct socket *socket, const struct socket_address *name)
{
	if (name->un.sun_family != LINUX_AF_UNIX)
		return -EINVAL;
	if (name->bytes == FAMILY_BYTES)
		return socket->name.bytes ? 0 : bind_any(socket);
	int error = 0;
	if (name->un.sun_path[0])
		error = bind_path(socket, name);
	else if (socket->name.bytes)
		return -EINVAL;
	else if (find_abstract(name, socket->type))
		error = -EADDRINUSE;
	if (error)
		return error;
	socket->name = *name;
	socket->named = true;
	return 0;
}

int unix_name_find(const struct socket_address *name, int type, struct socket **found)
{
	struct inode *inode;
	if (name->un.sun_family != LINUX_AF_UNIX || name->bytes <= FAMILY_BYTES)
		return -EINVAL;
	if (name->un.sun_path[0]) {
		int error = path_find(LINUX_AT_FDCWD, name->un.sun_path, PATH_FOLLOW, &inode);
		if (error)
			return error;
		*found = (inode->mode & LINUX_S_IFMT) == LINUX_S_IFSOCK ? find_bound(inode) : NULL;
	} else {
		*found = find_abstract(name, type);
	}
	if (!*found)
		return -ECONNREFUSED;
	if ((*found)->type != type)
		return -EPROTOTYPE;
	socket_get(*found);
	return 0;
}
