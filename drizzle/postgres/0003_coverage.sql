-- How much of the page stands behind a verdict, and whether an allowed link needs caution; null for checks of older versions.
alter table checks
  add column coverage int2 check (coverage between 0 and 2),
  add column caution bool;
