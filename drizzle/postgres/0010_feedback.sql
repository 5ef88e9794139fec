-- Feedback on verdicts, for the operator alone; as `feedback` of a file.
create table feedback (
  id int8 generated always as identity primary key,
  received_at_ms int8 not null,
  verdict text collate "C" not null,
  url text collate "C" not null,
  host text collate "C" not null,
  request_id text collate "C",
  decision text collate "C",
  probability float8,
  model_version text collate "C",
  comment text not null,
  client_hash bytea not null,
  state text collate "C" not null,
  settled_at_ms int8,
  entry text collate "C",
  bytes int4 not null
);
--> statement-breakpoint
-- A client that repeats itself is heard once; a node that sends again what arrived before adds nothing.
create unique index feedback_waiting on feedback (client_hash, md5(url), verdict) where state = 'waiting';
