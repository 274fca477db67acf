/* SPDX-License-Identifier: MIT */
/* The library's functions are called directly, so a run that hashes little pays for nothing else of it. */
#include "base/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/sha.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(SHA256_CTX) == sizeof(struct digest_sum), "digest_sum holds a SHA256_CTX");

/* libcrypto's one-algorithm interface: it needs no provider to be loaded, which would cost a millisecond. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/*
 * libcrypto asks the processor what it can do before main, by a dozen CPUIDs, each of them an exit when this host is
 * itself a virtual machine. --wrap (hypervisor.mk) puts that off until the first sum.
 */
void __real_OPENSSL_cpuid_setup(void) __attribute__((weak)); /* absent in a program linked without --wrap */
void __wrap_OPENSSL_cpuid_setup(void);

void __wrap_OPENSSL_cpuid_setup(void)
{
}

void digest_begin(struct digest_sum *sum)
{
	static bool asked;
	if (!asked && __real_OPENSSL_cpuid_setup)
		__real_OPENSSL_cpuid_setup();
	asked = true;
	SHA256_Init((SHA256_CTX *)sum);
}

void digest_add(struct digest_sum *sum, const void *data, size_t bytes)
{
	SHA256_Update((SHA256_CTX *)sum, data, bytes);
}

void digest_add_hash(struct digest_sum *sum, const void *data, size_t bytes)
{
	XXH128_hash_t hash = XXH3_128bits(data, bytes);
	const uint64_t halves[] = {hash.low64, hash.high64};
	digest_add(sum, halves, sizeof(halves));
}

void digest_end(struct digest_sum *sum, uint8_t out[DIGEST_BYTES])
{
	SHA256_Final(out, (SHA256_CTX *)sum);
}

void digest_text(const uint8_t digest[DIGEST_BYTES], char text[DIGEST_TEXT_BYTES])
{
	int at = sprintf(text, "sha256:");
	for (unsigned i = 0; i < DIGEST_BYTES; i++)
		at += sprintf(text + at, "%02x", digest[i]);
}

int digest_file(const char *path, char hex[DIGEST_HEX_BYTES], struct error *error)
{
	static uint8_t buffer[1UL << 18];
	struct digest_sum sum;
	uint8_t hash[DIGEST_BYTES];
	char text[DIGEST_TEXT_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = -1;
	digest_begin(&sum);
	while (fd >= 0 && ((got = read(fd, buffer, sizeof(buffer))) > 0 || (got < 0 && errno == EINTR)))
		digest_add(&sum, buffer, got > 0 ? (size_t)got : 0);
	int reason = errno;
	digest_end(&sum, hash);
	digest_text(hash, text);
	strcpy(hex, strchr(text, ':') + 1);
	if (fd >= 0)
		close(fd);
	return got ? error_set(error, reason, "cannot read %.160s: %s", path, strerror(reason)) : 0;
}
