CREATE TABLE `feedback` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`received_at_ms` integer NOT NULL,
	`verdict` text NOT NULL,
	`url` text NOT NULL,
	`host` text NOT NULL,
	`request_id` text,
	`decision` text,
	`probability` real,
	`model_version` text,
	`comment` text NOT NULL,
	`client_hash` blob NOT NULL,
	`state` text NOT NULL,
	`settled_at_ms` integer,
	`entry` text,
	`bytes` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `feedback_by_state` ON `feedback` (`state`,`id`);