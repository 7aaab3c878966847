-- SPDX-License-Identifier: Apache-2.0
-- A session of schema version 1 as it was released. Never change it: a later program must still open it.
PRAGMA application_id = 1213416272;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE counter(track_id INTEGER NOT NULL REFERENCES track(id), ts_ns INTEGER NOT NULL, value REAL NOT NULL);
INSERT INTO "counter" VALUES(2,400,123.5);
CREATE TABLE device(
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run(id), device_index INTEGER NOT NULL, name TEXT NOT NULL,
  plugin TEXT NOT NULL, kind TEXT NOT NULL, simulated INTEGER NOT NULL, properties_json TEXT NOT NULL);
INSERT INTO "device" VALUES(1,1,0,'cpu:0','cpu','cpu',0,'{}');
CREATE TABLE device_usage(
  device_id INTEGER PRIMARY KEY REFERENCES device(id), run_id INTEGER NOT NULL, extent_ns INTEGER NOT NULL,
  busy_ns INTEGER NOT NULL, copy_ns INTEGER NOT NULL, peak_bytes INTEGER NOT NULL);
INSERT INTO "device_usage" VALUES(1,1,400000,160000,0,1500);
CREATE TABLE lod_level(
  run_id INTEGER NOT NULL, level INTEGER NOT NULL, width_ns INTEGER NOT NULL, PRIMARY KEY(run_id, level)) WITHOUT ROWID;
INSERT INTO "lod_level" VALUES(1,0,16384);
INSERT INTO "lod_level" VALUES(1,1,131072);
INSERT INTO "lod_level" VALUES(1,2,1048576);
INSERT INTO "lod_level" VALUES(1,3,8388608);
INSERT INTO "lod_level" VALUES(1,4,67108864);
INSERT INTO "lod_level" VALUES(1,5,536870912);
INSERT INTO "lod_level" VALUES(1,6,4294967296);
INSERT INTO "lod_level" VALUES(1,7,34359738368);
INSERT INTO "lod_level" VALUES(1,8,274877906944);
CREATE TABLE memory_event(
  run_id INTEGER NOT NULL REFERENCES run(id), device_id INTEGER REFERENCES device(id), ts_ns INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('alloc','free')), bytes INTEGER NOT NULL, buffer INTEGER NOT NULL, value_name TEXT);
INSERT INTO "memory_event" VALUES(1,1,100,'alloc',1500,1,NULL);
INSERT INTO "memory_event" VALUES(1,1,900000,'free',1500,1,NULL);
CREATE TABLE message(run_id INTEGER NOT NULL REFERENCES run(id), ts_ns INTEGER NOT NULL, severity TEXT NOT NULL, text TEXT NOT NULL);
INSERT INTO "message" VALUES(1,1000,'info','hello');
CREATE TABLE model(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL, sha256 TEXT NOT NULL, name TEXT NOT NULL,
  ir_version INTEGER NOT NULL, opsets_json TEXT NOT NULL);
INSERT INTO "model" VALUES(1,'model.onnx','ab12','small',8,'{"":17}');
CREATE TABLE node(
  id INTEGER PRIMARY KEY, model_id INTEGER NOT NULL REFERENCES model(id), node_index INTEGER NOT NULL,
  name TEXT NOT NULL, op_type TEXT NOT NULL, domain TEXT NOT NULL, graph TEXT NOT NULL,
  flops REAL NOT NULL, bytes REAL NOT NULL, info_json TEXT NOT NULL);
INSERT INTO "node" VALUES(1,1,0,'conv0','Conv','','',1000000.0,1000.0,'{}');
INSERT INTO "node" VALUES(2,1,1,'conv1','Conv','','',3000000.0,1000.0,'{}');
INSERT INTO "node" VALUES(3,1,2,'relu1','Relu','','',1000.0,1000.0,'{}');
INSERT INTO "node" VALUES(4,1,3,'shape','Shape','','',0.0,1000.0,'{}');
INSERT INTO "node" VALUES(5,1,4,'late','Add','','then_branch',10.0,1000.0,'{}');
CREATE TABLE node_run(
  run_id INTEGER NOT NULL REFERENCES run(id), node_id INTEGER NOT NULL REFERENCES node(id),
  outcome TEXT NOT NULL, device TEXT NOT NULL, executor TEXT NOT NULL, requested_device TEXT NOT NULL,
  reason_code TEXT NOT NULL, reason_args_json TEXT NOT NULL, reason_text TEXT NOT NULL,
  flops REAL NOT NULL, bytes REAL NOT NULL, info_json TEXT NOT NULL,
  PRIMARY KEY(run_id, node_id)) WITHOUT ROWID;
INSERT INTO "node_run" VALUES(1,1,'executed','cpu:0','onednn','','plan.best_available','[]','',1000000.0,1000.0,'{}');
INSERT INTO "node_run" VALUES(1,2,'fused','cpu:0','onednn','','plan.best_available','[]','',3000000.0,1000.0,'{}');
INSERT INTO "node_run" VALUES(1,3,'fused','cpu:0','onednn','','plan.best_available','[]','',1000.0,1000.0,'{}');
INSERT INTO "node_run" VALUES(1,4,'folded','','','','plan.folded','[]','',0.0,1000.0,'{}');
INSERT INTO "node_run" VALUES(1,5,'executed','cpu:0','onednn','','plan.best_available','[]','',10.0,1000.0,'{}');
CREATE TABLE planned_slot(
  run_id INTEGER NOT NULL REFERENCES run(id), device_id INTEGER REFERENCES device(id), value_index INTEGER NOT NULL,
  value_name TEXT NOT NULL, offset INTEGER NOT NULL, bytes INTEGER NOT NULL, first_step INTEGER NOT NULL, last_step INTEGER NOT NULL);
INSERT INTO "planned_slot" VALUES(1,1,7,'y',0,768,0,1);
CREATE TABLE run(
  id INTEGER PRIMARY KEY, model_id INTEGER NOT NULL REFERENCES model(id), label TEXT NOT NULL, config_json TEXT NOT NULL,
  status TEXT NOT NULL CHECK(status IN ('running','finished','failed','cancelled')),
  started_at TEXT NOT NULL, finished_at TEXT, host_json TEXT NOT NULL, message TEXT NOT NULL DEFAULT '',
  plan_json TEXT NOT NULL, result_json TEXT NOT NULL DEFAULT '', recording_json TEXT NOT NULL DEFAULT '', clock TEXT NOT NULL,
  pid INTEGER NOT NULL, process_start INTEGER NOT NULL, boot_id TEXT NOT NULL);
INSERT INTO "run" VALUES(1,1,'small on cpu','{}','finished','2026-01-31T12:00:00.000Z','2026-01-31T12:00:01.000Z','{}','','{}','{"latency":{"runs":4}}','{"mode":"full","detail_every":1,"spans":9,"dropped":0,"iterations":4,"detailed_iterations":4}','tsc, one domain',4242,99,'00000000-0000-0000-0000-000000000000');
CREATE TABLE span_block(
  run_id INTEGER NOT NULL, first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL,
  PRIMARY KEY(run_id, first_id)) WITHOUT ROWID;
INSERT INTO "span_block" VALUES(1,1,9,0,1350000);
CREATE TABLE span_lod(
  track_id INTEGER NOT NULL, level INTEGER NOT NULL, bucket INTEGER NOT NULL, spans INTEGER NOT NULL, busy_ns INTEGER NOT NULL,
  top_step_id INTEGER, top_step_ns INTEGER NOT NULL, top_category INTEGER NOT NULL, top_category_ns INTEGER NOT NULL,
  PRIMARY KEY(track_id, level, bucket)) WITHOUT ROWID;
INSERT INTO "span_lod" VALUES(1,8,0,9,660000,2,120000,6,500000);
CREATE TABLE span_name(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "span_name" VALUES(1,'load model');
CREATE TABLE span_row(
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL, track_id INTEGER NOT NULL, iteration INTEGER, start_ns INTEGER NOT NULL,
  dur_ns INTEGER NOT NULL, category INTEGER NOT NULL, name_id INTEGER, step_id INTEGER, correlation_id INTEGER, bytes INTEGER);
INSERT INTO "span_row" VALUES(1,1,1,NULL,0,500000,6,1,NULL,NULL,NULL);
INSERT INTO "span_row" VALUES(2,1,1,0,1000000,10000,0,NULL,1,NULL,NULL);
INSERT INTO "span_row" VALUES(3,1,1,0,1020000,30000,0,NULL,2,NULL,NULL);
INSERT INTO "span_row" VALUES(4,1,1,1,1100000,10000,0,NULL,1,NULL,NULL);
INSERT INTO "span_row" VALUES(5,1,1,1,1120000,30000,0,NULL,2,NULL,NULL);
INSERT INTO "span_row" VALUES(6,1,1,2,1200000,10000,0,NULL,1,NULL,NULL);
INSERT INTO "span_row" VALUES(7,1,1,2,1220000,30000,0,NULL,2,NULL,NULL);
INSERT INTO "span_row" VALUES(8,1,1,3,1300000,10000,0,NULL,1,NULL,NULL);
INSERT INTO "span_row" VALUES(9,1,1,3,1320000,30000,0,NULL,2,NULL,NULL);
CREATE TABLE step(
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run(id), step_index INTEGER NOT NULL,
  device_id INTEGER REFERENCES device(id), executor TEXT NOT NULL, kernel TEXT NOT NULL, precision TEXT NOT NULL,
  label TEXT NOT NULL, predicted_ns REAL NOT NULL, flops REAL NOT NULL, bytes REAL NOT NULL, node_count INTEGER NOT NULL);
INSERT INTO "step" VALUES(1,1,0,1,'onednn','onednn:Conv','float32','conv0',1000.0,0.0,0.0,1);
INSERT INTO "step" VALUES(2,1,1,1,'onednn','onednn:Conv+Relu','float32','conv1+relu1',1000.0,0.0,0.0,2);
INSERT INTO "step" VALUES(3,1,2,1,'onednn','reference:Add','float32','late',1000.0,0.0,0.0,1);
CREATE TABLE step_node(
  step_id INTEGER NOT NULL REFERENCES step(id), node_id INTEGER NOT NULL REFERENCES node(id), share REAL NOT NULL,
  run_id INTEGER NOT NULL REFERENCES run(id), PRIMARY KEY(step_id, node_id)) WITHOUT ROWID;
INSERT INTO "step_node" VALUES(1,1,1.0,1);
INSERT INTO "step_node" VALUES(2,2,0.75,1);
INSERT INTO "step_node" VALUES(2,3,0.25,1);
INSERT INTO "step_node" VALUES(3,5,1.0,1);
CREATE TABLE step_stat(
  step_id INTEGER PRIMARY KEY REFERENCES step(id), run_id INTEGER NOT NULL, calls INTEGER NOT NULL, total_ns INTEGER NOT NULL,
  min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, p50_ns REAL, p95_ns REAL);
INSERT INTO "step_stat" VALUES(1,1,4,40000,10000,10000,10000.0,10000.0);
INSERT INTO "step_stat" VALUES(2,1,4,120000,30000,30000,30000.0,30000.0);
CREATE TABLE track(
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run(id), device_id INTEGER REFERENCES device(id),
  kind TEXT NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL, peer_device_id INTEGER REFERENCES device(id),
  first_ns INTEGER, last_ns INTEGER);
INSERT INTO "track" VALUES(1,1,1,'thread','main','',NULL,0,1400000);
INSERT INTO "track" VALUES(2,1,NULL,'counter','RSS','bytes',NULL,NULL,NULL);
CREATE TABLE transfer(
  track_id INTEGER PRIMARY KEY REFERENCES track(id), run_id INTEGER NOT NULL, copies INTEGER NOT NULL, bytes INTEGER NOT NULL,
  total_ns INTEGER NOT NULL);
CREATE TABLE value(
  run_id INTEGER NOT NULL REFERENCES run(id), value_index INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
  bytes INTEGER, producer_node_id INTEGER REFERENCES node(id),
  PRIMARY KEY(run_id, value_index)) WITHOUT ROWID;
INSERT INTO "value" VALUES(1,0,'x','float32[1,3,8,8]',768,NULL);
INSERT INTO "value" VALUES(1,7,'y','float32[1,3,8,8]',768,1);
CREATE UNIQUE INDEX node_by_model ON node(model_id, node_index);
CREATE INDEX device_by_run ON device(run_id);
CREATE INDEX step_by_run ON step(run_id);
CREATE INDEX step_node_by_node ON step_node(node_id, run_id);
CREATE INDEX planned_slot_by_run ON planned_slot(run_id);
CREATE INDEX track_by_run ON track(run_id);
CREATE INDEX span_long ON span_row(run_id, start_ns) WHERE dur_ns >= 67108864;
CREATE INDEX step_stat_by_run ON step_stat(run_id);
CREATE INDEX counter_by_track ON counter(track_id, ts_ns);
CREATE INDEX memory_event_by_run ON memory_event(run_id);
CREATE INDEX message_by_run ON message(run_id);
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
COMMIT;
