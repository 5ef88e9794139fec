CREATE TABLE `blocked` (
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`checks` integer NOT NULL,
	PRIMARY KEY(`kind`, `name`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `blocked_by_checks` ON `blocked` (`kind`,`checks`);--> statement-breakpoint
CREATE TABLE `check_domains` (
	`domain` text NOT NULL,
	`decision` text NOT NULL,
	`checked_at_ms` integer NOT NULL,
	`check_id` integer NOT NULL,
	PRIMARY KEY(`domain`, `decision`, `checked_at_ms`, `check_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `checks` (
	`id` integer PRIMARY KEY NOT NULL,
	`request_id` text NOT NULL,
	`checked_at_ms` integer NOT NULL,
	`decision` text NOT NULL,
	`probability` real NOT NULL,
	`host` text NOT NULL,
	`url` text NOT NULL,
	`client_hash` blob,
	`is_undelivered` integer NOT NULL,
	`result` text NOT NULL,
	CONSTRAINT "checks_decision" CHECK("checks"."decision" in ('allow', 'warn', 'block')),
	CONSTRAINT "checks_probability" CHECK("checks"."probability" between 0 and 1)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `checks_request_id_unique` ON `checks` (`request_id`);--> statement-breakpoint
CREATE INDEX `checks_by_decision` ON `checks` (`decision`,`checked_at_ms`);--> statement-breakpoint
CREATE TABLE `counts` (
	`measure` text NOT NULL,
	`period_start_ms` integer NOT NULL,
	`bucket` integer NOT NULL,
	`checks` integer NOT NULL,
	PRIMARY KEY(`measure`, `period_start_ms`, `bucket`)
) STRICT, WITHOUT ROWID;
