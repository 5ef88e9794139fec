-- Verdicts on messages, one per row, without anything of the message. Their links are checks of the same database. Far fewer
-- than checks, and small: the days need no partitions of their own. The sequence of checks numbers them as well.
create table messages (
  request_id uuid not null primary key,
  logged int8 not null default nextval('checks_logged'),
  decision int2 not null check (decision between 0 and 2),
  probability float8 not null check (probability between 0 and 1),
  in_force bytea not null,
  via int2 not null,
  caution bool not null,
  is_whole bool not null,
  link_count int4 not null,
  unchecked int4 not null,
  unread int4 not null,
  reasons bytea not null,
  links bytea not null check (length(links) % 16 = 0),
  client_hash bytea
);
--> statement-breakpoint
-- Most messages are allowed, as checks are.
create index messages_by_decision on messages (decision, request_id) where decision > 0;
--> statement-breakpoint
-- Makes partitions, and drops the oldest day beyond the retention of this database; never today's or yesterday's. A node has
-- no right to change tables, and calls this. Returns how many days it dropped: 0 or 1.
create or replace function maintain_checks() returns int4
language plpgsql security definer set search_path from current set lock_timeout = '2s' as
$$
declare
  a_day constant int8 := 86400000;
  today constant int8 := floor(extract(epoch from clock_timestamp()) * 1000)::int8 / a_day;
  bounds retention;
  first_kept int8;
  total int8;
  oldest text;
begin
  -- One node at a time; the others find it done.
  if not pg_try_advisory_xact_lock(hashtextextended('lurecheck keep_checks', 0)) then
    return 0;
  end if;
  select * into strict bounds from retention;
  perform make_partitions();
  select substring(relname from '\d{8}$') into oldest
  from pg_class join pg_inherits on inhrelid = pg_class.oid
  where inhparent = 'checks'::regclass and relname ~ '^checks_\d{8}$'
    and relname < 'checks_' || to_char(to_timestamp((today - 1) * 86400) at time zone 'UTC', 'YYYYMMDD')
  order by relname limit 1;
  first_kept := case when bounds.days = 0 then 0 else today - bounds.days end;
  if oldest is not null and bounds.bytes > 0 then
    select sum(pg_total_relation_size(inhrelid)) into total
    from pg_inherits where inhparent = 'checks'::regclass;
    if total > bounds.bytes then
      first_kept := greatest(first_kept, extract(epoch from to_date(oldest, 'YYYYMMDD'))::int8 / 86400 + 1);
    end if;
  end if;
  if oldest is not null and bounds.rows > 0 then
    select count(*) into total from checks;
    if total > bounds.rows then
      first_kept := greatest(first_kept, extract(epoch from to_date(oldest, 'YYYYMMDD'))::int8 / 86400 + 1);
    end if;
  end if;
  if first_kept <= 0 then
    return 0;
  end if;
  delete from checks_other where request_id < request_ids_from(first_kept * a_day);
  delete from undelivered where request_id < request_ids_from(first_kept * a_day);
  delete from messages where request_id < request_ids_from(first_kept * a_day);
  delete from counts where period_start_ms < first_kept * a_day;
  perform set_config('lurecheck.folding', 'on', true);
  with gone as (
    delete from blocked where day_ms < first_kept * a_day returning kind, name, node, checks
  ), less as (
    select kind, name, sum(checks) as checks from gone where node = 0 group by 1, 2
  )
  update blocked_sums as s set checks = s.checks - less.checks
  from less where s.kind = less.kind and s.name = less.name;
  delete from blocked_sums where kind in (0, 1) and checks <= 0;
  perform set_config('lurecheck.folding', 'off', true);
  if oldest is null or oldest >= to_char(to_timestamp(first_kept * 86400) at time zone 'UTC', 'YYYYMMDD') then
    return 0;
  end if;
  execute format('drop table %I', 'checks_' || oldest);
  return 1;
end
$$;
