import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { apiKeysTable, file } from 'modelrest/drizzle/sqlite'

// autoIncrement: the id of a deleted record is never given to another one.
const id = () => integer().primaryKey({ autoIncrement: true })
const createdAt = () => integer({ mode: 'timestamp' }).notNull().default(sql`(unixepoch())`)
const organisationId = () =>
  integer()
    .notNull()
    .references(() => organisations.id)
const userId = () => integer().references(() => users.id)
const ticketId = () =>
  integer()
    .notNull()
    .references(() => tickets.id)

export const organisations = sqliteTable('organisations', {
  id: id(),
  name: text({ length: 100 }).notNull(),
  join_code: text({ length: 36 })
    .notNull()
    .unique()
    .$defaultFn(() => crypto.randomUUID()),
})

export const users = sqliteTable('users', {
  id: id(),
  /** Null until the user founds or joins an organisation. */
  organisation_id: integer().references(() => organisations.id),
  email: text({ length: 200 }).notNull().unique(),
  name: text({ length: 100 }).notNull(),
  password: text({ length: 255 }).notNull(),
  role: text({ enum: ['requester', 'agent', 'admin'] })
    .notNull()
    .default('requester'),
})

/** With which programs act for their users. */
export const apiKeys = apiKeysTable

export const tickets = sqliteTable(
  'tickets',
  {
    id: id(),
    organisation_id: organisationId(),
    requester_id: userId().notNull(),
    assignee_id: userId(),
    subject: text({ length: 200 }).notNull(),
    description: text({ length: 5000 }).notNull().default(''),
    status: text({ enum: ['open', 'closed'] })
      .notNull()
      .default('open'),
    reason: text({ length: 500 }),
    internal_note: text({ length: 5000 }),
    created_at: createdAt(),
    /** Each write raises it, so that agents do not overwrite the changes of others. */
    revision: integer().notNull().default(1),
    deleted_at: integer({ mode: 'timestamp' }),
  },
  (table) => [
    index('tickets_of_organisation').on(table.organisation_id),
    index('tickets_of_requester').on(table.requester_id),
    index('tickets_of_assignee').on(table.assignee_id),
  ],
)

export const comments = sqliteTable(
  'comments',
  {
    id: id(),
    ticket_id: ticketId(),
    author_id: userId().notNull(),
    text: text({ length: 5000 }).notNull(),
    created_at: createdAt(),
  },
  (table) => [index('comments_of_ticket').on(table.ticket_id)],
)

export const tags = sqliteTable(
  'tags',
  { id: id(), organisation_id: organisationId(), name: text({ length: 40 }).notNull() },
  (table) => [unique('tag_name').on(table.organisation_id, table.name)],
)

export const ticketTags = sqliteTable(
  'ticket_tags',
  {
    ticket_id: ticketId(),
    tag_id: integer()
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.ticket_id, table.tag_id] })],
)

export const attachments = sqliteTable(
  'attachments',
  { id: id(), ticket_id: ticketId(), content: file().notNull() },
  (table) => [index('attachments_of_ticket').on(table.ticket_id)],
)

export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: id(),
    /** That of the caller. Null if they do not belong to one yet. */
    organisation_id: integer().references(() => organisations.id),
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    caller: text({ length: 255 }),
    api_key_id: text({ length: 255 }),
    act: text({ enum: ['create', 'update', 'delete'] }).notNull(),
    model: text({ length: 100 }).notNull(),
    record: text({ length: 500 }).notNull(),
    changes: text({ mode: 'json' }).notNull(),
  },
  (table) => [index('entries_of_record').on(table.organisation_id, table.model, table.record)],
)
