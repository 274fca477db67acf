// SPDX-License-Identifier: MIT
// Checks a Job by Kubernetes' published schema, as the package kubernetes-models has it compiled; its formats are those of
// the API's documentation.
"use strict";
const fs = require("fs");
const is = (pattern) => ({ validate: pattern });
const integer = { validate: Number.isInteger };
fs.mkdirSync("node_modules/@kubernetes-models/validate", { recursive: true });
fs.writeFileSync("node_modules/@kubernetes-models/validate/index.js", "exports.formats = global.formats;");
global.formats = {
	int32: integer,
	int64: integer,
	byte: is(/^[A-Za-z0-9+/]*={0,2}$/),
	quantity: is(/^[+-]?[0-9]+(\.[0-9]*)?([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$/),
	"int-or-string": { validate: () => true },
	"date-time": is(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/),
};
const { validate } = require(process.cwd() + "/node_modules/kubernetes-models/_schemas/IoK8sApiBatchV1Job.js");
const text = fs.readFileSync(process.argv[2], "utf8");

function refuse(what, change) {
	const job = JSON.parse(text);
	change(job);
	if (validate(job))
		throw new Error(`the schema permits ${what}`);
}

if (!validate(JSON.parse(text)))
	throw new Error(JSON.stringify(validate.errors));
refuse("a policy with words as statuses", (job) => (job.spec.podFailurePolicy.rules[0].onExitCodes.values = ["x"]));
refuse("a job without a template", (job) => delete job.spec.template);
refuse("an odd quantity", (job) => (job.spec.template.spec.containers[0].resources.limits.memory = "1 giga"));
