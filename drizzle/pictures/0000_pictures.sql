CREATE TABLE `pictures` (
	`request_id` text PRIMARY KEY NOT NULL,
	`taken_at_ms` integer NOT NULL,
	`bytes` integer NOT NULL,
	`webp` blob NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `pictures_by_age` ON `pictures` (`taken_at_ms`,`bytes`);