#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""suite.py EMULATOR: runs bench/run over two tiny rows and checks what it writes."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EMULATOR = sys.argv[1]
UNICORN = [EMULATOR, "--engine=unicorn"]
TINY = ["--ilp32run", EMULATOR, "--engine", "unicorn", "--without", "qemu-aarch64", "--without",
        "host", "--quick", "--ms", "1", "--exact"]


def bench(*args):
    return subprocess.run([os.path.join(ROOT, "bench", "run"), *args], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")


def tiny(*args):
    return bench(*TINY, *args)


class Suite(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.json = os.path.join(folder.name, "result.json")
        self.html = os.path.join(folder.name, "report.html")
        self.folder = folder.name

    def result(self):
        with open(self.json, encoding="utf-8") as text:
            return json.load(text)

    def program(self, text):
        """An emulator that is a script."""
        name = os.path.join(self.folder, "emulator")
        with open(name, "w", encoding="ascii") as out:
            out.write("#!/bin/sh\n" + text)
        os.chmod(name, 0o755)
        return name

    def test_figures(self):
        done = tiny("--rounds", "2", "--peer", f"again={' '.join(UNICORN)}", "--json", self.json,
                    "null-call", "calls")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result()
        self.assertEqual([row["key"] for row in result["rows"]], ["null-call", "calls"])
        self.assertEqual(list(result["variants"]), ["unicorn", "again"])
        for row in result["rows"]:
            for name in ("unicorn", "again"):
                runs = row["variants"][name]["runs"]
                self.assertEqual(len(runs), 2)
                figures = [1e6 * run["cpu"] / run["work"] if row["unit"] == "us" else run["cpu"]
                           for run in runs]
                self.assertGreater(min(figures), 0)
                self.assertAlmostEqual(row["variants"][name]["best"], min(figures))
                mean = sum(figures) / 2
                spread = (2 * ((figures[0] - mean) ** 2)) ** 0.5 / mean
                self.assertAlmostEqual(row["variants"][name]["rsd"], spread)
        call = result["rows"][0]["variants"]["unicorn"]["runs"][0]
        self.assertGreaterEqual(call["cpu"], 0.001)  # --ms 1
        self.assertGreater(call["work"], 10)
        self.assertIn("null call", done.stdout)

    def test_report(self):
        """Costs against qemu-aarch64: twice as long, and half the bandwidth."""
        def row(key, group, unit, ours, qemu):
            return {"key": key, "group": group, "title": key, "unit": unit, "clock": "cpu",
                    "x": 0, "series": "", "variants": {
                        "unicorn": {"runs": [], "best": ours, "mean": ours, "rsd": 0.1},
                        "qemu-aarch64": {"runs": [], "best": qemu, "mean": qemu, "rsd": None}}}

        tiny("--rounds", "1", "--json", self.json, "null-call")
        result = self.result()
        result["variants"]["qemu-aarch64"] = {"command": "q", "runs": "lp64", "version": "<1>"}
        result["rows"] = [row("slow-call", "processes", "us", 4.0, 2.0),
                          row("fast-call", "processes", "us", 1.0, 8.0),
                          row("slow-pipe", "bandwidths", "MB/s", 1000, 2000)]
        with open(self.json, "w", encoding="utf-8") as out:
            json.dump(result, out)
        done = bench("--from", self.json, "--report", self.html)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"slow-call +us +4 +2 +2 +10%")
        self.assertRegex(done.stdout, r"slow-pipe +MB/s +1000 +2000 +2 +10%")
        self.assertIn("Processor, processes: unicorn 0.50 x qemu-aarch64", done.stdout)
        page = xml.parse(self.html).getroot()
        svg = "{http://www.w3.org/2000/svg}"
        titles = [plot.find(f"{svg}title").text for plot in page.iter(f"{svg}svg")]
        self.assertIn("Processor, processes: cost in times of qemu-aarch64", titles)
        slower = [heading for heading in page.iter("h2") if heading.text == "Where qemu is faster"]
        self.assertEqual(len(slower), 1)
        text = "".join(page.itertext())
        self.assertIn("unicorn: 2 rows", text)
        self.assertTrue(re.search("<1>", text))

    def test_failures(self):
        """A variant that fails, or computes something else, is named and does not pass for a figure."""
        done = tiny("--rounds", "1", "--peer", self.program("echo none >&2; exit 3\n"), "--json",
                    self.json, "null-call")
        self.assertEqual(done.returncode, 1)
        variants = self.result()["rows"][0]["variants"]
        self.assertEqual(variants["peer"], {"failed": "status 3: none"})
        self.assertGreater(variants["unicorn"]["best"], 0)
        done = tiny("--rounds", "1", "--peer", self.program("echo 12345\n"), "--json", self.json,
                    "calls")
        self.assertEqual(done.returncode, 1)
        for variant in self.result()["rows"][0]["variants"].values():
            self.assertEqual(variant, {"failed": "unicorn and peer computed different results"})

    def test_ended_early(self):
        """What has been measured is reported when the run is interrupted."""
        mark, hung = os.path.join(self.folder, "mark"), os.path.join(self.folder, "hung")
        peer = self.program(f"""[ "$1" = --version ] && exit
            if [ -e {mark} ]; then
                touch {hung}
                while [ -e {hung} ]; do sleep 0.05; done
                exit 1
            fi
            touch {mark}
            exec {" ".join(UNICORN)} "$@"\n""")
        with subprocess.Popen([os.path.join(ROOT, "bench", "run"), *TINY, "--rounds", "1", "--peer",
                               peer, "--json", self.json, "--report", self.html, "null-call",
                               "calls"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8") as run:
            while not os.path.exists(hung):
                self.assertIsNone(run.poll(), "it ended before the second row")
                time.sleep(0.02)
            run.terminate()
            errors = run.communicate()[1]
        os.remove(hung)
        self.assertEqual(run.returncode, 1, errors)
        self.assertIn("ended early, 1 rows left out", errors)
        self.assertEqual([row["key"] for row in self.result()["rows"]], ["null-call"])
        with open(self.html, encoding="utf-8") as page:
            self.assertIn("ended early, 1 of 2 rows", page.read())

    def test_rows(self):
        self.assertNotEqual(tiny("no-such-row").returncode, 0)
        names = [line.split()[0] for line in bench("--list").stdout.splitlines()]
        self.assertEqual(len(names), len(set(names)))
        self.assertIn("ctx-2p-0k", names)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
