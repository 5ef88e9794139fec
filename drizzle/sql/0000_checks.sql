CREATE TABLE `blocked` (
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`checks` integer NOT NULL,
	PRIMARY KEY(`kind`, `name`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `blocked_by_checks` ON `blocked` (`kind`,`checks`);--> statement-breakpoint
CREATE TABLE `check_domains` (
	`cell` integer PRIMARY KEY NOT NULL,
	`entries` blob NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `checks` (
	`id` integer PRIMARY KEY NOT NULL,
	`request_id` blob NOT NULL,
	`decision` integer NOT NULL,
	`probability` real NOT NULL,
	`answer_time_bucket` integer NOT NULL,
	`client_hash` blob,
	`is_undelivered` integer NOT NULL,
	`host` text,
	`url` text NOT NULL,
	`in_force` integer NOT NULL,
	`record` blob NOT NULL,
	CONSTRAINT "checks_request_id" CHECK(length("checks"."request_id") = 16),
	CONSTRAINT "checks_decision" CHECK("checks"."decision" between 0 and 2),
	CONSTRAINT "checks_probability" CHECK("checks"."probability" between 0 and 1)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `checks_by_decision` ON `checks` (`decision`,`request_id`);--> statement-breakpoint
CREATE TABLE `counts` (
	`measure` text NOT NULL,
	`period_start_ms` integer NOT NULL,
	`bucket` integer NOT NULL,
	`checks` integer NOT NULL,
	PRIMARY KEY(`measure`, `period_start_ms`, `bucket`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `deletions` (
	`id` integer PRIMARY KEY NOT NULL,
	`asked_at_ms` integer NOT NULL,
	`by` text NOT NULL,
	`wanted` text,
	`wanted_hash` blob NOT NULL,
	`newest_id` integer NOT NULL,
	`removed` integer NOT NULL,
	`done_at_ms` integer
) STRICT;
--> statement-breakpoint
CREATE TRIGGER `deletions_stay` BEFORE DELETE ON `deletions` BEGIN
	SELECT RAISE(ABORT, 'what was deleted stays on record');
END;
--> statement-breakpoint
CREATE TRIGGER `deletions_are_final` BEFORE UPDATE ON `deletions` WHEN old.`done_at_ms` IS NOT NULL BEGIN
	SELECT RAISE(ABORT, 'what was deleted stays on record');
END;
--> statement-breakpoint
CREATE TABLE `domain_blocks` (
	`block` integer PRIMARY KEY NOT NULL,
	`oldest_ms` integer NOT NULL,
	`newest_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `domain_blocks_by_newest` ON `domain_blocks` (`newest_ms`);--> statement-breakpoint
CREATE TABLE `in_force` (
	`id` integer PRIMARY KEY NOT NULL,
	`settings` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `in_force_settings_unique` ON `in_force` (`settings`);--> statement-breakpoint
CREATE TABLE `last_deleted` (
	`row` integer PRIMARY KEY NOT NULL,
	`check_id` integer NOT NULL
) STRICT;
