-- Counts the checks since an id by the list entry that decided, a page of entries at a time. A node reads no private check:
-- it calls this, which returns entries of its own lists and numbers alone.
create function list_hits(from_id uuid, after_list text, after_entry text, most int4)
returns table (list text, entry text, hits int8)
language sql stable security definer set search_path from current as
$$
  select c.list, c.entry, count(*)
  from checks c
  where c.list is not null and c.request_id >= from_id
    and (c.list, c.entry) > (after_list collate "C", after_entry collate "C")
  group by c.list, c.entry
  order by c.list, c.entry
  limit least(greatest(most, 1), 10000)
$$;
