/* SPDX-License-Identifier: MIT */
/* The table of objects. Guests choose which names enter it, but only names of the host, and within limits. */
#include "hostfs/host_objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define FIRST_BUCKETS 1024

static const char *object_name(const struct host_objects *objects, uint32_t handle)
{
	return objects->names + objects->objects[handle].name;
}

static bool is_root_object(const struct host_objects *objects, uint32_t handle)
{
	return objects->objects[handle].parent == handle;
}

uint32_t host_objects_root(const struct host_objects *objects, uint32_t handle)
{
	while (!is_root_object(objects, handle))
		handle = objects->objects[handle].parent;
	return handle;
}

int64_t host_objects_path(const struct host_objects *objects, uint32_t handle, const char *name, char path[PATH_MAX])
{
	char text[PATH_MAX];
	size_t at = sizeof(text) - 1;
	text[at] = 0;
	for (const char *part = name;; part = object_name(objects, handle), handle = objects->objects[handle].parent) {
		size_t length = strlen(part);
		if (length + 1 > at)
			return -ENAMETOOLONG;
		if (length && text[at])
			text[--at] = '/';
		at -= length;
		memcpy(text + at, part, length);
		if (is_root_object(objects, handle))
			break;
	}
	memcpy(path, text + at, sizeof(text) - at);
	return handle;
}

static uint32_t hash_object_name(uint32_t parent, const char *name)
{
	uint64_t hash = 0xcbf29ce484222325 ^ parent; /* FNV-1a */
	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3;
	return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t *bucket_of(const struct host_objects *objects, uint32_t parent, const char *name)
{
	return &objects->buckets[hash_object_name(parent, name) & (objects->bucket_count - 1)];
}

static void put_into_bucket(struct host_objects *objects, uint32_t handle)
{
	uint32_t *bucket = bucket_of(objects, objects->objects[handle].parent, object_name(objects, handle));
	objects->objects[handle].next = *bucket;
	*bucket = handle + 1;
}

/* Grows the table of buckets, if it has no room for one more object. */
static int grow_buckets(struct host_objects *objects)
{
	uint32_t count = objects->bucket_count ? 2 * objects->bucket_count : FIRST_BUCKETS;
	if (objects->count < objects->bucket_count)
		return 0;
	uint32_t *buckets = calloc(count, sizeof(*buckets));
	if (!buckets)
		return -ENOMEM;
	free(objects->buckets);
	objects->buckets = buckets;
	objects->bucket_count = count;
	for (uint32_t i = 0; i < objects->count; i++)
		put_into_bucket(objects, i);
	return 0;
}

bool host_objects_find(const struct host_objects *objects, uint32_t parent, const char *name, uint32_t *handle)
{
	if (!objects->bucket_count)
		return false;
	uint32_t at = *bucket_of(objects, parent, name);
	while (at && (objects->objects[at - 1].parent != parent || strcmp(object_name(objects, at - 1), name)))
		at = objects->objects[at - 1].next;
	if (at)
		*handle = at - 1;
	return at;
}

bool host_objects_follow(const struct host_objects *objects, uint32_t from, const char *path, uint32_t *handle)
{
	char name[NAME_MAX + 1];
	*handle = from;
	for (const char *at = path; *at; at += *at == '/') {
		const size_t length = strcspn(at, "/");
		if (!length || length > NAME_MAX)
			return false;
		memcpy(name, at, length);
		name[length] = 0;
		if (!host_objects_find(objects, *handle, name, handle))
			return false;
		at += length;
	}
	return true;
}

void host_objects_truncate(struct host_objects *objects, uint32_t count)
{
	while (objects->count > count) {
		const struct host_object *last = &objects->objects[--objects->count];
		uint32_t *bucket = bucket_of(objects, last->parent, objects->names + last->name);
		*bucket = last->next; /* the newest object is the first in its bucket */
		objects->name_bytes = last->name;
	}
}

/* Makes room for one more object, whose name has `bytes` bytes. */
static int make_object_room(struct host_objects *objects, uint32_t bytes)
{
	if (objects->count == HOST_OBJECTS_MAX || bytes > HOST_OBJECTS_NAME_BYTES_MAX - objects->name_bytes)
		return -ENFILE;
	if (!array_reserve(objects->objects, objects->room, objects->count + 1UL) ||
	    !array_reserve(objects->names, objects->name_room, (size_t)objects->name_bytes + bytes))
		return -ENOMEM;
	return grow_buckets(objects);
}

int64_t host_objects_add(struct host_objects *objects, uint32_t parent, const char *name,
                         const struct host_stamp *stamp)
{
	uint32_t handle = objects->count, bytes = (uint32_t)strlen(name) + 1;
	int result = make_object_room(objects, bytes);
	if (result)
		return result;
	memcpy(objects->names + objects->name_bytes, name, bytes);
	objects->objects[handle] = (struct host_object){.parent = parent, .name = objects->name_bytes, .stamp = *stamp};
	objects->name_bytes += bytes;
	objects->count++;
	put_into_bucket(objects, handle);
	return handle;
}

int64_t host_objects_add_root(struct host_objects *objects, const struct host_stamp *stamp)
{
	return host_objects_add(objects, objects->count, "", stamp);
}

void host_objects_fini(struct host_objects *objects)
{
	free(objects->objects);
	free(objects->names);
	free(objects->buckets);
	*objects = (struct host_objects){0};
}
