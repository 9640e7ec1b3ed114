#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Print "N passed, N failed[, N skipped]" for a JUnit file that ctest wrote.

Exit status 1 if the file is missing, no test ran, or one failed. A test that ctest could not start (no such
program, a fixture that failed) counts as failed: CTest's own JUnit totals call it skipped.
"""
import sys
import xml.etree.ElementTree as ET

# What ctest says of a test that is skipped on purpose: by SKIP_RETURN_CODE, SKIP_REGULAR_EXPRESSION, or the
# DISABLED property.
MEANT = ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION")


def kind(case):
    status = case.get("status")
    if status == "run":
        return "passed" if case.find("failure") is None else "failed"
    if status == "disabled":
        return "skipped"
    skipped = case.find("skipped")
    reason = skipped.get("message", "") if skipped is not None else ""
    return "skipped" if any(word in reason for word in MEANT) else "failed"


def main():
    try:
        cases = ET.parse(sys.argv[1]).getroot().findall("testcase")
    except (OSError, ET.ParseError) as error:
        print(f"tools/test: no results of ctest: {error}", file=sys.stderr)
        return 1
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for case in cases:
        count[kind(case)] += 1
    line = f"{count['passed']} passed, {count['failed']} failed"
    if count["skipped"]:
        line += f", {count['skipped']} skipped"
    if not count["passed"] and not count["failed"]:
        print("tools/test: no test ran", file=sys.stderr)
    print(line)
    return 0 if count["passed"] and not count["failed"] else 1


sys.exit(main())
