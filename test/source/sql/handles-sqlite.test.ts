import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import { handleContract, type Opened, sourceOver } from './handle-contract.ts'
import { createSqlite } from './library-tables.ts'
import { overBetterSqlite3 } from './over-better-sqlite3.ts'
import { overNodeSqlite } from './over-node-sqlite.ts'

interface Handle {
  exec(statement: string): unknown
  close(): unknown
}

const opened = <Of extends Handle>(
  open: (file: string) => Of,
  over: (db: Of) => Opened['database'],
): Opened => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  const file = join(folder, 'library.db')
  const handles: Handle[] = []
  const newDatabase = () => {
    const db = open(file)
    handles.push(db)
    // The suite deletes records one by one, each in a transaction of its own.
    db.exec('pragma synchronous = off')
    return { db, database: over(db) }
  }
  const { db, database } = newDatabase()
  for (const statement of createSqlite) db.exec(statement)
  return {
    database,
    execute: (handle, statement) => (handle as Handle).exec(statement),
    useHandle: (handle) => (handle as Handle).exec('select 1'),
    spoil: { statement: 'update books set pages = 9007199254740993', field: 'pages' },
    // Columns of SQLite hold any number of digits.
    unenforced: ['value'],
    reopen: () => {
      db.close()
      return sourceOver(newDatabase().database)
    },
    kill: () => db.close(),
    close: () => {
      for (const handle of handles) {
        try {
          handle.close()
        } catch {
          // It is closed already.
        }
      }
      rmSync(folder, { recursive: true })
    },
  }
}

handleContract('better-sqlite3', async () => opened((file) => new Database(file), overBetterSqlite3))

handleContract('node:sqlite', async () => opened((file) => new DatabaseSync(file), overNodeSqlite))
