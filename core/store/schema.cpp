// SPDX-License-Identifier: Apache-2.0
#include "core/store/schema.h"

#include <string>

namespace hs::store {
namespace {

// What is known before a run starts. Rows of model and node are shared by all runs of the same model; what depends on
// the shapes of one run (cost, placement) stands in node_run and value.
constexpr std::string_view kDescriptionTables = R"sql(
CREATE TABLE model(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL, sha256 TEXT NOT NULL, name TEXT NOT NULL,
  ir_version INTEGER NOT NULL, opsets_json TEXT NOT NULL);
CREATE TABLE node(
  id INTEGER PRIMARY KEY, model_id INTEGER NOT NULL REFERENCES model(id), node_index INTEGER NOT NULL,
  name TEXT NOT NULL, op_type TEXT NOT NULL, domain TEXT NOT NULL, graph TEXT NOT NULL,
  flops REAL NOT NULL, bytes REAL NOT NULL, info_json TEXT NOT NULL);
CREATE UNIQUE INDEX node_by_model ON node(model_id, node_index);
CREATE TABLE run(
  id INTEGER PRIMARY KEY, model_id INTEGER NOT NULL REFERENCES model(id), label TEXT NOT NULL, config_json TEXT NOT NULL,
  status TEXT NOT NULL CHECK(status IN ('running','finished','failed','cancelled')),
  started_at TEXT NOT NULL, finished_at TEXT, host_json TEXT NOT NULL, message TEXT NOT NULL DEFAULT '',
  plan_json TEXT NOT NULL, result_json TEXT NOT NULL DEFAULT '', recording_json TEXT NOT NULL DEFAULT '', clock TEXT NOT NULL,
  pid INTEGER NOT NULL, process_start INTEGER NOT NULL, boot_id TEXT NOT NULL);
CREATE TABLE device(
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run(id), device_index INTEGER NOT NULL, name TEXT NOT NULL,
  plugin TEXT NOT NULL, kind TEXT NOT NULL, simulated INTEGER NOT NULL, properties_json TEXT NOT NULL);
CREATE INDEX device_by_run ON device(run_id);
CREATE TABLE node_run(
  run_id INTEGER NOT NULL REFERENCES run(id), node_id INTEGER NOT NULL REFERENCES node(id),
  outcome TEXT NOT NULL, device TEXT NOT NULL, executor TEXT NOT NULL, requested_device TEXT NOT NULL,
  reason_code TEXT NOT NULL, reason_args_json TEXT NOT NULL, reason_text TEXT NOT NULL,
  flops REAL NOT NULL, bytes REAL NOT NULL, info_json TEXT NOT NULL,
  PRIMARY KEY(run_id, node_id)) WITHOUT ROWID;
CREATE TABLE value(
  run_id INTEGER NOT NULL REFERENCES run(id), value_index INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
  bytes INTEGER, producer_node_id INTEGER REFERENCES node(id),
  PRIMARY KEY(run_id, value_index)) WITHOUT ROWID;
CREATE TABLE step(
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run(id), step_index INTEGER NOT NULL,
  device_id INTEGER REFERENCES device(id), executor TEXT NOT NULL, kernel TEXT NOT NULL, precision TEXT NOT NULL,
  label TEXT NOT NULL, predicted_ns REAL NOT NULL, flops REAL NOT NULL, bytes REAL NOT NULL, node_count INTEGER NOT NULL);
CREATE INDEX step_by_run ON step(run_id);
CREATE TABLE step_node(
  step_id INTEGER NOT NULL REFERENCES step(id), node_id INTEGER NOT NULL REFERENCES node(id), share REAL NOT NULL,
  run_id INTEGER NOT NULL REFERENCES run(id), PRIMARY KEY(step_id, node_id)) WITHOUT ROWID;
CREATE INDEX step_node_by_node ON step_node(node_id, run_id);
CREATE TABLE planned_slot(
  run_id INTEGER NOT NULL REFERENCES run(id), device_id INTEGER REFERENCES device(id), value_index INTEGER NOT NULL,
  value_name TEXT NOT NULL, offset INTEGER NOT NULL, bytes INTEGER NOT NULL, first_step INTEGER NOT NULL, last_step INTEGER NOT NULL);
CREATE INDEX planned_slot_by_run ON planned_slot(run_id);
)sql";

// What a run adds while it goes on. span_row keeps numbers only (a name or category as text in every row would double
// the file and halve the rate); the view `span` is what people read. span_block is a map of times over span_row's ids,
// so that a window can be read without an index. The numbers of category are those of SpanCategory (core/trace/events.h).
constexpr std::string_view kRecordTables = R"sql(
CREATE TABLE track(
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run(id), device_id INTEGER REFERENCES device(id),
  kind TEXT NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL, peer_device_id INTEGER REFERENCES device(id),
  first_ns INTEGER, last_ns INTEGER);
CREATE INDEX track_by_run ON track(run_id);
CREATE TABLE span_name(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE span_row(
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL, track_id INTEGER NOT NULL, iteration INTEGER, start_ns INTEGER NOT NULL,
  dur_ns INTEGER NOT NULL, category INTEGER NOT NULL, name_id INTEGER, step_id INTEGER, correlation_id INTEGER, bytes INTEGER);
CREATE INDEX span_long ON span_row(run_id, start_ns) WHERE dur_ns >= 67108864;
CREATE TABLE span_block(
  run_id INTEGER NOT NULL, first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL,
  PRIMARY KEY(run_id, first_id)) WITHOUT ROWID;
CREATE TABLE lod_level(
  run_id INTEGER NOT NULL, level INTEGER NOT NULL, width_ns INTEGER NOT NULL, PRIMARY KEY(run_id, level)) WITHOUT ROWID;
CREATE TABLE span_lod(
  track_id INTEGER NOT NULL, level INTEGER NOT NULL, bucket INTEGER NOT NULL, spans INTEGER NOT NULL, busy_ns INTEGER NOT NULL,
  top_step_id INTEGER, top_step_ns INTEGER NOT NULL, top_category INTEGER NOT NULL, top_category_ns INTEGER NOT NULL,
  PRIMARY KEY(track_id, level, bucket)) WITHOUT ROWID;
CREATE TABLE step_stat(
  step_id INTEGER PRIMARY KEY REFERENCES step(id), run_id INTEGER NOT NULL, calls INTEGER NOT NULL, total_ns INTEGER NOT NULL,
  min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, p50_ns REAL, p95_ns REAL);
CREATE INDEX step_stat_by_run ON step_stat(run_id);
CREATE TABLE device_usage(
  device_id INTEGER PRIMARY KEY REFERENCES device(id), run_id INTEGER NOT NULL, extent_ns INTEGER NOT NULL,
  busy_ns INTEGER NOT NULL, copy_ns INTEGER NOT NULL, peak_bytes INTEGER NOT NULL);
CREATE TABLE transfer(
  track_id INTEGER PRIMARY KEY REFERENCES track(id), run_id INTEGER NOT NULL, copies INTEGER NOT NULL, bytes INTEGER NOT NULL,
  total_ns INTEGER NOT NULL);
CREATE TABLE counter(track_id INTEGER NOT NULL REFERENCES track(id), ts_ns INTEGER NOT NULL, value REAL NOT NULL);
CREATE INDEX counter_by_track ON counter(track_id, ts_ns);
CREATE TABLE memory_event(
  run_id INTEGER NOT NULL REFERENCES run(id), device_id INTEGER REFERENCES device(id), ts_ns INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('alloc','free')), bytes INTEGER NOT NULL, buffer INTEGER NOT NULL, value_name TEXT);
CREATE INDEX memory_event_by_run ON memory_event(run_id);
CREATE TABLE message(run_id INTEGER NOT NULL REFERENCES run(id), ts_ns INTEGER NOT NULL, severity TEXT NOT NULL, text TEXT NOT NULL);
CREATE INDEX message_by_run ON message(run_id);
)sql";

// op_stats: step_stat holds each step's exact sums; step_node.share divides them over the step's nodes, so that the
// sum of total_ns over a run's nodes is the sum over its steps. Flops per nanosecond are GFLOP/s.
constexpr std::string_view kViews = R"sql(
CREATE VIEW span AS
SELECT s.id, s.run_id, s.track_id, s.iteration, s.start_ns, s.dur_ns,
       CASE s.category WHEN 0 THEN 'op' WHEN 1 THEN 'kernel' WHEN 2 THEN 'copy' WHEN 3 THEN 'compile' WHEN 4 THEN 'wait'
                       WHEN 5 THEN 'api' ELSE 'load' END AS category,
       COALESCE(n.name, p.label, '') AS name, s.step_id, s.correlation_id, s.bytes
FROM span_row s LEFT JOIN span_name n ON n.id = s.name_id LEFT JOIN step p ON p.id = s.step_id;

CREATE VIEW op_stats AS
WITH run_total AS (SELECT run_id, SUM(total_ns) AS total_ns FROM step_stat GROUP BY run_id),
node_time AS (
  SELECT r.run_id, r.node_id, r.flops, r.bytes, r.outcome, COALESCE(MIN(d.name), r.device) AS device,
         COALESCE(MIN(st.executor), r.executor) AS executor, COALESCE(SUM(t.calls), 0) AS calls,
         COALESCE(SUM(t.total_ns * sn.share), 0.0) AS total_ns, SUM(t.p50_ns * sn.share) AS p50_ns, SUM(t.p95_ns * sn.share) AS p95_ns,
         MIN(CASE WHEN st.node_count > 1 THEN st.label END) AS fused_with
  FROM node_run r LEFT JOIN step_node sn ON sn.node_id = r.node_id AND sn.run_id = r.run_id
       LEFT JOIN step st ON st.id = sn.step_id LEFT JOIN step_stat t ON t.step_id = sn.step_id LEFT JOIN device d ON d.id = st.device_id
  GROUP BY r.run_id, r.node_id)
SELECT t.run_id, t.node_id, n.name, n.op_type, t.device, t.executor, t.calls, t.total_ns,
       CASE WHEN t.calls > 0 THEN t.total_ns / t.calls END AS mean_ns,
       CASE WHEN t.calls > 0 THEN t.p50_ns END AS p50_ns, CASE WHEN t.calls > 0 THEN t.p95_ns END AS p95_ns,
       CASE WHEN a.total_ns > 0 THEN t.total_ns / a.total_ns ELSE 0.0 END AS share,
       CASE WHEN t.total_ns > 0 THEN t.flops * t.calls / t.total_ns END AS gflops,
       CASE WHEN t.total_ns > 0 THEN t.bytes * t.calls / t.total_ns END AS gbps,
       CASE WHEN t.outcome IN ('executed', 'fused') AND t.calls = 0 AND u.status <> 'running' THEN 'not_reached' ELSE t.outcome END AS outcome,
       t.fused_with
FROM node_time t JOIN node n ON n.id = t.node_id JOIN run u ON u.id = t.run_id LEFT JOIN run_total a ON a.run_id = t.run_id;

CREATE VIEW device_stats AS
SELECT d.run_id, d.name AS device, COALESCE(u.busy_ns, 0) AS busy_ns, MAX(COALESCE(u.extent_ns - u.busy_ns, 0), 0) AS idle_ns,
       COALESCE(u.copy_ns, 0) AS copy_ns,
       CASE WHEN u.extent_ns > 0 THEN MIN(1.0, 1.0 * u.busy_ns / u.extent_ns) ELSE 0.0 END AS utilisation,
       COALESCE(u.peak_bytes, 0) AS peak_bytes
FROM device d LEFT JOIN device_usage u ON u.device_id = d.id;

CREATE VIEW transfer_stats AS
SELECT x.run_id, COALESCE(a.name, 'host') AS from_device, COALESCE(b.name, 'host') AS to_device, SUM(x.copies) AS copies,
       SUM(x.bytes) AS bytes, SUM(x.total_ns) AS total_ns,
       CASE WHEN SUM(x.total_ns) > 0 THEN 1.0 * SUM(x.bytes) / SUM(x.total_ns) END AS gbps
FROM transfer x JOIN track t ON t.id = x.track_id LEFT JOIN device a ON a.id = t.device_id LEFT JOIN device b ON b.id = t.peer_device_id
GROUP BY x.run_id, t.device_id, t.peer_device_id;
)sql";

}  // namespace

std::string_view schemaSql() {
    static const std::string sql = std::string(kDescriptionTables) + std::string(kRecordTables) + std::string(kViews);
    return sql;
}

std::string_view dropSpanIndexesSql() {
    return "DROP INDEX IF EXISTS span_by_start; DROP INDEX IF EXISTS span_by_step;";
}

std::string_view createSpanIndexesSql() {
    return "CREATE INDEX IF NOT EXISTS span_by_start ON span_row(run_id, start_ns);"
           "CREATE INDEX IF NOT EXISTS span_by_step ON span_row(step_id) WHERE step_id IS NOT NULL;";
}

}  // namespace hs::store
