#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_outside.py HSCOPE PATH MODE [ARG …]: holds hscope against cases and models outside of the repository.

cases      `hscope verify PATH`: every case passes, but for those that are named here with the reason.
old-cases  the same for the cases of the Debian package libonnx-testdata.
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


# Cases that cannot pass, and why. One of KNOWN that passes all the same is reported, so that the list stays true.
GRADIENT = "Gradient asks for the derivative of other nodes of the graph: a training tool's task, not an operator that an executor runs"
KNOWN = {
    "test_gradient_of_add": GRADIENT,
    "test_gradient_of_add_and_mul": GRADIENT,
}
BFLOAT16_AS_UINT16 = "the files of this release store bfloat16 values under the type uint16"
# In the cases of ONNX 1.12, which the package libonnx-testdata of Debian 12 brings; other releases bring later ones.
KNOWN_OLD = {
    "test_adam_multiple": "the model leaves out the epsilon that its data was made with; corrected upstream since",
    "test_cast_BFLOAT16_to_FLOAT": BFLOAT16_AS_UINT16,
    "test_cast_FLOAT_to_BFLOAT16": BFLOAT16_AS_UINT16,
    "test_castlike_BFLOAT16_to_FLOAT": BFLOAT16_AS_UINT16,
    "test_castlike_BFLOAT16_to_FLOAT_expanded": BFLOAT16_AS_UINT16,
    "test_castlike_FLOAT_to_BFLOAT16": BFLOAT16_AS_UINT16,
    "test_castlike_FLOAT_to_BFLOAT16_expanded": BFLOAT16_AS_UINT16,
}


def verify(hscope, path, known, args):
    done = subprocess.run([hscope, "verify", path, "--jobs", "2", *args], capture_output=True, text=True)
    lines = done.stdout.strip().splitlines()
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) unsupported", lines[-1] if lines else "")
    if not counts:
        print(done.stdout[-2000:], done.stderr[-2000:])
        return f"no summary, exit status {done.returncode}"
    print("\n".join(line for line in lines if not line.startswith("PASS")))
    passed = [line.split(" ", 1)[1] for line in lines if line.startswith("PASS ")]
    others = [match[1] for line in lines if (match := re.match(r"(?:FAIL|UNSUPPORTED) ([^:]+)", line))]
    for name in others:
        if name in known:
            print(f"known: {name}: {known[name]}")
    problems = [f"{name} did not pass" for name in others if name not in known]
    problems += [f"{name} passes: take it off the list" for name in passed if name in KNOWN]
    if int(counts[2]) + int(counts[3]) != len(others):
        problems.append("the summary does not fit the lines")
    if not passed:
        problems.append("nothing passed")
    return "; ".join(problems) or None


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
        print(f"skipped: {path} is absent" + (" (Debian package libonnx-testdata)" if mode == "old-cases" else ""))
        return SKIPPED
    if mode == "script":
        return subprocess.run([sys.executable, path, hscope]).returncode
    known = {**KNOWN, **KNOWN_OLD} if mode == "old-cases" else KNOWN
    problem = hostile(hscope, path) if mode == "hostile" else verify(hscope, path, known, args)
    if problem:
        print(f"FAIL: {problem}")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
