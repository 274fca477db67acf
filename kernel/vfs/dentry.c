/* SPDX-License-Identifier: MIT */
/* Directory entries: hash, lists and sorted listings. Order of the hash decides nothing. */
#include "kernel/vfs/dentry.h"

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

/* Keyed by number, not by address, although nothing depends on it: the same chains in every run. */
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

int dentry_lookup(struct inode *dir, const char *name, size_t length, uint32_t hash, struct dentry **found)
{
	*found = dentry_find(dir, name, length, hash);
	if (*found || dir->dir.complete)
		return 0;
	return dir->ops->lookup(dir, name, length, found);
}

int dentry_inode(struct dentry *dentry, struct inode **inode)
{
	int error = 0;
	if (!dentry->inode)
		error = dentry->dir->ops->load(dentry->dir, dentry);
	*inode = dentry->inode;
	return error;
}

static void drop_listing(struct inode *dir)
{
	if (dir->dir.listing)
		listing_put(dir->dir.listing);
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

/* Takes the inode away from a dentry, with its reference. */
static struct inode *take_inode(struct dentry *dentry)
{
	struct inode *inode = dentry->inode;
	dentry->inode = NULL;
	if (inode && LINUX_S_ISDIR(inode->mode) && inode->dir.dentry == dentry)
		inode->dir.dentry = NULL;
	return inode;
}

void dentry_replace(struct dentry *dentry, struct inode *inode)
{
	struct inode *old = take_inode(dentry);
	dentry->inode = inode_get(inode);
	dentry->type = dentry_type(inode->mode);
	if (LINUX_S_ISDIR(inode->mode))
		inode->dir.dentry = dentry;
	inode_put(old);
}

static void put(struct dentry *dentry)
{
	if (--dentry->refs == 0)
		kfree(dentry);
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
	assert(dir->dir.complete);
	unhash(dentry);
	*(dentry->prev ? &dentry->prev->next : &dir->dir.first) = dentry->next;
	*(dentry->next ? &dentry->next->prev : &dir->dir.last) = dentry->prev;
	dir->dir.count--;
	drop_listing(dir);
	dentry->dir = NULL;
	inode_put(inode);
	put(dentry);
}

void dentry_free_all(struct inode *dir)
{
	dir->dir.complete = true;
	while (dir->dir.first)
		dentry_remove(dir->dir.first);
	drop_listing(dir);
}

int dentry_complete(struct inode *dir)
{
	if (dir->dir.complete)
		return 0;
	int error = dir->ops->populate(dir);
	if (error == 0)
		dir->dir.complete = true;
	return error;
}

/* Byte order, a prefix first: both names end with a NUL, which is below every byte of a name. */
static int before_or_same(const struct dentry *a, const struct dentry *b)
{
	return strcmp(a->name, b->name) <= 0;
}

static void merge(struct dentry **from, size_t middle, size_t end, struct dentry **to)
{
	size_t left = 0, right = middle;
	for (size_t i = 0; i < end; i++) {
		int take_left = right == end || (left < middle && before_or_same(from[left], from[right]));
		to[i] = take_left ? from[left++] : from[right++];
	}
}

/* Length of the ascending run at the start of n entries. */
static size_t run_length(struct dentry **entries, size_t n)
{
	size_t length = 1;
	while (length < n && before_or_same(entries[length - 1], entries[length]))
		length++;
	return length;
}

/* Natural merge sort: names mostly come in order already. Each pass merges neighbouring runs. */
static void sort(struct dentry **entries, struct dentry **spare, size_t n)
{
	struct dentry **from = entries, **to = spare;
	size_t first = n ? run_length(from, n) : 0;
	while (first < n) {
		for (size_t at = 0; at < n;) {
			size_t left = run_length(from + at, n - at);
			size_t right = at + left < n ? run_length(from + at + left, n - at - left) : 0;
			merge(from + at, left, left + right, to + at);
			at += left + right;
		}
		struct dentry **swap = from;
		from = to;
		to = swap;
		first = run_length(from, n);
	}
	if (from != entries)
		memcpy(entries, from, n * sizeof(*entries));
}

/* Puts the directory's list into sorted order too, so that sorting again is one comparison a name. */
static void relink(struct inode *dir, struct dentry **entries, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		entries[i]->prev = i ? entries[i - 1] : NULL;
		entries[i]->next = i + 1 < n ? entries[i + 1] : NULL;
	}
	dir->dir.first = n ? entries[0] : NULL;
	dir->dir.last = n ? entries[n - 1] : NULL;
}

int dentry_listing(struct inode *dir, struct listing **out)
{
	int error = dentry_complete(dir);
	if (error < 0)
		return error;
	if (!dir->dir.listing) {
		size_t n = dir->dir.count;
		struct listing *listing = kmalloc(sizeof(*listing) + n * sizeof(struct dentry *));
		struct dentry **spare = kmalloc((n + 1) * sizeof(struct dentry *));
		if (!listing || !spare) {
			kfree(listing);
			kfree(spare);
			return -ENOMEM;
		}
		size_t i = 0;
		for (struct dentry *dentry = dir->dir.first; dentry; dentry = dentry->next) {
			listing->entries[i++] = dentry;
			dentry->refs++;
		}
		listing->refs = 1;
		listing->count = n;
		sort(listing->entries, spare, n);
		relink(dir, listing->entries, n);
		kfree(spare);
		dir->dir.listing = listing;
	}
	dir->dir.listing->refs++;
	*out = dir->dir.listing;
	return 0;
}

void listing_put(struct listing *listing)
{
	if (--listing->refs > 0)
		return;
	for (size_t i = 0; i < listing->count; i++)
		put(listing->entries[i]);
	kfree(listing);
}
