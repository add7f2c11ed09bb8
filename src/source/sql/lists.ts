import type { Element, Field, FieldKind } from '../../model/model.ts'
import { type Sql, sql } from './text.ts'

/** How the elements of an array get to the database and back, as text. */
interface ElementCodec {
  readonly decode: (raw: unknown) => unknown
  readonly param: (value: unknown) => unknown
}

/** Elements that drivers parse in their own ways, or not at all. */
const own: ReadonlySet<FieldKind> = new Set([
  ...(['datetime', 'localdatetime', 'date', 'time', 'json', 'bytes'] as const),
])

/** Whether statements read and write an array as text, whatever the ORM does. */
export const isTextList = ({ kind, element }: Pick<Field, 'kind' | 'element'>): boolean =>
  kind === 'array' && element !== undefined && own.has(element.kind)

/** An array of PostgreSQL whose elements are read as JSON. */
export const textList = (
  { kind }: Element,
  codec: ElementCodec,
): ElementCodec & { readonly selected: (column: Sql) => Sql } => {
  const { decode, param } = { ...codec, ...elements[kind] }
  return {
    selected: kind === 'datetime' ? instants : (column: Sql) => sql`to_json(${column})::text`,
    decode: (raw: unknown): unknown =>
      (JSON.parse(String(raw)) as readonly unknown[]).map((value) => (value === null ? null : decode(value))),
    param: (value: unknown): string => arrayLiteral((value as readonly unknown[]).map(param)),
  }
}

const elements: Readonly<Partial<Record<FieldKind, ElementCodec>>> = {
  json: { decode: (value) => value, param: (value) => JSON.stringify(value) },
  bytes: {
    decode: (hex) => Buffer.from(String(hex).slice(2), 'hex'),
    param: (bytes) => `\\x${Buffer.from(bytes as Uint8Array).toString('hex')}`,
  },
}

/** In UTC, whatever the zone of the session. */
const instants = (column: Sql): Sql =>
  sql`case when ${column} is not null then (select coalesce(json_agg(timezone('UTC', part)::text order by place), '[]')::text from unnest(${column}) with ordinality parts(part, place)) end`

/** A literal of an array of PostgreSQL. Those of ORMs lose backslashes, line breaks and the text `NULL`. */
export const arrayLiteral = (values: readonly unknown[]): string => `{${values.map(elementText).join()}}`

const elementText = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return arrayLiteral(value)
  const bytes = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : undefined
  const text = value instanceof Date ? value.toISOString() : (bytes ?? String(value))
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
