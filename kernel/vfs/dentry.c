/* SPDX-License-Identifier: MIT */
/* Directory entries: hash, lists and sorted listings. The order of the hash decides nothing. */
#include "kernel/vfs/dentry.h"

#include <stdbool.h>

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"

#define FIRST_BUCKETS 256

static struct {
	struct dentry **buckets;
	uint32_t bits; /* of the number of buckets */
	uint64_t count;
} hash_table;

/* Keyed by number, not by address: the chains are the same in every run, although nothing depends on it. */
static struct dentry **bucket_of(const struct inode *dir, uint32_t hash)
{
	uint64_t key = (dir->ino * 0x9e3779b97f4a7c15U) ^ ((uint64_t)hash * 0xff51afd7ed558ccdU);
	return &hash_table.buckets[(key * 0x9e3779b97f4a7c15U) >> (64 - hash_table.bits)];
}

uint32_t dentry_hash(const char *name, size_t length)
{
	uint32_t hash = 0;
	for (size_t i = 0; i < length; i++)
		hash = DENTRY_HASH_STEP(hash, name[i]);
	return hash;
}

/* Doubles the table. Without memory the old one stays, and chains get longer. */
static int hash_grow(void)
{
	size_t old_size = hash_table.buckets ? (size_t)1 << hash_table.bits : 0;
	size_t size = old_size ? old_size * 2 : FIRST_BUCKETS;
	struct dentry **old = hash_table.buckets;
	struct dentry **buckets = kzalloc(size * sizeof(struct dentry *));
	if (!buckets)
		return old ? 0 : -ENOMEM;
	hash_table.buckets = buckets;
	hash_table.bits = (uint32_t)__builtin_ctzl(size);
	for (size_t i = 0; i < old_size; i++) {
		for (struct dentry *dentry = old[i], *next; dentry; dentry = next) {
			next = dentry->hash_next;
			struct dentry **bucket = bucket_of(dentry->dir, dentry->hash);
			dentry->hash_next = *bucket;
			*bucket = dentry;
		}
	}
	kfree(old);
	return 0;
}

struct dentry *dentry_find(struct inode *dir, const char *name, size_t length, uint32_t hash)
{
	if (!hash_table.buckets)
		return NULL;
	for (struct dentry *dentry = *bucket_of(dir, hash); dentry; dentry = dentry->hash_next) {
		if (dentry->hash == hash && dentry->dir == dir && dentry->length == length &&
		    memcmp(dentry->name, name, length) == 0)
			return dentry;
	}
	return NULL;
}

static int refresh_name(struct inode *dir, const char *name, size_t length)
{
	return dir->ops && dir->ops->refresh ? dir->ops->refresh(dir, name, length) : 0;
}

int dentry_lookup(struct inode *dir, const char *name, size_t length, uint32_t hash, struct dentry **found)
{
	int error = refresh_name(dir, name, length);
	if (error < 0)
		return error;
	*found = dentry_find(dir, name, length, hash);
	if (*found || (dir->dir.complete && !dir->dir.unsearchable))
		return 0;
	return dir->ops->lookup(dir, name, length, found);
}

int dentry_inode(struct dentry *dentry, struct inode **inode)
{
	int error = 0;
	if (!dentry->inode || dentry->ahead)
		error = dentry->dir->ops->load(dentry->dir, dentry);
	*inode = dentry->inode;
	return error;
}

static void drop_listing(struct inode *dir)
{
	if (dir->dir.listing)
		dentry_put_listing(dir->dir.listing);
	dir->dir.listing = NULL;
}

struct dentry *dentry_add(struct inode *dir, const char *name, size_t length, uint8_t type, struct inode *inode)
{
	assert(length > 0 && length <= LINUX_NAME_MAX);
	if ((!hash_table.buckets || hash_table.count >> hash_table.bits) && hash_grow() < 0)
		return NULL;
	struct dentry *dentry = kmalloc(sizeof(*dentry) + length + 1);
	if (!dentry)
		return NULL;
	*dentry = (struct dentry){.dir = dir, .type = type, .length = (uint8_t)length, .refs = 1};
	memcpy(dentry->name, name, length);
	dentry->name[length] = 0;
	dentry->hash = dentry_hash(name, length);
	struct dentry **bucket = bucket_of(dir, dentry->hash);
	dentry->hash_next = *bucket;
	*bucket = dentry;
	hash_table.count++;
	dentry->prev = dir->dir.last;
	*(dir->dir.last ? &dir->dir.last->next : &dir->dir.first) = dentry;
	dir->dir.last = dentry;
	dir->dir.count++;
	drop_listing(dir);
	if (inode)
		dentry_replace(dentry, inode);
	return dentry;
}

/* Removes the inode from a dentry, with its reference. */
static struct inode *take_inode(struct dentry *dentry)
{
	struct inode *inode = dentry->inode;
	dentry->inode = NULL;
	if (inode && inode->dentry == dentry)
		inode->dentry = NULL;
	return inode;
}

void dentry_replace(struct dentry *dentry, struct inode *inode)
{
	struct inode *old = take_inode(dentry);
	dentry->inode = inode_get(inode);
	dentry->type = dentry_type(inode->mode);
	inode->dentry = dentry;
	inode_put(old);
}

/* The directory of a removed name stays only while open files or listings have the name: dir.gone must not hold it. */
void dentry_put(struct dentry *dentry)
{
	struct inode *was_in = NULL;
	dentry->refs--;
	if (!dentry->dir && dentry->refs == dentry->gone) {
		was_in = dentry->was_in;
		dentry->was_in = NULL;
	}
	if (dentry->refs == 0)
		kfree(dentry);
	inode_put(was_in);
}

static void unhash(struct dentry *dentry)
{
	struct dentry **link = bucket_of(dentry->dir, dentry->hash);
	while (*link != dentry)
		link = &(*link)->hash_next;
	*link = dentry->hash_next;
	hash_table.count--;
}

void dentry_remove(struct dentry *dentry)
{
	struct inode *dir = dentry->dir, *inode = take_inode(dentry);
	assert(dir != NULL);
	const bool comes_back = dentry->backing_ino && !dir->dir.complete;
	assert(!comes_back);
	unhash(dentry);
	*(dentry->prev ? &dentry->prev->next : &dir->dir.first) = dentry->next;
	*(dentry->next ? &dentry->next->prev : &dir->dir.last) = dentry->prev;
	dir->dir.count--;
	drop_listing(dir);
	dentry->dir = NULL;
	dentry->was_in = dentry->refs > 1 && dir->refs > 0 ? inode_get(dir) : NULL;
	inode_put(inode);
	if (dentry->backing_ino && dir->ops && dir->ops->origin) {
		dentry->next = dir->dir.gone;
		dir->dir.gone = dentry;
		dentry->gone = true;
	} else {
		dentry_put(dentry);
	}
}

void dentry_free_all(struct inode *dir)
{
	dir->dir.complete = true;
	while (dir->dir.first)
		dentry_remove(dir->dir.first);
	for (struct dentry *gone = dir->dir.gone, *next; gone; gone = next) {
		next = gone->next;
		gone->gone = false;
		dentry_put(gone);
	}
	drop_listing(dir);
}

int dentry_complete(struct inode *dir)
{
	if (dir->dir.complete)
		return refresh_name(dir, NULL, 0);
	int error = dir->ops->populate(dir);
	if (error == 0)
		dir->dir.complete = true;
	return error;
}

/* Byte order, a prefix first: both names end with a NUL, which is below every byte of a name. */
static bool before_or_same(const struct dentry *a, const struct dentry *b)
{
	return strcmp(a->name, b->name) <= 0;
}

/* Cuts off the ascending run at the start of a chain, and returns the rest. */
static struct dentry *cut_run(struct dentry *chain)
{
	struct dentry *last = chain;
	while (last->next && before_or_same(last, last->next))
		last = last->next;
	struct dentry *rest = last->next;
	last->next = NULL;
	return rest;
}

/* Merges two runs into *link, and returns the place for the next run. */
static struct dentry **merge(struct dentry *left, struct dentry *right, struct dentry **link)
{
	while (left && right) {
		struct dentry **from = before_or_same(left, right) ? &left : &right;
		*link = *from;
		link = &(*link)->next;
		*from = *link;
	}
	*link = left ? left : right;
	while (*link)
		link = &(*link)->next;
	return link;
}

/* Natural merge sort: names mostly come in order already. Each pass merges neighbouring runs. Only `next` is correct
 * until the end. */
void dentry_sort(struct inode *dir)
{
	struct dentry *chain = dir->dir.first;
	assert(dir->dir.complete);
	for (size_t merges = 1; chain && merges;) {
		struct dentry *rest = chain, **link = &chain;
		for (merges = 0; rest;) {
			struct dentry *left = rest, *right = cut_run(left);
			rest = right ? cut_run(right) : NULL;
			merges += right != NULL;
			link = merge(left, right, link);
		}
	}
	dir->dir.first = chain;
	dir->dir.last = NULL;
	for (struct dentry *dentry = chain; dentry; dentry = dentry->next) {
		dentry->prev = dir->dir.last;
		dir->dir.last = dentry;
	}
}

int dentry_listing(struct inode *dir, struct listing **out)
{
	int error = dentry_complete(dir);
	if (error < 0)
		return error;
	if (!dir->dir.listing) {
		struct listing *listing = kmalloc(sizeof(*listing) + dir->dir.count * sizeof(struct dentry *));
		if (!listing)
			return -ENOMEM;
		size_t i = 0;
		dentry_sort(dir);
		for (struct dentry *dentry = dir->dir.first; dentry; dentry = dentry->next) {
			listing->entries[i++] = dentry;
			dentry->refs++;
		}
		assert(i == dir->dir.count);
		listing->refs = 1;
		listing->count = i;
		dir->dir.listing = listing;
	}
	dir->dir.listing->refs++;
	*out = dir->dir.listing;
	return 0;
}

void dentry_put_listing(struct listing *listing)
{
	if (--listing->refs > 0)
		return;
	for (size_t i = 0; i < listing->count; i++)
		dentry_put(listing->entries[i]);
	kfree(listing);
}
