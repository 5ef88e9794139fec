-- The immutable files that shared documents name, in sealed parts. The id is a keyed hash of the content.
create table shared_files (
  id text collate "C" not null,
  part int4 not null,
  content bytea not null,
  touched_at timestamptz not null default now(),
  primary key (id, part)
);
--> statement-breakpoint
-- Compressed and encrypted before: PostgreSQL can make nothing of it smaller.
alter table shared_files alter column content set storage external;
--> statement-breakpoint
-- A keyed hash of the document, by which a node knows a database that was restored from a backup, and the ids of its files with spaces between.
alter table shared_documents add column print text;
--> statement-breakpoint
alter table shared_documents add column files text not null default '';
--> statement-breakpoint
-- Files that no document names. A day is left to whoever uploads one before it publishes the document.
create function forget_shared_files() returns void
language sql security definer set search_path from current as
$$
delete from shared_files f where touched_at < now() - interval '1 day'
  and not exists (select from shared_documents d where f.id = any (string_to_array(d.files, ' ')))
$$;
--> statement-breakpoint
-- When a job that runs once in a fleet was begun last.
create table jobs (
  name text collate "C" primary key,
  due_at timestamptz not null,
  begun_by text not null
);
