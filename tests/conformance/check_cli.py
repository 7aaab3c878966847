#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_cli.py HSCOPE [WORD]: holds the command line against requests, files and surroundings that are wrong.

Every failure must have the exit status of the contract, exactly one line on standard error, with --json exactly one
document {"error": {code, message, where}}, and leave no new file. WORD limits it to the cases whose name holds it.
"""
import gzip
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HSCOPE = os.path.abspath(sys.argv[1])
WORD = sys.argv[2] if len(sys.argv) > 2 else ""
TIMEOUT_S = 60
SLOW_S = 20  # a refusal that takes longer than this has done work that it should not have begun

problems = []
counts = {"cases": 0}


# --- The ONNX wire format, as much as is needed -----------------------------------------------------------------------

def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while n > 0x7F:
        out += bytes([n & 0x7F | 0x80])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    """A varint, or a length-delimited field."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def value_info(name, dims=(1, 4), elem=1):
    shape = b"".join(field(1, field(2, d) if isinstance(d, str) else field(1, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, elem) + field(2, shape)))


def node(op, inputs, outputs, domain="", name="", attributes=b""):
    out = b"".join(field(1, i) for i in inputs) + b"".join(field(2, o) for o in outputs)
    return out + field(3, name or f"{op}_1") + field(4, op) + (field(7, domain) if domain else b"") + attributes


def graph_attribute(name, graph):
    return field(5, field(1, name) + field(6, graph) + field(20, 5))


def float_tensor(name, dims, data=None, external=None):
    out = b"".join(field(1, d) for d in dims) + field(2, 1) + field(8, name)
    if external is not None:
        out += field(13, field(1, "location") + field(2, external)) + field(14, 1)
    return out + (field(9, data) if data is not None else b"")


def graph(nodes, inputs=None, outputs=None, initializers=(), name="g"):
    inputs = [value_info("x")] if inputs is None else inputs
    outputs = [value_info("y")] if outputs is None else outputs
    return (b"".join(field(1, n) for n in nodes) + field(2, name) + b"".join(field(5, t) for t in initializers)
            + b"".join(field(11, i) for i in inputs) + b"".join(field(12, o) for o in outputs))


def model(graph_bytes, ir=8, opset=17, extra=b""):
    return field(1, ir) + field(7, graph_bytes) + field(8, field(1, "") + field(2, opset)) + extra


def nested_if(levels):
    """If in If in …: the condition is an input, every branch passes x on."""
    inner = graph([node("Relu", ["x"], [f"o{levels}"])], inputs=[], outputs=[value_info(f"o{levels}")], name=f"b{levels}")
    for level in range(levels - 1, -1, -1):
        both = graph_attribute("then_branch", inner) + graph_attribute("else_branch", inner if level == levels - 1 else
                graph([node("Relu", ["x"], [f"e{level}"])], inputs=[], outputs=[value_info(f"e{level}")], name=f"e{level}"))
        inner = graph([node("If", ["c"], [f"o{level}"], attributes=both)], inputs=[], outputs=[value_info(f"o{level}")], name=f"b{level}")
        if level == 0:
            return graph([node("If", ["c"], ["y"], attributes=both)], inputs=[value_info("x"), value_info("c", (), 9)])


def nested_functions(levels):
    """f0 calls f1 twice, f1 calls f2 twice …"""
    out = b""
    for level in range(levels):
        inner, domain = ("Relu", "") if level == levels - 1 else (f"F{level + 1}", "local")
        body = [node(inner, ["a"], ["b"], domain, "n1"), node(inner, ["b"], ["c"], domain, "n2")]
        function = field(1, f"F{level}") + field(4, "a") + field(5, "c") + b"".join(field(7, n) for n in body)
        function += field(9, field(1, "") + field(2, 17)) + field(9, field(1, "local") + field(2, 1)) + field(10, "local")
        out += field(25, function)
    return model(graph([node("F0", ["x"], ["y"], "local")]), extra=out + field(8, field(1, "local") + field(2, 1)))


# --- Running and judging ----------------------------------------------------------------------------------------------

def run(args, cwd, env=None, stdin=subprocess.DEVNULL, **more):
    whole = {**os.environ, **(env or {})}
    for key in [k for k, v in whole.items() if v is None]:
        del whole[key]
    return subprocess.run([HSCOPE, *map(str, args)], cwd=cwd, env=whole, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=TIMEOUT_S, **more)


def judge_error(name, done, json_wanted):
    lines = done.stderr.decode(errors="replace").splitlines()
    if len(lines) != 1 or not lines[0].startswith("hscope: "):
        problems.append(f"{name}: not one line on standard error: {lines[:6]}")
    elif len(lines[0]) > 600:
        problems.append(f"{name}: a line of {len(lines[0])} characters: {lines[0][:200]}")
    if json_wanted:
        try:
            error = json.loads(done.stdout)["error"]
            assert set(error) == {"code", "message", "where"} and error["message"]
        except (ValueError, KeyError, AssertionError) as e:
            problems.append(f"{name}: --json gave {done.stdout[:200]!r} ({e!r})")
    elif done.stdout:
        problems.append(f"{name}: words on standard output: {done.stdout[:200]!r}")
    if not json_wanted and len(lines) == 1 and os.environ.get("SHOW"):
        print(f"{name:40} {done.returncode} {lines[0]}")


def fails(name, status, args, cwd, mentions="", env=None, both=True):
    """The request must be refused with this status (or one of these), once for people and once with --json."""
    if WORD not in name:
        return
    wanted = status if isinstance(status, tuple) else (status,)
    for more in ([], ["--json"]) if both else ([],):
        counts["cases"] += 1
        before = {p for p in cwd.rglob("*")}
        start = time.monotonic()
        try:
            done = run([*args, *more], cwd, env)
        except subprocess.TimeoutExpired:
            problems.append(f"{name}: hangs")
            return
        if time.monotonic() - start > SLOW_S:
            problems.append(f"{name}: took {time.monotonic() - start:.0f} s")
        if done.returncode not in wanted:
            problems.append(f"{name}: status {done.returncode}, expected {wanted}: {(done.stderr or done.stdout)[-300:]!r}")
        if done.returncode != 0:
            judge_error(name, done, bool(more))
            if mentions and mentions not in done.stderr.decode(errors="replace"):
                problems.append(f"{name}: does not mention {mentions!r}: {done.stderr.decode(errors='replace').strip()}")
        # SQLite's own files beside a session that is only read come and go.
        if left := {p for p in cwd.rglob("*")} - before - {p for p in cwd.rglob("*.hscope-*")}:
            if done.returncode != 0:
                problems.append(f"{name}: left {sorted(p.name for p in left)}")
            for p in left:
                p.unlink()


def check(name, good, detail=""):
    if WORD in name:
        counts["cases"] += 1
        if not good:
            problems.append(f"{name}: {detail}")


# --- The cases --------------------------------------------------------------------------------------------------------

def bad_flags(d):
    small = "small.onnx"
    for name, args in {
        "unknown verb": ["frobnicate"], "unknown flag": ["devices", "--frobnicate"], "no model": ["run"],
        "two models": ["run", small, small], "info with a flag of run": ["info", small, "--runs", "3"], "query without sql": ["query", "good.hscope"],
        "flag without value": ["run", small, "--runs"],
    }.items():
        fails("flags: " + name, 2, args, d)
    done = run([], d)
    check("flags: nothing at all prints the help", done.returncode == 2 and b"Usage:" in done.stderr and not done.stdout, done.stderr)
    done = run(["query", "good.hscope", "select 1", "--csv", "--json"], d)
    check("flags: json and csv", done.returncode == 2 and json.loads(done.stdout)["error"]["code"] == "bad_request", done.stderr)
    for verb in ("devices", "info", "plan", "run", "verify", "query", "zoo"):
        done = run([verb, "--help"], d)
        check(f"flags: {verb} --help", done.returncode == 0 and b"Example:" in done.stdout and b"INT:" not in done.stdout, done.stdout)
    for flag in ("--runs", "--threads", "--batch", "--warmup"):
        for value in ("-1", "nan", "1e3", "", "99999999999999999999999", str(1 << 40), "0x"):
            if flag == "--batch" and value == str(1 << 40):
                continue  # below: it is a number, but one that no memory holds
            fails(f"flags: {flag} {value!r}", 2, ["run", small, "--no-profile", f"{flag}={value}"], d)
    for flag in ("--runs", "--threads", "--batch"):
        fails(f"flags: {flag} 0", 2, ["run", small, "--no-profile", flag, "0"], d)
    for value in ("-1", "nan", "x"):
        fails(f"flags: --seed {value}", 2, ["run", small, "--no-profile", f"--seed={value}"], d)
        if value != "x":
            fails(f"flags: --rtol {value}", 2, ["verify", ".", f"--rtol={value}"], d)
    fails("flags: --jobs 0", 2, ["verify", ".", "--jobs", "0"], d)
    fails("flags: --limit 0", 2, ["query", "good.hscope", "select 1", "--limit", "0"], d)
    for value in ("N", "N=", "=3", "N=-1", "N=x", "N=3x", "N=99999999999999999999", "", "N=1.5", "M=3"):
        fails(f"flags: --dim {value!r}", 2, ["run", small, "--no-profile", f"--dim={value}"], d)
        fails(f"flags: info --dim {value!r}", 2, ["info", small, f"--dim={value}"], d)
    fails("flags: --batch of a fixed model", 2, ["run", "fixed.onnx", "--no-profile", "--batch", "3"], d)
    for verb in ("run", "plan"):
        fails(f"flags: unknown device of {verb}", 2, [verb, small, "--device", "gpu7"], d, "gpu7")
        fails(f"flags: empty device of {verb}", 2, [verb, small, "--device", ""], d)
        fails(f"flags: comma as device of {verb}", 2, [verb, small, "--device", ","], d)
        fails(f"flags: huge dim of {verb}", (2, 3, 4), [verb, small, "--dim", f"N={1 << 40}"], d)
        fails(f"flags: huge batch of {verb}", (2, 3, 4), [verb, small, "--batch", str(1 << 40)], d)
        fails(f"flags: overflowing batch of {verb}", (2, 3, 4), [verb, small, "--batch", str((1 << 63) - 1)], d)
    for sides in ("onednn", "a,b", "onednn,reference,cpu", "", ","):
        fails(f"flags: --against {sides!r}", 2, ["verify", small, f"--against={sides}"], d)
    fails("flags: --against with two models", 2, ["verify", small, small, "--against", "cpu,cpu"], d)
    fails("flags: verify unknown executor", 2, ["verify", ".", "--executor", "nobody"], d, "nobody")
    fails("flags: verify a model", 3, ["verify", small], d)
    fails("flags: verify nothing there", 3, ["verify", "absent"], d)
    fails("flags: zoo unknown", 2, ["zoo", "nobody", "-o", "z.onnx"], d, "nobody")
    fails("flags: zoo without -o", 2, ["zoo", "mlp"], d)
    fails("flags: zoo -o without a name", 2, ["zoo", "-o", "z.onnx"], d)
    fails("flags: session and no profile", 2, ["run", small, "--no-profile", "--session", "s.hscope"], d)


def bad_inputs(d):
    (d / "f4.raw").write_bytes(bytes(16))
    (d / "short.raw").write_bytes(bytes(15))
    (d / "junk.npy").write_bytes(b"\x93NUMPY\x01\x00\xff\xff" + os.urandom(100))
    (d / "text.npy").write_text("hello")
    (d / "junk.pb").write_bytes(os.urandom(200))
    (d / "empty.npy").write_bytes(b"")

    def npy(name, descr, shape, data, order="False"):
        head = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
        head += b" " * (-(len(head) + 11) % 64) + b"\n"
        (d / name).write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + data)

    npy("good.npy", "<f4", "(1, 4)", bytes(16))
    npy("dtype.npy", "<i8", "(1, 4)", bytes(32))
    npy("rank.npy", "<f4", "(4,)", bytes(16))
    npy("shape.npy", "<f4", "(1, 5)", bytes(20))
    npy("huge.npy", "<f4", f"({1 << 40}, 4)", bytes(16))
    npy("overflow.npy", "<f4", f"({1 << 62}, 4)", bytes(16))
    npy("fortran.npy", "<f4", "(1, 4)", bytes(16), "True")
    npy("big-endian.npy", ">f4", "(1, 4)", bytes(16))
    npy("short.npy", "<f4", "(1, 4)", bytes(15))
    os.mkfifo(d / "pipe.npy")
    os.mkfifo(d / "pipe.raw")
    os.mkfifo(d / "pipe.pb")
    for name in ("dtype", "rank", "shape", "huge", "overflow", "fortran", "big-endian", "short", "junk", "text", "empty", "absent", "pipe"):
        fails(f"inputs: {name}.npy", (2, 3), ["run", "fixed.onnx", "--no-profile", "--input", f"x={name}.npy"], d)
    for name in ("short.raw", "absent.raw", "pipe.raw", "junk.pb", "pipe.pb", "absent.pb", ".", "/dev/zero", "good.hscope"):
        fails(f"inputs: {name}", (2, 3), ["run", "fixed.onnx", "--no-profile", "--input", f"x={name}"], d)
    for text in ("", "x", "q=good.npy", "=good.npy", "x="):
        fails(f"inputs: {text!r}", (2, 3), ["run", "fixed.onnx", "--no-profile", f"--input={text}"], d)
    fails("inputs: twice", 2, ["run", "fixed.onnx", "--no-profile", "--input", "x=good.npy", "--input", "x=good.npy"], d)
    for file in ("good.npy", "f4.raw"):
        done = run(["run", "fixed.onnx", "--no-profile", "--input", f"x={file}", "--json"], d)
        check(f"inputs: {file} is taken", done.returncode == 0, done.stderr)
    for p in ("pipe.npy", "pipe.raw", "pipe.pb"):
        (d / p).unlink()


def bad_configs(d):
    rules = lambda *r: json.dumps({"schema": "heteroscope.config/1", "rules": list(r)})
    good = {"op": "Relu", "executor": "reference"}
    for name, text in {
        "empty": "", "no object": "[]", "number": "7", "null": "null", "no schema": "{}", "old schema": '{"schema": "x/9", "rules": []}',
        "garbage": "\x00\x01\x02", "unclosed": '{"schema": "heteroscope.config/1", "rules": [', "trailing": rules(good) + "}",
        "deep": "[" * 200000, "deep objects": '{"a":' * 200000, "unknown key": '{"schema": "heteroscope.config/1", "rules": [], "color": 1}',
        "unknown rule key": rules({**good, "colour": 1}), "two matchers": rules({**good, "node": "a"}), "no matcher": rules({"device": "cpu"}),
        "no wish": rules({"op": "Relu"}), "wrong type": rules({"op": 3, "device": "cpu"}), "rules object": '{"schema": "heteroscope.config/1", "rules": {}}',
        "rule string": rules("x"), "enabled text": rules({**good, "enabled": "yes"}), "unknown device": rules({"op": "Relu", "device": "gpu7"}),
        "unknown executor": rules({"op": "Relu", "executor": "nobody"}), "unknown node": rules({"node": "nobody", "device": "cpu"}),
        "unknown op": rules({"op": "Rellu", "device": "cpu"}),
        "double key": '{"schema": "heteroscope.config/1", "schema": "heteroscope.config/1", "rules": []}', "nan": '{"schema": NaN}',
        "comment": "// hi\n" + rules(good), "long text": rules({"op": "R" * 1_000_000, "device": "cpu"}),
    }.items():
        (d / "bad.json").write_text(text)
        for verb in ("plan", "run"):
            fails(f"config: {name} ({verb})", 2, [verb, "small.onnx", "--config", "bad.json"], d, "bad.json", both=verb == "plan")
    (d / "utf16.json").write_bytes(rules(good).encode("utf-16"))
    (d / "latin.json").write_bytes(b'{"schema": "heteroscope.config/1", "rules": [{"op": "\xff\xfe", "device": "cpu"}]}')
    os.mkfifo(d / "pipe.json")
    (d / "bad.json").unlink()
    with open(d / "sparse.json", "wb") as f:
        f.truncate(10 << 30)
    for name in ("utf16.json", "latin.json", "pipe.json", "absent.json", ".", "/dev/zero", "sparse.json"):
        fails(f"config: {name}", 2, ["plan", "small.onnx", "--config", name], d, name, both=False)
    (d / "sparse.json").unlink()
    (d / "pipe.json").unlink()
    for name, text in {"good": rules(good), "mark in front": "\ufeff" + rules(good), "none": rules(), "disabled": rules({**good, "enabled": False})}.items():
        (d / "ok.json").write_text(text)
        done = run(["plan", "small.onnx", "--config", "ok.json", "--json"], d)
        check(f"config: {name} is taken", done.returncode == 0, done.stderr)
    (d / "ok.json").write_text(rules({"pattern": "zz*", "device": "cpu"}))
    done = run(["plan", "small.onnx", "--config", "ok.json"], d)
    check("config: a pattern of nothing is warned of", done.returncode == 0 and b'ok.json:1: pattern "zz*"' in done.stderr, done.stderr)


def bad_models(d):
    whole = (d / "small.onnx").read_bytes()
    relu = lambda **k: model(graph([node("Relu", ["x"], ["y"])], **k))
    files = {
        "empty": b"", "text": b"hello world\n" * 50, "random": os.urandom(5000), "zeros": bytes(4096), "gzip": gzip.compress(whole),
        "html": b"<!DOCTYPE html><html>", "trailing junk": whole + b"\xff" * 20,
        "huge dims": relu(inputs=[value_info("x", (1 << 40, 1 << 40))], outputs=[value_info("y", (1 << 40, 1 << 40))]),
        "big dim": relu(inputs=[value_info("x", (1 << 40, 4))], outputs=[value_info("y", (1 << 40, 4))]),
        "negative dim": relu(inputs=[value_info("x", (-3, 4))]), "many dims": relu(inputs=[value_info("x", (1,) * 500)]),
        "wrong type": relu(inputs=[value_info("x", elem=8)], outputs=[value_info("y", elem=8)]), "type 99": relu(inputs=[value_info("x", elem=99)]),
        "cycle": model(graph([node("Add", ["x", "b"], ["a"], name="n1"), node("Relu", ["a"], ["b"], name="n2"), node("Relu", ["b"], ["y"], name="n3")])),
        "self loop": model(graph([node("Add", ["x", "y"], ["y"])])), "missing value": model(graph([node("Relu", ["nowhere"], ["y"])])),
        "missing output": model(graph([node("Relu", ["x"], ["z"])])), "written twice": model(graph([node("Relu", ["x"], ["y"]), node("Relu", ["x"], ["y"])])),
        "unknown operator": model(graph([node("Frobnicate", ["x"], ["y"], name="here")])),
        "unknown domain": model(graph([node("Relu", ["x"], ["y"], "com.example", "here")])),
        "no inputs of Add": model(graph([node("Add", ["x"], ["y"])])), "no output": model(graph([], outputs=[])), "opset 999": model(graph([node("Relu", ["x"], ["y"])]), opset=999),
        "opset -1": model(graph([node("Relu", ["x"], ["y"])]), opset=-1), "ir 999": model(graph([node("Relu", ["x"], ["y"])]), ir=999),
        "short weights": model(graph([node("Add", ["x", "w"], ["y"])], initializers=[float_tensor("w", (1, 4), bytes(15))])),
        "weights of 2^40": model(graph([node("Add", ["x", "w"], ["y"])], initializers=[float_tensor("w", (1 << 40, 4), bytes(16))])),
        "weights of 2^80": model(graph([node("Add", ["x", "w"], ["y"])], initializers=[float_tensor("w", (1 << 40, 1 << 40), bytes(16))])),
        "outside": model(graph([node("Add", ["x", "w"], ["y"])], initializers=[float_tensor("w", (1, 4), external="../secret.bin")])),
        "absolute": model(graph([node("Add", ["x", "w"], ["y"])], initializers=[float_tensor("w", (1, 4), external="/etc/passwd")])),
        "link outside": model(graph([node("Add", ["x", "w"], ["y"])], initializers=[float_tensor("w", (1, 4), external="link.bin")])),
        "weights absent": model(graph([node("Add", ["x", "w"], ["y"])], initializers=[float_tensor("w", (1, 4), external="absent.bin")])),
        "self call": model(graph([node("F", ["x"], ["y"], "local")]), extra=field(8, field(1, "local") + field(2, 1)) + field(25,
            field(1, "F") + field(4, "a") + field(5, "c") + field(7, node("F", ["a"], ["c"], "local")) + field(10, "local"))),
        "functions doubling 60 times": nested_functions(60), "If in If 200 deep": model(nested_if(200)), "If in If 3000 deep": model(nested_if(3000)),
        "expanding constant": model(graph([node("ConstantOfShape", ["s"], ["y"])], inputs=[], initializers=[
            field(1, 2) + field(2, 7) + field(8, "s") + field(9, (1 << 20).to_bytes(8, "little") * 2)], outputs=[value_info("y", (1 << 20, 1 << 20))])),
    }
    for i in range(1, 16):
        files[f"cut at {i}/16"] = whole[:len(whole) * i // 16]
    os.symlink("/etc/passwd", d / "link.bin")
    names = {"unknown operator": "Frobnicate", "unknown domain": "com.example", "missing value": "nowhere"}
    dims = ("huge dims", "big dim", "expanding constant")
    for name, data in files.items():
        file = d / (name.replace(" ", "-").replace("/", "_") + ".onnx")
        file.write_bytes(data)
        for verb, more in (("info", []), ("run", ["--no-profile"]), ("verify", ["--against", "cpu,reference"])):
            if verb == "verify" and name not in ("cycle", "text", *dims, *names) or verb == "run" and "doubling" in name:
                continue
            harmless = verb == "info" and name in ("no inputs of Add", "unknown operator", "unknown domain", "wrong type", "negative dim", *dims)
            wanted = (3, 4) if name in dims else 3
            wanted = (0, 2, 3) if harmless or name == "opset 999" else wanted
            # One line names the file or the node.
            place = {"no inputs of Add": "Add_1", "expanding constant": "ConstantOfShape_1"}.get(name, file.name)
            fails(f"models: {name} ({verb})", wanted, [verb, file.name, *more], d, place, both=verb == "run")
            if name in names and verb == "run":
                fails(f"models: {name} is named", 3, [verb, file.name, *more], d, names[name])
        file.unlink()
    (d / "link.bin").unlink()
    os.mkfifo(d / "pipe.onnx")
    os.symlink("loop.onnx", d / "loop.onnx")
    with open(d / "sparse.onnx", "wb") as f:
        f.truncate(10 << 30)
    (d / "locked.onnx").write_bytes(whole)
    (d / "locked.onnx").chmod(0)
    for name in ("pipe.onnx", "loop.onnx", "sparse.onnx", "locked.onnx", "absent.onnx", ".", "/dev/zero", "/dev/null", "", "small.onnx/x", "a\nb.onnx", "x" * 5000):
        if name == "locked.onnx" and os.geteuid() == 0:
            continue
        for verb in ("info", "run"):
            fails(f"models: {name[:20]!r} ({verb})", (2, 3), [verb, name], d)
    for name in ("pipe.onnx", "loop.onnx", "sparse.onnx", "locked.onnx"):
        (d / name).unlink()


def bad_sessions(d):
    whole = (d / "good.hscope").read_bytes()
    (d / "junk.hscope").write_bytes(os.urandom(9000))
    (d / "empty.hscope").write_bytes(b"")
    (d / "cut.hscope").write_bytes(whole[:len(whole) // 2])
    (d / "head.hscope").write_bytes(whole[:50])
    (d / "damaged.hscope").write_bytes(whole[:4096] + os.urandom(len(whole) - 4096))
    shutil.copy(d / "good.hscope", d / "newer.hscope")
    with sqlite3.connect(d / "newer.hscope") as db:
        db.execute("pragma user_version = 9999")
    db.close()
    with sqlite3.connect(d / "other.hscope") as db:
        db.execute("create table t(a)")
    db.close()
    os.mkfifo(d / "pipe.hscope")
    names = ("junk.hscope", "empty.hscope", "cut.hscope", "head.hscope", "damaged.hscope", "newer.hscope", "other.hscope", ".", "absent.hscope", "small.onnx",
             "/dev/zero", "pipe.hscope")
    for name in names:
        fails(f"sessions: query {name}", 3, ["query", name, "select count(*) from span s join step t on s.step_id = t.id"], d, name)
        if name not in ("absent.hscope", "empty.hscope", "cut.hscope", "damaged.hscope"):
            before = (d / name).read_bytes() if (d / name).is_file() else b""
            fails(f"sessions: run into {name}", (2, 3, 4), ["run", "small.onnx", "--runs", "1", "--session", name], d, name)
            check(f"sessions: {name} is left alone", not before or (d / name).read_bytes() == before, "was changed")
    for name in names:
        if name.endswith(".hscope") and (d / name).exists():
            (d / name).unlink()
    fails("sessions: folder absent", 2, ["run", "small.onnx", "--runs", "1", "--session", "no/such/s.hscope"], d, "no/such")
    if os.geteuid() != 0:
        (d / "locked").mkdir(mode=0o555)
        fails("sessions: folder locked", (2, 4), ["run", "small.onnx", "--runs", "1", "--session", "locked/s.hscope"], d, "locked")


def bad_sql(d):
    before = (d / "good.hscope").read_bytes()
    for sql in ("delete from span", "drop table span", "insert into run(id) values (9)", "update run set label = 'x'", "create table t(a)", "create temp table t(a)",
                "attach 'evil.db' as e", "attach ':memory:' as e", "vacuum", "vacuum into 'copy.db'", "pragma user_version = 3", "pragma journal_mode = delete",
                "pragma writable_schema = 1", "with a as (select 1) insert into run(id) select * from a", "with a as (select 1) delete from run",
                "select 1; delete from span", "select 1; select 2", "replace into run(id) values (1)", "reindex", "analyze", "begin", "begin immediate", "commit",
                "savepoint x", "select load_extension('x')", "select writefile('x.txt', 'y')", "explain delete from span; drop table span", "detach main",
                "selec 1", "", ";", "-- nothing", "/* */", "select", "select * from nowhere", "select nowhere from run", "select 1 where", "select 'a",
                "select randomblob(2000000000)", "select zeroblob(2000000000)", "select hex(zeroblob(900000000))",
                "select fts3_tokenizer('simple')", "select readfile('/etc/passwd')",
                "insert into run(id) values (9) returning id", "alter table run add column x"):
        fails(f"sql: {sql!r}", 2, ["query", "good.hscope", sql], d, both=len(sql) < 20)
    endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c"
    fails("sql: endless", (2, 4), ["query", "good.hscope", endless], d, both=False)
    many = "with recursive c(x) as (select 1 union all select x + 1 from c) select x, printf('%01000d', x) from c"
    done = run(["query", "good.hscope", many, "--limit", "5", "--json"], d)
    check("sql: a limit ends an endless query", done.returncode == 0 and len(json.loads(done.stdout)["rows"]) == 5, done.stderr)
    done = run(["query", "good.hscope", "select 1.5 as a, null as b, 'x,\"y' as c, x'00ff' as d, 9223372036854775807 as e, 9e999 as f", "--json"], d)
    check("sql: every type is JSON", done.returncode == 0 and json.loads(done.stdout)["rows"][0][4] == 9223372036854775807, done.stdout + done.stderr)
    check("sql: the session is unchanged", (d / "good.hscope").read_bytes() == before, "it was changed")


def surroundings(d):
    def shell(command, **env):
        return subprocess.run(["bash", "-c", command], cwd=d, env={**os.environ, "H": HSCOPE, **env}, capture_output=True, text=True, timeout=TIMEOUT_S)

    many = "with recursive c(x) as (select 1 union all select x + 1 from c where x < 300000) select x from c"
    for more in ("", "--csv", "--json"):
        done = shell(f'"$H" query good.hscope "{many}" {more} | head -1; echo ${{PIPESTATUS[0]}}')
        check(f"surroundings: a closed pipe {more}", done.stdout.splitlines()[-1] in ("0", "4", "141") and not done.stderr, done.stdout[-50:] + done.stderr)
    for verb in ("devices", "info small.onnx", "query good.hscope 'select 1'", "zoo", "plan small.onnx", "run small.onnx --no-profile", "devices --json", "--help", "verify case"):
        done = shell(f'"$H" {verb} > /dev/full')
        check(f"surroundings: {verb} > /dev/full", done.returncode == 4 and len(done.stderr.strip().splitlines()) == 1, f"{done.returncode} {done.stderr}")
        done = shell(f'"$H" {verb} >&-')
        check(f"surroundings: {verb} >&-", done.returncode in (0, 4) and len(done.stderr.strip().splitlines()) <= 1, f"{done.returncode} {done.stderr}")
    fails("surroundings: zoo to a full disk", 4, ["zoo", "mlp", "-o", "/dev/full"], d, "/dev/full")
    fails("surroundings: zoo to a folder", (2, 4), ["zoo", "mlp", "-o", "."], d)
    fails("surroundings: zoo to nowhere", (2, 4), ["zoo", "mlp", "-o", "no/such/z.onnx"], d, "no/such")
    done = shell(f'ulimit -f 100; trap "" XFSZ; "$H" zoo mlp -o big.onnx')
    check("surroundings: zoo past a file size limit", done.returncode == 4 and not (d / "big.onnx").exists(), f"{done.returncode} {done.stderr} {os.listdir(d)}")
    for env in ({"HOME": None, "XDG_CACHE_HOME": None}, {"HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent/x"}, {"XDG_CACHE_HOME": "/dev/null"},
                {"LC_ALL": "de_DE.UTF-8"}, {"LC_ALL": "nonsense"}, {"LANG": "tr_TR.UTF-8"}, {"TMPDIR": "/nonexistent"}):
        done = run(["run", "small.onnx", "--no-profile", "--runs", "2", "--json"], d, env)
        check(f"surroundings: {env}", done.returncode == 0 and json.loads(done.stdout)["latency"]["runs"] == 2, done.stderr)
    none = {"HS_DISABLE_PLUGINS": "cpu,onednn"}
    fails("surroundings: no plugins at all", 2, ["run", "small.onnx"], d, "devices", env=none)
    done = run(["devices", "--json"], d, none)
    check("surroundings: devices without plugins", done.returncode == 0 and json.loads(done.stdout)["devices"] == [], done.stderr)
    done = run(["devices", "--json"], d, {"HS_DISABLE_PLUGINS": "onednn"})
    states = {p["id"]: p["state"] for p in json.loads(done.stdout)["plugins"]}
    check("surroundings: a disabled plugin is listed", states.get("onednn") == "Disabled", states)


def signals(d):
    for number in (signal.SIGINT, signal.SIGTERM):
        for args in (["run", "small.onnx", "--runs", "100000000", "--session", f"cut{number}.hscope"], ["run", "small.onnx", "--runs", "100000000", "--no-profile", "--json"]):
            name = f"signals: {signal.Signals(number).name} {' '.join(args[4:])}"
            if WORD not in name:
                continue
            counts["cases"] += 1
            process = subprocess.Popen([HSCOPE, *args], cwd=d, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(1)
            process.send_signal(number)
            try:
                out, err = process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                problems.append(f"{name}: does not end")
                continue
            if process.returncode != 130:
                problems.append(f"{name}: status {process.returncode}: {err!r}")
            if "--json" in args:
                check(name + " gives JSON", json.loads(out).get("status") == "cancelled", out)
            else:
                done = run(["query", args[5], "select status from run", "--json"], d)
                check(name + " marks the run", json.loads(done.stdout)["rows"] == [["cancelled"]], done.stdout + done.stderr)
    endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c"
    process = subprocess.Popen([HSCOPE, "query", "good.hscope", endless], cwd=d, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    check("signals: SIGINT ends a query", process.returncode in (130, -signal.SIGINT), f"{process.returncode} {err}")
    both = [subprocess.Popen([HSCOPE, "run", "small.onnx", "--runs", "200", "--session", "shared.hscope"], cwd=d, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(2)]
    errors = [p.communicate(timeout=60)[1] for p in both]
    check("signals: two runs at once into one session", all(p.returncode in (0, 4) for p in both) and any(p.returncode == 0 for p in both), errors)
    done = run(["query", "shared.hscope", "select status from run", "--json"], d)
    check("signals: that session opens", ["finished"] in json.loads(done.stdout)["rows"], done.stdout + done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        d = pathlib.Path(folder)
        small = graph([node("Relu", ["x"], ["y"])], inputs=[value_info("x", ("N", 4))], outputs=[value_info("y", ("N", 4))])
        (d / "small.onnx").write_bytes(model(small))
        (d / "fixed.onnx").write_bytes(model(graph([node("Relu", ["x"], ["y"])])))
        (d / "case/test_data_set_0").mkdir(parents=True)
        (d / "case/model.onnx").write_bytes(model(graph([node("Relu", ["x"], ["y"])])))
        for file in ("input_0.pb", "output_0.pb"):
            (d / "case/test_data_set_0" / file).write_bytes(float_tensor("t", (1, 4), bytes(16)))
        done = run(["run", "small.onnx", "--runs", "3", "--session", "good.hscope"], d)
        if done.returncode != 0:
            sys.exit(f"cannot begin: {done.stderr.decode()}")
        for part in (bad_flags, bad_inputs, bad_configs, bad_models, bad_sessions, bad_sql, surroundings, signals):
            part(d)
    print("\n".join(problems))
    print(f"{counts['cases']} checks, {len(problems)} problems")
    return 1 if problems or counts["cases"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
