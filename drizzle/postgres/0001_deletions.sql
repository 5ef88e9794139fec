-- Deletions at the operator's word, as in a file: the record of them only grows, and names nothing of what is gone.
create table deletions (
  id int8 generated always as identity primary key,
  asked_at_ms int8 not null,
  by text not null check (by in ('id', 'domain', 'before')),
  wanted text,
  wanted_hash bytea not null,
  last_logged int8 not null,
  removed int8 not null,
  done_at_ms int8
);
--> statement-breakpoint
create function deletions_stay() returns trigger language plpgsql as
$$
begin
  raise exception 'what was deleted stays on record';
end
$$;
--> statement-breakpoint
create trigger deletions_stay before delete on deletions for each row execute function deletions_stay();
--> statement-breakpoint
create trigger deletions_stay_all before truncate on deletions execute function deletions_stay();
--> statement-breakpoint
create trigger deletions_are_final before update on deletions for each row
  when (old.done_at_ms is not null or new.removed < old.removed
    or (new.id, new.asked_at_ms, new.by, new.wanted_hash, new.last_logged)
      is distinct from (old.id, old.asked_at_ms, old.by, old.wanted_hash, old.last_logged))
  execute function deletions_stay();
