/* SPDX-License-Identifier: MIT */
/* EROFS reader. Every access to the image goes through erofs_file_bytes(), which checks the image's end. Structures and
 * names are copied before they are checked: an image may put them at any alignment, and another process may write to it
 * meanwhile. Loops are bounded by sizes that were checked against it. */
#include "eri/erofs_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "eri/erofs_compressed.h"

#define BLOCK EROFS_FILE_BLOCK
#define NID_BYTES 32UL /* an object's number counts slots of this size */
#define SUPER_OFFSET 1024
#define MAGIC 0xe0f5e1e2U
#define INCOMPAT_PADDED 1U

struct super_block {
	uint32_t magic;
	uint32_t checksum;
	uint32_t feature_compat;
	uint8_t block_bits;
	uint8_t extra_slots;
	uint16_t root_nid;
	uint64_t inode_count;
	uint64_t build_time;
	uint32_t build_time_ns;
	uint32_t blocks;
	uint32_t meta_block;
	uint32_t xattr_block;
	uint8_t uuid[16];
	uint8_t volume_name[16];
	uint32_t feature_incompat;
	uint16_t compression;
	uint16_t extra_devices;
	uint16_t device_slot;
	uint8_t dir_block_bits;
	uint8_t reserved[37];
};

_Static_assert(sizeof(struct super_block) == 128, "super_block");
_Static_assert(offsetof(struct super_block, feature_incompat) == 80, "super_block");

struct compact_inode {
	uint16_t format; /* bit 0: extended; bits 1 to 3: the layout */
	uint16_t xattr_count;
	uint16_t mode;
	uint16_t nlink;
	uint32_t size;
	uint32_t reserved;
	uint32_t where; /* first block or device number */
	uint32_t number;
	uint16_t uid;
	uint16_t gid;
	uint32_t reserved2;
};

struct extended_inode {
	uint16_t format;
	uint16_t xattr_count;
	uint16_t mode;
	uint16_t reserved;
	uint64_t size;
	uint32_t where;
	uint32_t number;
	uint32_t uid;
	uint32_t gid;
	uint64_t mtime;
	uint32_t mtime_ns;
	uint32_t nlink;
	uint8_t reserved2[16];
};

_Static_assert(sizeof(struct compact_inode) == 32, "compact_inode");
_Static_assert(sizeof(struct extended_inode) == 64, "extended_inode");

struct entry {
	uint64_t nid;
	uint16_t name_offset;
	uint8_t type;
	uint8_t reserved;
} __attribute__((packed));

_Static_assert(sizeof(struct entry) == 12, "entry");

static bool copy_at(const struct erofs_file *file, uint64_t offset, void *to, size_t bytes)
{
	const uint8_t *from = erofs_file_bytes(file, offset, bytes);
	if (from)
		memcpy(to, from, bytes);
	return from;
}

static const char *unknown_feature(uint32_t unknown)
{
	return unknown & 2    ? "it uses big compression clusters (EROFS feature 0x2); make it without -C"
	       : unknown & 4  ? "it uses chunks (EROFS feature 0x4); make it without --chunksize"
	       : unknown & 8  ? "it uses extra devices or a second algorithm (EROFS feature 0x8); make it without them"
	       : unknown & 16 ? "it uses ztailpacking (EROFS feature 0x10); make it without -E ztailpacking"
	       : unknown & 32 ? "it uses fragments or dedupe (EROFS feature 0x20); make it without them"
	                      : "it uses EROFS features that eremite does not know; make it with mkfs.erofs 1.5";
}

int erofs_file_open(struct erofs_file *file, const uint8_t *data, uint64_t bytes, struct error *error)
{
	struct super_block super;
	struct erofs_node root;
	*file = (struct erofs_file){.data = data, .bytes = bytes};
	if (!copy_at(file, SUPER_OFFSET, &super, sizeof(super)))
		return error_set(error, EUCLEAN, "it is too short for an EROFS image");
	if (super.magic != MAGIC)
		return error_set(error, EUCLEAN, "it is not an EROFS image");
	if (super.block_bits != 12 || super.dir_block_bits)
		return error_set(error, EOPNOTSUPP,
		                 "its EROFS block size is not 4096; make it with mkfs.erofs -b 4096");
	uint32_t unknown = super.feature_incompat & ~INCOMPAT_PADDED;
	if (unknown || super.extra_devices)
		return error_set(error, EOPNOTSUPP, "%s", unknown_feature(unknown ? unknown : 8));
	if (super.blocks > bytes / BLOCK)
		return error_set(error, EUCLEAN, "it is truncated; make or copy it again");
	if (super.blocks < bytes / BLOCK + (bytes % BLOCK != 0))
		return error_set(error, EUCLEAN, "it has bytes behind its end; make or copy it again");
	if (super.build_time_ns >= 1000000000)
		return error_set(error, EUCLEAN, "its EROFS superblock is damaged; make or copy it again");
	file->meta = super.meta_block * BLOCK;
	file->root = super.root_nid;
	file->built_s = super.build_time;
	file->built_ns = super.build_time_ns;
	file->padded = super.feature_incompat & INCOMPAT_PADDED;
	file->compressed = file->padded || super.compression;
	if (erofs_file_node(file, file->root, &root) || !S_ISDIR(root.mode))
		return error_set(error, EUCLEAN, "its root directory is damaged; make or copy it again");
	return 0;
}

/* Reads the fields of an inode of either form. Returns the end of the inode and its xattrs, or 0. */
static uint64_t read_inode(const struct erofs_file *file, uint64_t offset, struct erofs_node *node, uint32_t *where)
{
	struct compact_inode compact;
	struct extended_inode extended;
	if (!copy_at(file, offset, &compact, sizeof(compact)))
		return 0;
	uint64_t xattrs = compact.xattr_count ? 12 + 4 * (compact.xattr_count - 1UL) : 0;
	node->mode = compact.mode;
	node->layout = compact.format >> 1; /* with unknown bits, which are no layout */
	if (!(compact.format & 1)) {
		node->size = compact.size;
		node->nlink = compact.nlink;
		node->uid = compact.uid;
		node->gid = compact.gid;
		node->mtime_s = file->built_s;
		node->mtime_ns = file->built_ns;
		*where = compact.where;
		return offset + sizeof(compact) + xattrs;
	}
	if (!copy_at(file, offset, &extended, sizeof(extended)))
		return 0;
	node->size = extended.size;
	node->nlink = extended.nlink;
	node->uid = extended.uid;
	node->gid = extended.gid;
	node->mtime_s = extended.mtime;
	node->mtime_ns = extended.mtime_ns;
	*where = extended.where;
	return offset + sizeof(extended) + xattrs;
}

uint64_t erofs_file_bytes_before_tail(const struct erofs_node *node)
{
	if (node->layout == EROFS_FILE_INLINE && node->size)
		return (node->size - 1) / BLOCK * BLOCK;
	return node->size;
}

/* Checks that the contents are in the image as a whole, so that sizes can be trusted. */
static int check_layout(const struct erofs_file *file, struct erofs_node *node, uint32_t where)
{
	if (node->layout == EROFS_FILE_COMPRESSED && S_ISREG(node->mode))
		return erofs_compressed_node(file, node);
	if (node->layout != EROFS_FILE_PLAIN && node->layout != EROFS_FILE_INLINE)
		return S_ISREG(node->mode) && node->layout < 5 ? -EOPNOTSUPP : -EUCLEAN;
	if (S_ISLNK(node->mode) && (!node->size || node->size >= PATH_MAX))
		return -EUCLEAN;
	uint64_t before = erofs_file_bytes_before_tail(node), tail = node->size - before;
	node->at = before ? where * BLOCK : 0;
	/* As in Linux, the tail is in one block. */
	if (!erofs_file_bytes(file, node->at, before) || !erofs_file_bytes(file, node->tail, tail) ||
	    (tail && node->tail % BLOCK + tail > BLOCK))
		return -EUCLEAN;
	return 0;
}

int erofs_file_node(const struct erofs_file *file, uint64_t nid, struct erofs_node *node)
{
	uint32_t where;
	*node = (struct erofs_node){.nid = nid};
	if (nid > file->bytes / NID_BYTES)
		return -EUCLEAN;
	node->tail = read_inode(file, file->meta + nid * NID_BYTES, node, &where);
	if (!node->tail || node->size > INT64_MAX || !node->nlink || node->mtime_ns >= 1000000000)
		return -EUCLEAN;
	switch (node->mode & S_IFMT) {
	case S_IFREG:
	case S_IFDIR:
	case S_IFLNK:
		return check_layout(file, node, where);
	case S_IFCHR:
	case S_IFBLK:
		node->device = where;
		break;
	case S_IFIFO:
	case S_IFSOCK:
		break;
	default:
		return -EUCLEAN;
	}
	node->size = 0;
	node->layout = EROFS_FILE_PLAIN;
	return 0;
}

/* Plain or inline contents at an offset below the size; *bytes is reduced to what is contiguous there. */
static const uint8_t *node_contents_at(const struct erofs_file *file, const struct erofs_node *node, uint64_t offset,
                                       uint64_t *bytes)
{
	uint64_t before = erofs_file_bytes_before_tail(node);
	uint64_t end = offset < before ? before : node->size;
	if (*bytes > end - offset)
		*bytes = end - offset;
	return erofs_file_bytes(file, offset < before ? node->at + offset : node->tail + (offset - before), *bytes);
}

int erofs_file_read(const struct erofs_file *file, const struct erofs_node *node, void *to, uint64_t bytes,
                    uint64_t offset)
{
	if (offset > node->size || bytes > node->size - offset)
		return -EINVAL;
	if (node->layout == EROFS_FILE_COMPRESSED)
		return erofs_compressed_read(file, node, to, bytes, offset);
	for (uint64_t done = 0; done < bytes;) {
		uint64_t part = bytes - done;
		const uint8_t *from = node_contents_at(file, node, offset + done, &part);
		if (!from)
			return -EUCLEAN;
		memcpy((uint8_t *)to + done, from, part);
		done += part;
	}
	return 0;
}

const uint8_t *erofs_file_at(const struct erofs_file *file, const struct erofs_node *node)
{
	if (!S_ISREG(node->mode) && !S_ISDIR(node->mode) && !S_ISLNK(node->mode))
		return NULL;
	if (!node->size)
		return file->data;
	return node->layout == EROFS_FILE_PLAIN ? erofs_file_bytes(file, node->at, node->size) : NULL;
}

/* One block of a directory: entries, then names. */
struct block {
	const uint8_t *data;
	uint64_t bytes;
	size_t count; /* of entries; at least 1 */
};

struct name {
	char text[NAME_MAX + 1]; /* a copy; not ended by NUL */
	size_t length;
	uint64_t nid;
	unsigned type;
};

static struct entry entry_at(const struct block *block, size_t index)
{
	struct entry entry;
	memcpy(&entry, block->data + index * sizeof(entry), sizeof(entry));
	return entry;
}

static int read_block(const struct erofs_file *file, const struct erofs_node *dir, uint64_t number, struct block *block)
{
	uint64_t left = dir->size - number * BLOCK, wanted = left < BLOCK ? left : BLOCK;
	block->bytes = wanted;
	block->data = node_contents_at(file, dir, number * BLOCK, &block->bytes);
	if (!block->data || block->bytes != wanted || wanted < sizeof(struct entry))
		return -EUCLEAN;
	size_t names = entry_at(block, 0).name_offset;
	block->count = names / sizeof(struct entry);
	return names % sizeof(struct entry) || !names || names >= block->bytes ? -EUCLEAN : 0;
}

/* Copies name `index` of a block, and checks the copy. */
static int read_entry_name(const struct block *block, size_t index, struct name *name)
{
	static const uint8_t types[] = {DT_UNKNOWN, DT_REG, DT_DIR, DT_CHR, DT_BLK, DT_FIFO, DT_SOCK, DT_LNK};
	const struct entry entry = entry_at(block, index);
	const bool last = index + 1 == block->count;
	size_t start = entry.name_offset, end = last ? block->bytes : entry_at(block, index + 1).name_offset;
	if (start < block->count * sizeof(entry) || end > block->bytes || start >= end)
		return -EUCLEAN;
	size_t room = end - start;
	if (room > NAME_MAX && !last)
		return -EUCLEAN;
	/* Behind the last name may be padding, of which one NUL is needed. */
	room = room < sizeof(name->text) ? room : sizeof(name->text);
	memcpy(name->text, block->data + start, room);
	name->length = last ? strnlen(name->text, room) : room;
	name->nid = entry.nid;
	name->type = entry.type < sizeof(types) ? types[entry.type] : DT_UNKNOWN;
	if (!name->length || name->length > NAME_MAX || memchr(name->text, '/', name->length) ||
	    memchr(name->text, 0, name->length))
		return -EUCLEAN;
	return 0;
}

/* Byte order, a prefix first. */
static int compare_entry_name(const char *text, size_t length, const struct name *name)
{
	size_t both = length < name->length ? length : name->length;
	int order = memcmp(text, name->text, both);
	return order ? order : (length > name->length) - (length < name->length);
}

static bool is_dots_entry(const char *text, size_t length)
{
	return length <= 2 && !memcmp(text, "..", length);
}

/* Finds the last block whose first name is not above the wanted name: its number and 1; 0 if no block is. */
static int find_block(const struct erofs_file *file, const struct erofs_node *dir, const char *text, size_t length,
                      uint64_t *found)
{
	struct block block;
	struct name name;
	uint64_t low = 0, high = (dir->size + BLOCK - 1) / BLOCK;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		int error = read_block(file, dir, middle, &block);
		if (!error)
			error = read_entry_name(&block, 0, &name);
		if (error)
			return error;
		if (compare_entry_name(text, length, &name) < 0)
			high = middle;
		else
			low = middle + 1;
	}
	*found = low;
	return 0;
}

static int find_name(const struct erofs_file *file, const struct erofs_node *dir, const char *text, size_t length,
                     struct name *name)
{
	struct block block;
	uint64_t number = 0;
	if (!length || length > NAME_MAX || is_dots_entry(text, length))
		return -ENOENT;
	int error = find_block(file, dir, text, length, &number);
	if (!error && !number)
		return -ENOENT;
	if (!error)
		error = read_block(file, dir, number - 1, &block);
	size_t first = 0, end = error ? 0 : block.count;
	while (!error && first < end) {
		size_t middle = first + (end - first) / 2;
		error = read_entry_name(&block, middle, name);
		int order = error ? 0 : compare_entry_name(text, length, name);
		if (!error && !order)
			return 0;
		if (order < 0)
			end = middle;
		else
			first = middle + 1;
	}
	return error ? error : -ENOENT;
}

int erofs_file_find(const struct erofs_file *file, const char *path, struct erofs_node *node)
{
	struct name name;
	int error = erofs_file_node(file, file->root, node);
	for (bool more = *path; more && !error;) {
		size_t length = strcspn(path, "/");
		if (!S_ISDIR(node->mode))
			return -ENOTDIR;
		error = find_name(file, node, path, length, &name);
		if (!error)
			error = erofs_file_node(file, name.nid, node);
		more = path[length];
		path += length + more;
	}
	return error;
}

int erofs_file_list(const struct erofs_file *file, const struct erofs_node *dir,
                    int (*each)(void *context, const char *name, size_t length, uint64_t nid, unsigned type),
                    void *context)
{
	struct block block;
	struct name name, before;
	before.length = 0;
	if (!S_ISDIR(dir->mode))
		return -ENOTDIR;
	for (uint64_t number = 0; number * BLOCK < dir->size; number++) {
		int error = read_block(file, dir, number, &block);
		for (size_t i = 0; !error && i < block.count; i++) {
			error = read_entry_name(&block, i, &name);
			if (!error && compare_entry_name(name.text, name.length, &before) <= 0)
				error = -EUCLEAN;
			before = name;
			if (!error && !is_dots_entry(name.text, name.length))
				error = each(context, name.text, name.length, name.nid, name.type);
		}
		if (error)
			return error;
	}
	return 0;
}
