import fc from 'fast-check'
import { expect } from 'vitest'
import type { Model, Relation } from '../../../src/model/model.ts'
import { type Condition, everything, type Order, sortName } from '../../../src/query/ast.ts'
import type { ModelSource, Row } from '../../../src/source/source.ts'
import { byOrder, type Meaning, meets, modelIn, relatedRows, sortValuesOf } from './meaning.ts'

const DEPTH = 3
const byKey = (model: Model, direction: Order['direction'] = 'asc'): readonly Order[] =>
  model.primaryKey.map((field) => ({ field, direction }))

const readAll = async (source: ModelSource): Promise<Meaning> => {
  const tables = new Map<string, readonly Row[]>()
  for (const model of source.models) {
    const selection = { filter: everything, order: [], limit: 10_000, offset: 0 }
    tables.set(model.name, await source.store(model).list(selection, everything))
  }
  return { models: source.models, rowsOf: (name) => tables.get(name) ?? [] }
}

const leafOn = (all: Meaning, model: Model): fc.Arbitrary<Condition> =>
  fc.constantFrom(...model.fields).chain((field) => {
    const values = [...new Set(all.rowsOf(model.name).map((row) => row[field.name]))].filter(
      (value) => value !== null,
    )
    const named = fc.constant(field.name)
    const empty = fc.record({ op: fc.constantFrom('is-null' as const, 'is-not-null' as const), field: named })
    const isNumber = field.kind === 'integer' || field.kind === 'decimal'
    const operators = isNumber ? (['eq', 'ne', 'gt', 'le'] as const) : (['eq', 'ne'] as const)
    const compared = fc.record({
      op: fc.constantFrom(...operators),
      field: named,
      value: fc.constantFrom(...values),
    })
    return values.length === 0 ? empty : fc.oneof({ weight: 3, arbitrary: compared }, empty)
  })

const conditionOn = (all: Meaning, model: Model, depth: number): fc.Arbitrary<Condition> => {
  const leaf = leafOn(all, model)
  if (depth === 0) return fc.oneof(leaf, fc.constant(everything))
  const inner = fc.nat({ max: 0 }).chain(() => conditionOn(all, model, depth - 1))
  const conditions = fc.array(inner, { maxLength: 3 })
  return fc.oneof(
    { weight: 1, arbitrary: leaf },
    { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('and' as const, 'or' as const), conditions }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('not' as const), condition: inner }) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(...model.relations).chain((relation) => relatedOn(all, relation, depth - 1)),
    },
  )
}

const relatedOn = (
  all: Meaning,
  { name, model, through }: Relation,
  depth: number,
): fc.Arbitrary<Condition> => {
  const related = {
    op: fc.constant('related' as const),
    relation: fc.constant(name),
    condition: conditionOn(all, modelIn(all, model), depth),
  }
  if (through === undefined) return fc.record(related)
  const link = conditionOn(all, modelIn(all, through.model), Math.min(depth, 1))
  return fc.record({ ...related, link }, { requiredKeys: ['op', 'relation', 'condition'] })
}

/** Text is sorted by a collation, which plain code does not know. */
const orderOn = (all: Meaning, model: Model, hops: number): fc.Arbitrary<Order> => {
  const numbers = model.fields.filter(({ kind }) => kind === 'integer' || kind === 'decimal')
  const own = fc.record({
    field: fc.constantFrom(...(numbers.length > 0 ? numbers : model.fields).map(({ name }) => name)),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  })
  const steps = model.relations.filter(({ kind, model: name }) => {
    const fields = modelIn(all, name).fields
    return kind === 'to-one' && fields.some((field) => field.kind === 'integer')
  })
  if (hops === 0 || steps.length === 0) return own
  const joined = fc.constantFrom(...steps).chain((relation) => {
    const target = modelIn(all, relation.model)
    const guard = fc.oneof(fc.constant(everything), conditionOn(all, target, 1))
    return fc.tuple(guard, orderOn(all, target, hops - 1)).map(
      ([found, { via = [], ...key }]): Order => ({
        ...key,
        via: [{ relation: relation.name, guard: found }, ...via],
      }),
    )
  })
  return fc.oneof(own, joined)
}

const orders = (all: Meaning, model: Model): fc.Arbitrary<readonly Order[]> =>
  fc
    .uniqueArray(orderOn(all, model, 2), { maxLength: 2, selector: sortName })
    .map((keys) => [
      ...keys,
      ...byKey(model).filter(({ field }) => keys.every((key) => sortName(key) !== field)),
    ])

/** Asserts that lists, counts, reads, and what is read of related records, are as in plain code. */
export const assertRelations = async (source: ModelSource, numRuns: number): Promise<void> => {
  const all = await readAll(source)
  const keyOf = (model: Model, row: Row) => model.primaryKey.map((name) => row[name])
  const asked = fc.constantFrom(...source.models).chain((model) =>
    fc.record({
      model: fc.constant(model),
      filter: conditionOn(all, model, DEPTH),
      guard: fc.oneof(fc.constant(everything), conditionOn(all, model, 1)),
      order: orders(all, model),
      limit: fc.constantFrom(3, 1000),
      place: fc.nat({ max: 60 }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(asked, async ({ model, filter, guard, order, limit, place }) => {
      const store = source.store(model)
      const expected = all
        .rowsOf(model.name)
        .filter((row) => meets(all, model, row, filter) && meets(all, model, row, guard))
        .toSorted(byOrder(all, model, order))
      const listed = await store.list({ filter, order, limit, offset: 0 }, guard)
      expect(listed.map((row) => keyOf(model, row))).toEqual(
        expected.slice(0, limit).map((row) => keyOf(model, row)),
      )
      expect(listed.map((row) => order.map((key) => row[sortName(key)]))).toEqual(
        expected.slice(0, limit).map((row) => sortValuesOf(all, model, row, order)),
      )
      expect(await store.count(filter, guard)).toBe(expected.length)
      const row = all.rowsOf(model.name)[place % all.rowsOf(model.name).length]
      if (row === undefined) return
      const isFound = expected.includes(row)
      const both: Condition = { op: 'and', conditions: [filter, guard] }
      expect(await store.read(keyOf(model, row), both)).toEqual(isFound ? row : undefined)
      const changed = model.fields.find(({ name }) => !model.primaryKey.includes(name))?.name ?? ''
      const updated = await store.update(keyOf(model, row), { [changed]: row[changed] }, both)
      expect(updated).toEqual(isFound ? row : undefined)
    }),
    { numRuns },
  )

  const askedOf = fc
    .constantFrom(
      ...source.models.flatMap((model) => model.relations.map((relation) => ({ model, relation }))),
    )
    .chain(({ model, relation }) => {
      const target = modelIn(all, relation.model)
      const link = relation.through && modelIn(all, relation.through.model)
      return fc.record({
        model: fc.constant(model),
        relation: fc.constant(relation),
        places: fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 20 }),
        filter: fc.oneof(fc.constant(everything), conditionOn(all, target, 2)),
        guard: fc.oneof(fc.constant(everything), conditionOn(all, target, 1)),
        link:
          link === undefined
            ? fc.constant(undefined)
            : fc.option(conditionOn(all, link, 1), { nil: undefined }),
        order: orders(all, target),
        limit: fc.constantFrom(1, 2, 5, 1000),
        fields: fc.constantFrom(undefined, target.primaryKey),
      })
    })
  await fc.assert(
    fc.asyncProperty(
      askedOf,
      async ({ model, relation, places, filter, guard, link, order, limit, fields }) => {
        const target = modelIn(all, relation.model)
        const rows = all.rowsOf(model.name)
        const chosen = places.map((at) => rows[at % rows.length] ?? {})
        const keys = chosen.map((row) => relation.fields.map((name) => row[name]))
        const complete = keys.filter((key) => !key.includes(null))
        const records = [...new Map(complete.map((key) => [JSON.stringify(key), key])).values()]
        // It may read more, and there are few.
        const to = { relation: relation.name, records, guard, most: 0, ...(link && { link }) }
        const expected = records.map((key) => {
          const record = Object.fromEntries(relation.fields.map((name, at) => [name, key[at]]))
          return relatedRows(all, record, relation, link)
            .filter((row) => meets(all, target, row, filter) && meets(all, target, row, guard))
            .toSorted(byOrder(all, target, order))
        })
        const store = source.store(model)
        const selection = { filter, order, limit, offset: 0, ...(fields && { fields }) }
        const found = (await store.related?.(to, selection)) ?? []
        expect(found.map((list) => list.map((row) => keyOf(target, row)))).toEqual(
          expected.map((list) => list.slice(0, limit).map((row) => keyOf(target, row))),
        )
        expect(await store.countRelated?.(to, filter)).toEqual(expected.map((list) => list.length))
        const names = [
          ...(fields ?? target.fields.map(({ name }) => name)),
          ...order.filter(({ via }) => via !== undefined).map(sortName),
        ]
        for (const row of found.flat())
          expect(Object.keys(row).toSorted()).toEqual([...new Set(names)].toSorted())
      },
    ),
    { numRuns },
  )
}
