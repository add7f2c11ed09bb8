import type { Model } from '../../../../src/model/model.ts'
import type { Served } from '../stage.ts'
import { type Given, idOf, type Json, type Keys } from './given.ts'

/** What both worlds hold, as clients without a scope see it. */
type Records = ReadonlyMap<string, { readonly own: readonly Json[]; readonly all: readonly Json[] }>

/** Of no record. */
const MISSING = 999

/** Records that are there, and not shown. */
const HIDDEN = [104, 204]

const listed = async (served: Served, { path }: Model): Promise<readonly Json[]> => {
  const { status, body } = await served.ask(1, { method: 'GET', path: `/${path}/?limit=1000` })
  if (status !== 200) throw new Error(`GET /${path}/: ${status} ${body}`)
  return JSON.parse(body).items
}

/** @param alone @param shared the worlds, served without a scope */
export const recordsOf = async (models: readonly Model[], alone: Served, shared: Served): Promise<Records> =>
  new Map(
    await Promise.all(
      models.map(
        async (model) =>
          [model.name, { own: await listed(alone, model), all: await listed(shared, model) }] as const,
      ),
    ),
  )

const different = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
]

const without = <T>(values: readonly T[], others: readonly T[]): readonly T[] => {
  const known = new Set(others.map((value) => JSON.stringify(value)))
  return different(values).filter((value) => !known.has(JSON.stringify(value)))
}

/** The first and the last ones. */
export const few = <T>(values: readonly T[], count = 2): readonly T[] =>
  values.length <= count ? values : [...values.slice(0, count - 1), ...values.slice(-1)]

/** What requests about a model are made of. */
export const givenOf = (model: Model, models: readonly Model[], records: Records): Given => {
  const of = (name: string) => records.get(name) ?? { own: [], all: [] }
  const { own, all } = of(model.name)
  const modelOf = (name: string): Model =>
    models.find((known) => known.name === name) ?? { ...model, fields: [], relations: [] }
  const isCounted = (key: readonly string[]): boolean =>
    key.length === 1 && own.every((record) => typeof record[key[0] ?? ''] === 'number')
  const strange = (key: readonly string[]): readonly Keys[] =>
    isCounted(key) ? [...HIDDEN, MISSING].map((id) => [id]) : [['t9', 1]]
  const keys = (rows: readonly Json[], names: readonly string[]): readonly Keys[] =>
    different(rows.map((row) => names.map((name) => row[name])))
  const ids = (rows: readonly Json[]) => rows.map((row) => idOf(model, row))
  return {
    ...{ model, modelOf, own },
    ids: {
      own: ids(own),
      others: without(
        [...few(without(ids(all), ids(own))), ...strange(model.primaryKey).map((key) => key.join())],
        ids(own),
      ),
    },
    valuesOf: (field) => {
      const values = (rows: readonly Json[]) => different(rows.map((row) => row[field]))
      return { own: values(own), others: without(values(all), values(own)) }
    },
    keysFor: ({ model: target, references }) => {
      const known = keys(of(target).own, references)
      const others = few(without(keys(of(target).all, references).filter(isWhole), known))
      return { own: known.filter(isWhole), others: without([...others, ...strange(references)], known) }
    },
  }
}

const isWhole = (key: Keys): boolean => key.every((value) => value !== null)
