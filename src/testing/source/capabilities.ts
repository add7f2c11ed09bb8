import { type Condition, everything, type Field } from '../../entry/source.ts'
import { kinds, rowOf } from '../../model/kinds/index.ts'
import { same } from '../suite/assertions.ts'
import { errorOf, is, type Stage } from './stage.ts'

const isPromise = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** Asserts what the source declares about itself. */
export const capabilities = ({ runner, test, source, can, store, author }: Stage): void => {
  runner.describe('capabilities', () => {
    const atOnce = 'A source returns promises, unless it has the capability synchronous.'

    test('every method returns a promise, or its result if the source is synchronous', [], async () => {
      const { id } = await author()
      const authors = store('Author')
      const results = [
        authors.list({ filter: everything, order: [], limit: 9, offset: 0 }, everything),
        authors.count(everything, everything),
        authors.read([id], everything),
        authors.update([id], { bio: 'x' }, everything),
        authors.create({ name: 'y' }),
        authors.remove([id], everything),
        authors.take([id], everything),
        source().ping(),
      ]
      await Promise.all(results)
      same(
        results.map(isPromise),
        results.map(() => !can('synchronous')),
        atOnce,
      )
    })

    test(
      'errors reject the promise, or are thrown if the source is synchronous',
      ['refuses not-null'],
      async () => {
        const { id } = await author()
        const acts = [
          () => store('Author').create({ name: null }),
          () => store('Author').update([id], { name: null }, everything),
        ]
        for (const act of acts) {
          let isThrown = false
          await errorOf(() => {
            try {
              return act()
            } catch (error) {
              isThrown = true
              throw error
            }
          })
          same(isThrown, can('synchronous'), atOnce)
        }
      },
    )

    test('the models do not offer what the source cannot do', [], () => {
      const offers = (field: Field) => ({
        equality: rowOf(field).comparable,
        wildcards: !kinds[field.kind].textual || field.literalOnly !== true,
        omission: field.neededOnReplace !== true,
      })
      for (const { name, fields, primaryKey, uniques, relations } of source().models)
        for (const field of fields) {
          const isOfOneRecord = [
            primaryKey,
            ...uniques,
            ...relations.map((relation) => relation.fields),
          ].some((names) => names.join() === field.name)
          const { textual, confusable } = kinds[field.kind]
          const isConfusable = confusable?.(field) === true
          const isUnknown =
            field.hasDefault &&
            field.default === undefined &&
            !field.generated &&
            !primaryKey.includes(field.name)
          const expected = {
            equality: !isConfusable || can('exactText') || (can('exactKeys') && isOfOneRecord),
            wildcards: !textual || can('literalContains'),
            omission: !isUnknown || can('databaseDefaults'),
          }
          const about = `${name}.${field.name}: create models with describeModels(tables, capabilities).`
          const found = offers(field)
          // A source may offer less than it can.
          for (const offer of ['equality', 'wildcards', 'omission'] as const)
            same(found[offer] && !expected[offer], false, about)
          const isExact = can('exactText') || can('exactKeys')
          same(isConfusable && primaryKey.includes(field.name) && !isExact, false, about)
        }
    })

    test('stores work with a copy of their model', [], async () => {
      const [found] = source().models.filter(({ name }) => name === 'Author')
      if (found === undefined) return
      const copied = source().store({ ...found })
      await copied.create({ name: 'x' })
      same(
        await source()
          .store({ ...found }, 'page')
          .count(is('name', 'x'), everything),
        1,
        onlyName,
      )
    })

    test('different conditions of the same shape do not get each other’s values', [], async () => {
      const [a, b] = [await author(), await author()]
      const count = async (op: 'and' | 'or', first: Condition, second: Condition) =>
        store('Author').count({ op, conditions: [first, second] }, everything)
      const wrong = 'The values of a condition must be bound in the order of its fields.'
      same(await count('and', is('id', a['id']), is('name', a['name'])), 1, wrong)
      same(await count('and', is('name', a['name']), is('id', b['id'])), 1, wrong)
      same(await count('and', is('id', b['id']), { op: 'ne', field: 'name', value: a['name'] }), 0, wrong)
      same(await count('or', is('id', a['id']), is('id', b['id'])), 2, wrong)
      same(await count('and', is('id', a['id']), is('id', b['id'])), 0, wrong)
    })
  })
}

const onlyName = 'The model that store receives is a configured copy: look up yours by its name.'
