import { type Comparison, type Condition, everything, type Field, type Row } from '../../entry/source.ts'
import { kinds } from '../../model/kinds/index.ts'
import { same } from '../suite/assertions.ts'
import { pairs } from './samples.ts'
import { is, not, type Stage } from './stage.ts'

/** Asserts that conditions mean the same as `holds`, also negated and with null. */
export const conditions = (stage: Stage): void => {
  const { runner, test, groups, extent, can, store, model, author, book, clear, fitting } = stage
  /** A low and a high value of each of the fields whose values can be compared. */
  const pairsOf = (names: readonly string[]) =>
    model('Book').fields.flatMap((field) => {
      const isCompared = kinds[field.kind].comparable && field.conditions !== 'null'
      const [low, high] = names.includes(field.name) && isCompared ? fitting(field.name, pairs) : []
      return high === undefined ? [] : [{ field, low, high }]
    })

  /** Stores books with low, high and, if possible, empty values, and returns which of them a condition finds. */
  const storedPairs = async (of: ReturnType<typeof pairsOf>) => {
    await clear('Book')
    const rowOf = (choose: (pair: (typeof of)[number]) => unknown): Row =>
      Object.fromEntries(of.map((pair) => [pair.field.name, choose(pair)]))
    const names = new Map([[(await book(rowOf(({ low }) => low)))['id'], 'low']])
    names.set((await book(rowOf(({ high }) => high)))['id'], 'high')
    const hasNull = of.some(({ field }) => field.nullable)
    if (hasNull)
      names.set((await book(rowOf(({ field, low }) => (field.nullable ? null : low))))['id'], 'null')
    return async (filter: Condition, { nullable }: Field): Promise<string> => {
      const order = [{ field: 'isbn', direction: 'asc' }] as const
      const rows = await store('Book').list({ filter, order, limit: 9, offset: 0 }, everything)
      return rows
        .flatMap((row) => (nullable || names.get(row['id']) !== 'null' ? [names.get(row['id'])] : []))
        .sort()
        .join(' ')
    }
  }

  runner.describe('conditions', () => {
    for (const [title, needs, names] of groups(pairs))
      test(`${title} compares values, and null is neither equal nor less nor greater`, needs, async () => {
        const of = pairsOf(names)
        const found = await storedPairs(of)
        for (const { field, low, high } of of) {
          const { name } = field
          const compare = (op: Comparison, value: unknown): Condition => ({ op, field: name, value })
          const among = (...values: readonly unknown[]): Condition => ({ op: 'in', field: name, values })
          const orNull = field.nullable ? ' null' : ''
          const expectFound = async (condition: Condition, expected: string) =>
            same(await found(condition, field), expected.trim(), `Wrong records for ${spelled(condition)}.`)
          const { ordered } = kinds[field.kind]
          const isOrdered = ordered && field.conditions !== 'equality'

          await expectFound(compare('ne', low), `high${orNull}`)
          await expectFound(among(high), 'high')
          if (isOrdered) {
            await expectFound(compare('lt', high), 'low')
            await expectFound(not(compare('le', low)), `high${orNull}`)
          }
          if (extent === 'short' && name !== 'rating') continue
          await expectFound(compare('eq', low), 'low')
          await expectFound(not(compare('eq', low)), `high${orNull}`)
          await expectFound(not(compare('ne', low)), 'low')
          await expectFound(among(low, high), 'high low')
          await expectFound(among(), '')
          await expectFound(not(among(low)), `high${orNull}`)
          await expectFound(not(among()), `high low${orNull}`)
          await expectFound({ op: 'is-null', field: name }, orNull)
          await expectFound({ op: 'is-not-null', field: name }, 'high low')
          await expectFound(not({ op: 'is-null', field: name }), 'high low')
          await expectFound(not({ op: 'is-not-null', field: name }), orNull)
          if (!isOrdered) continue
          await expectFound(compare('lt', low), '')
          await expectFound(compare('le', low), 'low')
          await expectFound(compare('gt', low), 'high')
          await expectFound(compare('ge', low), 'high low')
          await expectFound(not(compare('gt', low)), `low${orNull}`)
          await expectFound(not(compare('lt', high)), `high${orNull}`)
          await expectFound(not(compare('ge', high)), `low${orNull}`)
          const tie = (value: unknown, condition: Condition): Condition => ({
            ...{ op: 'tie', field: name },
            ...{ value, condition },
          })
          await expectFound(tie(low, everything), 'low')
          await expectFound(tie(low, { op: 'or', conditions: [] }), '')
          await expectFound(not(tie(low, everything)), `high${orNull}`)
        }
      })

    test('negated `contains` finds null', [], async () => {
      for (const bio of ['An author', 'A poet', null]) await author({ name: bio ?? 'none', bio })
      const names = async (filter: Condition): Promise<string> => {
        const order = [{ field: 'name', direction: 'asc' }] as const
        const rows = await store('Author').list({ filter, order, limit: 9, offset: 0 }, everything)
        return rows
          .map((row) => row['name'])
          .sort()
          .join()
      }
      const contains: Condition = { op: 'contains', field: 'bio', value: 'AUTHOR' }
      const wrong = 'null contains nothing, so `not contains` holds for it. Translate normalForm(condition).'
      same(await names(contains), 'An author', wrong)
      same(await names(not(contains)), 'A poet,none', wrong)
      same(await names(not(not(contains))), 'An author', wrong)
      const both: Condition = { op: 'and', conditions: [contains, is('name', 'An author')] }
      same(await names(not(both)), 'A poet,none', wrong)
      same(await names(not({ op: 'or', conditions: [contains, is('name', 'none')] })), 'A poet', wrong)
    })

    test(
      'a value that no record can have is not found, and is not an error',
      ['Book.loanPeriod'],
      async () => {
        const { id } = await book({ loanPeriod: '14 days' })
        const count = (op: Comparison, value: unknown) =>
          store('Book').count({ op, field: 'loanPeriod', value }, is('id', id))
        const wrong = 'A string that is not a valid value of the column equals no record.'
        same(await count('eq', '14 days'), 1, wrong)
        same(await count('eq', 'neither a text nor a period'), 0, wrong)
        same(await count('ne', 'neither a text nor a period'), 1, wrong)
      },
    )

    test('an empty `and` holds, and an empty `or` does not', [], async () => {
      await author()
      const count = (filter: Condition) => store('Author').count(filter, everything)
      const [always, never]: readonly Condition[] = [
        { op: 'and', conditions: [] },
        { op: 'or', conditions: [] },
      ]
      if (always === undefined || never === undefined) return
      const wrong = 'and: [] holds for every record, or: [] for none.'
      same(await count(always), 1, wrong)
      same(await count(never), 0, wrong)
      same(await count(not(always)), 0, wrong)
      same(await count(not(never)), 1, wrong)
      same(await count({ op: 'and', conditions: [never] }), 0, wrong)
      same(await count({ op: 'or', conditions: [never, always] }), 1, wrong)
    })

    const titles = async (op: Comparison, value: string): Promise<readonly unknown[]> => {
      const filter = { op, field: 'title', value } as const
      const order = [{ field: 'title', direction: 'asc' }] as const
      const rows = await store('Book').list({ filter, order, limit: 99, offset: 0 }, everything)
      return rows.map((row) => row['title'])
    }
    const all = ['100 % Lem', '100 x Lem', 'a_b', 'axb', 'back\\slash', 'it\'s "q"', '👩‍🚀 LEM']

    test('`contains` ignores the case of ASCII letters, and takes quotes literally', ['Book'], async () => {
      for (const title of all) await book({ title })
      const wrong = '`contains` must find the text anywhere, in upper and lower case.'
      same((await titles('contains', 'lEm')).toSorted(), ['100 % Lem', '100 x Lem', '👩‍🚀 LEM'], wrong)
      same(await titles('contains', `'s "Q`), ['it\'s "q"'], wrong)
      same(await titles('contains', '🚀'), ['👩‍🚀 LEM'], wrong)
      same((await titles('contains', '')).toSorted(), all.toSorted(), wrong)
    })

    test('`contains` takes %, _ and \\ literally', ['Book', 'literalContains'], async () => {
      for (const title of all) await book({ title })
      const wrong = '`contains` must escape wildcards, or the source must not have literalContains.'
      same(await titles('contains', '0 % l'), ['100 % Lem'], wrong)
      same(await titles('contains', 'A_B'), ['a_b'], wrong)
      same(await titles('contains', '\\S'), ['back\\slash'], wrong)
      same(await titles('contains', '\\'), ['back\\slash'], wrong)
    })

    test('`contains` folds other letters than ASCII as unicodeCaseFolding says', ['Book'], async () => {
      await book({ title: 'ÉCLAIR' })
      const expected = can('unicodeCaseFolding') ? ['ÉCLAIR'] : []
      const wrong = 'The capability unicodeCaseFolding must say whether É contains é.'
      same(await titles('contains', 'éclair'), expected, wrong)
      same(await titles('contains', 'Éclair'), ['ÉCLAIR'], wrong)
    })

    test('`starts-with` compares the first bytes', ['Book', 'startsWith'], async () => {
      const stored = ['Lem', 'lem', 'Lem 100%', 'Le_', 'Lé', 'A Lem', 'L\uffffx', 'L🚀']
      for (const title of stored) await book({ title })
      const wrong = '`starts-with` must find strings by their first characters, in the same case, literally.'
      const found = async (value: string) => (await titles('starts-with', value)).toSorted()
      same(await found('Lem'), ['Lem', 'Lem 100%'], wrong)
      same(await found('Le_'), ['Le_'], wrong)
      same(await found('Lem 100%'), ['Lem 100%'], wrong)
      same(await found('L\uffff'), ['L\uffffx'], wrong)
      same(await found('L🚀'), ['L🚀'], wrong)
      same(await found('e'), [], wrong)
      same(await found(''), stored.toSorted(), wrong)
    })

    test('`equals-ignoring-case` compares whole strings', ['Book', 'equalsIgnoringCase'], async () => {
      for (const title of ['Eden', 'EDEN', 'Eden ', 'Éden', 'éDEN', 'Eden%', 'a_b']) await book({ title })
      const wrong = '`equals-ignoring-case` must ignore case as `contains` does, and nothing else.'
      const found = async (value: string) => (await titles('equals-ignoring-case', value)).toSorted()
      same(await found('eden'), ['EDEN', 'Eden'], wrong)
      same(await found('eden%'), ['Eden%'], wrong)
      same(await found('A_B'), ['a_b'], wrong)
      same(await found('axb'), [], wrong)
      same(await found('ÉDEN'), can('unicodeCaseFolding') ? ['Éden', 'éDEN'] : ['Éden'], wrong)
    })

    test('`eq` and `ne` compare strings byte for byte', ['Book', 'exactText'], async () => {
      for (const title of ['Eden', 'eden', 'Eden ', 'E\u0301den']) await book({ title })
      const wrong = 'Strings are equal only if their bytes are, or the source must not have exactText.'
      same(await titles('eq', 'Eden'), ['Eden'], wrong)
      same(await titles('eq', 'eden'), ['eden'], wrong)
      same(await titles('eq', 'Eden '), ['Eden '], wrong)
      same(await titles('eq', 'Éden'), [], wrong)
      same(await titles('eq', 'Eden%'), [], wrong)
      same((await titles('ne', 'Eden')).length, 3, wrong)
    })
  })
}

const spelled = (condition: Condition): string =>
  JSON.stringify(condition, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
