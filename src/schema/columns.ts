import { type Issue, pointerTo, shortened } from '../error/errors.ts'
import { isRecord } from '../error/record.ts'
import { type KindRow, type Reading, refused } from '../model/codec.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, isReadable, isWritable, type Model, type ValueForm } from '../model/model.ts'
import { onceFor, ownValue, type Values } from '../model/objects.ts'
import { bodyRefusal, detailPrefix, unwritableKeyIssue } from './issues.ts'

/** Checks values against the columns of a table, whoever may write them. */
export interface ColumnSchema {
  /**
   * The values in the form that is stored. Each may come in that form or as JSON; `undefined` counts as absent.
   *
   * @param sent the keys of the client's body: if one of them is not a column, that is the client's mistake
   * @throws HttpError 422 `invalid_body`; Error for what the application has to correct
   */
  parse(value: unknown, sent?: readonly string[]): Values
}

/** The columns of a model: a create needs all that are not null and have no default, an update none. */
export interface ColumnSchemas {
  readonly create: ColumnSchema
  readonly update: ColumnSchema
}

export const columnSchemasOf: (model: Model) => ColumnSchemas = onceFor((model: Model) =>
  Object.freeze({ create: columnSchema(model, isNeeded), update: columnSchema(model, () => false) }),
)

const isNeeded = ({ nullable, hasDefault, generated }: Field): boolean =>
  !(nullable || hasDefault || generated)

const columnSchema = (model: Model, needed: (field: Field) => boolean): ColumnSchema => {
  const columns = model.fields.filter(({ generated }) => !generated)
  const open = new Set(columns.map(({ name }) => name))
  return Object.freeze({
    parse: (value, sent = []) => {
      const given = valuesIn(model, value)
      const closed = Object.keys(given).filter((name) => !open.has(name))
      const own = closed.find((name) => !sent.includes(name))
      if (own !== undefined) throw noColumn(model, own)
      const issues = closed.map((name) => unwritableKeyIssue(name, model))
      // Hidden is hidden in refusals too.
      const hidden: string[] = []
      const stored: Record<string, unknown> = {}
      for (const field of columns) {
        if (!Object.hasOwn(given, field.name) && !needed(field)) continue
        const reading = readingOf(given, field)
        if (reading.ok) stored[field.name] = reading.value
        else if (isReadable(field) || isWritable(field)) issues.push(issueOf(field, reading))
        else
          hidden.push(
            `${field.name}, which clients cannot see, cannot be stored. ${issueOf(field, reading).detail}`,
          )
      }
      if (issues.length > 0) throw bodyRefusal(issues)
      if (hidden.length > 0) throw new Error(`${model.name}.${hidden[0]}`)
      return stored
    },
  } satisfies ColumnSchema)
}

const valuesIn = (model: Model, value: unknown): Values => {
  if (!isRecord(value))
    throw new Error(`The values of a ${model.name} are no object of column names and values.`)
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
}

const readingOf = (given: Values, field: Field): Reading => {
  if (!Object.hasOwn(given, field.name)) return refused('required', expectedOf(field))
  const value = ownValue(given, field.name)
  if (value !== null) return readEitherForm(value, field)
  return field.nullable ? { ok: true, value } : refused('not_nullable', expectedOf(field))
}

/** Forms that hold more than clients may send: a record of the ORM may say `2026-01-31 09:30:00+00`. */
const looseForms: ReadonlySet<ValueForm> = new Set(['string', 'json'])

/** Reads a value that code gives: in the form of the field, as a record of the ORM has it, or as it is in JSON. */
export const readEitherForm = (value: unknown, field: Field): Reading => {
  const row = kinds[field.kind]
  const reading = (row.readOwn ?? row.read)(value, field)
  if (reading.ok || !looseForms.has(field.form)) return reading
  const json = jsonOf(row, value, field)
  const again = json === undefined ? reading : row.read(json, field)
  return again.ok ? again : reading
}

const jsonOf = (row: KindRow, value: unknown, field: Field): unknown => {
  try {
    return row.write(value, field)
  } catch {
    return undefined
  }
}

const expectedOf = (field: Field): string => {
  const { read, noun } = kinds[field.kind]
  const reading = read(undefined, field)
  return reading.ok ? noun : reading.expected
}

const issueOf = (field: Field, { code, expected, path = [] }: Extract<Reading, { ok: false }>): Issue => {
  const place = [field.name, ...path]
  return { pointer: pointerTo(place), code, detail: `${detailPrefix(code, place)}Expected ${expected}.` }
}

const noColumn = (model: Model, name: string): Error =>
  new Error(
    model.fields.some((field) => field.name === name)
      ? `${model.name}.${name} is made by the database: leave it out of what is stored.`
      : `${model.name} has no column ${shortened(name)}: leave it out of what is stored.`,
  )
