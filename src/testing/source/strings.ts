import { type Awaitable, type Condition, everything, type Row, SourceError } from '../../entry/source.ts'
import { same } from '../suite/assertions.ts'
import { equal, printed } from './forms.ts'
import { byId, is, not, type Stage } from './stage.ts'

/** Strings that end early, or become others, in a statement that was written for another setting of the database. */
const hostileStrings: readonly string[] = [
  ...[`' or 1=1 -- `, `\\' or 1=1 -- `, `x")) or 1=1 -- "`, '\\', `'`, 'a\\nb'],
  // Its last byte and a quote could be one character in the coding of a client.
  `п' or 1=1 -- `,
]

/** Others, which are tested only with the settings of the database. */
const oddStrings: readonly string[] = [
  ...[`\\\\' or 1=1 -- `, `' or 1=1 #`, `'; select 1; -- `, `縗\\`, `"`, `''`, `\\'`, '`', '\\x27', `E'`],
  ...['%', '_', '\\%', '$1', ':a', '?', '\\?', 'null', '👩‍🚀', 'a\n\r\t\b\u001ab', 'a\0b'],
]

/** Asserts that strings of clients are only values, wherever they are in a statement and whatever settings the database has. */
export const strings = (stage: Stage): void => {
  const { runner, test, exhaustive, opened, has, clear, store, author, book, part } = stage
  /** Declares a test that runs with every setting. @param body gets what to say if it fails */
  const withSettings = (
    title: string,
    needs: readonly string[],
    body: (wrong: string, setting?: string) => Awaitable<unknown>,
    declare = exhaustive,
  ): void =>
    declare(title, needs, async () => {
      const { names = [], set } = opened().settings ?? {}
      try {
        for (const name of [undefined, ...names]) {
          await set?.(name)
          const such = name === undefined ? '' : `, such as ${name}`
          await body(`A source must not depend on settings of the database${such}.`, name)
        }
      } finally {
        await set?.()
      }
    })

  /** Runs `body` for each string, unless the database cannot store it. */
  const withStrings = (
    title: string,
    needs: readonly string[],
    body: (text: string, wrong: string) => Promise<void>,
    { most = Number.POSITIVE_INFINITY, declare = exhaustive } = {},
  ): void => {
    const ofSetting = async (wrong: string, setting?: string): Promise<void> => {
      const texts = [...hostileStrings, ...(setting === undefined ? oddStrings : [])]
      const isHeld = (text: string): boolean =>
        text.length <= most && opened().holds?.('title', text) !== false
      for (const text of texts.filter(isHeld))
        try {
          await body(text, `${printed(text)} must be a value and nothing else. ${wrong}`)
        } catch (error) {
          if (!(error instanceof SourceError && error.kind === 'value' && text.includes('\0'))) throw error
          for (const name of ['Book', 'Shelf', 'Author']) if (has(name)) await clear(name)
        }
    }
    withSettings(title, needs, ofSetting, declare)
  }

  const inShort = { declare: test }
  const named = (value: string): Condition => is('name', value)
  const among = (...values: readonly string[]): Condition => ({ op: 'in', field: 'name', values })
  const listed = async (
    model: string,
    filter: Condition,
    guard = everything,
  ): Promise<readonly unknown[]> => {
    const rows = await store(model).list({ filter, order: byId, limit: 9, offset: 0 }, guard)
    return rows.map(({ id }) => id)
  }

  runner.describe('strings are values', () => {
    withStrings(
      'in conditions and guards',
      [],
      async (text, wrong) => {
        const other = await author({ name: 'other' })
        same(await store('Author').count(named(text), everything), 0, wrong)
        const one = await author({ name: text, bio: text })
        equal(one, { ...other, id: one['id'], name: text, bio: text }, wrong)
        for (const filter of [named(text), among('x', text)]) {
          same(await listed('Author', filter), [one['id']], wrong)
          equal(await store('Author').read([one['id']], filter), one, wrong)
          same(await store('Author').update([other['id']], { bio: text }, filter), undefined, wrong)
          same(await store('Author').remove([other['id']], filter), false, wrong)
        }
        same(await listed('Author', not(named(text))), [other['id']], wrong)
        same(await listed('Author', { op: 'contains', field: 'bio', value: text }), [one['id']], wrong)
        const beyond: Condition = {
          ...{ op: 'tie', field: 'name', value: text },
          condition: { op: 'gt', field: 'id', value: one['id'] },
        }
        same(await listed('Author', beyond), [], wrong)
        same(await store('Author').remove([one['id']], named(text)), true, wrong)
        same(await store('Author').remove([other['id']], named('other')), true, wrong)
      },
      inShort,
    )

    withStrings(
      'in new and changed records',
      ['Author.createMany'],
      async (text, wrong) => {
        const made = (await store('Author').createMany?.([
          { name: text, bio: null },
          { name: 'other', bio: text },
        ])) as readonly Row[]
        same(
          made.map(({ name, bio }) => [name, bio]),
          [
            [text, null],
            ['other', text],
          ],
          wrong,
        )
        const [key] = made.map(({ id }) => [id])
        const updated = await store('Author').update(key ?? [], { name: `${text}${text}` }, named(text))
        same(updated?.['name'], `${text}${text}`, wrong)
        equal(await store('Author').take(key ?? [], named(`${text}${text}`)), updated ?? {}, wrong)
        for (const { id } of made.slice(1)) await store('Author').remove([id], everything)
      },
      inShort,
    )

    withStrings(
      'in keys',
      ['Shelf'],
      async (text, wrong) => {
        const shelves = store('Shelf')
        await shelves.create({ code: 'other', floor: 1 })
        same(await shelves.read([text], everything), undefined, wrong)
        same((await shelves.create({ code: text, floor: 2 }))['code'], text, wrong)
        same((await shelves.read([text], everything))?.['code'], text, wrong)
        same((await shelves.update([text], { floor: 3 }, everything))?.['floor'], 3, wrong)
        same((await shelves.read(['other'], everything))?.['floor'], 1, wrong)
        same(await shelves.remove([text], everything), true, wrong)
        same(await shelves.remove(['other'], everything), true, wrong)
      },
      { most: 10 },
    )

    withStrings('in conditions on related records', ['Book.author'], async (text, wrong) => {
      const one = await author({ name: text })
      const { id, authorId } = await book({ authorId: one['id'] })
      const other = await book()
      const of = (condition: Condition): Condition => ({ op: 'related', relation: 'author', condition })
      same(await listed('Book', of(named(text))), [id], wrong)
      same(await listed('Book', not(of(named(text)))), [other['id']], wrong)
      for (const key of [id, other['id']]) await store('Book').remove([key], everything)
      for (const key of [authorId, other['authorId']]) await store('Author').remove([key], everything)
    })

    withStrings('in groups', ['aggregates', 'exactText'], async (text, wrong) => {
      const one = await author({ name: text })
      const other = await author({ name: 'other' })
      const rows = await store('Author').aggregate?.(
        {
          ...{ filter: among(text, 'x'), groups: [{ field: 'name' }], aggregates: [{ fn: 'count' }] },
          ...{ order: [{ column: 'name', direction: 'asc' }], limit: 9, timezone: 'UTC' },
        },
        not(named('y')),
      )
      same(
        rows?.map((row) => [row['name'], row['count']]),
        [[text, 1]],
        wrong,
      )
      for (const { id } of [one, other]) await store('Author').remove([id], everything)
    })

    withStrings(
      'in JSON',
      ['Book.meta'],
      async (text, wrong) => {
        const meta = { [text]: [text] }
        const made = await book({ meta, ...part({ tags: [text, 'other'] }) })
        equal(
          await store('Book').read([made['id']], everything),
          { ...made, ...part({ meta, tags: [text, 'other'] }) },
          wrong,
        )
        const next = (await store('Book').update([made['id']], part({ meta: text }), everything)) ?? {}
        same(next['meta'], text, wrong)
        await store('Book').remove([made['id']], everything)
        await store('Author').remove([made['authorId']], everything)
      },
      inShort,
    )

    withSettings('and negations negate the whole condition', ['Shelf'], async (wrong) => {
      const floor = (value: number): Condition => ({ op: 'eq', field: 'floor', value })
      for (const value of [0, 1, 5]) await store('Shelf').create({ code: `s${value}`, floor: value })
      const found = async (filter: Condition): Promise<readonly unknown[]> => {
        const order = [{ field: 'code', direction: 'asc' }] as const
        const rows = await store('Shelf').list({ filter, order, limit: 9, offset: 0 }, everything)
        return rows.map((row) => row['floor'])
      }
      const either: Condition = { op: 'or', conditions: [floor(1), floor(5)] }
      same(await found({ op: 'ne', field: 'floor', value: 1 }), [0, 5], wrong)
      same(await found(not(floor(1))), [0, 5], wrong)
      same(await found(not(either)), [0], wrong)
      same(await found(not({ op: 'in', field: 'floor', values: [1, 5] })), [0], wrong)
      for (const value of [0, 1, 5]) await store('Shelf').remove([`s${value}`], everything)
    })
  })
}
