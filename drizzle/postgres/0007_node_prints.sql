-- Fingerprints of what should be the same on all nodes, as JSON: client key, keys, packs, settings.
alter table nodes add column prints text not null default '{}';
--> statement-breakpoint
-- A node that sent no heartbeat for a week has been taken out of the fleet.
create function forget_nodes() returns void
language sql security definer set search_path from current as
$$
delete from nodes where seen_at < now() - interval '7 days'
$$;
