# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the variants of a row in turn and keeps every figure."""
import os
import shlex
import shutil
import statistics
import subprocess
import tempfile
import time

from suite import build
from suite.rows import EXEC, SH


class Failed(Exception):
    """A variant could not be measured; the text says why."""


class Variant:
    """An emulator with its options (or none), and the kind of program it runs."""

    def __init__(self, name, prefix, kind):
        self.name, self.prefix, self.kind = name, prefix, kind
        self.exec_words = None

    def find_exec_words(self):
        """What must stand before a program that a program of this variant starts. Some emulators
        follow execve themselves; for others a program starts the emulator again."""
        if self.exec_words is not None:
            return
        again = self.prefix and [shutil.which(self.prefix[0]) or self.prefix[0], *self.prefix[1:]]
        for words in ([], again):
            done = subprocess.run([*self.prefix, build.path_of("micro", self.kind), "exec", "1",
                                   *words, build.path_of("hello", self.kind)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if done.returncode == 0:
                self.exec_words = words
                return
        raise Failed("its programs cannot start others")

    def arguments(self, args, fields):
        """ARGS of a row with what stands for something else replaced."""
        fields = {**fields, "{hello}": build.path_of("hello", self.kind),
                  "{busybox}": build.path_of("bin:busybox", self.kind), "{bench}": build.PROGRAMS}
        result = []
        if EXEC in args:
            self.find_exec_words()
        for arg in args:
            if arg is EXEC:
                result += self.exec_words
            elif arg is SH:
                result.append(shlex.join([*self.exec_words, fields["{hello}"]]))
            else:
                for field, value in fields.items():
                    arg = arg.replace(field, value)
                result.append(arg)
        return result


class Settings:
    """What a run of the suite was asked for."""

    def __init__(self, quick, rounds, milliseconds):
        self.quick, self.rounds, self.milliseconds = quick, rounds, milliseconds

    @property
    def text_size(self):
        return 1 << 20 if self.quick else 12 << 20


def measured(command, stdin=None, timeout=600):
    """Runs COMMAND: its standard output, processor and elapsed seconds, peak KiB."""
    figures = os.path.join(build.OUT, f"figures.{os.getpid()}")
    try:
        done = subprocess.run([os.path.join(build.OUT, "measure"), figures, *command], check=False,
                              stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=timeout)
        if done.returncode != 0:
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise Failed(f"status {done.returncode}" + (f": {last[0]}" if last else ""))
        with open(figures, encoding="ascii") as text:
            cpu, elapsed, peak = text.read().split()
    except subprocess.TimeoutExpired as error:
        raise Failed(f"not done in {timeout} s") from error
    finally:
        if os.path.exists(figures):
            os.remove(figures)
    return done.stdout, {"cpu": float(cpu), "elapsed": float(elapsed), "peak": int(peak)}


def resident(command):
    """MiB of memory of a program that says "ready" and waits: of all its processes, pages that
    several share counted in parts (Pss), so that processes can be added."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        if process.stdout.readline().strip() != b"ready":
            process.kill()
            raise Failed("it did not get ready")
        time.sleep(0.1)
        kib = sum(memory_of(pid) for pid in tree_of(process.pid))
        process.stdin.close()
        process.wait(60)
    return {"resident": kib}


def memory_of(pid):
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as text:
        return sum(int(line.split()[1]) for line in text if line.startswith("Pss:"))


def tree_of(pid):
    found = [pid]
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as text:
            for child in text.read().split():
                found += tree_of(int(child))
    return found


def run_once(row, variant, settings, text):
    """One process of ROW: the figures, and what all variants must have printed alike (or None)."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        fields = {"{dir}": folder, "{text.bz2}": f"{text}.bz2", "{text}": text}
        args = row.quick if settings.quick and row.quick else row.args
        command = [*variant.prefix, build.path_of(row.program, variant.kind)]
        if row.is_micro:
            command += [args[0], str(settings.milliseconds)]
            args = args[1:]
        command += variant.arguments(args, fields)
        if row.program == "resident":
            return resident(command), None
        stdin = open(variant.arguments([row.stdin], fields)[0], "rb") if row.stdin else None
        try:
            output, figures = measured(command, stdin)
        finally:
            if stdin:
                stdin.close()
    if not row.is_micro:
        return figures, output
    work, cpu, elapsed = output.split()
    return {"work": int(work), "cpu": int(cpu) / 1e9, "elapsed": int(elapsed) / 1e9,
            "peak": figures["peak"]}, None


def figure(row, run, clock=None):
    """A run's figure in the row's unit."""
    if row.unit == "MiB":
        return run["resident"] / 1024
    seconds = max(run[clock or row.clock], 1e-9)
    if row.unit == "MB/s":
        return run["work"] / seconds / 1e6
    scale = {"us": 1e6, "ns": 1e9, "ms": 1e3, "s": 1}[row.unit]
    return seconds * scale / run.get("work", 1)


def summary(row, runs):
    """The best figure by the row's clock and by the other one, and the spread."""
    best = max if row.more_is_better else min
    figures = [figure(row, run) for run in runs]
    mean = statistics.mean(figures)
    result = {"runs": runs, "best": best(figures), "mean": mean,
              "rsd": statistics.stdev(figures) / mean if len(figures) > 1 and mean else None}
    if row.unit != "MiB":
        result["elapsed"] = best(figure(row, run, "elapsed") for run in runs)
    return result


def measure(row, variants, settings, text):
    """All variants of a row, taking turns; round after round another one begins. For each variant
    a summary, or what failed."""
    rounds = min(settings.rounds, row.rounds or settings.rounds)
    variants = [v for v in variants if v.name not in row.without]
    runs, failed, outputs = {v.name: [] for v in variants}, {}, {}
    for number in range(rounds if variants else 0):
        first = number % len(variants)
        for variant in variants[first:] + variants[:first]:
            if variant.name in failed:
                continue
            try:
                run, output = run_once(row, variant, settings, text)
                runs[variant.name].append(run)
                if output is not None:
                    outputs.setdefault(output, variant.name)
            except (Failed, OSError, ValueError) as error:
                failed[variant.name] = str(error)
    if len(outputs) > 1:
        names = " and ".join(outputs.values())
        return {v.name: {"failed": f"{names} computed different results"} for v in variants}
    return {v.name: {"failed": failed[v.name]} if v.name in failed else
            summary(row, runs[v.name]) for v in variants}
