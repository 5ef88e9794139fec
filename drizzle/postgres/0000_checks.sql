-- Both databases have the same tables; those of public figures stay empty in the private one.
create sequence checks_logged;
--> statement-breakpoint
create table checks (
  request_id uuid not null,
  logged int8 not null default nextval('checks_logged'),
  decision int2 not null check (decision between 0 and 2),
  probability float8 not null check (probability between 0 and 1),
  answer_time_bucket int2 not null,
  client_hash bytea,
  host text collate "C",
  url text not null,
  in_force bytea not null,
  record bytea not null,
  primary key (request_id)
) partition by range (request_id);
--> statement-breakpoint
create index checks_by_decision on checks (decision, request_id);
--> statement-breakpoint
create index checks_by_logged on checks (logged);
--> statement-breakpoint
create table check_domains (
  domain text collate "C" not null,
  decision int2 not null,
  request_id uuid not null,
  primary key (domain, decision, request_id)
) partition by range (request_id);
--> statement-breakpoint
-- A check of a day for which there is no partition: of a clock that is wrong, or out of a spool that came home late.
create table checks_other partition of checks default;
--> statement-breakpoint
create table check_domains_other partition of check_domains default;
--> statement-breakpoint
create table in_force (id bytea primary key, settings text not null);
--> statement-breakpoint
create table undelivered (request_id uuid primary key);
--> statement-breakpoint
create table counts (
  measure int2 not null,
  period_start_ms int8 not null,
  bucket int2 not null,
  node int2 not null,
  checks int8 not null,
  primary key (measure, period_start_ms, bucket, node)
) with (fillfactor = 50);
--> statement-breakpoint
create table blocked (
  day_ms int8 not null,
  kind int2 not null,
  name text collate "C" not null,
  node int2 not null,
  checks int8 not null,
  primary key (day_ms, kind, name, node)
) with (fillfactor = 70);
--> statement-breakpoint
create table nodes (
  id int2 generated always as identity primary key,
  name text not null unique,
  version text not null,
  model_version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  ahead_ms int8 not null
);
--> statement-breakpoint
-- What every request id of this millisecond or a later one is not below.
create function request_ids_from(ms int8) returns uuid language sql immutable as
  $$ select (lpad(to_hex(ms), 12, '0') || repeat('0', 20))::uuid $$;
--> statement-breakpoint
-- Makes the partitions of the days to come, and drops the oldest day of those that are over the age. A node has no right
-- to change tables, and calls this, which never drops what is younger than a day. Answers how many days it dropped: 0 or 1.
create function keep_checks(keep_days int4) returns int4
language plpgsql security definer set search_path from current set lock_timeout = '2s' as
$$
declare
  a_day constant int8 := 86400000;
  today constant int8 := floor(extract(epoch from clock_timestamp()) * 1000)::int8 / a_day;
  first_kept constant int8 := today - greatest(keep_days, 1);
  oldest text;
begin
  -- One node at a time; the others find it done.
  if not pg_try_advisory_xact_lock(hashtextextended('lurecheck keep_checks', 0)) then
    return 0;
  end if;
  for day in today - 1 .. today + 7 loop
    continue when to_regclass('checks_' || to_char(to_timestamp(day * 86400) at time zone 'UTC', 'YYYYMMDD')) is not null;
    -- Rows that came before their partition stay where they are.
    continue when exists (
      select from checks_other
      where request_id >= request_ids_from(day * a_day) and request_id < request_ids_from((day + 1) * a_day)
    );
    execute format(
      'create table %1$I partition of checks for values from (%3$L) to (%4$L);
       create table %2$I partition of check_domains for values from (%3$L) to (%4$L)',
      'checks_' || to_char(to_timestamp(day * 86400) at time zone 'UTC', 'YYYYMMDD'),
      'check_domains_' || to_char(to_timestamp(day * 86400) at time zone 'UTC', 'YYYYMMDD'),
      request_ids_from(day * a_day), request_ids_from((day + 1) * a_day)
    );
  end loop;
  if keep_days <= 0 then
    return 0;
  end if;
  delete from checks_other where request_id < request_ids_from(first_kept * a_day);
  delete from check_domains_other where request_id < request_ids_from(first_kept * a_day);
  delete from undelivered where request_id < request_ids_from(first_kept * a_day);
  delete from counts where period_start_ms < first_kept * a_day;
  delete from blocked where day_ms < first_kept * a_day;
  select substring(relname from '\d{8}$') into oldest
  from pg_class join pg_inherits on inhrelid = pg_class.oid
  where inhparent = 'checks'::regclass and relname ~ '^checks_\d{8}$'
    and relname < 'checks_' || to_char(to_timestamp(first_kept * 86400) at time zone 'UTC', 'YYYYMMDD')
  order by relname limit 1;
  if oldest is null then
    return 0;
  end if;
  execute format('drop table %I, %I', 'checks_' || oldest, 'check_domains_' || oldest);
  return 1;
end
$$;
