import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controllerFor } from '../../src/index.ts'
import type { Field, Model } from '../../src/model/model.ts'
import type { Row } from '../../src/source/source.ts'
import { hardValues } from '../../src/testing/source/samples.ts'
import { isComparable, order } from '../contract/evaluate.ts'
import { createPg, createSqlite, pgLibrary, sqliteLibrary } from '../contract/library.ts'
import { type App, onFetch } from '../stage/apps.ts'
import { openPglite, openSqlite, type TestDatabase } from '../stage/databases.ts'

const sqlite = async (): Promise<TestDatabase> => openSqlite(sqliteLibrary, createSqlite.join(';'))

const pglite = (): Promise<TestDatabase> => openPglite(pgLibrary, createPg.join(';'))

/** What a scope hook may give. */
type Equalities = Readonly<Record<string, unknown>>

/** The meaning of a scope, in plain code over all rows (contract, 6). */
const reaches = (
  scope: Equalities | readonly Equalities[],
  model: Model,
  row: Row,
  library: Library,
): boolean =>
  Array.isArray(scope)
    ? scope.some((one) => holds(one, model, row, library))
    : holds(scope as Equalities, model, row, library)

interface Library {
  readonly models: ReadonlyMap<string, Model>
  readonly rows: ReadonlyMap<string, readonly Row[]>
}

const holds = (equalities: Equalities, model: Model, row: Row, library: Library): boolean =>
  Object.entries(equalities).every(([name, value]) => {
    const field = model.fields.find((known) => known.name === name)
    if (field !== undefined) {
      const values = Array.isArray(value) ? value : [value]
      return values.some((one) => isEqual(row[name], one, field))
    }
    const relation = model.relations.find((known) => known.name === name)
    const target = library.models.get(relation?.model ?? '')
    if (relation === undefined || target === undefined) throw new Error(`no relation ${name}`)
    return (library.rows.get(target.name) ?? []).some(
      (other) =>
        relation.fields.every(
          (own, at) => row[own] !== null && row[own] === other[relation.references[at] ?? ''],
        ) && holds(value as Equalities, target, other, library),
    )
  })

const isEqual = (stored: unknown, value: unknown, field: Field): boolean =>
  stored === null || value === null ? stored === value : order(stored, value, field) === 0

const authors = ['Lem', 'lem', 'Le Guin', "O'Brien", ''].map((name, at) => ({
  ...{ id: at + 1, name, email: at % 2 === 0 ? null : `a${at}@example.org`, bio: at === 2 ? 'long' : null },
}))
const categories = [
  { id: 1, name: 'prose', parentId: null },
  { id: 2, name: 'novels', parentId: 1 },
  { id: 3, name: 'science fiction', parentId: 2 },
]
const values: Readonly<Record<string, readonly unknown[]>> = {
  ...hardValues,
  title: ['Solaris', 'solaris', 'Solaris ', '', '100 % of_it', `it's "quoted"`],
  authorId: authors.map(({ id }) => id),
  translatorId: [...authors.map(({ id }) => id), null],
  categoryId: [1, 2, 3, null],
}
const ROWS = 40

describe.each([
  ['better-sqlite3', sqlite],
  ['PGlite', pglite],
] as const)('random scopes on %s', (_name, open) => {
  let stage: TestDatabase
  let app: App
  let library: Library
  const scopes: Record<string, Equalities | readonly Equalities[]> = {}
  const modelOf = (name: string): Model => {
    const model = library.models.get(name)
    if (model === undefined) throw new Error(`no model ${name}`)
    return model
  }
  const comparableOf = (model: Model): readonly Field[] =>
    model.fields.filter(
      (field) => isComparable(field) && !['titleLength', 'id', 'bookId'].includes(field.name),
    )

  beforeAll(async () => {
    stage = await open()
    const { models: source } = stage
    const models = new Map(source.models.map((model) => [model.name, model]))
    const create = async (name: string, row: Row): Promise<Row> =>
      await source.store(models.get(name) as Model).create(row)
    const stored: Record<string, Row[]> = { Author: [], Category: [], Book: [], Review: [] }
    for (const author of authors) stored['Author']?.push(await create('Author', author))
    for (const category of categories) stored['Category']?.push(await create('Category', category))
    const fields = models.get('Book')?.fields.filter(({ name }) => values[name] !== undefined) ?? []
    const book = fc.record(
      Object.fromEntries(fields.map(({ name }) => [name, fc.constantFrom(...(values[name] ?? []))])),
    )
    for (const [at, row] of fc.sample(book, { numRuns: ROWS, seed: 4711 }).entries()) {
      const made = await create('Book', { ...row, isbn: `${at}` })
      stored['Book']?.push(made)
      if (at % 2 === 0)
        stored['Review']?.push(
          await create('Review', {
            bookId: made['id'],
            reviewer: `r${at}`,
            stars: 1 + (at % 5),
            note: at % 3 === 0 ? null : 'x',
          }),
        )
    }
    library = { models, rows: new Map(Object.entries(stored)) }
    const controllers = ['Book', 'Review'].map((name) =>
      controllerFor(name, { scope: () => (scopes[name] ?? []) as never }),
    )
    app = await onFetch({ models: source, controllers }, { base: '', onlyModels: true })
  })
  afterAll(() => stage.close())

  const valuesIn = (model: Model, { name }: Field): readonly unknown[] => [
    ...new Set((library.rows.get(model.name) ?? []).map((row) => row[name])),
  ]

  /** One value of a field, or several of them: those that rows have, so that something is found. */
  const equality = (model: Model, field: Field): fc.Arbitrary<Equalities> => {
    const one = fc.constantFrom(...valuesIn(model, field))
    return fc
      .oneof({ weight: 3, arbitrary: one }, { weight: 2, arbitrary: fc.array(one, { maxLength: 4 }) })
      .map((value) => ({ [field.name]: value }))
  }

  const equalities = (model: Model, depth = 3): fc.Arbitrary<Equalities> => {
    const related = depth === 0 ? [] : model.relations.filter(({ kind }) => kind === 'to-one')
    const nested = related.map(({ name, model: target }) =>
      equalities(modelOf(target), depth - 1).map((inner): Equalities => ({ [name]: inner })),
    )
    const parts = comparableOf(model).map((field) => equality(model, field))
    return fc
      .array(fc.oneof(...parts, ...nested.flatMap((one) => [one, one])), { maxLength: 2 })
      .map((all) => Object.assign({}, ...all) as Equalities)
  }

  it.each([
    ['Book', 'books', ['isbn']],
    ['Review', 'reviews', ['reviewer']],
  ] as const)('lists of %s hold what a plain evaluation finds', async (name, path, [key]) => {
    const model = modelOf(name)
    const rows = library.rows.get(name) ?? []
    let found = 0
    const one = equalities(model)
    await fc.assert(
      fc.asyncProperty(fc.oneof(one, one, fc.array(one, { maxLength: 3 })), async (scope) => {
        scopes[name] = scope
        const expected = rows.filter((row) => reaches(scope, model, row, library)).map((row) => row[key])
        const reply = await app.ask(`/${path}/?limit=1000&fields=${key}`)
        const text = await reply.text()
        expect([reply.status, text]).toEqual([200, expect.any(String)])
        const list = JSON.parse(text) as { items: readonly Row[]; count: number }
        expect(list.items.map((item) => item[key]).toSorted()).toEqual(expected.toSorted())
        const counted = await app.ask(`/${path}/?limit=0`)
        expect(await counted.json()).toEqual({ items: [], count: expected.length, count_exact: true })
        found += expected.length > 0 && expected.length < rows.length ? 1 : 0
      }),
      { numRuns: 300 },
    )
    expect(found).toBeGreaterThan(50)
  })
})
