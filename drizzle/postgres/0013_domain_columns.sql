-- Hashes of the names under which a check is found, by their number of labels. As columns with an index each, they take half
-- of a table with a row per name, which stored each name twice, and leave with their check. Readers compare the host: hashes
-- may collide.
alter table checks
  add column domain_1 int4, add column domain_2 int4, add column domain_3 int4, add column domain_4 int4,
  add column domain_5 int4, add column domain_6 int4, add column domain_7 int4;
--> statement-breakpoint
with entries as (
  select request_id, least(7, length(domain) - length(replace(domain, '.', '')) + 1) as labels,
    ('x' || left(encode(sha256(convert_to(domain, 'UTF8')), 'hex'), 8))::bit(32)::int4 as hash
  from check_domains
), names as (
  select request_id,
    max(hash) filter (where labels = 1) as d1, max(hash) filter (where labels = 2) as d2,
    max(hash) filter (where labels = 3) as d3, max(hash) filter (where labels = 4) as d4,
    max(hash) filter (where labels = 5) as d5, max(hash) filter (where labels = 6) as d6,
    max(hash) filter (where labels = 7) as d7
  from entries group by request_id
)
update checks set domain_1 = d1, domain_2 = d2, domain_3 = d3, domain_4 = d4, domain_5 = d5, domain_6 = d6, domain_7 = d7
from names where names.request_id = checks.request_id;
--> statement-breakpoint
create index checks_by_domain_1 on checks (domain_1, decision, request_id) where domain_1 is not null;
--> statement-breakpoint
create index checks_by_domain_2 on checks (domain_2, decision, request_id) where domain_2 is not null;
--> statement-breakpoint
create index checks_by_domain_3 on checks (domain_3, decision, request_id) where domain_3 is not null;
--> statement-breakpoint
create index checks_by_domain_4 on checks (domain_4, decision, request_id) where domain_4 is not null;
--> statement-breakpoint
create index checks_by_domain_5 on checks (domain_5, decision, request_id) where domain_5 is not null;
--> statement-breakpoint
create index checks_by_domain_6 on checks (domain_6, decision, request_id) where domain_6 is not null;
--> statement-breakpoint
create index checks_by_domain_7 on checks (domain_7, decision, request_id) where domain_7 is not null;
--> statement-breakpoint
drop table check_domains;
--> statement-breakpoint
drop function keep_checks(int4);
--> statement-breakpoint
-- Makes the partitions of the days to come. Rows that came before their partition move into it.
create or replace function make_partitions() returns void
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
       with moved as (delete from checks_other where request_id >= %2$L and request_id < %3$L returning *)
         insert into %1$I select * from moved;
       alter table checks attach partition %1$I for values from (%2$L) to (%3$L)',
      'checks_' || day_name, from_id, until_id
    );
  end loop;
end
$$;
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
