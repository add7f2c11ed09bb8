import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wordsOf } from '../../../src/model/naming.ts'
import { relationName } from '../../../src/model/setup/relation-names.ts'
import { relationsOf } from '../../../src/model/setup/relations.ts'
import { runs } from '../../runs.ts'

const models = ['Order', 'OrderItem', 'Item', 'Tag', 'Person', 'Data', 'Series']
const words = [
  'order',
  'item',
  'order_item',
  'orders',
  'tag',
  'tags',
  'itemTags',
  'person',
  'people',
  'id',
  'data',
]

/** Tables with few names, so that they often collide. */
const tables = fc
  .uniqueArray(fc.constantFrom(...models), { minLength: 1 })
  .chain((names) => {
    const field = fc
      .tuple(fc.constantFrom(...words), fc.constantFrom('', '_id', 'Id'))
      .map((parts) => parts.join(''))
    const key = fc.record({
      model: fc.constantFrom(...names),
      size: fc.integer({ min: 1, max: 2 }),
      at: fc.nat(4),
      name: fc.option(fc.constantFrom('tags', 'item', 'orders', 'bad-name'), { nil: undefined }),
      inverse: fc.option(fc.constantFrom('tags', 'item', 'orders'), { nil: undefined }),
    })
    const columns = fc.record({
      fields: fc.uniqueArray(field, {
        minLength: 2,
        maxLength: 7,
        selector: (name) => wordsOf(name).join(' '),
      }),
      keySize: fc.integer({ min: 1, max: 4 }),
      keys: fc.array(key, { maxLength: 4 }),
    })
    return fc.tuple(...names.map((name) => columns.map((given) => ({ name, ...given }))))
  })
  .map((given) =>
    given.map(({ name, fields, keySize, keys }) => ({
      name,
      fields: fields.map((each) => ({ name: each })),
      primaryKey: fields.slice(0, keySize),
      foreignKeys: keys.map(({ model, size, at, ...named }) => {
        const own = fields.slice(at % fields.length).slice(0, size)
        const target = given.find((other) => other.name === model)
        const references = own.map((_, place) => target?.fields[place] ?? '')
        const { name: toOne, inverse } = named
        return {
          ...{ model, fields: own, references },
          ...(toOne !== undefined && { name: toOne }),
          ...(inverse !== undefined && { inverse }),
        }
      }),
    })),
  )

const plain = (name: string): string => wordsOf(name).join(' ')

it('no two names of a model are alike, and each relation is the inverse of its inverse', () => {
  let [relations, throughs] = [0, 0]
  fc.assert(
    fc.property(tables, (given) => {
      const found = relationsOf(given)
      for (const { name: model, fields } of given) {
        const own = found.get(model) ?? []
        const names = [...fields, ...own].map(({ name }) => plain(name))
        expect(new Set(names).size).toBe(names.length)
        for (const relation of own) {
          relations += 1
          throughs += relation.through === undefined ? 0 : 1
          expect(relation.name).toMatch(relationName)
          const other = found.get(relation.model)?.find(({ name }) => name === relation.inverse)
          const { fields: mine, references, through } = relation
          expect(other).toMatchObject({ model, inverse: relation.name, fields: references, references: mine })
          expect(other?.kind === 'to-one').toBe(relation.kind === 'to-many' && through === undefined)
          expect(other?.through).toEqual(
            through && { model: through.model, fields: through.references, references: through.fields },
          )
        }
      }
    }),
    runs(400),
  )
  // The tables are not so simple that nothing is tested.
  expect(Math.min(relations, throughs)).toBeGreaterThan(100)
})

it('names do not depend on the order of the tables', () => {
  const shuffled = tables.chain((given) =>
    fc.tuple(fc.constant(given), fc.shuffledSubarray([...given], { minLength: given.length })),
  )
  fc.assert(
    fc.property(shuffled, ([given, other]) => {
      const sorted = (of: typeof given, model: string) =>
        relationsOf(of)
          .get(model)
          ?.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      for (const { name } of given) expect(sorted(other, name)).toEqual(sorted(given, name))
    }),
    runs(150),
  )
})
