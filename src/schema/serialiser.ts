import { Buffer } from 'node:buffer'
import { problem, shortened } from '../error/errors.ts'
import { Unrepresentable } from '../model/codec.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, isReadable, type Model } from '../model/model.ts'
import { onceFor, ownValue, type Values } from '../model/objects.ts'

const readableOf = onceFor((model: Model) => model.fields.filter(isReadable))

/** Writes the readable fields of records in model order. @throws HttpError 500 `unrepresentable_value` */
export interface Serialiser {
  /** @param members of JSON to add to the record */
  record(row: Values, members?: Values): string
  /** The JSON of a record before it is text. Not to be changed: it may be the row. @param names as in `list` */
  json(row: Values, names?: readonly string[]): Values
  /**
   * @param names the fields of each record; reuse the array, which is a cache key. @default all readable fields
   * @param most returns `undefined` if the text of several records would have more bytes
   * @param members of JSON to add to each record
   */
  list(
    rows: readonly Values[],
    names?: readonly string[],
    most?: number,
    members?: readonly Values[],
  ): string | undefined
}

export const serialiserOf: (model: Model) => Serialiser = onceFor((model: Model) => {
  const readable = readableOf(model)
  const toJson = recordOf(readable)
  const toJsonOf = onceFor((names: readonly string[]) =>
    recordOf(readable.filter(({ name }) => names.includes(name))),
  )
  const guarded = <Text>(rows: readonly Values[], write: () => Text): Text => {
    try {
      return write()
    } catch (error) {
      throw unrepresentable(model, rows, error)
    }
  }
  return Object.freeze({
    record: (row, members) =>
      guarded([row], () =>
        JSON.stringify(members === undefined ? toJson(row) : { ...toJson(row), ...members }),
      ),
    json: (row, names) => guarded([row], () => (names === undefined ? toJson : toJsonOf(names))(row)),
    list: (rows, names, most = Number.POSITIVE_INFINITY, members) => {
      const own = names === undefined ? toJson : toJsonOf(names)
      const json =
        members === undefined ? own : (row: Values, at: number) => ({ ...own(row), ...members[at] })
      return guarded(rows, () => jsonList(rows, json, most))
    },
  } satisfies Serialiser)
})

/** JSON.stringify is fastest with the record itself, so it is copied only if a value changes or a field is hidden. */
const recordOf = (fields: readonly Field[]): ((row: Values) => Values) => {
  const names = fields.map(({ name }) => name)
  const writers = fields
    .filter((field) => kinds[field.kind].writesAsIs?.(field) !== true)
    .map((field) => ({ field, name: field.name, write: kinds[field.kind].write }))
  return (row) => {
    let record: Record<string, unknown> = hasExactly(names, row) ? row : pick(names, row)
    for (const { field, name, write } of writers) {
      const value = row[name]
      const json = value === null || value === undefined ? value : write(value, field)
      if (json === value) continue
      // The row belongs to the source and must not be changed.
      if (record === row) record = { ...row }
      record[name] = json
    }
    return record
  }
}

const hasExactly = (names: readonly string[], row: Values): boolean => {
  let at = 0
  for (const name in row) {
    if (name !== names[at]) return false
    at += 1
  }
  return at === names.length
}

const pick = (names: readonly string[], row: Values): Values => {
  const record: Record<string, unknown> = {}
  for (const name of names) record[name] = ownValue(row, name)
  return record
}

const unrepresentable = (model: Model, rows: readonly Values[], error: unknown): unknown => {
  for (const row of rows) {
    const field = readableOf(model).find((candidate) => !isWritten(candidate, row))
    if (field === undefined) continue
    const key = model.primaryKey.map((name) => shortened(String(ownValue(row, name)))).join(',')
    const cause = new Unrepresentable(`${model.name} ${key}, field ${field.name}`, { cause: error })
    return problem(
      'unrepresentable_value',
      `A stored value of the field ${field.name} cannot be returned exactly.`,
      { cause },
    )
  }
  return error
}

const isWritten = (field: Field, row: Values): boolean => {
  const value = ownValue(row, field.name)
  try {
    JSON.stringify(value === null || value === undefined ? value : kinds[field.kind].write(value, field))
    return true
  } catch {
    return false
  }
}

/**
 * `undefined` if the text would have more than `most` bytes; writing stops there. A list of one record is always written,
 * because a client cannot request less.
 */
export const jsonList = <Item>(
  items: readonly Item[],
  toJson: (item: Item, at: number) => object,
  most: number,
): string | undefined => {
  if (items.length <= 1) return JSON.stringify(items.map(toJson))
  const texts: string[] = []
  let bytes = 1
  for (let from = 0; from < items.length; ) {
    const batch: object[] = []
    for (let weight = 0; weight < BATCH && from < items.length; from++) {
      const json = toJson(items[from] as Item, from)
      weight += weightOf(json)
      batch.push(json)
    }
    const text = JSON.stringify(batch)
    bytes += Buffer.byteLength(text) - 1
    if (bytes > most) return undefined
    if (batch.length === items.length) return text
    texts.push(text.slice(1, -1))
  }
  return `[${texts.join(',')}]`
}

/** JSON.stringify is faster with many records at once. A batch of this many characters is small enough to stop in time. */
const BATCH = 1_000_000

/** Measuring an object would mean visiting all its members, so sixteen objects count as a batch. */
const OBJECT = BATCH / 16

/** The approximate number of characters of a large record. */
const weightOf = (json: object): number => {
  let weight = 0
  for (const value of Object.values(json)) {
    if (typeof value === 'string') weight += value.length
    else if (typeof value === 'object' && value !== null) weight += OBJECT
  }
  return weight
}

/** Removes unreadable fields, because a hook may return the whole record. */
export const hookResultJson = (model: Model, shown: object, names?: readonly string[]): Values => {
  const given = shown as Values
  const json: Record<string, unknown> = {}
  for (const field of readableOf(model)) {
    const isAsked = names?.includes(field.name) ?? true
    if (isAsked && Object.hasOwn(given, field.name))
      json[field.name] = valueJson(field, ownValue(given, field.name))
  }
  for (const [name, value] of Object.entries(given)) {
    if (model.fields.every((field) => field.name !== name)) json[name] = value
  }
  return json
}

/** A value that does not fit the column, such as a mask, comes from the hook and is shown unchanged. */
const valueJson = (field: Field, value: unknown): unknown => {
  if (value === null || value === undefined) return value
  const row = kinds[field.kind]
  const reading = row.read(value, field)
  if (reading.ok) return row.write(reading.value, field)
  return typeof value === 'number' ? row.write(value, field) : value
}
