# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds the measured programs for each ABI, and their input."""
import bz2
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.path.join(ROOT, "bench", "programs")
OUT = os.path.join(ROOT, "build", "bench")
SYSROOT = os.path.join(ROOT, "build", "sysroot")

# the programs of a userland, and the steps that make them
APPLICATIONS = {"bin:busybox": "busybox", "bin:bzip2": "bzip2", "bin:minigzip": "zlib",
                "bin:lua": "lua", "bin:sqlite3": "sqlite"}
# kind of program: where its userland is, how it was made (a cross prefix for bench/userland/build)
USERLAND = {
    "ilp32": (SYSROOT, None),
    "lp64": (os.path.join(OUT, "lp64"), "aarch64-linux-gnu-"),
    "host": (os.path.join(OUT, "host"), ""),
}


def compiler(kind):
    folder, cross = USERLAND[kind]
    return os.path.join(folder, "bin", "ilp32-musl-gcc") if cross is None else \
        os.path.join(folder, "usr", "bin", "musl-gcc")


def path_of(program, kind):
    """The file of a program of ours, or "bin:NAME", of the kind's userland."""
    if program.startswith("bin:"):
        return os.path.join(USERLAND[kind][0], "static", "bin", program[4:])
    return os.path.join(OUT, "programs", f"{program}.{kind}")


def newer(target, sources):
    return os.path.exists(target) and \
        all(os.path.getmtime(target) > os.path.getmtime(source) for source in sources)


def run(command):
    done = subprocess.run(command, check=False)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)}: failed")


def sources_of(program):
    folder = os.path.join(PROGRAMS, program)
    if os.path.isdir(folder):
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    return [folder + ".c"]


def build(rows, kinds):
    """Everything that ROWS need, for programs of KINDS."""
    os.makedirs(os.path.join(OUT, "programs"), exist_ok=True)
    steps = {APPLICATIONS[row.program] for row in rows if row.program in APPLICATIONS}
    if any("{busybox}" in row.args for row in rows):
        steps.add("busybox")
    for kind in kinds:
        folder, cross = USERLAND[kind]
        if cross is not None:
            run([os.path.join(ROOT, "bench", "userland", "build"), folder, cross, *sorted(steps)])
        elif not os.path.exists(compiler(kind)):
            sys.exit("bench: no ILP32 userland: run sysroot/build")
        header = os.path.join(PROGRAMS, "bench.h")
        for program in sorted({row.program for row in rows} | {"hello", "micro"}):
            target = path_of(program, kind)
            if program.startswith("bin:") or newer(target, [*sources_of(program), header]):
                continue
            files = [name for name in sources_of(program) if name.endswith(".c")]
            run([compiler(kind), "-static", "-O2", *files, "-o", target])
    target = os.path.join(OUT, "measure")
    source = os.path.join(ROOT, "bench", "tools", "measure.c")
    if not newer(target, [source]):
        run(["gcc", "-O2", source, "-o", target])


def make_text(size):
    """SIZE bytes that look like text to a compressor: words of uneven frequency. Returns its path."""
    target = os.path.join(OUT, f"text-{size}")
    if not os.path.exists(target + ".bz2"):
        draw = random.Random(1)
        words = ["".join(draw.choice("etaoinshrdlucmfwypvbgkqjxz"[:draw.randint(4, 26)])
                         for _ in range(draw.randint(1, 11))) for _ in range(4000)]
        weights = [1 / (rank + 3) for rank in range(len(words))]
        text = " ".join(draw.choices(words, weights, k=size // 4)).encode("ascii")[:size]
        with open(target, "wb") as out:
            out.write(text)
        with open(target + ".bz2", "wb") as out:
            out.write(bz2.compress(text))
    return target
