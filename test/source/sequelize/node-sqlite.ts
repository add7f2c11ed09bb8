import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

type Parameters = Readonly<Record<string, unknown>> | readonly unknown[]
type Done = (this: object, error: Error | null, rows?: unknown) => void

const codes: Readonly<Record<number, string>> = {
  ...{ 5: 'SQLITE_BUSY', 6: 'SQLITE_LOCKED', 8: 'SQLITE_READONLY', 14: 'SQLITE_CANTOPEN' },
  ...{ 19: 'SQLITE_CONSTRAINT', 20: 'SQLITE_MISMATCH', 21: 'SQLITE_MISUSE' },
}

/** An error as the package sqlite3 has it. */
const failure = (error: unknown): Error => {
  const { errcode, message } = Object(error) as { readonly errcode?: number; readonly message: string }
  const code = codes[(errcode ?? 1) % 256] ?? 'SQLITE_ERROR'
  return Object.assign(new Error(`${code}: ${message}`), { code, errno: errcode })
}

const bound = (value: unknown): SQLInputValue =>
  typeof value === 'boolean' ? Number(value) : ((value ?? null) as SQLInputValue)

/** Integers as numbers, as the package sqlite3 returns them. */
const rounded = (row: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  )

class Statement {
  lastID = 0
  changes = 0
}

class Database {
  readonly filename: string
  readonly #database: DatabaseSync | undefined

  constructor(filename: string, _mode: number, done: (error: Error | null) => void) {
    this.filename = filename
    try {
      this.#database = new DatabaseSync(filename)
      setImmediate(done, null)
    } catch (error) {
      setImmediate(done, failure(error))
    }
  }

  serialize(act: () => void): void {
    act()
  }

  run(sql: string, parameters: Parameters = [], done: Done = () => undefined): void {
    this.#execute('run', sql, parameters, done)
  }

  all(sql: string, parameters: Parameters | Done = [], done: Done = () => undefined): void {
    if (typeof parameters === 'function') this.#execute('all', sql, [], parameters)
    else this.#execute('all', sql, parameters, done)
  }

  close(done: (error: Error | null) => void = () => undefined): void {
    if (this.#database?.isOpen === true) this.#database.close()
    setImmediate(done, null)
  }

  #execute(act: 'run' | 'all', sql: string, parameters: Parameters, done: Done): void {
    const made = new Statement()
    try {
      if (this.#database === undefined) throw new Error('not open')
      const statement = this.#database.prepare(sql)
      const values = Array.isArray(parameters)
        ? parameters.map(bound)
        : [Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, bound(value)]))]
      if (act === 'all') {
        statement.setReadBigInts(true)
        const rows = statement.all(...(values as SQLInputValue[])).map(rounded)
        setImmediate(() => done.call(made, null, rows))
        return
      }
      const { changes, lastInsertRowid } = statement.run(...(values as SQLInputValue[]))
      Object.assign(made, { changes: Number(changes), lastID: Number(lastInsertRowid) })
      setImmediate(() => done.call(made, null))
    } catch (error) {
      setImmediate(() => done.call(made, failure(error)))
    }
  }
}

/** What Sequelize needs of the package sqlite3, over `node:sqlite`, which needs no compiler: `dialectModule: nodeSqlite`. */
export const nodeSqlite = { Database, OPEN_READWRITE: 2, OPEN_CREATE: 4, OPEN_FULLMUTEX: 0x10000 }
