/* SPDX-License-Identifier: MIT */
/* EROFS reader. Every access to the image goes through bytes_at(), which checks the image's end. Loops are bounded by
 * sizes that were checked against it. */
#include "kernel/vfs/erofs.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/lib/string.h"

#define SUPER_OFFSET 1024
#define MAGIC 0xe0f5e1e2U
#define INCOMPAT_ZERO_PADDING 1U /* concerns compressed data only */
#define INCOMPAT_CHUNKED 4U
#define CHUNK_BITS_MASK 31U
#define CHUNK_INDEXES 32U
#define NO_BLOCK UINT32_MAX

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

enum layout {
	LAYOUT_PLAIN = 0,
	LAYOUT_COMPRESSED = 1,
	LAYOUT_INLINE = 2,             /* the last block follows the inode */
	LAYOUT_COMPRESSED_COMPACT = 3, /* compressed, with shorter indexes */
	LAYOUT_CHUNKED = 4,
};

struct compact_inode {
	uint16_t format; /* bit 0: extended; bits 1 to 3: enum layout */
	uint16_t xattr_count;
	uint16_t mode;
	uint16_t nlink;
	uint32_t size;
	uint32_t reserved;
	uint32_t where; /* first block, device number or chunk format */
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

struct dirent {
	uint64_t nid;
	uint16_t name_offset;
	uint8_t type;
	uint8_t reserved;
} __attribute__((packed));

_Static_assert(sizeof(struct dirent) == 12, "dirent");

/* The only way to the image: its bytes [offset, offset + bytes), or NULL when they are not all inside. */
static const void *bytes_at(const struct erofs *fs, uint64_t offset, uint64_t bytes)
{
	if (offset > fs->bytes || bytes > fs->bytes - offset)
		return NULL;
	return fs->image + offset;
}

/* Nanoseconds since 1970; 0 for values that do not fit. */
static int64_t to_ns(uint64_t seconds, uint32_t ns)
{
	if (seconds > (uint64_t)INT64_MAX / 1000000000 - 1 || ns >= 1000000000)
		return 0;
	return (int64_t)(seconds * 1000000000 + ns);
}

int erofs_mount(struct erofs *fs, const void *image, uint64_t bytes, const char **error)
{
	struct erofs_inode root;
	*fs = (struct erofs){.image = image, .bytes = bytes};
	const struct super_block *super = bytes_at(fs, SUPER_OFFSET, sizeof(*super));
	*error = "too short for an EROFS image";
	if (!super)
		return -EUCLEAN;
	*error = "not an EROFS image";
	if (super->magic != MAGIC)
		return -EUCLEAN;
	*error = "its EROFS block size is not 4096";
	if (super->block_bits != 12 || super->dir_block_bits != 0)
		return -EOPNOTSUPP;
	uint32_t unknown = super->feature_incompat & ~(INCOMPAT_ZERO_PADDING | INCOMPAT_CHUNKED);
	*error = unknown & 2    ? "it uses big compression clusters (EROFS feature 0x2); make it without -C"
	         : unknown & 8  ? "it uses extra devices or a second algorithm (EROFS feature 0x8)"
	         : unknown & 16 ? "it uses ztailpacking (EROFS feature 0x10); make it without -E ztailpacking"
	         : unknown & 32 ? "it uses fragments or dedupe (EROFS feature 0x20); make it without them"
	                        : "it uses EROFS features this kernel does not know";
	if (unknown || super->extra_devices)
		return -EOPNOTSUPP;
	*error = "it is truncated";
	if (super->blocks > bytes / EROFS_BLOCK)
		return -EUCLEAN;
	fs->meta = super->meta_block * EROFS_BLOCK;
	fs->root_nid = super->root_nid;
	fs->build_ns = to_ns(super->build_time, super->build_time_ns);
	*error = "its root directory is damaged";
	if (erofs_read_inode(fs, fs->root_nid, &root) < 0 || !LINUX_S_ISDIR(root.mode))
		return -EUCLEAN;
	*error = NULL;
	return 0;
}

/* Reads the fields common to both forms of an inode, and skips the xattrs after them. */
static uint64_t read_common(const struct erofs *fs, uint64_t offset, struct erofs_inode *inode, uint32_t *where)
{
	const struct compact_inode *compact = bytes_at(fs, offset, sizeof(*compact));
	if (!compact)
		return 0;
	uint64_t end = offset + sizeof(*compact);
	if (compact->xattr_count)
		end += 12 + 4 * (compact->xattr_count - 1UL);
	inode->mode = compact->mode;
	inode->layout = compact->format >> 1 & 7;
	if (compact->format & 1) {
		const struct extended_inode *extended = bytes_at(fs, offset, sizeof(*extended));
		if (!extended)
			return 0;
		inode->size = extended->size;
		inode->nlink = extended->nlink;
		inode->uid = extended->uid;
		inode->gid = extended->gid;
		inode->mtime_ns = to_ns(extended->mtime, extended->mtime_ns);
		*where = extended->where;
		return end + sizeof(*extended) - sizeof(*compact);
	}
	inode->size = compact->size;
	inode->nlink = compact->nlink;
	inode->uid = compact->uid;
	inode->gid = compact->gid;
	inode->mtime_ns = fs->build_ns;
	*where = compact->where;
	return end;
}

/* Interprets how the contents are laid out. */
static int read_layout(const struct erofs *fs, struct erofs_inode *inode, uint32_t where)
{
	bool directory = LINUX_S_ISDIR(inode->mode);
	switch (inode->layout) {
	case LAYOUT_PLAIN:
	case LAYOUT_INLINE:
		inode->blocks = where * EROFS_BLOCK;
		/* All of the contents are inside the image, so that sizes can be trusted. */
		return inode->size <= fs->bytes ? 0 : -EUCLEAN;
	case LAYOUT_CHUNKED:
		inode->chunk_bits = 12 + (where & CHUNK_BITS_MASK);
		inode->entry_bytes = where & CHUNK_INDEXES ? 8 : 4;
		inode->tail = (inode->tail + inode->entry_bytes - 1UL) & ~(inode->entry_bytes - 1UL);
		return directory || where & 0xffff & ~(CHUNK_BITS_MASK | CHUNK_INDEXES) ? -EUCLEAN : 0;
	case LAYOUT_COMPRESSED:
	case LAYOUT_COMPRESSED_COMPACT:
		return LINUX_S_ISREG(inode->mode) ? -EOPNOTSUPP : -EUCLEAN;
	default:
		return -EUCLEAN;
	}
}

int erofs_read_inode(const struct erofs *fs, uint64_t nid, struct erofs_inode *inode)
{
	uint32_t where;
	*inode = (struct erofs_inode){.nid = nid};
	if (nid > fs->bytes / EROFS_NID_BYTES)
		return -EUCLEAN;
	inode->tail = read_common(fs, fs->meta + nid * EROFS_NID_BYTES, inode, &where);
	if (!inode->tail || inode->size > INT64_MAX || inode->nlink == 0)
		return -EUCLEAN;
	switch (inode->mode & LINUX_S_IFMT) {
	case LINUX_S_IFREG:
	case LINUX_S_IFDIR:
	case LINUX_S_IFLNK:
		return read_layout(fs, inode, where);
	case LINUX_S_IFCHR:
	case LINUX_S_IFBLK:
		inode->rdev = where;
		inode->size = 0;
		return 0;
	case LINUX_S_IFIFO:
	case LINUX_S_IFSOCK:
		inode->size = 0;
		return 0;
	default:
		return -EUCLEAN;
	}
}

/* Finds contents of a chunked file by one access to its table. */
static int map_chunk(const struct erofs *fs, const struct erofs_inode *inode, uint64_t offset, const void **data,
                     size_t *bytes)
{
	uint64_t chunk = offset >> inode->chunk_bits, in_chunk = offset & ((1UL << inode->chunk_bits) - 1);
	uint64_t left = (1UL << inode->chunk_bits) - in_chunk;
	if (chunk > fs->bytes / inode->entry_bytes)
		return -EUCLEAN;
	/* The block number is the second half of an entry of 8 bytes, after flags and device number. */
	const uint8_t *entry = bytes_at(fs, inode->tail + chunk * inode->entry_bytes, inode->entry_bytes);
	if (!entry)
		return -EUCLEAN;
	uint32_t block;
	memcpy(&block, entry + inode->entry_bytes - sizeof(block), sizeof(block));
	if (*bytes > left)
		*bytes = left;
	*data = NULL;
	if (block != NO_BLOCK)
		*data = bytes_at(fs, block * EROFS_BLOCK + in_chunk, *bytes);
	return *data || block == NO_BLOCK ? 0 : -EUCLEAN;
}

int erofs_map(const struct erofs *fs, const struct erofs_inode *inode, uint64_t offset, const void **data,
              size_t *bytes)
{
	*data = NULL;
	if (offset >= inode->size)
		return -EUCLEAN;
	if (*bytes > inode->size - offset)
		*bytes = inode->size - offset;
	if (inode->layout == LAYOUT_CHUNKED)
		return map_chunk(fs, inode, offset, data, bytes);
	/* Inline: all blocks but the last are stored as blocks; the last follows the inode, even if it is a full
	 * one. */
	uint64_t in_blocks = inode->size;
	if (inode->layout == LAYOUT_INLINE)
		in_blocks = (inode->size - 1) / EROFS_BLOCK * EROFS_BLOCK;
	if (offset < in_blocks) {
		if (*bytes > in_blocks - offset)
			*bytes = in_blocks - offset;
		*data = bytes_at(fs, inode->blocks + offset, *bytes);
	} else {
		*data = bytes_at(fs, inode->tail + (offset - in_blocks), *bytes);
	}
	return *data ? 0 : -EUCLEAN;
}

/* One block of a directory, checked as a whole. */
struct dir_block {
	const uint8_t *data;
	size_t bytes;
	size_t count; /* of entries */
};

static const struct dirent *dirent_at(const struct dir_block *block, size_t index)
{
	return (const struct dirent *)block->data + index;
}

static int read_block(const struct erofs *fs, const struct erofs_inode *dir, uint64_t number, struct dir_block *block)
{
	const void *data;
	uint64_t left = dir->size - number * EROFS_BLOCK;
	size_t wanted = left < EROFS_BLOCK ? left : EROFS_BLOCK;
	block->bytes = wanted;
	int error = erofs_map(fs, dir, number * EROFS_BLOCK, &data, &block->bytes);
	if (error < 0)
		return error;
	block->data = data;
	if (block->bytes != wanted || wanted < sizeof(struct dirent))
		return -EUCLEAN;
	size_t names = dirent_at(block, 0)->name_offset;
	block->count = names / sizeof(struct dirent);
	return names % sizeof(struct dirent) || names == 0 || names >= block->bytes ? -EUCLEAN : 0;
}

/* Entry `index` of a block, its name checked. */
static int read_entry(const struct dir_block *block, size_t index, struct erofs_entry *entry)
{
	static const uint8_t types[8] = {LINUX_DT_UNKNOWN, LINUX_DT_REG,  LINUX_DT_DIR,  LINUX_DT_CHR,
	                                 LINUX_DT_BLK,     LINUX_DT_FIFO, LINUX_DT_SOCK, LINUX_DT_LNK};
	const struct dirent *dirent = dirent_at(block, index);
	size_t start = dirent->name_offset, end = block->bytes;
	bool last = index + 1 == block->count;
	if (!last)
		end = dirent_at(block, index + 1)->name_offset;
	if (start < block->count * sizeof(*dirent) || end > block->bytes || start >= end)
		return -EUCLEAN;
	entry->name = (const char *)block->data + start;
	entry->length = last ? strnlen(entry->name, end - start) : end - start;
	entry->nid = dirent->nid;
	entry->type = types[dirent->type & 7];
	if (entry->length == 0 || entry->length > LINUX_NAME_MAX || memchr(entry->name, '/', entry->length) ||
	    memchr(entry->name, 0, entry->length))
		return -EUCLEAN;
	return 0;
}

/* Byte order, a prefix first. */
static int compare(const char *name, size_t length, const struct erofs_entry *entry)
{
	size_t both = length < entry->length ? length : entry->length;
	int order = memcmp(name, entry->name, both);
	return order ? order : (length > entry->length) - (length < entry->length);
}

int erofs_lookup(const struct erofs *fs, const struct erofs_inode *dir, const char *name, size_t length,
                 struct erofs_entry *entry)
{
	struct dir_block block;
	/* Finds the last block whose first name is not above the wanted name. Afterwards its number is low - 1. */
	uint64_t low = 0, high = (dir->size + EROFS_BLOCK - 1) / EROFS_BLOCK;
	int error;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		error = read_block(fs, dir, middle, &block);
		if (error == 0)
			error = read_entry(&block, 0, entry);
		if (error < 0)
			return error;
		if (compare(name, length, entry) < 0)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == 0)
		return 0;
	error = read_block(fs, dir, low - 1, &block);
	size_t first = 0, end = error < 0 ? 0 : block.count;
	while (error == 0 && first < end) {
		size_t middle = first + (end - first) / 2;
		error = read_entry(&block, middle, entry);
		int order = error < 0 ? 0 : compare(name, length, entry);
		if (error == 0 && order == 0)
			return 1;
		if (order < 0)
			end = middle;
		else
			first = middle + 1;
	}
	return error;
}

int erofs_next(const struct erofs *fs, const struct erofs_inode *dir, uint64_t *cursor, struct erofs_entry *entry)
{
	/* The cursor: block number, and in the low 12 bits the entry's number in it, which is below 4096 / 12. */
	while (*cursor / EROFS_BLOCK * EROFS_BLOCK < dir->size) {
		struct dir_block block;
		size_t index = *cursor % EROFS_BLOCK;
		int error = read_block(fs, dir, *cursor / EROFS_BLOCK, &block);
		if (error < 0)
			return error;
		if (index >= block.count) {
			*cursor = (*cursor / EROFS_BLOCK + 1) * EROFS_BLOCK;
			continue;
		}
		error = read_entry(&block, index, entry);
		if (error < 0)
			return error;
		++*cursor;
		bool dot = entry->name[0] == '.' && entry->length == 1;
		bool dot_dot = entry->length == 2 && entry->name[0] == '.' && entry->name[1] == '.';
		if (!dot && !dot_dot)
			return 1;
	}
	return 0;
}
