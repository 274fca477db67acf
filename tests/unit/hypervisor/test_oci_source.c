/* SPDX-License-Identifier: MIT */
/* The forms that images have: layouts, archives of them and of docker save, indexes with tags and platforms; and those
 * that are damaged or lie. */
#include "tests/unit/hypervisor/oci_fixture.h"

static bool is_full;

ssize_t __wrap_pwrite(int fd, const void *from, size_t bytes, off_t at);
ssize_t __real_pwrite(int fd, const void *from, size_t bytes, off_t at);

ssize_t __wrap_pwrite(int fd, const void *from, size_t bytes, off_t at)
{
	errno = ENOSPC;
	return is_full ? -1 : __real_pwrite(fd, from, bytes, at);
}

/* Adds a layer with the file `name`, and stores a manifest of an image with that layer alone. */
static void put_image(const char *name, char descriptor[512])
{
	struct bytes tar = {0};
	fixture_layers[0] = fixture_diffs[0] = 0;
	tar_file(&tar, name, 0644, "1");
	tar_end(&tar);
	add_layer(&tar, 0);
	put_manifest("", descriptor);
}

static void simple_image(const char *more)
{
	char descriptor[512];
	put_image("file", descriptor);
	end_image(more);
}

/* --- configuration --- */

static void describes_how_an_image_starts(void **state)
{
	(void)state;
	simple_image(",\"os\":\"linux\",\"architecture\":\"amd64\",\"config\":{\"Entrypoint\":[\"/bin/a\",\"b\"],"
	             "\"Cmd\":[\"c\"],\"Env\":[\"A=1\",\"B=\",\"A=2=3\",\"AB=4\"],\"WorkingDir\":\"/work\",\"User\":"
	             "\"1000:1000\"}");
	assert_unpacks();
	assert_int_equal(config.argument_count, 3);
	assert_int_equal(config.entrypoint_count, 2);
	assert_string_equal(config.arguments[0], "/bin/a");
	assert_string_equal(config.arguments[2], "c");
	assert_null(config.arguments[3]);
	assert_int_equal(config.environment_count, 3);
	assert_string_equal(config.environment[0], "B=");
	assert_string_equal(config.environment[1], "A=2=3");
	assert_string_equal(config.environment[2], "AB=4");
	assert_null(config.environment[3]);
	assert_string_equal(config.workdir, "/work");
	assert_string_equal(config.user, "1000:1000");
	assert_int_equal(strlen(config.manifest_digest), 71);
	assert_int_equal(strlen(config.config_digest), 71);
	simple_image(",\"config\":{\"Entrypoint\":null,\"Env\":null}");
	assert_unpacks();
	assert_int_equal(config.argument_count, 0);
	assert_string_equal(config.user, "");
	assert_string_equal(config.workdir, "");
}

static void refuses_odd_configurations(void **state)
{
	(void)state;
	static const struct {
		const char *more, *sentence;
	} cases[] = {
		{",\"os\":\"windows\"", "it is for windows/amd64, and eremite runs linux/amd64"},
		{",\"architecture\":\"arm64\"", "it is for linux/arm64"},
		{",\"config\":[]", "is not an object"},
		{",\"config\":{\"Cmd\":\"sh\"}", "Cmd in its configuration is not a list"},
		{",\"config\":{\"Cmd\":[1]}", "Cmd in its configuration has an element that is not a string"},
		{",\"config\":{\"Env\":[\"novalue\"]}", "Env in its configuration has novalue"},
		{",\"config\":{\"Env\":[\"=x\"]}", "Env in its configuration has =x"},
		{",\"config\":{\"WorkingDir\":\"work\"}", "which is not absolute"},
		{",\"config\":{\"User\":0}", "User in its configuration is not a string"},
	};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		simple_image(cases[i].more);
		assert_refused(unpack(), EINVAL, cases[i].sentence);
	}
	strcat(fixture_diffs, ",\"sha256:0\"");
	end_image("");
	assert_refused(unpack(), EINVAL, "are not digests by SHA-256");
	fixture_diffs[0] = 0;
	end_image("");
	assert_refused(unpack(), EINVAL, "it has 1 layers, and its configuration has 0");
}

/* --- tags and platforms --- */

static void chooses_by_tag(void **state)
{
	(void)state;
	char one[512], two[512], entries[3000];
	put_image("one", one);
	put_image("two", two);
	snprintf(entries, sizeof(entries),
	         "%s,\"annotations\":{\"org.opencontainers.image.ref.name\":\"v1\"}},"
	         "%s,\"annotations\":{\"org.opencontainers.image.ref.name\":\"docker.io/library/box:v2\"}},"
	         "%s,\"annotations\":{\"io.containerd.image.name\":\"other:v2\"}}",
	         one, two, one);
	put_index(entries);
	assert_unpacks_from(in_base("layout:v1"));
	assert_tree("f 644 one 1\n");
	assert_unpacks_from(in_base("layout:box:v2"));
	assert_tree("f 644 two 1\n");
	assert_unpacks_from(in_base("layout:docker.io/library/box:v2"));
	assert_tree("f 644 two 1\n");
	assert_unpacks_from(in_base("layout:other:v2"));
	assert_tree("f 644 one 1\n");
	assert_refused(
		unpack_from(in_base("layout")), EINVAL,
		"it has several images; give one of its tags as PATH:TAG: v1, docker.io/library/box:v2, other:v2");
	assert_refused(unpack_from(in_base("layout:v2")), EINVAL, "several images for the tag v2;");
	assert_refused(unpack_from(in_base("layout:1")), ENOENT,
	               "it has no tag 1; its tags are: v1, docker.io/library/box:v2, other:v2");
	assert_refused(unpack_from(in_base("layout:")), ENOENT, "it has no tag ;");
	assert_refused(unpack_from(in_base("none:v1")), ENOENT, "it cannot be opened");
	shell("mv %s %s", in_base("layout"), in_base("lay:out"));
	assert_unpacks_from(in_base("lay:out:v1"));
	assert_tree("f 644 one 1\n");
}

static void chooses_by_platform_in_indexes_of_indexes(void **state)
{
	(void)state;
	char one[512], two[512], inner[512], text[3000];
	put_image("one", one);
	put_image("two", two);
	snprintf(text, sizeof(text),
	         "{\"mediaType\":\"application/vnd.oci.image.index.v1+json\",\"manifests\":["
	         "%s,\"platform\":{\"os\":\"linux\",\"architecture\":\"arm64\",\"variant\":\"v8\"}},"
	         "%s,\"platform\":{\"os\":\"linux\",\"architecture\":\"amd64\"}},"
	         "%s,\"platform\":{\"os\":\"unknown\",\"architecture\":\"unknown\"}}]}",
	         one, two, one);
	put_blob(text, strlen(text), "application/vnd.oci.image.index.v1+json", inner);
	snprintf(text, sizeof(text), "%s,\"annotations\":{\"org.opencontainers.image.ref.name\":\"v1\"}}", inner);
	put_index(text);
	assert_unpacks_from(in_base("layout:v1"));
	assert_tree("f 644 two 1\n");
	snprintf(text, sizeof(text),
	         "%s,\"platform\":{\"os\":\"linux\",\"architecture\":\"arm64\"}},"
	         "%s,\"platform\":{\"os\":\"linux\",\"architecture\":\"s390x\"}}",
	         one, two);
	put_index(text);
	assert_refused(unpack(), ENOENT,
	               "it has no image for linux/amd64; its platforms are: linux/arm64, linux/s390x");
}

static void refuses_indexes_without_end(void **state)
{
	(void)state;
	char inner[512] = "", text[3000];
	put_image("one", inner);
	for (unsigned i = 0; i < 6; i++) {
		snprintf(text, sizeof(text), "{\"manifests\":[%s}]}", inner);
		put_blob(text, strlen(text), "application/vnd.oci.image.index.v1+json", inner);
	}
	snprintf(text, sizeof(text), "%s}", inner);
	put_index(text);
	assert_refused(unpack(), EINVAL, "an index that names an index");
}

/* --- damage and lies --- */

static void refuses_bad_json(void **state)
{
	(void)state;
	static char deep[1 << 16];
	memset(deep, '[', sizeof(deep) - 1);
	const char *const texts[] = {"",  "{", "null", "[]", "{\"manifests\":{}}", "{\"manifests\":[],\"layers\":[]}",
	                             deep};
	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put_text(in_base("layout/index.json"), texts[i]);
		assert_refused(unpack(), EINVAL, "an index of the image is not an OCI index in JSON");
	}
	put_index("");
	assert_refused(unpack(), ENOENT, "it has no image for linux/amd64; its platforms are: none");
	put_index("{}");
	assert_refused(unpack(), EINVAL, "names a file of type unknown");
	put_index("{\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\",\"digest\":\"sha256:../../"
	          "x\",\"size\":1}");
	assert_refused(unpack(), EINVAL, "no digest of the form");
	char digest[400] = "{\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\",\"digest\":\"sha256:";
	for (unsigned i = 0; i < 64; i++)
		strcat(digest, "0");
	static const char *const sizes[] = {"-1", "1e300", "\"1\"", "null"};
	for (unsigned i = 0; i < 4; i++) {
		char entry[500];
		snprintf(entry, sizeof(entry), "%s\",\"size\":%s}", digest, sizes[i]);
		put_index(entry);
		assert_refused(unpack(), EINVAL, "has no size");
	}
	strcat(digest, "\",\"size\":1}");
	put_index(digest);
	assert_refused(unpack(), ENOENT, "it has no file blobs/sha256/0000");
	FILE *large = fopen(in_base("layout/index.json"), "w");
	assert_int_equal(ftruncate(fileno(large), 1L << 40), 0);
	fclose(large);
	assert_int_equal(unpack(), -EFBIG);
}

static void refuses_other_artifacts(void **state)
{
	(void)state;
	char one[512], text[1000];
	strcpy(text, "{\"config\":{\"mediaType\":\"application/vnd.oci.empty.v1+json\"},\"layers\":[]}");
	put_blob(text, strlen(text), "application/vnd.oci.image.manifest.v1+json", one);
	snprintf(text, sizeof(text), "%s}", one);
	put_index(text);
	assert_refused(unpack(), EINVAL,
	               "it is not an image of a container: its configuration is of type application/");
	simple_image("");
	memcpy(strstr(fixture_layers, ".tar"), ".tgz", 4);
	end_image("");
	assert_refused(unpack(), EINVAL, "its layer 1 is of type application/vnd.oci.image.layer.v1.tgz");
}

/* The path of the layer's blob. */
static const char *layer_path(void)
{
	char name[200];
	snprintf(name, sizeof(name), "layout/blobs/sha256/%.64s", strstr(fixture_layers, "sha256:") + 7);
	return in_base(name);
}

static void refuses_wrong_digests_and_sizes(void **state)
{
	(void)state;
	char path[512];
	simple_image("");
	snprintf(path, sizeof(path), "%s", layer_path());
	struct bytes layer = take_bytes(path);
	layer.data[600] ^= 1; /* after the contents of the file */
	put_bytes(path, layer.data, layer.size);
	assert_refused(unpack(), EBADMSG, "layer 1: the image is damaged: ");
	put_bytes(path, layer.data, layer.size - 512);
	assert_refused(unpack(), EBADMSG, "has 1536 bytes instead of 2048");
	assert_int_equal(unlink(path), 0);
	assert_refused(unpack(), ENOENT, "layer 1: it has no file blobs/sha256/");
	simple_image("");
	memset(strstr(fixture_diffs, "sha256:") + 7, '0', 64);
	end_image("");
	assert_refused(unpack(), EBADMSG, "the uncompressed layer");
	free(layer.data);
}

static void refuses_a_wrong_manifest(void **state)
{
	(void)state;
	char one[512], path[200];
	put_image("file", one);
	end_image("");
	snprintf(path, sizeof(path), "layout/blobs/sha256/%.64s", strstr(one, "sha256:") + 7);
	struct bytes manifest = take_bytes(in_base(path));
	manifest.data[5] ^= 1;
	put_bytes(in_base(path), manifest.data, manifest.size);
	assert_refused(unpack(), EBADMSG, "the image is damaged: blobs/sha256/");
	free(manifest.data);
}

static void refuses_links_in_a_layout_to_outside(void **state)
{
	(void)state;
	char path[512];
	simple_image("");
	snprintf(path, sizeof(path), "%s", layer_path());
	shell("mv %s %s", path, in_base("outside-layer"));
	assert_int_equal(symlink(in_base("outside-layer"), path), 0);
	assert_refused(unpack(), EXDEV, "is a symbolic link to a file outside the image");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_refused(unpack(), EINVAL, "is not a file");
	shell("mv %s %s", in_base("outside-layer"), in_base("layout/layer"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("../../layer", path), 0);
	assert_unpacks();
}

static void reads_gzip_and_zstd(void **state)
{
	(void)state;
	struct bytes tar = {0};
	tar_file(&tar, "one", 0644, "1");
	tar_end(&tar);
	add_layer(&tar, ARCHIVE_FILTER_GZIP);
	tar_file(&tar, "two", 0644, "2");
	tar_end(&tar);
	add_layer(&tar, ARCHIVE_FILTER_ZSTD);
	append(&tar, "", 0);
	add_layer(&tar, 0); /* no byte at all */
	tar_end(&tar);
	add_layer(&tar, ARCHIVE_FILTER_GZIP);
	end_image("");
	assert_unpacks();
	assert_tree("f 644 one 1\nf 644 two 2\n");
}

static void join(struct bytes *to, const void *data, size_t size)
{
	to->data = realloc(to->data, to->size + size);
	memcpy(to->data + to->size, data, size);
	to->size += size;
}

/* Layers that can be fetched in parts (eStargz, zstd:chunked) are such. */
static void reads_several_members_and_frames(void **state)
{
	(void)state;
	static const uint8_t skipped[] = {0x5e, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'e', 'n', 'd'};
	static const int filters[] = {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_ZSTD};
	for (unsigned i = 0; i < 2; i++) {
		struct bytes tar = {0}, rest = {0}, whole = {0};
		char digest[DIGEST_TEXT_BYTES];
		tar_file(&tar, "one", 0644, "1");
		tar_file(&rest, "two", 0644, "2");
		tar_end(&rest);
		struct bytes first = compressed(&tar, filters[i]), second = compressed(&rest, filters[i]);
		join(&whole, first.data, first.size);
		join(&whole, second.data, second.size);
		if (i == 1)
			join(&whole, skipped, sizeof(skipped));
		join(&tar, rest.data, rest.size);
		digest_of(tar.data, tar.size, digest);
		fixture_layers[0] = fixture_diffs[0] = 0;
		add_layer(&whole, 0);
		snprintf(fixture_diffs, sizeof(fixture_diffs), "\"%s\"", digest);
		end_image("");
		assert_unpacks();
		assert_tree("f 644 one 1\nf 644 two 2\n");
		free(tar.data);
		free(rest.data);
		free(first.data);
		free(second.data);
	}
}

static void refuses_compressed_data_that_is_damaged_or_compressed_twice(void **state)
{
	(void)state;
	struct bytes tar = {0};
	tar_file(&tar, "one", 0644, "1");
	tar_end(&tar);
	struct bytes once = compressed(&tar, ARCHIVE_FILTER_GZIP), copy = once;
	copy.data = memcpy(malloc(once.size), once.data, once.size);
	add_layer(&copy, ARCHIVE_FILTER_GZIP);
	end_image("");
	assert_refused(unpack(), EINVAL, "it is not a tar archive");
	fixture_layers[0] = fixture_diffs[0] = 0;
	once.size -= 20;
	add_layer(&once, 0);
	end_image("");
	assert_refused(unpack(), EINVAL, "the compressed data of blobs/sha256/");
	free(tar.data);
}

static void says_when_the_disk_is_full(void **state)
{
	(void)state;
	simple_image("");
	is_full = true;
	int result = unpack();
	is_full = false;
	assert_refused(result, ENOSPC, "file cannot be unpacked: No space left on device");
}

static void refuses_a_directory_that_is_in_use(void **state)
{
	(void)state;
	simple_image("");
	assert_unpacks();
	int dir = open(in_base("root"), O_RDONLY | O_DIRECTORY);
	oci_config_fini(&config);
	assert_refused(oci_unpack(in_base("layout"), dir, &config, &error), ENOTEMPTY, "is not empty");
	assert_int_equal(unlink(in_base("root/file")), 0);
	assert_int_equal(fchmod(dir, 0755), 0);
	assert_refused(oci_unpack(in_base("layout"), dir, &config, &error), EACCES, "give it the mode 0700");
	close(dir);
}

/* --- archives --- */

static void reads_archives_of_layouts(void **state)
{
	(void)state;
	simple_image("");
	shell("tar -C %s -cf %s .", in_base("layout"), in_base("image.tar"));
	assert_unpacks_from(in_base("image.tar"));
	assert_tree("f 644 file 1\n");
	shell("gzip -c %s >%s", in_base("image.tar"), in_base("image.tar.gz"));
	assert_unpacks_from(in_base("image.tar.gz"));
	assert_tree("f 644 file 1\n");
	shell("head -c 3000 %s >%s", in_base("image.tar"), in_base("cut.tar"));
	assert_int_equal(unpack_from(in_base("cut.tar")) < 0, 1);
	shell("head -c 200 %s >%s", in_base("image.tar.gz"), in_base("cut.tar.gz"));
	assert_refused(unpack_from(in_base("cut.tar.gz")), EINVAL, "the compressed data of the archive is damaged");
	limits.bytes = 4096;
	assert_refused(unpack_from(in_base("image.tar.gz")), EFBIG, "which is too much");
}

/* An archive as docker wrote it before its version 25: layers have other names than digests, and may be links. */
static void docker_archive(const char *manifest, const char *target)
{
	struct bytes layer = {0}, whole = {0};
	char digest[DIGEST_TEXT_BYTES], text[1000], name[200];
	tar_file(&layer, "file", 0644, "1");
	tar_end(&layer);
	digest_of(layer.data, layer.size, digest);
	snprintf(text, sizeof(text), "{\"config\":{\"Cmd\":[\"a\"]},\"rootfs\":{\"diff_ids\":[\"%s\",\"%s\"]}}", digest,
	         digest);
	digest_of(text, strlen(text), digest);
	snprintf(name, sizeof(name), "%s.json", digest + 7);
	tar_directory(&whole, "one/", 0755);
	tar_bytes(&whole, "one/layer.tar", 0644, layer.data, layer.size);
	tar_symlink(&whole, "two/layer.tar", target);
	tar_link(&whole, "three.tar", "one/layer.tar");
	tar_file(&whole, name, 0644, text);
	snprintf(text, sizeof(text), manifest, name, name);
	tar_file(&whole, "manifest.json", 0644, text);
	tar_end(&whole);
	put_bytes(in_base("docker.tar"), whole.data, whole.size);
	free(whole.data);
	free(layer.data);
}

static void reads_archives_of_docker(void **state)
{
	(void)state;
	docker_archive("[{\"Config\":\"%s\",\"RepoTags\":[\"box:v1\",\"box:v2\"],\"Layers\":[\"one/layer.tar\","
	               "\"two/layer.tar\"]},{\"Config\":\"%s\",\"RepoTags\":null,\"Layers\":[]}]",
	               "../one/layer.tar");
	assert_unpacks_from(in_base("docker.tar:v2"));
	assert_tree("f 644 file 1\n");
	assert_string_equal(config.arguments[0], "a");
	assert_string_equal(config.manifest_digest, "");
	assert_refused(unpack_from(in_base("docker.tar:v3")), ENOENT, "its tags are: box:v1, box:v2");
	docker_archive("[{\"Config\":\"%s\",\"RepoTags\":null,\"Layers\":[\"three.tar\",\"one/layer.tar\"]}]", "x");
	assert_unpacks_from(in_base("docker.tar"));
}

/* Since its version 25, docker writes archives that are layouts, too. */
static void reads_archives_that_are_both(void **state)
{
	(void)state;
	char one[512], text[3000], path[512];
	put_image("file", one);
	snprintf(text, sizeof(text),
	         "%s,\"annotations\":{\"io.containerd.image.name\":\"docker.io/library/box:v1\","
	         "\"org.opencontainers.image.ref.name\":\"v1\"}}",
	         one);
	put_index(text);
	assert_unpacks();
	snprintf(text, sizeof(text),
	         "[{\"Config\":\"blobs/sha256/%s\",\"RepoTags\":[\"box:v1\"],\"Layers\":[\"blobs/sha256/%.64s\"]}]",
	         config.config_digest + 7, strstr(fixture_layers, "sha256:") + 7);
	put_text(in_base("layout/manifest.json"), text);
	shell("tar -C %s -cf %s blobs index.json manifest.json oci-layout", in_base("layout"), in_base("both.tar"));
	assert_unpacks_from(in_base("both.tar:box:v1"));
	assert_int_equal(strlen(config.manifest_digest), 71);
	shell("tar -C %s -cf %s blobs manifest.json", in_base("layout"), in_base("old.tar"));
	assert_unpacks_from(in_base("old.tar:box:v1"));
	assert_tree("f 644 file 1\n");
	assert_string_equal(config.manifest_digest, "");
	/* There, names with digests are checked, too. */
	snprintf(path, sizeof(path), "%s", layer_path());
	put_text(path, "");
	assert_refused(unpack_from(in_base("layout:v1")), EBADMSG, "instead of");
	assert_int_equal(unlink(in_base("layout/oci-layout")), 0);
	assert_refused(unpack_from(in_base("layout:v1")), EBADMSG, "has the digest");
}

static void refuses_odd_archives_of_docker(void **state)
{
	(void)state;
	static const char two[] = "[{\"Config\":\"%s\",\"Layers\":[\"one/layer.tar\",\"two/layer.tar\"]}]";
	docker_archive("[{\"Config\":\"../%s\",\"Layers\":[]}]", "x");
	assert_refused(unpack_from(in_base("docker.tar")), EINVAL, "has a file with the name ../");
	docker_archive(two, "../../outside/victim");
	assert_refused(unpack_from(in_base("docker.tar")), EINVAL, "is a link that does not lead to a file");
	docker_archive(two, "layer.tar");
	assert_refused(unpack_from(in_base("docker.tar")), EINVAL, "is a link that does not lead to a file");
	docker_archive(two, "../one");
	assert_int_equal(unpack_from(in_base("docker.tar")) < 0, 1);
	docker_archive("{}%.0s", "x");
	assert_refused(unpack_from(in_base("docker.tar")), EINVAL, "is not that of docker save");
	put_text(in_base("docker.tar"), "no archive");
	assert_refused(unpack_from(in_base("docker.tar")), EINVAL, "it is not a tar archive");
	put_text(in_base("docker.tar"), "");
	assert_refused(unpack_from(in_base("docker.tar")), EINVAL, "it has neither oci-layout nor manifest.json");
	assert_int_equal(mkfifo(in_base("fifo"), 0600), 0);
	assert_refused(unpack_from(in_base("fifo")), EINVAL, "neither a directory nor a file");
}

/* Images that umoci and skopeo make; umoci unpacks them, too. */
static void unpacks_as_umoci_does(void **state)
{
	(void)state;
	static const char script[] =
		"exec >log 2>&1; set -e; umask 022; list() { find . -mindepth 1 -printf '%y %m %T@ %P %l\\n' | sort; "
		"}\n"
		"umoci init --layout made; umoci new --image made:box\n"
		"umoci unpack --rootless --image made:box one; cd one/rootfs; mkdir -p bin etc/deep usr/bin var/tmp\n"
		"cp /usr/bin/busybox bin/busybox; ln bin/busybox bin/sh; ln -s ../../bin/busybox usr/bin/env\n"
		"echo one >etc/one; echo gone >etc/gone; echo x >etc/deep/x; chmod 1777 var/tmp; chmod 555 etc/deep\n"
		"cd ../..; umoci repack --image made:box one; umoci unpack --rootless --image made:box two\n"
		"cd two/rootfs; rm -r etc/gone; chmod 755 etc/deep; rm -r etc/deep; echo file >etc/deep; rm etc/one\n"
		"mkdir etc/one; echo y >etc/one/y; chmod 4755 bin/busybox; cd ../..; umoci repack --image made:box "
		"two\n"
		"umoci config --image made:box --config.entrypoint /bin/sh --config.cmd -c --config.workingdir /etc\n"
		"skopeo --insecure-policy copy oci:made:box docker-archive:docker.tar:box:latest\n"
		"skopeo --insecure-policy copy oci:made:box oci-archive:oci.tar:box\n"
		"umoci unpack --rootless --image made:box three; cd three/rootfs; list >../../expected\n";
	if (system("command -v umoci skopeo busybox >/dev/null"))
		skip();
	put_text(in_base("script"), script);
	shell("cd %s && HOME=$PWD bash ./script || { cat log; false; }%s", base, "");
	static const char *const sources[] = {"made:box", "made", "oci.tar", "docker.tar:box:latest",
	                                      "docker.tar:latest"};
	for (unsigned i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		assert_unpacks_from(in_base(sources[i]));
		shell("cd %s && find . -mindepth 1 -printf '%%y %%m %%T@ %%P %%l\\n' | sort | diff %s -",
		      in_base("root"), in_base("expected"));
		shell("cd %s && diff -r --no-dereference . %s", in_base("root"), in_base("three/rootfs"));
		assert_int_equal(config.layer_count, 2);
		assert_int_equal(config.argument_count, 2);
		assert_int_equal(config.entrypoint_count, 1);
		assert_string_equal(config.workdir, "/etc");
	}
}

static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	TEST(describes_how_an_image_starts),
	TEST(refuses_odd_configurations),
	TEST(chooses_by_tag),
	TEST(chooses_by_platform_in_indexes_of_indexes),
	TEST(refuses_indexes_without_end),
	TEST(refuses_bad_json),
	TEST(refuses_other_artifacts),
	TEST(refuses_wrong_digests_and_sizes),
	TEST(refuses_a_wrong_manifest),
	TEST(refuses_links_in_a_layout_to_outside),
	TEST(reads_gzip_and_zstd),
	TEST(reads_several_members_and_frames),
	TEST(refuses_compressed_data_that_is_damaged_or_compressed_twice),
	TEST(says_when_the_disk_is_full),
	TEST(refuses_a_directory_that_is_in_use),
	TEST(reads_archives_of_layouts),
	TEST(reads_archives_of_docker),
	TEST(reads_archives_that_are_both),
	TEST(refuses_odd_archives_of_docker),
	TEST(unpacks_as_umoci_does),
};

TAP_MAIN(tests)
