#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_memory.py HSCOPE [MIB]: a chain of MatMul nodes with MIB (512) of weights in a file of their own is run; the process must not
need much more memory than the weights take once, though kernels keep packed copies of them. The weights are zeros in a sparse file.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

SIDE = 4096  # 64 MiB a matrix
MATRIX = SIDE * SIDE * 4
SHARE = 1.25
REST = 96 << 20  # program, libraries, one matrix being packed


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def data(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def value_info(name):
    dims = b"".join(data(1, number(1, n)) for n in (1, SIDE))
    return data(1, name) + data(2, data(1, number(1, 1) + data(2, dims)))


def weight(i):
    where = {"location": "weights.bin", "offset": str(i * MATRIX), "length": str(MATRIX)}
    entries = b"".join(data(13, data(1, key) + data(2, text)) for key, text in where.items())
    return number(1, SIDE) + number(1, SIDE) + number(2, 1) + data(8, f"w{i}") + entries + number(14, 1)


def model(layers):
    graph = b""
    for i in range(layers):
        graph += data(1, data(1, f"x{i}") + data(1, f"w{i}") + data(2, f"x{i + 1}") + data(3, f"m{i}") + data(4, "MatMul"))
    graph += data(2, "chain") + b"".join(data(5, weight(i)) for i in range(layers))
    graph += data(11, value_info("x0")) + data(12, value_info(f"x{layers}"))
    return number(1, 8) + data(7, graph) + data(8, data(1, "") + number(2, 17))


def main():
    hscope = sys.argv[1]
    layers = max(1, int(sys.argv[2] if len(sys.argv) > 2 else 512) * (1 << 20) // MATRIX)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "model.onnx").write_bytes(model(layers))
        with open(folder / "weights.bin", "wb") as file:
            file.truncate(layers * MATRIX)
        done = subprocess.run([hscope, "run", folder / "model.onnx", "--runs", "3", "--session", folder / "s.hscope", "--json"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"FAIL: status {done.returncode}: {done.stderr}")
        report = json.loads(done.stdout)
        weights, packed, peak = layers * MATRIX, sum(m["packed_bytes"] for m in report["memory"]), report["peak_rss_bytes"]
        print(f"weights {weights >> 20} MiB, packed {packed >> 20} MiB, peak {peak >> 20} MiB: {peak / weights:.2f} times the weights")
        if peak > SHARE * weights + REST:
            sys.exit("FAIL: that is too much")


if __name__ == "__main__":
    main()
