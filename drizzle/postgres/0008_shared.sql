-- The files that all nodes share, compressed and encrypted by a key from their client_key_file. Each change of a document adds 1
-- to its version. Content is null if the fleet has no such file.
create table shared_documents (
  name text collate "C" primary key,
  version int8 not null,
  content bytea,
  changed_at timestamptz not null default now(),
  changed_by text not null
);
