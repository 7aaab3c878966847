#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_outside.py HSCOPE PATH MODE [ARG …]: holds hscope against cases and models outside of the repository.

cases      `hscope verify PATH`: no case may fail, unless it passes with the tolerance that upstream's own reference run needs;
           unsupported ones are counted.
all-cases  the same, and none may be unsupported.
hostile    every model below PATH is run: status 0, 2 (an input of unknown rank must be given) or 3, and 3 for those in a
           folder "invalid"; never a crash or a hang.
script     PATH is a script that takes the program's path.
Exit status 77 (skipped) when PATH is absent.
"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77


def reference_tolerances(path):
    """The tolerance of upstream's own reference run by case name, from the index beside the suites."""
    index = pathlib.Path(path).parent.parent / "index.tsv"
    if not index.exists():
        return {}
    head, *rows = [line.split("\t") for line in index.read_text().splitlines()]
    name, rtol, atol = (head.index(column) for column in ("case", "ref_rtol", "ref_atol"))
    return {row[name]: (row[rtol], row[atol]) for row in rows}


def passes_like_upstream(hscope, path, name, args, tolerances):
    if name not in tolerances:
        return False
    rtol, atol = tolerances[name]
    case = str(pathlib.Path(path) / name)
    return subprocess.run([hscope, "verify", case, "--rtol", rtol, "--atol", atol, *args], capture_output=True).returncode == 0


def verify(hscope, path, strict, args):
    done = subprocess.run([hscope, "verify", path, "--jobs", "2", *args], capture_output=True, text=True)
    lines = done.stdout.strip().splitlines()
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) unsupported", lines[-1] if lines else "")
    if not counts:
        print(done.stdout[-2000:], done.stderr[-2000:])
        return f"no summary, exit status {done.returncode}"
    print("\n".join(line for line in lines if not line.startswith("PASS")))
    passed, failed, unsupported = map(int, counts.groups())
    tolerances = reference_tolerances(path) if failed else {}
    names = [re.match(r"FAIL ([^:]+)", line) for line in lines]
    excused = [m[1] for m in names if m and passes_like_upstream(hscope, path, m[1], args, tolerances)]
    if excused:
        print("within the tolerance of upstream's own reference run: " + ", ".join(excused))
    failed -= len(excused)
    if passed == 0:
        return "nothing passed"
    if failed or (strict and unsupported):
        return lines[-1]
    return None


def npy(path, rows, columns):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}".encode()
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(4 * rows * columns))
    return path


def inputs_for(model):
    """One of the invalid models is only wrong with inputs that bind its one symbol to two sizes."""
    if model.parent.name != "invalid_dim_param_value_repetition":
        return []
    folder = pathlib.Path(tempfile.mkdtemp())
    return ["--input", f"X1={npy(folder / 'x1.npy', 10, 6)}", "--input", f"X2={npy(folder / 'x2.npy', 10, 12)}"]


def hostile(hscope, path):
    problems = []
    for model in sorted(pathlib.Path(path).rglob("*.onnx")):
        try:
            done = subprocess.run([hscope, "run", str(model), "--runs", "1", "--warmup", "0", "--no-profile", "--json", *inputs_for(model)], capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            problems.append(f"{model}: still running after 60 s")
            continue
        name = str(model.relative_to(path))
        print(done.returncode, name, done.stderr.strip()[:300])
        allowed = {3} if "invalid" in model.parts else {0, 2, 3}
        if done.returncode not in allowed:
            problems.append(f"{name}: exit status {done.returncode}")
        try:
            json.loads(done.stdout)
        except ValueError:
            problems.append(f"{name}: no JSON document on standard output")
    return "; ".join(problems) or None


def main():
    hscope, path, mode, *args = sys.argv[1:]
    if not pathlib.Path(path).exists():
        print(f"skipped: {path} is absent")
        return SKIPPED
    if mode == "script":
        return subprocess.run([sys.executable, path, hscope]).returncode
    problem = hostile(hscope, path) if mode == "hostile" else verify(hscope, path, mode == "all-cases", args)
    if problem:
        print(f"FAIL: {problem}")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
