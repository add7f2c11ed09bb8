import { AsyncLocalStorage } from 'node:async_hooks'
import { type Condition, everything, SourceError } from '../../entry/source.ts'
import { same } from '../suite/assertions.ts'
import { equal } from './forms.ts'
import { is, nothing, type Stage } from './stage.ts'

const page = { filter: everything, order: [], limit: 9, offset: 0 }
const named = (value: string): Condition => is('name', value)
const withoutBio: Condition = { op: 'is-null', field: 'bio' }

/** Asserts that a statement does not touch records for which its guard does not hold. */
export const guards = ({ runner, test, store, source, model }: Stage): void => {
  runner.describe('guards', () => {
    const authors = () => store('Author')
    const add = (name: string) => authors().create({ name })
    const keeps = 'The guard must be part of the condition of the statement.'

    test('list, count and read omit records outside of the guard', [], async () => {
      const [a] = [await add('a'), await add('b')]
      equal(await authors().list(page, named('a')), [a], keeps)
      equal(await authors().list({ ...page, filter: named('b') }, named('a')), [], keeps)
      same(await authors().count(everything, named('a')), 1, keeps)
      same(await authors().count(named('b'), named('a')), 0, keeps)
      equal(await authors().read([a?.['id']], named('a')), a, keeps)
      same(await authors().read([a?.['id']], named('b')), undefined, keeps)
      same(await authors().read([a?.['id']], nothing), undefined, keeps)
    })

    test('update does not change a record outside of the guard', [], async () => {
      const a = await add('a')
      for (const guard of [named('b'), nothing])
        for (const values of [{ bio: 'x' }, {}])
          same(await authors().update([a['id']], values, guard), undefined, keeps)
      equal(await authors().read([a['id']], everything), a, keeps)
      equal(await authors().update([a['id']], { bio: 'x' }, named('a')), { ...a, bio: 'x' }, keeps)
    })

    test('the guard of an update tests the record as it was before', [], async () => {
      const a = await add('a')
      const renamed = await authors().update([a['id']], { name: 'b' }, named('a'))
      const wrong = 'update must return the record, although the guard does not hold for its new values.'
      equal(renamed, { ...a, name: 'b' }, wrong)
    })

    test('remove and take do not delete a record outside of the guard', [], async () => {
      const a = await add('a')
      for (const guard of [named('b'), nothing]) {
        same(await authors().remove([a['id']], guard), false, keeps)
        same(await authors().take([a['id']], guard), undefined, keeps)
      }
      same(await authors().count(everything, everything), 1, keeps)
      same(await authors().remove([a['id']], named('a')), true, keeps)
    })

    test('a guard with `or` does not reach records with another key', [], async () => {
      const [a, b] = [await add('a'), await add('b')]
      const any: Condition = { op: 'or', conditions: [named('a'), named('b')] }
      const wrong = 'The guard needs parentheses: it must not weaken the condition on the key.'
      equal(await authors().update([a?.['id']], { bio: 'x' }, any), { ...a, bio: 'x' }, wrong)
      equal(await authors().read([b?.['id']], everything), b, wrong)
      same(await authors().remove([a?.['id']], any), true, wrong)
      same(await authors().count(everything, everything), 1, wrong)
    })
  })

  runner.describe('concurrent writes', () => {
    const authors = () => store('Author')
    /** `undefined`: refused because of the conflict, which saved nothing. */
    const settled = async <T>(act: () => T | PromiseLike<T>): Promise<T | undefined> => {
      try {
        return await act()
      } catch (error) {
        if (error instanceof SourceError && error.kind === 'contended') return undefined
        throw error
      }
    }
    const wins = 'If the guard stops holding before the write, the write must change nothing and say so.'

    test('only one of several concurrent updates with the same guard wins', [], async () => {
      for (let round = 0; round < 5; round += 1) {
        const { id } = await authors().create({ name: 'a' })
        const texts = ['0', '1', '2', '3', '4', '5']
        const update = (bio: string) => settled(() => authors().update([id], { bio }, withoutBio))
        const won = (await Promise.all(texts.map(update))).filter((row) => row !== undefined)
        same(won.length, 1, wins)
        equal(await authors().read([id], everything), won[0], wins)
      }
    })

    test('only one of several concurrent deletes wins', [], async () => {
      for (const method of ['remove', 'take'] as const) {
        const { id } = await authors().create({ name: 'a' })
        const remove = () => settled(() => authors()[method]([id], everything))
        const won = (await Promise.all([remove(), remove(), remove(), remove()])).filter(Boolean)
        same(won.length, 1, wins)
      }
    })

    for (const method of ['update', 'remove', 'take'] as const)
      test(`${method} asks its guard again after it waited for a transaction`, waits, async () => {
        const { id } = await authors().create({ name: 'a' })
        let outside: Promise<unknown> = Promise.resolve()
        // Another request has another async context.
        const inOtherRequest = AsyncLocalStorage.snapshot()
        await source().transaction(async (inside) => {
          await inside.store(model('Author')).update([id], { bio: 'taken' }, everything)
          outside = inOtherRequest(settled<unknown>, () =>
            method === 'update'
              ? authors().update([id], { name: 'lost' }, withoutBio)
              : authors()[method]([id], withoutBio),
          )
          // Time for the other statement to arrive and wait.
          for (let turn = 0; turn < 10; turn += 1)
            await inside.store(model('Author')).count(everything, everything)
        })
        same(Boolean(await outside), false, wins)
        const after = await authors().read([id], everything)
        equal(after, { ...after, id, name: 'a', bio: 'taken' }, wins)
      })
  })
}

const waits = ['transactions', 'no synchronous'] as const
