ALTER TABLE `checks` ADD `via` integer;--> statement-breakpoint
ALTER TABLE `checks` ADD `reasons` blob;--> statement-breakpoint
ALTER TABLE `checks` ADD `list` text;--> statement-breakpoint
ALTER TABLE `checks` ADD `entry` text;--> statement-breakpoint
ALTER TABLE `checks` ADD `list_owner` text;--> statement-breakpoint
CREATE INDEX `checks_by_list` ON `checks` (`list`,`entry`,`request_id`) WHERE list is not null;