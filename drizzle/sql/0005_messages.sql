CREATE TABLE `messages` (
	`id` integer PRIMARY KEY NOT NULL,
	`request_id` blob NOT NULL,
	`decision` integer NOT NULL,
	`probability` real NOT NULL,
	`in_force` integer NOT NULL,
	`via` integer NOT NULL,
	`caution` integer NOT NULL,
	`is_whole` integer NOT NULL,
	`link_count` integer NOT NULL,
	`unchecked` integer NOT NULL,
	`unread` integer NOT NULL,
	`reasons` blob NOT NULL,
	`links` blob NOT NULL,
	`client_hash` blob,
	`is_undelivered` integer NOT NULL,
	CONSTRAINT "messages_request_id" CHECK(length("messages"."request_id") = 16),
	CONSTRAINT "messages_decision" CHECK("messages"."decision" between 0 and 2),
	CONSTRAINT "messages_probability" CHECK("messages"."probability" between 0 and 1),
	CONSTRAINT "messages_links" CHECK(length("messages"."links") % 16 = 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_by_decision` ON `messages` (`decision`,`request_id`);