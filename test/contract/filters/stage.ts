import { defineSettings } from '../../../src/index.ts'
import { type FieldKind, fieldOf, type Model } from '../../../src/model/model.ts'
import type { ModelSource } from '../../../src/source/source.ts'
import { onFetch } from '../../stage/apps.ts'
import { type Send, senderTo } from '../../stage/requests.ts'
import type { Json, Meaning } from './meaning.ts'
import { hardTexts, samples } from './samples.ts'

/** Things on an empty database, and how its texts are folded and ordered. */
export interface Things extends Pick<Meaning, 'fold' | 'collate'> {
  readonly source: ModelSource
  /** Those that the database has columns for. */
  readonly kinds: readonly FieldKind[]
  close(): unknown
}

/** A served database with rows in it. */
export interface Filtered {
  readonly model: Model
  readonly meaning: Meaning
  /** As they are replied, in the order of their keys. */
  readonly rows: readonly Json[]
  ask(query: string): Promise<Reply>
}

export interface Reply {
  readonly status: number
  /** The keys of the items, in order. */
  readonly codes: readonly string[]
  readonly count: unknown
  readonly problem: { readonly code?: string; readonly errors?: readonly { readonly parameter?: string }[] }
}

/** Some keys are alike but for case, spaces or a character of patterns. */
const codes = ['k', 'K', 'k ', 'k%', 'k_', 'kk', '"k"', 'k,k']

const rowAt = (model: Model, place: number): Json => {
  const row: Record<string, unknown> = { code: codes[place] ?? `row ${place}` }
  if (place % 3 > 0) row['parent'] = codes[place % codes.length]
  for (const [step, { name, nullable }] of model.fields.entries()) {
    const known = samples[name]
    if (known === undefined) continue
    const values = nullable ? [...known.stored, null] : known.stored
    // Each field at its own pace, so that they are not the same ones that meet.
    row[name] = values[(place + step * (1 + Math.floor(place / values.length))) % values.length]
  }
  return row
}

const ROWS = 2 * hardTexts.length

/** Serves the things and stores rows through the service. */
export const filtered = async ({ source, fold, collate }: Things): Promise<Filtered> => {
  // Long texts are looked for, and many at once.
  const settings = defineSettings({ QUERY_MAX_CONTAINS: 1000, QUERY_MAX_BYTES: 32_000 })
  const send = senderTo(await onFetch({ models: source, settings }, { base: '' }))
  const [model] = source.models
  if (model === undefined) throw new Error((source.notes ?? []).join())
  // Parents first.
  for (const code of codes) await store(send, { ...rowAt(model, codes.indexOf(code)), parent: null })
  for (let place = codes.length; place < ROWS; place += 1) await store(send, rowAt(model, place))
  const { items } = (await send('GET', '/things?limit=1000')).json as { readonly items: readonly Json[] }
  const kinds = Object.fromEntries(model.fields.map(({ name, kind }) => [name, kind]))
  const keys = new Set(['code', 'parent'])
  const singles = new Set(model.fields.some(({ name }) => name === 'single') ? ['single'] : [])
  return { model, meaning: { kinds, keys, singles, fold, collate }, rows: items, ask: askOf(send) }
}

const store = async (send: Send, row: Json): Promise<void> => {
  const { status, text } = await send('POST', '/things', { body: row })
  if (status !== 201) throw new Error(text)
}

const askOf =
  (send: Send) =>
  async (query: string): Promise<Reply> => {
    const { status, json } = await send('GET', `/things?limit=1000&fields=code&${query}`)
    const body: Reply['problem'] & { items?: readonly { code: string }[]; count?: unknown } = json
    return {
      status,
      codes: (body.items ?? []).map(({ code }) => code),
      count: body.count,
      problem: body,
    }
  }

/** The values that a field can be asked for, as texts. */
export const textsFor = (model: Model, name: string, rows: readonly Json[]): readonly string[] => {
  const { kind } = fieldOf(model, name)
  const stored = rows.map((row) => row[name]).filter((value) => value !== null)
  const isPlain = kind !== 'json' && kind !== 'array' && kind !== 'opaque'
  const texts = isPlain ? stored.map(String) : []
  // The query string has an end: the long text is stored, and parts of it are asked for.
  const isNumbered = (text: string) => /^row \d*[1-9]$/.test(text)
  return [...new Set([...texts, ...(samples[name]?.asked ?? [])])].filter(
    (text) => text.length < 1600 && !isNumbered(text),
  )
}
