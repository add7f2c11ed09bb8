import { AsyncLocalStorage } from 'node:async_hooks'
import { everything, type Session, SourceError } from '../../entry/source.ts'
import { names, same } from '../suite/assertions.ts'
import { equal } from './forms.ts'
import { errorOf, is, refusal, type Stage } from './stage.ts'
import { type SessionStep, stepsIn } from './steps.ts'

/** Asserts that transactions save all or nothing, apart from concurrent requests. */
export const transactions = (stage: Stage): void => {
  const { runner, test, opened, source, model, store, author, book } = stage
  const authors = () => store('Author').count(everything, everything)
  const inside = (session: Session) => session.store(model('Author'))
  const create = (name: string) => (session: Session) => inside(session).create({ name })
  const own = new Error('The error of the work.')
  const fail = () => {
    throw own
  }
  const inTransaction = stepsIn(stage)
  const atomic = 'A transaction must save everything that its work wrote, or nothing.'

  runner.describe('transactions', () => {
    test('transaction throws, and does not run its work', ['no transactions'], async () => {
      let hasRun = false
      await errorOf(() =>
        source().transaction(() => {
          hasRun = true
        }),
      )
      same(hasRun, false, 'A source without transactions must not run the work of a transaction.')
    })

    test('save what the work wrote, and return its result', ['transactions'], async () => {
      const result = await inTransaction(create('a'), create('b'))
      same(Object(result).name, 'b', 'transaction must return what its work returns.')
      same(await authors(), 2, atomic)
    })

    test('save nothing if the work throws, and throw its error', ['transactions'], async () => {
      const error = await errorOf(() => inTransaction(create('a'), fail))
      same(error === own, true, 'transaction must throw the error of its work.')
      same(await authors(), 0, atomic)
      await inTransaction(create('a'))
      same(await authors(), 1, 'After a transaction that was rolled back, the next one must work.')
    })

    test('roll back updates and deletes', ['transactions'], async () => {
      const [a, b] = [await author(), await author()]
      const update: SessionStep = (session) => inside(session).update([a['id']], { name: 'x' }, everything)
      const remove: SessionStep = (session) => inside(session).remove([b['id']], everything)
      await errorOf(() => inTransaction(update, remove, fail))
      equal(await store('Author').read([a['id']], everything), a, atomic)
      equal(await store('Author').read([b['id']], everything), b, atomic)
    })

    test('read their own writes', ['transactions'], async () => {
      const counted = await inTransaction(create('a'), (session) =>
        inside(session).count(everything, everything),
      )
      same(counted, 1, 'The stores of a transaction must read what it wrote.')
    })

    test('refuse their stores after their end', ['transactions'], async () => {
      let kept: Session | undefined
      await inTransaction((session) => {
        kept = session
      })
      await errorOf(() => kept && inside(kept).create({ name: 'late' }))
      same(await authors(), 0, 'A store of a transaction must not write after its end.')
    })

    test('refuse their handle after their end', ['transactions', 'useHandle'], async () => {
      let kept: Session | undefined
      await inTransaction((session) => {
        kept = session
        return opened().useHandle?.(session.db)
      })
      const error = await errorOf(() => kept && opened().useHandle?.(kept.db))
      same(error instanceof Error, true, 'The handle of a transaction must throw after its end.')
    })

    test('throw the error of the database', ['transactions', 'Book', 'refuses unique'], async () => {
      const { isbn, authorId } = await book()
      const conflict: SessionStep = (session) =>
        session.store(model('Book')).create(stage.part({ ...minimal, isbn, authorId }))
      await refusal(() => inTransaction(create('a'), conflict), { kind: 'unique', fields: ['isbn'] })
      same(await authors(), 1, atomic)
    })

    const references = [
      'transactions',
      'Book.author',
      'refuses missing-reference',
      'refuses still-referenced',
    ]
    test('throw the error of a broken foreign key', references, async () => {
      const { authorId } = await book()
      const orphan: SessionStep = (session) =>
        session.store(model('Book')).create(stage.part({ ...minimal, authorId, categoryId: 999_999 }))
      if (stage.has('Book.category'))
        await refusal(() => inTransaction(create('a'), orphan), {
          kind: 'missing-reference',
          fields: ['categoryId'],
        })
      const remove: SessionStep = (session) => inside(session).remove([authorId], everything)
      await refusal(() => inTransaction(create('a'), remove), { kind: 'still-referenced', models: ['Book'] })
      same(await authors(), 1, atomic)
    })

    test(
      'of a synchronous source refuse work that returns a promise',
      ['transactions', 'synchronous'],
      async () => {
        const error = await errorOf(() =>
          source().transaction((session) => {
            inside(session).create({ name: 'a' })
            return Promise.reject(own)
          }),
        )
        same(
          error instanceof Error && error !== own,
          true,
          'The error must say that the work returned a promise.',
        )
        same(await authors(), 0, atomic)
      },
    )

    test('do not see each other', concurrent, async () => {
      const seen = await Promise.all(
        Array.from({ length: 8 }, async (_, place) => {
          const name = `a${place}`
          const count: SessionStep = (session) => inside(session).count(is('name', name), everything)
          const end: SessionStep = place % 2 === 0 ? (_session, counted) => counted : fail
          try {
            return await inTransaction(create(name), count, end)
          } catch (error) {
            if (error !== own) throw error
            return 'rolled back'
          }
        }),
      )
      const expected = seen.map((_, place) => (place % 2 === 0 ? 1 : 'rolled back'))
      same(seen, expected, 'Each concurrent transaction must see only its own writes.')
      same(await authors(), 4, 'Only the transactions that were rolled back lose their writes.')
    })

    test('are not joined by the statements of other requests', concurrent, async () => {
      const others: Promise<unknown>[] = []
      // Another request has another async context.
      const inOtherRequest = AsyncLocalStorage.snapshot()
      const write = async (name: string) => {
        try {
          await store('Author').create({ name })
          return name
        } catch (error) {
          if (error instanceof SourceError && error.kind === 'contended') return undefined
          throw error
        }
      }
      const read = async () => store('Author').count(is('name', 'a'), everything)
      const other: SessionStep = (session) => {
        others.push(inOtherRequest(write, 'b'), inOtherRequest(write, 'c'), inOtherRequest(read))
        return inside(session).count(is('name', 'a'), everything)
      }
      const wait: SessionStep = async (session) => {
        for (let turn = 0; turn < 10; turn += 1) await inside(session).count(everything, everything)
      }
      same(await errorOf(() => inTransaction(create('a'), other, wait, fail)), own, atomic)
      const [b, c, counted] = await Promise.all(others)
      same(counted, 0, 'Another request must not see what a transaction has not saved yet.')
      const saved = [b, c].filter((name) => name !== undefined)
      const kept = (await store('Author').list(byName, everything)).map(({ name }) => name)
      const wrong =
        'A write of another request must not be rolled back with a transaction that it does not belong to.'
      same(kept, saved, wrong)
    })

    const locks = ['transactions', 'rowLocks', 'no synchronous']
    test('with a lock on a record, let other transactions wait for their end', locks, async () => {
      const { id } = await author({ bio: '' })
      const append = async (): Promise<void> => {
        for (let attempt = 0; ; attempt += 1) {
          try {
            await inTransaction(
              (session) => inside(session).read([id], everything, 'lock'),
              async (session, row) => {
                await inside(session).count(everything, everything)
                return inside(session).update([id], { bio: `${Object(row).bio}x` }, everything)
              },
            )
            return
          } catch (error) {
            if (!(error instanceof SourceError) || error.kind !== 'contended' || attempt === 50) throw error
          }
        }
      }
      await Promise.all(Array.from({ length: 5 }, append))
      const row = await store('Author').read([id], everything)
      const wrong = "A transaction must not change a record that another one has read with 'lock'."
      same(row?.['bio'], 'xxxxx', wrong)
    })

    test('with a lock read the record', ['transactions', 'rowLocks'], async () => {
      const a = await author()
      const locked =
        (guard = everything): SessionStep =>
        (session) =>
          inside(session).read([a['id']], guard, 'lock')
      equal(await inTransaction(locked()), a, 'read with a lock must return the record.')
      same(await inTransaction(locked(is('name', 'x'))), undefined, 'read with a lock must apply the guard.')
    })
  })

  runner.describe('the error of a hook', () => {
    test('that is not of the database, is not translated', ['refusalOf'], () => {
      const wrong = 'refusalOf must return undefined for an error that does not come from the database.'
      for (const error of [own, new Error('no rows'), undefined, null, 'text', {}])
        same(source().refusalOf?.(error), undefined, wrong)
    })

    test('is logged as it is', ['loggable'], () => {
      const wrong = 'loggable must keep errors that do not come from the database.'
      names(source().loggable?.(own), ['The error of the work'], wrong)
    })
  })
}

const concurrent = ['transactions', 'no synchronous']
const minimal = {
  title: 'x',
  isbn: 'x',
  price: '1.00',
  pages: 1,
  printedAt: new Date('2026-01-31T23:59:59.123Z'),
}
const byName = {
  filter: everything,
  order: [{ field: 'name', direction: 'asc' }],
  limit: 9,
  offset: 0,
} as const
