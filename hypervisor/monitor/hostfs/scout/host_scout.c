/* SPDX-License-Identifier: MIT */
/* The thread walks by itself through what it has read, so it depends on nothing that requests change. It reads as many
 * items ahead as are taken in time: a program that works long on each file gets few. */
#include "hostfs/scout/host_scout.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "abi/host_file.h"
#include "base/beside.h"
#include "base/jitter.h"

#define FIRST_COUNT 8    /* items that are read ahead at first; doubled when they were taken before the next was read */
#define AWAITED_COUNT 16 /* items that a request waits for: to be woken up for each costs more than the item */
#define MOST_COUNT 256   /* of them; answers that are prepared at a time are fewer */
#define MOST_BYTES (1UL << 20) /* of memory; as much as answers have room for */
#define MISSED_MAX 16          /* requests in a row after which the walk is elsewhere */

/* --- what was read --- */

static bool is_of_file(const struct host_scout_item *item)
{
	return item->data;
}

static bool is_full(const struct host_scout *scout)
{
	return scout->count >= scout->most || scout->bytes >= MOST_BYTES;
}

/* Whether so much was taken that the thread reads again: to wake it up for each item costs more than the item. */
static bool has_item_room(const struct host_scout *scout)
{
	return scout->count <= scout->most / 2 && scout->bytes <= MOST_BYTES / 2;
}

static void append_item(struct host_scout *scout, struct host_scout_item *item)
{
	item->next = NULL;
	*scout->last = item;
	scout->last = &item->next;
	scout->count++;
	scout->bytes += item->bytes;
}

static struct host_scout_item *remove_first(struct host_scout *scout)
{
	struct host_scout_item *item = scout->first;
	scout->first = item->next;
	if (!scout->first)
		scout->last = &scout->first;
	scout->count--;
	scout->bytes -= item->bytes;
	return item;
}

/* Ends the walk and forgets what was read. */
static void forget_walk(struct host_scout *scout)
{
	scout->walks++;
	scout->is_on = false;
	scout->missed = 0;
	while (scout->first)
		host_scout_put(remove_first(scout));
}

static void wake_up(struct host_scout *scout)
{
	if (scout->waits)
		pthread_cond_signal(&scout->changed);
	scout->waits = false;
}

/* Wakes up a request that waits for items. */
static void end_wait(struct host_scout *scout)
{
	if (scout->is_awaited)
		pthread_cond_signal(&scout->read);
	scout->is_awaited = false;
}

/* --- the walk of the thread --- */

/* Keeps the descriptor of the directory that the last frame is of, or none. One is enough: most directories have their
 * files before or behind their directories. */
static void keep_fd(struct host_scout *scout, int fd)
{
	if (scout->fd >= 0)
		close(scout->fd);
	scout->fd = fd;
	scout->fd_depth = fd < 0 ? 0 : scout->depth;
}

static void pop_frame(struct host_scout *scout)
{
	if (scout->fd_depth == scout->depth)
		keep_fd(scout, -1);
	host_scout_put(scout->frames[--scout->depth].directory);
}

static void push_frame(struct host_scout *scout, size_t length, struct host_scout_item *directory)
{
	if (scout->depth < HOST_SCOUT_DEPTH)
		scout->frames[scout->depth++] = (struct host_scout_frame){.directory = directory, .length = length};
}

/* Begins at the position of the copied walk, with a frame for each directory on the way there. */
static void begin_walk(struct host_scout *scout)
{
	const char *at = scout->own.at;
	size_t length = strlen(scout->own.top);
	while (scout->depth)
		pop_frame(scout);
	strcpy(scout->path, at);
	while (at[length]) {
		push_frame(scout, length, NULL);
		length += length ? 1 : 0;
		length += strcspn(at + length, "/");
	}
	if (scout->own.is_in)
		push_frame(scout, length, NULL);
}

/* The first name of a directory behind the way to the walk's beginning. */
static uint32_t first_name_behind(const struct host_scout *scout, const struct host_scout_frame *frame)
{
	char name[NAME_MAX + 1];
	const char *rest = scout->own.at + frame->length + (frame->length && scout->own.at[frame->length]);
	const size_t length = strcspn(rest, "/");
	const struct host_scout_item *directory = frame->directory;
	uint32_t i = 0;
	if (!length || length > NAME_MAX)
		return 0;
	memcpy(name, rest, length);
	name[length] = 0;
	while (i < directory->count && strcmp(directory->text + directory->names[i].text, name) <= 0)
		i++;
	return i;
}

/* Reads the names of a directory on the way to the walk's beginning, which its request has read before. */
static bool read_frame_names(struct host_scout *scout, struct host_scout_frame *frame)
{
	int fd;
	scout->path[frame->length] = 0;
	frame->directory = host_scout_read_directory(scout->own.tree, scout->path, scout->own.looks, &fd);
	if (!frame->directory)
		return false;
	keep_fd(scout, fd);
	frame->next = first_name_behind(scout, frame);
	return true;
}

static bool is_name_wanted(const struct host_scout *scout, const struct host_scout_name *name)
{
	if (name->is_stamped && name->result)
		return false;
	if (name->type == DT_DIR)
		return true;
	return scout->own.loads && name->type == DT_REG && name->is_stamped && name->stamp.size &&
	       name->stamp.size <= HOST_FILE_SHOWN_MIN;
}

/* Sets the path to a name in the directory of a frame. Returns false if it is too long. */
static bool set_path(struct host_scout *scout, const struct host_scout_frame *frame, const char *name)
{
	const size_t bytes = strlen(name) + 1;
	size_t length = frame->length;
	if (length + 1 + bytes > sizeof(scout->path))
		return false;
	if (length)
		scout->path[length++] = '/';
	memcpy(scout->path + length, name, bytes);
	return true;
}

/* Finds the next name to read, and sets the path to it. Returns NULL at the end of the walk. */
static const struct host_scout_name *find_next(struct host_scout *scout)
{
	while (scout->depth) {
		struct host_scout_frame *frame = &scout->frames[scout->depth - 1];
		if ((!frame->directory && !read_frame_names(scout, frame)) || frame->next >= frame->directory->count) {
			pop_frame(scout);
			continue;
		}
		const struct host_scout_name *name = &frame->directory->names[frame->next++];
		if (is_name_wanted(scout, name) && set_path(scout, frame, frame->directory->text + name->text))
			return name;
	}
	return NULL;
}

static struct host_scout_item *read_item(struct host_scout *scout, const struct host_scout_name *name)
{
	const struct host_scout_walk *walk = &scout->own;
	int fd;
	jitter_stall();
	if (name->type != DT_DIR)
		return host_scout_read_file(walk->tree, scout->fd_depth == scout->depth ? scout->fd : -1, scout->path,
		                            name->stamp.size, walk->hashes);
	struct host_scout_item *item = host_scout_read_directory(walk->tree, scout->path, walk->looks, &fd);
	if (!item)
		return NULL;
	if (scout->depth < HOST_SCOUT_DEPTH) {
		__atomic_add_fetch(&item->references, 1, __ATOMIC_RELAXED);
		push_frame(scout, strlen(scout->path), item);
	}
	keep_fd(scout, fd);
	return item;
}

/* --- the thread --- */

/* Reads the next item of the walk that is the current one. Called and returns with the lock, which is released
 * meanwhile. */
static void read_next_item(struct host_scout *scout)
{
	const unsigned walks = scout->walks;
	pthread_mutex_unlock(&scout->lock);
	const struct host_scout_name *name = find_next(scout);
	pthread_mutex_lock(&scout->lock);
	if (walks != scout->walks)
		return;
	if (!name) {
		scout->is_on = false;
		end_wait(scout);
		return;
	}
	pthread_mutex_unlock(&scout->lock);
	struct host_scout_item *item = read_item(scout, name);
	pthread_mutex_lock(&scout->lock);
	if (item && walks == scout->walks)
		append_item(scout, item);
	else
		host_scout_put(item);
	if (scout->count >= AWAITED_COUNT || is_full(scout))
		end_wait(scout);
}

static void *scout_all(void *argument)
{
	struct host_scout *scout = argument;
	unsigned walks = 0;
	pthread_mutex_lock(&scout->lock);
	while (!scout->end) {
		if (!scout->is_on || is_full(scout)) {
			scout->waits = true;
			while (scout->waits)
				pthread_cond_wait(&scout->changed, &scout->lock);
			continue;
		}
		if (walks != scout->walks) {
			scout->own = scout->walk;
			begin_walk(scout);
			walks = scout->walks;
		}
		read_next_item(scout);
	}
	while (scout->depth)
		pop_frame(scout);
	pthread_mutex_unlock(&scout->lock);
	return NULL;
}

/* --- requests --- */

void host_scout_init(struct host_scout *scout, uint64_t life_ns)
{
	memset(scout, 0, sizeof(*scout));
	scout->life_ns = life_ns;
	scout->most = FIRST_COUNT;
	scout->fd = -1;
	scout->last = &scout->first;
	pthread_mutex_init(&scout->lock, NULL);
	pthread_cond_init(&scout->changed, NULL);
	pthread_cond_init(&scout->read, NULL);
}

bool host_scout_is_on(struct host_scout *scout)
{
	pthread_mutex_lock(&scout->lock);
	if (scout->missed > MISSED_MAX)
		forget_walk(scout);
	bool is_on = scout->is_on || scout->first;
	pthread_mutex_unlock(&scout->lock);
	return is_on;
}

void host_scout_go(struct host_scout *scout, const struct host_scout_walk *walk)
{
	if (!scout->running)
		scout->running = beside_start(&scout->thread, scout_all, scout);
	if (!scout->running)
		return;
	pthread_mutex_lock(&scout->lock);
	forget_walk(scout);
	scout->walk = *walk;
	scout->is_on = true;
	wake_up(scout);
	pthread_mutex_unlock(&scout->lock);
}

void host_scout_drop(struct host_scout *scout)
{
	pthread_mutex_lock(&scout->lock);
	forget_walk(scout);
	pthread_mutex_unlock(&scout->lock);
}

static bool is_item_of(const struct host_scout_item *item, const struct host_tree *tree, const char *path, bool of_file)
{
	return item->tree == tree && is_of_file(item) == of_file && !strcmp(item->path, path);
}

/* Waits for the next items, if all that were read are taken. */
static void await_items(struct host_scout *scout)
{
	const unsigned walks = scout->walks;
	if (scout->first || !scout->is_on)
		return;
	scout->most = 2 * scout->most < MOST_COUNT ? 2 * scout->most : MOST_COUNT;
	wake_up(scout);
	scout->is_awaited = true;
	while (scout->is_awaited && walks == scout->walks)
		pthread_cond_wait(&scout->read, &scout->lock);
	scout->is_awaited = false;
}

bool host_scout_is_dry(struct host_scout *scout)
{
	pthread_mutex_lock(&scout->lock);
	bool result = scout->is_on && !scout->first;
	pthread_mutex_unlock(&scout->lock);
	return result;
}

/* Removes an item, and those before it, which the walk has left out. Returns NULL if it was not read, or is too old. */
static struct host_scout_item *remove_item(struct host_scout *scout, const struct host_tree *tree, const char *path,
                                           bool of_file)
{
	struct host_scout_item *item = scout->first;
	while (item && !is_item_of(item, tree, path, of_file))
		item = item->next;
	scout->missed = item ? 0 : scout->missed + 1;
	if (!item)
		return NULL;
	while (scout->first != item)
		host_scout_put(remove_first(scout));
	remove_first(scout);
	if (!host_scout_is_old(item, jitter_interval_ns(scout->life_ns)))
		return item;
	host_scout_put(item);
	forget_walk(scout); /* the others are hardly younger */
	scout->most = scout->most / 4 > FIRST_COUNT ? scout->most / 4 : FIRST_COUNT;
	return NULL;
}

struct host_scout_item *host_scout_take(struct host_scout *scout, const struct host_tree *tree, const char *path,
                                        bool is_file)
{
	struct host_scout_item *item = NULL;
	if (!scout || !scout->running || jitter_one_in(8))
		return NULL;
	pthread_mutex_lock(&scout->lock);
	await_items(scout);
	if (scout->is_on || scout->first) {
		item = remove_item(scout, tree, path, is_file);
		if (scout->is_on && has_item_room(scout))
			wake_up(scout);
	}
	pthread_mutex_unlock(&scout->lock);
	return item;
}

struct host_scout_item *host_scout_peek(struct host_scout *scout, const struct host_tree *tree, const char *path)
{
	if (!scout || !scout->running || jitter_one_in(8))
		return NULL;
	pthread_mutex_lock(&scout->lock);
	await_items(scout);
	struct host_scout_item *item = scout->first;
	while (item && !is_item_of(item, tree, path, false))
		item = item->next;
	if (item)
		__atomic_add_fetch(&item->references, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&scout->lock);
	return item;
}

void host_scout_fini(struct host_scout *scout)
{
	if (!scout->last)
		return;
	pthread_mutex_lock(&scout->lock);
	scout->end = true;
	forget_walk(scout);
	wake_up(scout);
	pthread_mutex_unlock(&scout->lock);
	if (scout->running)
		pthread_join(scout->thread, NULL);
	pthread_cond_destroy(&scout->read);
	pthread_cond_destroy(&scout->changed);
	pthread_mutex_destroy(&scout->lock);
	memset(scout, 0, sizeof(*scout));
}
