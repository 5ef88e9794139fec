-- The number of a node was two bytes, and each heartbeat of older versions takes one of its sequence. Those nodes go on.
alter table nodes alter column id type int4;
--> statement-breakpoint
alter table counts alter column node type int4;
--> statement-breakpoint
alter table blocked alter column node type int4;
--> statement-breakpoint
do $$
begin
  execute format('alter table nodes alter column id restart with %s', (select coalesce(max(id), 0) + 1 from nodes));
end
$$;
--> statement-breakpoint
-- `set_aside`: checks that the database refused after they had been answered. `run`: tells two processes of one name apart.
alter table nodes
  add column set_aside int8 not null default 0,
  add column run uuid;
--> statement-breakpoint
-- Which log the database holds, and of which installation; the migration writes the row. The private database learns the id
-- from the first node that is connected to both, so that neither can be combined with that of another installation.
create table installation (
  is_only boolean primary key default true check (is_only),
  role text not null check (role in ('public', 'private')),
  id uuid
);
--> statement-breakpoint
create function join_installation(public_id uuid) returns uuid
language plpgsql security definer set search_path from current as
$$
begin
  update installation set id = public_id where id is null;
  return (select id from installation);
end
$$;
--> statement-breakpoint
-- The timelines on which the nodes found each server cluster: the highest one is that of its primary.
create table timelines (
  cluster text not null,
  timeline int8 not null,
  seen_at timestamptz not null default now(),
  primary key (cluster, timeline)
);
