CREATE TABLE `senders` (
	`address` blob PRIMARY KEY NOT NULL,
	`first_day` integer NOT NULL,
	`last_day` integer NOT NULL,
	`days` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `senders_by_age` ON `senders` (`last_day`);