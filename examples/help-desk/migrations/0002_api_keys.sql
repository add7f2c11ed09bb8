CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text(255) NOT NULL,
	`name` text(100) NOT NULL,
	`hash` text(64) NOT NULL,
	`access` text(10) NOT NULL,
	`account` text(22),
	`created_at` integer DEFAULT (unixepoch()) NOT NULL,
	`expires_at` integer,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_of_user` ON `api_keys` (`user_id`);--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `api_key_id` text(255);