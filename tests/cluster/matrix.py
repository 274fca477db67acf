# SPDX-License-Identifier: MIT
"""Matrices of continuous integration: matrix.py valid SCHEMA FILE, or matrix.py commands FILE, which prints lines
`JOB FILES COMMAND` with tabs between them: what each machine runs, and the files that it hands over, or -."""
import json
import re
import sys
import yaml


def github(jobs):
    for name, job in jobs.items():
        assert "needs" not in job or job["needs"] in jobs, name
        for shard in job.get("strategy", {}).get("matrix", {}).get("shard", [""]):
            text = [json.loads(re.sub(r"\$\{\{ *matrix\.shard *\}\}", str(shard), json.dumps(step))) for step in job["steps"]]
            [command] = [step["run"] for step in text if "run" in step]
            files = [step["with"]["path"] for step in text if step.get("uses", "").startswith("actions/upload-artifact@")]
            assert "${{" not in command and len(files) <= 1, command
            yield name, "".join(files) or "-", command


def gitlab(pipeline):
    for stage in pipeline["stages"]:
        for name, job in pipeline.items():
            if name == "stages" or job["stage"] != stage:
                continue
            count = job.get("parallel", 1)
            for index in range(1, count + 1):
                before = f"CI_NODE_INDEX={index}; CI_NODE_TOTAL={count}; "
                yield name, " ".join(job["artifacts"].get("paths", ["-"])), before + "; ".join(job["script"])


def main():
    content = yaml.safe_load(open(sys.argv[-1]))
    if True in content:  # which YAML 1.1 makes of `on`
        content["on"] = content.pop(True)
    if sys.argv[1] == "valid":
        import jsonschema

        schema = json.load(open(sys.argv[2]))
        check = jsonschema.validators.validator_for(schema)(schema)
        faults = [f"{list(fault.path)}: {fault.message[:300]}" for fault in check.iter_errors(content)]
        sys.exit("\n".join(faults) if faults else 0)
    for line in github(content["jobs"]) if "jobs" in content else gitlab(content):
        print("\t".join(line))


main()
