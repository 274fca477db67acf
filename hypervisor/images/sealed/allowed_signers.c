/* SPDX-License-Identifier: MIT */
/* A signature has the key of its signer behind the text SSHSIG, a version and a length (PROTOCOL.sshsig of OpenSSH). A
 * line of the file has the same bytes by base64, as one of its words. */
#include "sealed/allowed_signers.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sealed/image_sign.h"

#define KEY_BYTES_MAX 16384UL /* of a key; those of RSA with 16,384 bits have 2 KB */
#define HEAD_BYTES 14UL       /* SSHSIG, version, length of the key */

/* Decodes base64 (RFC 4648), and ignores the ends of lines. Stops at any other character or when `to` is full. Returns
 * the number of bytes. b64_pton(3) of libresolv would do it, but each start of eremite would load that library. */
static size_t decode(const char *from, size_t length, uint8_t *to, size_t room)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = 0, count = 0;
	size_t used = 0;
	for (size_t i = 0; i < length && used < room; i++) {
		const char *digit = from[i] ? strchr(digits, from[i]) : NULL;
		if (from[i] == '\n' || from[i] == '\r')
			continue;
		if (!digit)
			break;
		bits = bits << 6 | (uint32_t)(digit - digits);
		count += 6;
		if (count >= 8) {
			count -= 8;
			to[used++] = (uint8_t)(bits >> count);
		}
	}
	return used;
}

/* Finds the key in a signature. Returns its size, or 0. */
static size_t find_key(const char *text, size_t bytes, uint8_t key[KEY_BYTES_MAX])
{
	static const char begin[] = "-----BEGIN SSH SIGNATURE-----\n";
	static uint8_t head[HEAD_BYTES + KEY_BYTES_MAX]; /* too large for a stack */
	const size_t first = sizeof(begin) - 1;
	if (bytes < first || memcmp(text, begin, first))
		return 0;
	const size_t got = decode(text + first, bytes - first, head, sizeof(head));
	const size_t length = got < HEAD_BYTES ? 0 : (size_t)head[12] << 8 | head[13];
	if (!length || memcmp(head, "SSHSIG", 6) || head[10] || head[11] || length > got - HEAD_BYTES)
		return 0;
	memcpy(key, head + HEAD_BYTES, length);
	return length;
}

/* Whether a word is the type of a key, which is before the key. */
static bool is_type(const char *word)
{
	return !strncmp(word, "ssh-", 4) || !strncmp(word, "ecdsa-", 6) || !strncmp(word, "sk-", 3);
}

/* Says what is wrong with a line, whose words before the key are given. */
static void explain_signer(const char *name, const char *options, const char *keys, struct error *error)
{
	if (is_type(name))
		error_set(error, EBADMSG, "%.80s has without a name; write the signer's name and a blank before it",
		          keys);
	else if (!is_type(options) && strstr(options, "namespaces=") && !strstr(options, IMAGE_SIGN_NAMESPACE))
		error_set(error, EBADMSG,
		          "%.60s has for other namespaces than " IMAGE_SIGN_NAMESPACE ", by its option %.60s", keys,
		          options);
	else if (!is_type(options) && strstr(options, "valid-"))
		error_set(error, EBADMSG, "%.60s has for another time, by its option %.80s", keys, options);
	else
		error_set(error, EBADMSG,
		          "%.60s has, but not so that ssh-keygen accepts it; see ALLOWED SIGNERS in ssh-keygen(1)",
		          keys);
}

bool allowed_signers_explain(const char *text, size_t bytes, const char *keys, struct error *error)
{
	static uint8_t key[KEY_BYTES_MAX], other[KEY_BYTES_MAX]; /* too large for a stack */
	const size_t length = find_key(text, bytes, key);
	FILE *from = length ? fopen(keys, "re") : NULL;
	char *line = NULL;
	size_t room = 0;
	bool found = false;
	while (from && !found && getline(&line, &room, from) > 0) {
		const char *name = NULL, *options = NULL;
		char *rest = line;
		for (char *word; !found && *line != '#' && (word = strsep(&rest, " \t\n"));) {
			if (!*word)
				continue;
			found = name && decode(word, strlen(word), other, sizeof(other)) == length &&
			        !memcmp(other, key, length);
			options = name && !options ? word : options;
			name = name ? name : word;
		}
		if (found)
			explain_signer(name, options, keys, error);
	}
	free(line);
	if (from)
		fclose(from);
	return found;
}
