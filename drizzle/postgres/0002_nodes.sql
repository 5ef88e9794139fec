-- What else tells nodes apart, and what of a node has not arrived yet. A version that knows nothing of it leaves it as it is.
alter table nodes
  add column lists_version text not null default '',
  add column waiting int8 not null default 0;
