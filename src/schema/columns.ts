import { type Issue, pointerTo, shortened } from '../error/errors.ts'
import { type KindRow, type Reading, refused } from '../model/codec.ts'
import { kinds, readEitherForm } from '../model/kinds/index.ts'
import { type Field, isReadable, isWritable, type Model } from '../model/model.ts'
import { onceFor, ownValue } from '../model/objects.ts'
import { bodyRefusal, detailPrefix, unwritableKeyIssue } from './issues.ts'

/** Values of a record, by the names of its fields. */
type Values = Readonly<Record<string, unknown>>

/** Checks values against the columns of a table, whoever may write them. */
export interface ColumnSchema {
  /**
   * The values in the form that is stored. Each may come in that form or as it is in JSON; `undefined` counts as absent.
   *
   * @param sent the keys of the client's own body: where one of them is no column, that is the client's mistake
   * @throws HttpError 422 `invalid_body` with an entry for each value that does not fit its column; Error, which names
   *   model and column, for what no client could have made right
   */
  parse(value: unknown, sent?: readonly string[]): Values
}

/** The columns of a model: a create needs all that are not null and have no default, an update none. */
export interface ColumnSchemas {
  readonly create: ColumnSchema
  readonly update: ColumnSchema
}

/** The column schemas of a model, made once. */
export const columnSchemasOf: (model: Model) => ColumnSchemas = onceFor((model: Model) =>
  Object.freeze({ create: columnSchema(model, isNeeded), update: columnSchema(model, () => false) }),
)

const isNeeded = ({ nullable, hasDefault, generated }: Field): boolean =>
  !(nullable || hasDefault || generated)

const columnSchema = (model: Model, needed: (field: Field) => boolean): ColumnSchema => {
  const names = new Set(model.fields.map(({ name }) => name))
  const columns = model.fields.filter(({ generated }) => !generated)
  const fixed = new Set(model.fields.filter(({ generated }) => generated).map(({ name }) => name))
  return Object.freeze({
    parse: (value, sent = []) => {
      const given = valuesIn(model, value)
      const strangers = Object.keys(given).filter((name) => fixed.has(name) || !names.has(name))
      const own = strangers.find((name) => !sent.includes(name))
      if (own !== undefined) throw noColumn(model, own, fixed)
      const failed: (readonly [Field, Issue])[] = []
      const stored: Record<string, unknown> = {}
      for (const field of columns) {
        if (!Object.hasOwn(given, field.name) && !needed(field)) continue
        const reading = readingOf(given, field)
        if (reading.ok) stored[field.name] = reading.value
        else failed.push([field, issueOf(field, reading)])
      }
      assertNoIssues(
        model,
        [...strangers.map((name) => unwritableKeyIssue(name, model)), ...visibleIssues(failed)],
        failed,
      )
      return stored
    },
  } satisfies ColumnSchema)
}

const valuesIn = (model: Model, value: unknown): Values => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`The values of a ${model.name} are no object of column names and values.`)
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
}

const readingOf = (given: Values, field: Field): Reading => {
  const row = kinds[field.kind]
  if (!Object.hasOwn(given, field.name)) return refused('required', expectedOf(row, field))
  const value = ownValue(given, field.name)
  if (value !== null) return readEitherForm(value, field)
  return field.nullable ? { ok: true, value } : refused('not_nullable', expectedOf(row, field))
}

const expectedOf = (row: KindRow, field: Field): string => {
  const reading = row.read(undefined, field)
  return reading.ok ? row.noun : reading.expected
}

const issueOf = (field: Field, { code, expected, path = [] }: Extract<Reading, { ok: false }>): Issue => {
  const place = [field.name, ...path]
  return { pointer: pointerTo(place), code, detail: `${detailPrefix(code, place)}Expected ${expected}.` }
}

/** Hidden is hidden in refusals too. */
const visibleIssues = (failed: readonly (readonly [Field, Issue])[]): readonly Issue[] =>
  failed.filter(([field]) => isReadable(field) || isWritable(field)).map(([, issue]) => issue)

const assertNoIssues = (
  model: Model,
  known: readonly Issue[],
  failed: readonly (readonly [Field, Issue])[],
): void => {
  if (known.length > 0) throw bodyRefusal(known)
  const [hidden] = failed
  if (hidden === undefined) return
  const [field, { detail }] = hidden
  throw new Error(`${model.name}.${field.name}, which clients cannot see, cannot be stored. ${detail}`)
}

const noColumn = (model: Model, name: string, fixed: ReadonlySet<string>): Error =>
  new Error(
    fixed.has(name)
      ? `${model.name}.${name} is made by the database: leave it out of what is stored.`
      : `${model.name} has no column ${shortened(name)}: leave it out of what is stored.`,
  )
