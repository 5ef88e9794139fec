-- Most checks are allowed: those are found by walking the primary key, and only the others need an index.
drop index checks_by_decision;
--> statement-breakpoint
create index checks_by_decision on checks (decision, request_id) where decision > 0;
