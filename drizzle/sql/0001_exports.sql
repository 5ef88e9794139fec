CREATE TABLE `exports` (
	`id` integer PRIMARY KEY NOT NULL,
	`begun_at_ms` integer NOT NULL,
	`user` text NOT NULL,
	`format` text NOT NULL,
	`selection_hash` blob NOT NULL,
	`checks` integer,
	`done_at_ms` integer
) STRICT;
--> statement-breakpoint
CREATE TRIGGER `exports_stay` BEFORE DELETE ON `exports` BEGIN
	SELECT RAISE(ABORT, 'what was exported stays on record');
END;
--> statement-breakpoint
CREATE TRIGGER `exports_are_final` BEFORE UPDATE ON `exports` WHEN old.`done_at_ms` IS NOT NULL BEGIN
	SELECT RAISE(ABORT, 'what was exported stays on record');
END;
