# SPDX-License-Identifier: MIT
#
# Makes an image of a container without any tool: python3 oci_layout.py LAYOUT <<CODE. The code changes these before the
# layout is written:
#   layers        archives, in order; put(NAME, KIND, data=..., ATTRIBUTE=VALUE...) adds an entry to the last one, and
#                 layer() begins another one
#   config        the member `config` of the configuration: Entrypoint, Cmd, Env, ...
#   compress(i)   returns what the file of layer i has, and its media type
#   after(path)   changes files when all are written; blob(digest) is the path of one
import gzip, hashlib, io, json, os, sys, tarfile

DIR, LINK, HARD, NODE, FIFO = tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE
TAR = "application/vnd.oci.image.layer.v1.tar"
where = sys.argv[1]
layers, config, platform, types = [], {}, {"os": "linux", "architecture": "amd64"}, {}
index_more, manifest_more = {}, {}


def layer():
    layers.append(io.BytesIO())


def put(name, kind=tarfile.REGTYPE, data=b"", **more):
    entry = tarfile.TarInfo(name)
    entry.type, entry.size, entry.mtime, entry.mode = kind, len(data), 1600000000, 0o755
    for key, value in more.items():
        setattr(entry, key, value)
    layers[-1].write(entry.tobuf(tarfile.PAX_FORMAT) + data + bytes(-len(data) % 512))


def compress(i):
    return layers[i].getvalue() + bytes(1024), TAR


def diff(i):
    return layers[i].getvalue() + bytes(1024)


def after(where):
    pass


def blob(digest):
    return where + "/blobs/sha256/" + digest.split(":")[1]


def digest_of(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def store(data, kind):
    digest = digest_of(data)
    with open(blob(digest), "wb") as to:
        to.write(data)
    return {"mediaType": kind, "digest": digest, "size": len(data)}


layer()
put("bin", DIR)
put("bin/busybox", data=open("/bin/busybox", "rb").read())
for name in ("sh", "cat", "id", "env", "echo", "ls"):
    put("bin/" + name, LINK, linkname="busybox")
exec(sys.stdin.read())
os.makedirs(where + "/blobs/sha256")
stored = [store(*compress(i)) for i in range(len(layers))]
description = dict(platform, config=config, rootfs={"type": "layers", "diff_ids": [digest_of(diff(i)) for i in range(len(layers))]})
settings = store(json.dumps(description).encode(), types.get("config", "application/vnd.oci.image.config.v1+json"))
manifest = dict({"schemaVersion": 2, "config": settings, "layers": stored}, **manifest_more)
entry = store(json.dumps(manifest).encode(), types.get("manifest", "application/vnd.oci.image.manifest.v1+json"))
entry["annotations"] = {"org.opencontainers.image.ref.name": "v1"}
for name, text in (("index.json", dict({"schemaVersion": 2, "manifests": [entry]}, **index_more)), ("oci-layout", {"imageLayoutVersion": "1.0.0"})):
    with open(where + "/" + name, "w") as to:
        json.dump(text, to)
after(where)
