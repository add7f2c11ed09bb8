import { codeOf, type DriverRefusal, textProperty } from './errors.ts'

/**
 * Prefixes of SQLSTATEs, longer ones first. A server that closes a connection may have committed before, so these states
 * are `lost`.
 */
const kindsByState: readonly (readonly [string, DriverRefusal['kind']])[] = [
  // Refused before the connection was established.
  ['08001', 'unavailable'],
  ['08004', 'unavailable'],
  ['23001', 'foreign-key'],
  ['23502', 'not-null'],
  ['23503', 'foreign-key'],
  ['23505', 'unique'],
  ['23514', 'check'],
  ['23P01', 'unique'],
  // A standby, or a former primary.
  ['25006', 'unavailable'],
  // The server closed the connection because the transaction was idle, or lasted too long.
  ['25P03', 'lost'],
  ['25P04', 'lost'],
  // CockroachDB.
  ['40003', 'lost'],
  ['40002', 'check'],
  ['40', 'contended'],
  ['44000', 'check'],
  ['55P03', 'unavailable'],
  ['57014', 'unavailable'],
  ['57P03', 'unavailable'],
  ['57P0', 'lost'],
  ['58030', 'unavailable'],
  ['P0001', 'check'],
  ['08', 'lost'],
  ['22', 'value'],
  ['53', 'unavailable'],
]

/** Matches `Key (book_id, "Reviewer")=(1, Ann) already exists.` in any language. */
const keyDetail = /\((.*?)\)=\(/

const columnsIn = (detail: string): readonly string[] =>
  (keyDetail.exec(detail)?.[1] ?? '')
    .split(', ')
    .filter((name) => name !== '')
    .map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name))

/** postgres.js has other property names. An error that a trigger raises may name a column. */
const columnOf = (error: object): readonly string[] => {
  const column = textProperty(error, 'column') ?? textProperty(error, 'column_name') ?? ''
  return column === '' ? [] : [column]
}

const facts: Partial<Record<DriverRefusal['kind'], (error: object) => Partial<DriverRefusal>>> = {
  unique: (error) => ({ columns: columnsIn(textProperty(error, 'detail') ?? '') }),
  'not-null': (error) => ({ columns: columnOf(error) }),
  check: (error) => ({
    check: textProperty(error, 'constraint') ?? textProperty(error, 'constraint_name') ?? '',
    columns: columnOf(error),
  }),
  value: (error) => ({ columns: columnOf(error) }),
}

/** Classes of SQLSTATEs that PostgreSQL has. */
const ownClass = /^(0|2|3|4[0-4]|5[34578]|72|F0|HV|P0|XX)/

/** A trigger or function may raise an error with a code of its own (`raise … using errcode = '45000'`). Not all clients tell the routine. */
const raised = (error: object, code: string): DriverRefusal['kind'] | undefined =>
  textProperty(error, 'routine') === 'exec_stmt_raise' || !ownClass.test(code) ? 'check' : undefined

export const readPgError = (error: object): DriverRefusal | undefined => {
  const code = codeOf(error)
  if (!/^[0-9A-Z]{5}$/.test(code)) return undefined
  const kind = kindsByState.find(([state]) => code.startsWith(state))?.[1] ?? raised(error, code)
  return kind === undefined ? undefined : { kind, ...facts[kind]?.(error) }
}
