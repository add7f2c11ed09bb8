CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organisation_id` integer,
	`at` integer NOT NULL,
	`caller` text(255),
	`act` text NOT NULL,
	`model` text(100) NOT NULL,
	`record` text(500) NOT NULL,
	`changes` text NOT NULL,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `entries_of_record` ON `audit_entries` (`organisation_id`,`model`,`record`);--> statement-breakpoint
ALTER TABLE `tickets` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `tickets` ADD `deleted_at` integer;