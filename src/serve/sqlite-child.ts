import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** The first message to the child: which file it opens. */
export interface ChildOpening {
  readonly file: string
  readonly writes: boolean
  /** Milliseconds to wait for a lock of another program. */
  readonly timeout: number
}

/** A statement that the child runs. */
export interface ChildStatement {
  readonly text: string
  /** Absent: the text may contain several statements, and returns no rows. */
  readonly values?: readonly unknown[]
}

/** What the child returns for each message. The members of an error are those that the engine reads. */
export type ChildReply =
  | { readonly rows: readonly unknown[] }
  | { readonly error: { readonly message: string; readonly code: unknown; readonly errcode: unknown } }

const open = ({ file, writes, timeout }: ChildOpening): DatabaseSync => {
  const db = new DatabaseSync(file, {
    ...{ readOnly: !writes, enableForeignKeyConstraints: true, allowExtension: false },
  })
  db.exec(`pragma busy_timeout = ${Math.round(timeout)}`)
  // Functions and virtual tables that a file itself names must not do more than compute.
  db.exec('pragma trusted_schema = off')
  if (!writes) db.exec('pragma query_only = on')
  // Reads the first page, so that a file of another format is refused at once.
  db.prepare('select count(*) from sqlite_master').get()
  return db
}

const run = (db: DatabaseSync, { text, values }: ChildStatement): readonly unknown[] => {
  if (/^\s*(attach|detach)\b/i.test(text)) throw new Error('The service does not attach databases.')
  if (values === undefined) {
    db.exec(text)
    return []
  }
  return db.prepare(text).all(...(values as SQLInputValue[]))
}

const replyTo = (act: () => readonly unknown[]): ChildReply => {
  try {
    return { rows: act() }
  } catch (error) {
    const { message, code, errcode }: { message?: unknown; code?: unknown; errcode?: unknown } = Object(error)
    return { error: { message: String(message), code, errcode } }
  }
}

let db: DatabaseSync | undefined

process.on('message', (message: ChildOpening | ChildStatement) => {
  const reply = replyTo(() => {
    if ('file' in message) {
      db = open(message)
      return []
    }
    if (db === undefined) throw new Error('The database is not open.')
    return run(db, message)
  })
  process.send?.(reply)
})
// The service has ended.
process.on('disconnect', () => process.exit())
