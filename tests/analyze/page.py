#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# page.py PAGE RESULTS: the page of an analysis is well-formed, needs nothing else, and shows what the JSON results have.
# Prints each offence, and ends with 1 if there was one.
import collections
import html.parser
import json
import re
import sys

VOID = {"meta", "link", "br", "img", "input", "hr"}
# The only elements of the template. Any other comes from the program.
KNOWN = set("html head meta title style body noscript h1 h2 pre main header section p span dl div ol ul details summary aside "
            "button kbd script".split())
failed = []


def complain(text):
    failed.append(text)
    print(f"page: {text}")


class Page(html.parser.HTMLParser):
    """Checks what each element is, and keeps the text of some."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.ids = collections.Counter()
        self.refers = []
        self.texts = collections.defaultdict(str)
        self.scripts = []
        self.policy = None

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag not in KNOWN:
            complain(f"there is an element {tag}")
        for name, value in attributes:
            if name in ("src", "href", "srcset", "action", "style") or name.startswith("on"):
                complain(f"{tag} has the attribute {name}={value}")
            if name in ("aria-labelledby", "aria-controls", "aria-describedby"):
                self.refers += value.split()
        if "id" in given:
            self.ids[given["id"]] += 1
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        if tag == "script":
            self.scripts.append((given, ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            complain(f"line {self.getpos()[0]}: </{tag}> ends {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, text):
        for tag in self.open:
            self.texts[tag] += text
        if self.open and self.open[-1] == "script":
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + text)


def check_structure(text):
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        complain(f"these do not end: {page.open}")
    for name, count in page.ids.items():
        if count != 1:
            complain(f"{count} elements have the id {name}")
    for name in page.refers:
        if name not in page.ids:
            complain(f"nothing has the id {name}, which is referred to")
    if not page.policy or "default-src 'none'" not in page.policy:
        complain("the network is not forbidden")
    if len(page.scripts) != 2:
        complain(f"there are {len(page.scripts)} scripts instead of 2")
    if re.search(r"https?://(?!www\.w3\.org/2000/svg\")", re.sub(r"(?s)<noscript>.*</noscript>", "", page.scripts[1][1])):
        complain("the script names a server")
    for name in re.findall(r'\bat\("([a-z-]+)"\)', page.scripts[1][1]):
        if name not in page.ids:
            complain(f"the script looks for the id {name}")
    if re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval)\b", page.scripts[1][1]):
        complain("the script makes elements of text")
    return page


def check_data(page, results):
    given, text = page.scripts[0]
    if given.get("type") != "application/json" or "<" in text:
        complain("the data is not in an element of its own, or has a '<'")
    data = json.loads(text)
    for name in ("program", "end", "pair", "event", "needed", "others", "others_to_pass", "flips", "flip_verdict", "verdict", "try_count"):
        if data.get(name) != results.get(name):
            complain(f"{name} is {data.get(name)} instead of {results.get(name)}")
    for side in ("failing", "passing"):
        if (side in data) != (side in results):
            complain(f"the {side} schedule is in one of page and results")
        if side not in data:
            continue
        ours, theirs = data[side], results[side]
        for name in ("end", "file", "command", "count", "events"):
            if ours[name] != theirs[name]:
                complain(f"{side}.{name} is not that of the results")
        if any(stretch not in theirs["stretches"] for stretch in ours["stretches"]):
            complain(f"{side} has a stretch of its own")
        if not any(stretch["event"] <= data.get("event", 0) < stretch["event"] + stretch["count"] for stretch in ours["stretches"]):
            complain(f"{side} leaves out the stretch of the pair")
    check_map(data, results)
    return data


def check_map(data, results):
    ours = [(made["step"], made["outcome"], made["end"]) for made in data["tries"]]
    if ours != [(made["step"], made["outcome"], made["end"]) for made in results["tries"]][:len(ours)] or not ours:
        complain("the tries are not those of the results")
    if "failing" not in data:
        return
    if any("edits" not in made for made in data["tries"]):
        complain("a try has no distance")
    replays = [made["edits"] for made in data["tries"] if made["step"] == "replay" and made["outcome"] == "fails"]
    if replays != ([] if data["interrupted"] else [0, 0]):
        complain(f"the distances of the failing schedule from itself are {replays}")
    if data.get("pair") and 0 in [made["edits"] for made in data["tries"] if made["outcome"] == "passes"]:
        complain("a schedule that passes is as far from the failing one as the failing one itself")


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        text = file.read()
    with open(sys.argv[2], encoding="utf-8") as file:
        results = json.load(file)
    if any(ord(letter) < 32 and letter not in "\n\t" or 0x7f <= ord(letter) < 0xa0 for letter in text):
        complain("there is a control character")
    page = check_structure(text)
    data = check_data(page, results)
    for event in data.get("pair", []):
        for frame in event["stack"]:
            if frame not in page.texts["noscript"]:
                complain(f"the page without scripts lacks the frame {frame}")
    return bool(failed)


sys.exit(main())
