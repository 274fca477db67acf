/* SPDX-License-Identifier: MIT */
/* Extended attributes: a list, because few files have any. */
#include "kernel/vfs/attribute.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"

struct attribute {
	struct attribute *next;
	size_t name_bytes, value_bytes; /* of the name with its NUL */
	char text[];                    /* the name, then the value */
};

/* The link to an attribute, or the end of the list. */
static struct attribute **find_attribute(struct attribute **list, const char *name)
{
	while (*list && strcmp((*list)->text, name))
		list = &(*list)->next;
	return list;
}

/* The bytes of all names, and those of all values. */
static size_t names_of(const struct inode *inode, size_t *values)
{
	size_t names = 0;
	*values = 0;
	for (const struct attribute *attribute = inode->attributes; attribute; attribute = attribute->next) {
		names += attribute->name_bytes;
		*values += attribute->value_bytes;
	}
	return names;
}

/* Makes an attribute. Returns 0, -ENOSPC or -EFAULT. */
static int make_attribute(const char *name, const void *value, size_t bytes, struct attribute **out)
{
	size_t length = strlen(name) + 1;
	struct attribute *made = kmalloc(sizeof(*made) + length + bytes);
	if (!made)
		return -ENOSPC;
	*made = (struct attribute){.name_bytes = length, .value_bytes = bytes};
	memcpy(made->text, name, length);
	*out = made;
	if (!bytes || !copy_from_user(made->text + length, value, bytes))
		return 0;
	kfree(made);
	return -EFAULT;
}

int attribute_set(struct inode *inode, const char *name, const void *value, size_t bytes, int flags)
{
	struct attribute *made, **link = find_attribute(&inode->attributes, name), *old = *link;
	size_t values, names = names_of(inode, &values);
	int error = make_attribute(name, value, bytes, &made);
	if (error)
		return error;
	if (old && flags & LINUX_XATTR_CREATE)
		error = -EEXIST;
	else if (!old && flags & LINUX_XATTR_REPLACE)
		error = -ENODATA;
	else if (names + values + made->name_bytes + bytes > ATTRIBUTE_BYTES_MAX)
		error = -ENOSPC;
	if (error) {
		kfree(made);
		return error;
	}
	made->next = old ? old->next : NULL;
	*link = made;
	kfree(old);
	inode_changed(inode);
	return 0;
}

long attribute_get(const struct inode *inode, const char *name, void *to, size_t size)
{
	struct attribute *list = inode->attributes;
	const struct attribute *found = *find_attribute(&list, name);
	if (!found)
		return -ENODATA;
	if (size && size < found->value_bytes)
		return -ERANGE;
	if (size && copy_to_user(to, found->text + found->name_bytes, found->value_bytes))
		return -EFAULT;
	return (long)found->value_bytes;
}

long attribute_list(const struct inode *inode, char *to, size_t size)
{
	size_t values, names = names_of(inode, &values);
	if (names > LINUX_XATTR_SIZE_MAX)
		return -E2BIG;
	if (size && size < names)
		return -ERANGE;
	for (const struct attribute *attribute = inode->attributes; size && attribute; attribute = attribute->next) {
		if (copy_to_user(to, attribute->text, attribute->name_bytes))
			return -EFAULT;
		to += attribute->name_bytes;
	}
	return (long)names;
}

int attribute_remove(struct inode *inode, const char *name)
{
	struct attribute **link = find_attribute(&inode->attributes, name), *old = *link;
	if (!old)
		return -ENODATA;
	*link = old->next;
	kfree(old);
	inode_changed(inode);
	return 0;
}

void attribute_free_all(struct inode *inode)
{
	for (struct attribute *attribute = inode->attributes, *next; attribute; attribute = next) {
		next = attribute->next;
		kfree(attribute);
	}
	inode->attributes = NULL;
}
