#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_reconcile.py HSCOPE (zoo:NAME | MODEL) [run's arguments …]: runs a model and holds its session against itself.

Every node of the model is accounted for, the steps' time and the named rest add up to the iterations' time, nothing is negative,
and every step lies within its iteration. The session is read with Python's own sqlite3. Exit status 77 (skipped) when MODEL is absent.
"""
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

SKIPPED = 77
RUNS = 12
OUTCOMES = {"executed", "fused", "folded", "eliminated", "not_reached"}
SLACK_SHARE = 0.01
SLACK_NS = 50_000
ROUNDING_NS = 2


def fail(text):
    print("FAIL:", text)
    sys.exit(1)


def run(hscope, model, session, args):
    command = [hscope, "run", model, "--runs", str(RUNS), "--session", session, "--json", *args]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{' '.join(command)}: status {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def check_nodes(one, rows):
    nodes = one("select count(*) from node")
    stats = rows("select name, outcome, calls, total_ns from op_stats")
    if len(stats) != nodes or nodes == 0:
        fail(f"{nodes} nodes, {len(stats)} rows in op_stats")
    for name, outcome, calls, total in stats:
        if outcome not in OUTCOMES:
            fail(f"{name}: outcome {outcome}")
        if total < 0 or (calls > 0) != (outcome in ("executed", "fused")):
            fail(f"{name}: outcome {outcome} with {calls} calls and {total} ns")
    return sum(total for *_, total in stats)


def check_sums(one, steps_ns):
    wall = one("select sum(dur_ns) from span where name = 'iteration'")
    count = one("select count(*) from span where name = 'iteration'")
    parts = json.loads(one("select result_json from run"))["reconciliation"]
    if count != RUNS or parts["iterations"] != RUNS:
        fail(f"{count} iterations recorded, {parts['iterations']} reported, {RUNS} asked for")
    rest = parts["dispatch_ns"] * count
    slack = max(SLACK_SHARE * wall, SLACK_NS)
    print(f"wall {wall / 1e6:.3f} ms = steps {steps_ns / 1e6:.3f} + dispatch {rest / 1e6:.3f}, off by {(steps_ns + rest - wall) / 1e3:.1f} us")
    if rest < 0 or abs(steps_ns + rest - wall) > slack or abs(parts["wall_ns"] * count - wall) > slack:
        fail(f"the parts do not add up: {parts} times {count} against {wall} ns in iterations and {steps_ns} ns in steps")


def check_spans(one):
    if one("select count(*) from span where dur_ns < 0 or start_ns < 0"):
        fail("negative times")
    outside = one(
        "select count(*) from span s join span i on i.name = 'iteration' and i.iteration = s.iteration where s.step_id is not null"
        f" and (s.start_ns < i.start_ns - {ROUNDING_NS} or s.start_ns + s.dur_ns > i.start_ns + i.dur_ns + {ROUNDING_NS})")
    if outside:
        fail(f"{outside} spans lie outside of their iteration")
    recording = json.loads(one("select recording_json from run"))
    if recording["dropped"] != 0:
        fail(f"spans were dropped: {recording}")
    if recording["mode"] == "full" and one("select count(distinct iteration) from span where step_id is not null and iteration >= 0") != RUNS:
        fail("an iteration is without spans, though all were to be kept")


def main():
    hscope, model, *args = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        if model.startswith("zoo:"):
            path = str(pathlib.Path(folder) / "model.onnx")
            subprocess.run([hscope, "zoo", model[4:], "-o", path], check=True, capture_output=True)
        elif pathlib.Path(model).exists():
            path = model
        else:
            print(f"skipped: {model} is absent")
            sys.exit(SKIPPED)
        session = str(pathlib.Path(folder) / "s.hscope")
        report = run(hscope, path, session, args)
        if report["status"] != "finished":
            fail(f"status {report['status']}")
        database = sqlite3.connect(f"file:{session}?mode=ro", uri=True)
        rows = lambda sql: database.execute(sql).fetchall()
        one = lambda sql: rows(sql)[0][0]
        if one("select status from run") != "finished":
            fail("the session does not say that the run finished")
        check_sums(one, check_nodes(one, rows))
        check_spans(one)
        print(f"profiling costs {report['profile_overhead']:+.2%} ± {report['profile_overhead_noise']:.2%}")


if __name__ == "__main__":
    main()
