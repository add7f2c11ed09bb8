import { type Issue, pointerTo, problem, shortened, suggest } from '../error/errors.ts'
import { isRecord } from '../error/record.ts'
import { type KindRow, type Reading, refused } from '../model/codec.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, isNeeded, isReadable, isWritable, type Model, type ValueForm } from '../model/model.ts'
import { ownValue, type Values } from '../model/objects.ts'
import { bodyRefusal, detailOf, unwritableKeyIssue } from './issues.ts'

/** Checks values against the columns of a table, including columns that clients cannot write. */
export interface ColumnSchema {
  /**
   * Returns the values in the form that is stored. Accepts that form and JSON; `undefined` counts as absent.
   *
   * @param sent the keys of the client's body: an unknown column among them is a mistake of the client
   * @throws HttpError 422 `invalid_body`; Error for mistakes of the application
   */
  parse(value: unknown, sent?: readonly string[]): Values
}

/** A create requires every column that is not nullable, has no default and is not `optional`. An update does not require any column. */
export interface ColumnSchemas {
  readonly create: ColumnSchema
  readonly update: ColumnSchema
}

/**
 * @param opened fields that a custom schema lets clients send even though the model does not
 * @param lacking fields that other callers can send
 */
export const columnSchemasOf = (
  model: Model,
  opened: ReadonlySet<string> = new Set(),
  lacking: ReadonlySet<string> = new Set(),
): ColumnSchemas =>
  Object.freeze({
    create: columnSchema(model, isNeeded, { opened, lacking }),
    update: columnSchema(model, () => false, { opened, lacking }),
  })

const columnSchema = (
  model: Model,
  needed: (field: Field) => boolean,
  { opened, lacking }: Readonly<Record<'opened' | 'lacking', ReadonlySet<string>>>,
): ColumnSchema => {
  const columns = model.fields.filter(({ generated }) => !generated)
  const open = new Set(columns.map(({ name }) => name))
  return Object.freeze({
    parse: (value, sent = []) => {
      const given = valuesIn(model, value)
      const closed = Object.keys(given).filter((name) => !open.has(name))
      const stranger = closed.find((name) => !sent.includes(name))
      if (stranger !== undefined) throw noColumn(model, stranger)
      const issues = closed.map((name) => unwritableKeyIssue(name, model))
      // Mistakes of the application. Errors for clients must not name hidden fields either.
      const own: string[] = []
      const stored: Record<string, unknown> = {}
      for (const field of columns) {
        if (!Object.hasOwn(given, field.name) && !needed(field)) continue
        const reading = readingOf(given, field)
        if (reading.ok) stored[field.name] = reading.value
        else if (reading.code === 'required' && lacking.has(field.name)) throw cannotComplete()
        else if (reading.code === 'required' && !isWritable(field) && !opened.has(field.name))
          own.push(`${field.name} is required, but clients cannot send it, and it was not set.`)
        else if (isReadable(field) || isWritable(field)) issues.push(issueOf(field, reading))
        else
          own.push(
            `${field.name} is hidden from clients, and its value cannot be stored. ${issueOf(field, reading).detail}`,
          )
      }
      if (issues.length > 0) throw bodyRefusal(issues)
      if (own.length > 0) throw new Error(`${model.name}.${own[0]}`)
      return stored
    },
  } satisfies ColumnSchema)
}

/** For a caller who may not write a field that a new record needs. It is not named. */
export const cannotComplete = (): Error =>
  problem('forbidden', 'You may not write all fields that a new record needs.')

const valuesIn = (model: Model, value: unknown): Values => {
  if (!isRecord(value))
    throw new Error(`The values of ${model.name} must be an object that maps column names to values.`)
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
}

const readingOf = (given: Values, field: Field): Reading => {
  if (!Object.hasOwn(given, field.name)) return refused('required', expectedOf(field))
  const value = ownValue(given, field.name)
  if (value !== null) return readEitherForm(value, field)
  return field.nullable ? { ok: true, value } : refused('not_nullable', expectedOf(field))
}

/** Forms that hold more than clients may send: the ORM may return `2026-01-31 09:30:00+00`. */
const looseForms: ReadonlySet<ValueForm> = new Set(['string', 'json'])

/** Reads a value from code: in the form of the field, in that of a record of the ORM, or as JSON. */
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
  return { pointer: pointerTo(place), code, detail: detailOf(code, place, `must be ${expected}.`) }
}

const noColumn = (model: Model, name: string): Error =>
  new Error(
    model.fields.some((field) => field.name === name)
      ? `${model.name}.${name} is generated by the database. Remove it from the values to store.`
      : `${model.name} has no column ${shortened(name)}.${suggest(shortened(name), columnNames(model))}`,
  )

/** The columns that a hook may set. */
const columnNames = ({ fields }: Model): readonly string[] =>
  fields.filter(({ generated }) => !generated).map(({ name }) => name)
