-- The host under which a blocked check is counted, where another URL than the checked one decided; else null.
alter table checks add column deciding_host text;
