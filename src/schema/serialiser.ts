import { Buffer } from 'node:buffer'
import { problem, shortened } from '../error/errors.ts'
import { Unrepresentable } from '../model/codec.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, isReadable, type Model, type ValueForm } from '../model/model.ts'
import { onceFor, ownValue, type Values } from '../model/objects.ts'
import type { PageShell } from './envelope.ts'

const readableOf = onceFor((model: Model) => model.fields.filter(isReadable))

/** Members of the JSON of records that are text already, such as included records. */
export interface WrittenMembers {
  /** They take the place of a record's own members of these names. */
  readonly names: readonly string[]
  /** For each record, `"name":…`, with commas between them. */
  readonly texts: readonly string[]
}

/** The text of JSON with such members, if there are some. @param at the place of the record */
export const textWith = (json: object, written: WrittenMembers | undefined, at = 0): string => {
  const added = written?.texts[at]
  if (written === undefined || !added) return JSON.stringify(json)
  // A hook or a source may give records such members, or a function that makes their JSON.
  const isPlain = !('toJSON' in json) && written.names.every((name) => !Object.hasOwn(json, name))
  if (!isPlain) return JSON.stringify({ ...json, ...JSON.parse(`{${added}}`) })
  const text = JSON.stringify(json)
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}${added}}`
}

/** Writes the readable fields of records in model order. @throws HttpError 500 `unrepresentable_value` */
export interface Serialiser {
  /** @param members of JSON to add to the record, and those that are text already @param names as in `page` */
  record(row: Values, members?: Values, written?: WrittenMembers, names?: readonly string[]): string
  /** The JSON of records before it is text. Not to be changed: it may be the rows. @param names and members as in `page` */
  json(rows: readonly Values[], names?: readonly string[], members?: readonly Values[]): readonly Values[]
  /** Writes JSON that was made of rows. */
  written<Text>(rows: readonly Values[], write: () => Text): Text
  /**
   * The text of a page.
   *
   * @param shell what the records stand in
   * @param names the fields of each record; reuse the array, which is a cache key. @default all readable fields
   * @param most returns `undefined` if the text of several records would have more bytes
   * @param members of JSON to add to each record
   * @param written those that are text already
   */
  page(
    rows: readonly Values[],
    shell: PageShell,
    names?: readonly string[],
    most?: number,
    members?: readonly Values[],
    written?: WrittenMembers,
  ): string | undefined
}

export const serialiserOf: (model: Model) => Serialiser = onceFor((model: Model) => {
  const readable = readableOf(model)
  const writing = writingOf(readable)
  const writingOnly = onceFor((names: readonly string[]) =>
    writingOf(readable.filter(({ name }) => names.includes(name))),
  )
  const writingWith = (names: readonly string[] | undefined, members: readonly Values[] | undefined) =>
    withMembers(names === undefined ? writing : writingOnly(names), members)
  const guarded = <Text>(rows: readonly Values[], write: () => Text): Text => {
    try {
      return write()
    } catch (error) {
      throw unrepresentable(model, rows, error)
    }
  }
  return Object.freeze({
    record: (row, members, written, names) =>
      guarded([row], () => {
        const json = (names === undefined ? writing : writingOnly(names)).toJson(row)
        return textWith(members === undefined ? json : { ...json, ...members }, written)
      }),
    json: (rows, names, members) =>
      guarded(rows, () => {
        const { toJson } = writingWith(names, members)
        return rows.map((row, at) => toJson(row, at) as Values)
      }),
    written: guarded,
    page: (rows, shell, names, most = Number.POSITIVE_INFINITY, members, written) =>
      guarded(rows, () => jsonPage(rows, writingWith(names, members), shell, most, written)),
  } satisfies Serialiser)
})

/** How items of a list are written. */
interface Writing<Item> {
  readonly toJson: (item: Item, at?: number) => object
  /** The approximate number of characters of what makes an item large. */
  readonly weigh: (json: object) => number
}

/** The same, with members that are added to each item. */
const withMembers = <Item>(writing: Writing<Item>, members: readonly Values[] | undefined): Writing<Item> =>
  members === undefined
    ? writing
    : {
        toJson: (item, at = 0) => ({ ...writing.toJson(item), ...members[at] }),
        weigh: (json) => writing.weigh(json) + OBJECT,
      }

/** Forms whose JSON has a few characters. */
const shortForms: ReadonlySet<ValueForm> = new Set(['number', 'boolean', 'date'])

const writingOf = (fields: readonly Field[]): Writing<Values> => {
  const large = fields.filter(({ form }) => !shortForms.has(form)).map(({ name }) => name)
  return {
    toJson: recordOf(fields),
    weigh: (json) => {
      let weight = 0
      for (const name of large) weight += weightOf((json as Values)[name])
      return weight
    },
  }
}

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

/** The text of a page around the records. */
const aroundItems = ({ items, rest }: PageShell): readonly [before: string, after: string] => {
  // JavaScript moves members whose names are numbers to the front, so they are not written with the records.
  const after = JSON.stringify(rest)
  return [`{${JSON.stringify(items)}:[`, after === '{}' ? ']}' : `],${after.slice(1)}`]
}

/** The most bytes of a UTF-16 unit in UTF-8. */
const BYTES = 3

/**
 * `undefined` if the text of the items would have more than `most` bytes; writing stops there. A single item is always
 * written, because a client cannot request less.
 */
export const jsonPage = <Item>(
  items: readonly Item[],
  { toJson, weigh }: Writing<Item>,
  shell: PageShell,
  most: number,
  written?: WrittenMembers,
): string | undefined => {
  if (written !== undefined) return joinedPage(items, toJson, shell, most, written)
  const texts: string[] = []
  let bytes = 1
  for (let from = 0; from < items.length || from === 0; ) {
    const batch: object[] = []
    for (let weight = 0; weight < BATCH && from < items.length; from++) {
      const json = toJson(items[from] as Item, from)
      weight += weigh(json)
      batch.push(json)
    }
    if (batch.length === items.length) {
      const text = JSON.stringify({ [shell.items]: batch, ...shell.rest })
      const fits = batch.length <= 1 || BYTES * text.length <= most || bytesOfItems(text, shell) <= most
      return fits ? text : undefined
    }
    const text = JSON.stringify(batch)
    bytes += Buffer.byteLength(text) - 1
    if (bytes > most) return undefined
    texts.push(text.slice(1, -1))
  }
  const [before, after] = aroundItems(shell)
  return before + texts.join(',') + after
}

/** The same, of items that are text in part. */
const joinedPage = <Item>(
  items: readonly Item[],
  toJson: Writing<Item>['toJson'],
  shell: PageShell,
  most: number,
  written: WrittenMembers,
): string | undefined => {
  let text = ''
  for (const [at, item] of items.entries()) {
    text += (at === 0 ? '' : ',') + textWith(toJson(item, at), written, at)
    if (at > 0 && text.length > most) return undefined
  }
  const fits =
    items.length <= 1 || BYTES * text.length <= most || Buffer.byteLength(text) + '[]'.length <= most
  const [before, after] = aroundItems(shell)
  return fits ? before + text + after : undefined
}

const bytesOfItems = (text: string, shell: PageShell): number =>
  Buffer.byteLength(text) - Buffer.byteLength(aroundItems(shell).join('')) + '[]'.length

/** JSON.stringify is faster with many records at once. A batch of this many characters is small enough to stop in time. */
const BATCH = 1_000_000

/** Measuring an object would mean visiting all its members, so sixteen objects count as a batch. */
const OBJECT = BATCH / 16

const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? OBJECT : 0
}

/** How the records that a hook returns are written. */
export const hookWriting = (model: Model, names?: readonly string[]): Writing<object> => ({
  toJson: (shown) => hookResultJson(model, shown, names),
  weigh: (json) => Object.values(json).reduce((sum: number, value) => sum + weightOf(value), 0),
})

/** Removes unreadable fields, because a hook may return the whole record. */
export const hookResultJson = (model: Model, shown: object, names?: readonly string[]): Values => {
  const given = withNewNames(model, shown as Values)
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

/** A row that the hook read itself has the names of the ORM. New names take precedence. */
const withNewNames = (model: Model, given: Values): Values => {
  const names = newNamesOf(model)
  if (names.size === 0) return given
  const entries = Object.entries(given)
  return Object.fromEntries([
    ...entries.map(([name, value]) => [names.get(name) ?? name, value]),
    ...entries.filter(([name]) => !names.has(name)),
  ])
}

/** Names of the ORM that no field has anymore. */
const newNamesOf = onceFor(
  ({ fields }: Model): ReadonlyMap<string, string> =>
    new Map(
      fields.flatMap(({ name, inSource }) =>
        inSource === undefined || fields.some((other) => other.name === inSource) ? [] : [[inSource, name]],
      ),
    ),
)

/** A value that does not fit the column, such as a mask, comes from the hook and is shown unchanged. */
const valueJson = (field: Field, value: unknown): unknown => {
  if (value === null || value === undefined) return value
  const row = kinds[field.kind]
  const reading = row.read(value, field)
  if (reading.ok) return row.write(reading.value, field)
  return typeof value === 'number' ? row.write(value, field) : value
}
