-- Retention belongs to the database: its owner sets it, and no node can shorten it. 0 sets no bound.
create table retention (
  is_only boolean primary key default true check (is_only),
  days int4 not null check (days >= 0),
  bytes int8 not null default 0 check (bytes >= 0),
  rows int8 not null default 0 check (rows >= 0)
);
--> statement-breakpoint
-- A log that was kept for longer than the default of 90 days is kept for good until its owner sets a bound.
insert into retention (days)
select case when exists (
  select from pg_class join pg_inherits on inhrelid = pg_class.oid
  where inhparent = 'checks'::regclass and relname ~ '^checks_\d{8}$'
    and relname < 'checks_' || to_char(now() at time zone 'UTC' - interval '91 days', 'YYYYMMDD')
) then 0 else 90 end;
--> statement-breakpoint
-- The sums of `blocked` over all days, of what was folded under the node 0. What nodes count since stands beside it.
create table blocked_sums (
  kind int2 not null,
  name text collate "C" not null,
  checks int8 not null,
  primary key (kind, name)
);
--> statement-breakpoint
create index blocked_sums_by_checks on blocked_sums (kind, checks desc, name desc);
--> statement-breakpoint
create index blocked_open on blocked (day_ms) where node <> 0;
--> statement-breakpoint
insert into blocked_sums (kind, name, checks)
select kind, name, sum(checks) from blocked where node = 0 group by 1, 2;
--> statement-breakpoint
-- Deletions and retention change folded rows one by one; folding itself changes the sums at once.
create function sum_blocked() returns trigger
language plpgsql security definer set search_path from current as
$$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    update blocked_sums set checks = checks - old.checks where kind = old.kind and name = old.name;
    delete from blocked_sums where kind = old.kind and name = old.name and checks <= 0;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    insert into blocked_sums as s (kind, name, checks) values (new.kind, new.name, new.checks)
    on conflict (kind, name) do update set checks = s.checks + excluded.checks;
  end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger sum_blocked_insert after insert on blocked for each row
  when (new.node = 0 and current_setting('lurecheck.folding', true) is distinct from 'on') execute function sum_blocked();
--> statement-breakpoint
create trigger sum_blocked_change after update on blocked for each row
  when (new.node = 0 and current_setting('lurecheck.folding', true) is distinct from 'on') execute function sum_blocked();
--> statement-breakpoint
create trigger sum_blocked_delete after delete on blocked for each row
  when (old.node = 0 and current_setting('lurecheck.folding', true) is distinct from 'on') execute function sum_blocked();
--> statement-breakpoint
-- Folds what nodes have counted, of one day at a time and at most so many rows. Returns how many it folded.
create function fold_blocked(max_rows int4) returns int4
language plpgsql security definer set search_path from current set lock_timeout = '2s' as
$$
declare
  folded int4;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('lurecheck fold_blocked', 0)) then
    return 0;
  end if;
  perform set_config('lurecheck.folding', 'on', true);
  with due as materialized (
    select ctid as place from blocked
    where node <> 0 order by day_ms limit least(greatest(max_rows, 1), 100000)
    for update skip locked
  ), gone as (
    delete from blocked where ctid = any (array(select place from due))
    returning day_ms, kind, name, checks
  ), days as (
    insert into blocked as b (day_ms, kind, name, node, checks)
    select day_ms, kind, name, 0, sum(checks) from gone group by 1, 2, 3 order by 1, 2, 3
    on conflict (day_ms, kind, name, node) do update set checks = b.checks + excluded.checks
  ), sums as (
    insert into blocked_sums as s (kind, name, checks)
    select kind, name, sum(checks) from gone group by 1, 2 order by 1, 2
    on conflict (kind, name) do update set checks = s.checks + excluded.checks
  )
  select count(*)::int4 into folded from gone;
  perform set_config('lurecheck.folding', 'off', true);
  return folded;
end
$$;
--> statement-breakpoint
-- Makes the partitions of the days to come. Rows that came before their partition move into it.
create function make_partitions() returns void
language plpgsql security definer set search_path from current set lock_timeout = '2s' as
$$
declare
  a_day constant int8 := 86400000;
  today constant int8 := floor(extract(epoch from clock_timestamp()) * 1000)::int8 / a_day;
  day_name text;
  from_id uuid;
  until_id uuid;
begin
  for day in today - 1 .. today + 7 loop
    day_name := to_char(to_timestamp(day * 86400) at time zone 'UTC', 'YYYYMMDD');
    continue when to_regclass('checks_' || day_name) is not null;
    from_id := request_ids_from(day * a_day);
    until_id := request_ids_from((day + 1) * a_day);
    execute format(
      'create table %1$I (like checks including defaults including constraints);
       create table %2$I (like check_domains including defaults including constraints);
       with moved as (delete from checks_other where request_id >= %3$L and request_id < %4$L returning *)
         insert into %1$I select * from moved;
       with moved as (delete from check_domains_other where request_id >= %3$L and request_id < %4$L returning *)
         insert into %2$I select * from moved;
       alter table checks attach partition %1$I for values from (%3$L) to (%4$L);
       alter table check_domains attach partition %2$I for values from (%3$L) to (%4$L)',
      'checks_' || day_name, 'check_domains_' || day_name, from_id, until_id
    );
  end loop;
end
$$;
--> statement-breakpoint
-- Makes partitions, and drops the oldest day beyond the retention of this database; never today's or yesterday's. A node has
-- no right to change tables, and calls this. Returns how many days it dropped: 0 or 1.
create function maintain_checks() returns int4
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
    from pg_inherits where inhparent in ('checks'::regclass, 'check_domains'::regclass);
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
  delete from check_domains_other where request_id < request_ids_from(first_kept * a_day);
  delete from undelivered where request_id < request_ids_from(first_kept * a_day);
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
  execute format('drop table %I, %I', 'checks_' || oldest, 'check_domains_' || oldest);
  return 1;
end
$$;
