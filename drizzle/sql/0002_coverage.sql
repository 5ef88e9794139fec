ALTER TABLE `checks` ADD `coverage` integer;--> statement-breakpoint
ALTER TABLE `checks` ADD `caution` integer;