import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import { expect, onTestFinished, test } from 'vitest'
import { openDesk } from './stage.ts'

const migrations = 'examples/help-desk/migrations'

/** A folder with a database as the first migration made it. */
const oldFolder = (rows: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-old-desk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const first = join(folder, 'migrations')
  cpSync(migrations, first, { recursive: true })
  const journal = join(first, 'meta', '_journal.json')
  const known = JSON.parse(readFileSync(journal, 'utf8')) as { readonly entries: readonly unknown[] }
  writeFileSync(journal, JSON.stringify({ ...known, entries: known.entries.slice(0, 1) }))
  const client = new Database(join(folder, 'desk.db'))
  client.pragma('foreign_keys = ON')
  migrate(drizzle({ client }), { migrationsFolder: first })
  client.exec(rows)
  client.close()
  return folder
}

test('a desk from before versions and soft deletion keeps its tickets and comments', async () => {
  const folder = oldFolder(`
    insert into organisations (id, name, join_code) values (1, 'Acme', 'code');
    insert into users (id, organisation_id, email, name, password) values (1, 1, 'a@example.com', 'Ada', '');
    insert into tickets (id, organisation_id, requester_id, subject) values (5, 1, 1, 'Old');
    insert into comments (id, ticket_id, author_id, text) values (6, 5, 1, 'First');
  `)
  const desk = await openDesk(folder)
  try {
    expect(desk.sql.prepare('select id, subject, status, revision, deleted_at from tickets').all()).toEqual([
      { id: 5, subject: 'Old', status: 'open', revision: 1, deleted_at: null },
    ])
    expect(desk.sql.prepare('select ticket_id, text from comments').all()).toEqual([
      { ticket_id: 5, text: 'First' },
    ])
    const { send } = await desk.user('New')
    await send('POST', '/organisations/join', { join_code: 'code' })
    expect((await send('POST', '/tickets/', { subject: 'New' })).json).toMatchObject({ id: 6, revision: 1 })
  } finally {
    await desk.stop()
  }
})
