import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import type {
  Awaitable,
  Capabilities,
  Condition,
  Model,
  ModelSource,
  RecordStore,
  Row,
  SourceErrorKind,
} from '../../entry/source.ts'
import { everything, SourceError } from '../../entry/source.ts'
import { same } from '../suite/assertions.ts'
import type { Runner } from '../suite/runner.ts'
import { holdsSample, sampleIn } from './forms.ts'
import { hardValues } from './samples.ts'

/** A source on an empty database that has the tables of the library, and optional means to reach the database directly. */
export interface OpenedSource {
  readonly source: ModelSource
  /** Closes the source and removes the database. Also called after `kill`. */
  close(): Awaitable<unknown>
  /**
   * Closes the source, and returns one that is opened anew on the same database, which `close` then closes. Absent: it is
   * not tested that records are stored durably.
   */
  reopen?(): Awaitable<ModelSource>
  /** Makes the database unreachable, for example by closing its connections. Absent: `unavailable` is not tested. */
  kill?(): Awaitable<unknown>
  /**
   * Stores in all books, without the source, a value that its field cannot represent, such as an integer above 2^53. Returns the
   * name of the field. Absent: `unrepresentable` is not tested.
   */
  breakValue?(): Awaitable<string>
  /** Drops the table or view of a model, or one column of it, without the source. Absent: `missing` is not tested. */
  drop?(model: string, field?: string): Awaitable<unknown>
  /** Uses the handle `db` that a session has, for example for a query. Absent: it is not tested that the handle ends. */
  useHandle?(db: unknown): Awaitable<unknown>
  /**
   * Finds records of a model with a query of the ORM's own, by what `conditionOf` returned. Absent: `conditionOf` is not tested.
   */
  find?(model: string, condition: unknown): Awaitable<readonly Row[]>
  /**
   * Settings of the database on which the meaning of SQL could depend, such as modes of MySQL. `set` makes one hold for all open
   * connections, or without a name those that held before. Absent: strings are only tested with the settings of the database.
   */
  readonly settings?: {
    readonly names: readonly string[]
    set(name?: string): Awaitable<unknown>
  }
  /** Whether the column of a field of `Book` can hold a value. Absent: it can hold all values of its kind. */
  holds?(field: string, value: unknown): boolean
  /** The refusals that the database does not make, such as `missing-reference` without foreign keys. @default none */
  readonly unenforced?: readonly SourceErrorKind[]
}

/** The source that `sourceContract` tests. */
export interface SourceUnderTest {
  /** Begins the titles of the tests. */
  readonly name: string
  /** Opens the source on a database of its own. Called once for the suite, and again for each test that breaks its database. */
  open(): Awaitable<OpenedSource>
  /**
   * How much the suite tests. `short` tests each rule once, without random conditions and without all combinations of fields,
   * values and operators. Use it for another driver of a source that passes the complete suite.
   * @default 'complete'
   */
  readonly extent?: 'complete' | 'short'
  /**
   * Receives what the suite did not test, such as `Book.tags` or `transactions`, after its last test.
   * @default writes one line to stderr
   */
  notTested?(needs: readonly string[]): void
}

/**
 * A condition of a test: a model (`Book`), a field, relation or optional method of a store (`Book.tags`, `Book.createMany`), a
 * capability (`transactions`), a missing capability (`no transactions`), an optional member of the source or of `OpenedSource`
 * (`missing`, `kill`), or a refusal that the database makes (`refuses unique`).
 */
export type Need = string

/** A context of node:test or Vitest, which other runners may not pass. */
interface Skipping {
  skip?(reason: string): void
}

/** What the parts of the suite work with. All tables are empty before each test. */
export interface Stage {
  readonly runner: Runner
  /** Declares a test, which is skipped if the source lacks one of `needs`. */
  test(title: string, needs: readonly Need[], body: () => Awaitable<unknown>): void
  /** Declares a test of random values, or of what other tests assert for fewer values, which the short suite leaves out. */
  exhaustive(title: string, needs: readonly Need[], body: () => Awaitable<unknown>): void
  readonly extent: 'complete' | 'short'
  /** The fields of `Book` in a table, each by itself, or for the short suite all at once, with the title and needs of a test. */
  groups(
    table: object,
  ): readonly (readonly [title: string, needs: readonly Need[], fields: readonly string[]])[]
  opened(): OpenedSource
  source(): ModelSource
  can(capability: keyof Capabilities): boolean
  model(name: string): Model
  has(need: Need): boolean
  store(name: string): RecordStore
  author(values?: Row): Promise<Row>
  /** The values of a new book. Fields that the source does not have are left out. */
  newBook(values?: Row): Row
  /** Creates a book and its author. */
  book(values?: Row): Promise<Row>
  /** Values in the forms of the fields of `Book`, without the fields that the source does not have. */
  part(values: Row): Row
  /** Values of a field of `Book` that are easily stored wrong and that its column can hold. */
  hard(field: string): readonly unknown[]
  /** Values for books that together have all hard values of the fields. */
  hardRows(fields: readonly string[]): readonly Row[]
  /** The values of a field of `Book` in a table that its column can hold, in its form. */
  fitting(field: string, table: Readonly<Record<string, readonly unknown[]>>): readonly unknown[]
  clear(model: string): Promise<void>
}

/** Dependents first. */
const tables = ['Reply', 'Placement', 'Review', 'Book', 'Category', 'Author', 'Shelf', 'Oddity'] as const

export const stageOf = (
  runner: Runner,
  opened: () => OpenedSource,
  untested: Set<Need>,
  extent: Stage['extent'] = 'complete',
): Stage => {
  const source = () => opened().source
  const find = (name: string) => source().models.find((candidate) => candidate.name === name)
  const model = (name: string): Model => {
    const found = find(name)
    if (found === undefined) throw new Error(`The source has no model ${name}.`)
    return found
  }
  const stores = new Map<string, RecordStore>()
  const store = (name: string): RecordStore => {
    const known = stores.get(name) ?? source().store(model(name))
    stores.set(name, known)
    return known
  }
  const can = (capability: keyof Capabilities): boolean => source().capabilities[capability] === true
  const has = (need: Need): boolean => isMet(need, opened())
  const part = (values: Row): Row =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => {
        const field = find('Book')?.fields.find((known) => known.name === name)
        return field === undefined ? [] : [[name, sampleIn(field, value)]]
      }),
    )
  const author = async (values: Row = {}): Promise<Row> =>
    store('Author').create({ name: 'Stanisław Lem', ...values })
  let made = 0
  const newBook = (values: Row = {}): Row => {
    made += 1
    return part({ ...plainBook, isbn: `isbn ${made}`, ...values })
  }
  const book = async (values: Row = {}): Promise<Row> => {
    const authorId = values['authorId'] ?? (has('Book.authorId') ? (await author())['id'] : undefined)
    return store('Book').create(newBook({ ...values, authorId }))
  }
  const clear = async (name: string): Promise<void> => {
    const { primaryKey } = model(name)
    const order = primaryKey.map((field) => ({ field, direction: 'asc' }) as const)
    const selection = { filter: everything, order, limit: 10_000, offset: 0, fields: primaryKey }
    const rows = await store(name).list(selection, everything)
    const keys = rows.map((row) => primaryKey.map((field) => row[field]))
    if (has('Category.parentId') && name === 'Category')
      for (const key of keys) await store(name).update(key, { parentId: null }, everything)
    for (const key of keys) await store(name).remove(key, everything)
  }
  const test = (title: string, needs: readonly Need[], body: () => Awaitable<unknown>): void => {
    // Rest parameters, because some runners call tests with a declared parameter in another way.
    runner.it(title, async (...[context]: readonly Skipping[]) => {
      const unmet = needs.filter((need) => !has(need))
      for (const need of unmet) untested.add(need)
      if (unmet.length > 0) return context?.skip?.(`The source does not have: ${unmet.join(', ')}`)
      for (const name of tables) if (has(name)) await clear(name)
      await body()
    })
  }
  const fitting: Stage['fitting'] = (name, table) => {
    const field = find('Book')?.fields.find((known) => known.name === name)
    if (field === undefined) return []
    return (table[name] ?? [])
      .filter((value) => holdsSample(field, value) && (opened().holds?.(name, value) ?? true))
      .map((value) => sampleIn(field, value))
  }
  const hard = (name: string) => fitting(name, hardValues)
  const hardRows: Stage['hardRows'] = (fields) => {
    const all = fields.map((name) => [name, hard(name)] as const).filter(([, found]) => found.length > 0)
    return Array.from({ length: Math.max(0, ...all.map(([, found]) => found.length)) }, (_, at) =>
      Object.fromEntries(all.map(([name, found]) => [name, found[at % found.length]])),
    )
  }
  const exhaustive: Stage['exhaustive'] = extent === 'complete' ? test : () => undefined
  const groups: Stage['groups'] = (table) =>
    extent === 'complete'
      ? Object.keys(table).map((name) => [name, [`Book.${name}`], [name]])
      : [['each field', ['Book'], Object.keys(table)]]
  const records = { author, newBook, book, part, hard, hardRows, fitting, clear }
  return {
    ...{ runner, test, exhaustive, extent, groups },
    opened,
    source,
    can,
    model,
    has,
    store,
    ...records,
  }
}

/** The fields of a book without defaults, except its author and ISBN. */
const plainBook: Row = {
  title: 'Solaris',
  price: '9.90',
  pages: 204,
  printedAt: new Date('2026-01-31T23:59:59.123Z'),
}

const isMet = (need: Need, opened: OpenedSource): boolean => {
  const { source, unenforced = [] } = opened
  const [, missing] = /^no (\w+)$/.exec(need) ?? []
  if (missing !== undefined) return !isMet(missing, opened)
  const [, refusal] = /^refuses (\S+)$/.exec(need) ?? []
  if (refusal !== undefined) return !unenforced.some((kind) => kind === refusal)
  if (/^[A-Z]/.test(need)) {
    const [name, part] = need.split('.')
    const model = source.models.find((known) => known.name === name)
    if (model === undefined || part === undefined) return model !== undefined
    if (optionalMethods.includes(part)) return typeof Reflect.get(source.store(model), part) === 'function'
    return [...model.fields, ...model.relations].some((known) => known.name === part)
  }
  if (need === 'exactKeys' && source.capabilities.exactText === true) return true
  const value: unknown =
    Reflect.get(source.capabilities, need) ?? Reflect.get(source, need) ?? Reflect.get(opened, need)
  return value === true || typeof value === 'function'
}

const optionalMethods: readonly string[] = ['createMany', 'estimate']

/** The error of an act, whether it throws or its promise rejects. */
export const errorOf = async (act: () => Awaitable<unknown>): Promise<unknown> => {
  let result: unknown
  try {
    result = await act()
  } catch (error) {
    return error
  }
  throw new Error(`The source must throw, but it returned ${inspect(result)}.`)
}

/** Asserts the kind of a refusal, and the fields and models that it names. */
export const refusal = async (
  act: () => Awaitable<unknown>,
  expected: {
    readonly kind: SourceErrorKind
    readonly fields?: readonly string[]
    readonly models?: readonly string[]
  },
): Promise<SourceError> => {
  const error = await errorOf(act)
  if (!(error instanceof SourceError))
    throw new Error(`The source must throw a SourceError of the kind ${expected.kind}.`, { cause: error })
  const { kind, fields, models } = error
  const sorted = (about: { readonly fields?: readonly string[]; readonly models?: readonly string[] }) => ({
    ...(expected.fields && { fields: about.fields?.toSorted() }),
    ...(expected.models && { models: about.models?.toSorted() }),
  })
  same(
    { kind, ...sorted({ fields, models }) },
    { kind: expected.kind, ...sorted(expected) },
    `The SourceError must be of the kind ${expected.kind} and name the fields and models.`,
  )
  return error
}

/** A number as a key of the right type. A UUID is random. */
export const numberedKey = ({ fields, primaryKey: [name] }: Model, count: number): unknown => {
  const field = fields.find((known) => known.name === name)
  if (field === undefined || field.kind === 'uuid') return randomUUID()
  return field.kind === 'integer' ? count : sampleIn(field, BigInt(count))
}

export const recordKey = ({ primaryKey }: Model, row: Row): readonly unknown[] =>
  primaryKey.map((name) => row[name])

export const byId = [{ field: 'id', direction: 'asc' }] as const
export const nothing: Condition = Object.freeze({ op: 'or', conditions: [] })
export const not = (condition: Condition): Condition => ({ op: 'not', condition })
export const is = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })
