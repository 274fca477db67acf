# SPDX-License-Identifier: MIT
# What scripts usually ask of the kernel: modules, files, directories, threads, child processes.
import json, os, subprocess, tempfile, threading

with tempfile.TemporaryDirectory() as place:
    for i in range(200):
        with open(f"{place}/{i}", "w") as file:
            json.dump({"number": i}, file)
    assert len(os.listdir(place)) == 200
    total = 0
    for i in range(200):
        with open(f"{place}/{i}") as file:
            total += json.load(file)["number"]
    assert total == 199 * 100
threads = [threading.Thread(target=os.getcwd) for _ in range(20)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for _ in range(5):
    subprocess.run(["/bin/busybox", "true"], check=True)
