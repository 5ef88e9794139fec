-- How the request came, the codes of the reasons, and the list entry that decided; null for checks of older versions.
alter table checks
  add column via int2 check (via >= 0),
  add column reasons bytea,
  add column list text collate "C",
  add column entry text collate "C",
  add column list_owner text collate "C";
--> statement-breakpoint
create index checks_by_list on checks (list, entry, request_id) where list is not null;
