# SPDX-License-Identifier: MIT
"""Makes the files of many shards from that of the first one, as if each had found the same: shard_files.py BASE COUNT WAYS. Each
shard has WAYS ways to fail besides its own, half of which only it has."""
import json
import sys

base_path, count, ways = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
base = json.load(open(base_path))
runs, common = base["shard"]["runs"], base["shard"]["common"]
for number in range(1, count + 1):
    shard = json.loads(json.dumps(base))
    shard["shard"]["number"] = number
    shard["tries"] = common + (runs - common + count - number) // count
    pattern = dict(shard["distinct"][0], count=1, common=0)
    for way in shard["distinct"]:
        if way["first_try"] > common:
            way["first_try"] += number - 1
    for way in range(ways):
        name = f"way {way}" if way % 2 else f"way {way} of shard {number}"
        shard["distinct"].append(dict(pattern, failure=name, first_try=common + (100 + way) * count + number))
    shard["failures"] += ways
    with open(f"shard.{number}.json", "w") as to:
        json.dump(shard, to, indent="\t")
