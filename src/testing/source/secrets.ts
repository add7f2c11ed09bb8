import { inspect } from 'node:util'
import { everything, type Row } from '../../entry/source.ts'
import { same } from '../suite/assertions.ts'
import { errorOf, type Stage } from './stage.ts'

/** Not part of any statement, so it can only come from a value. */
const secret = 'S3cret-Value-4711'

/** Asserts that errors do not contain values of records. */
export const secrets = ({ runner, test, source, store, author, book, opened }: Stage): void => {
  const everythingIn = (error: unknown): string =>
    inspect(error, {
      depth: Number.POSITIVE_INFINITY,
      showHidden: true,
      maxArrayLength: null,
      maxStringLength: null,
    })

  const assertSilent = async (act: () => unknown): Promise<void> => {
    const error = await errorOf(() => act() as PromiseLike<unknown>)
    const message = error instanceof Error ? error.message : String(error)
    same(message.includes(secret), false, 'The message of an error must not contain values of records.')
    const logged = source().loggable?.(error) ?? error
    const wrong =
      'The log must not contain values of records. loggable must return an error without them, in properties and causes too.'
    same(everythingIn(logged).includes(secret), false, wrong)
    same((JSON.stringify(logged) ?? '').includes(secret), false, wrong)
  }

  runner.describe('errors do not contain values of records', () => {
    test('unique', ['Author.email', 'refuses unique'], async () => {
      await author({ email: secret, name: secret })
      await assertSilent(() => author({ email: secret, name: secret }))
      const { id } = await author()
      await assertSilent(() => store('Author').update([id], { email: secret }, everything))
    })

    test('not-null', ['refuses not-null'], async () => {
      await assertSilent(() => author({ name: null, bio: secret }))
    })

    test('check', ['Review', 'Book', 'refuses check'], async () => {
      const { id } = await book()
      await assertSilent(() => store('Review').create({ bookId: id, reviewer: secret, stars: 9 }))
    })

    test('value', ['Book.price', 'refuses value'], async () => {
      await assertSilent(() => book({ title: secret, price: '100000000.00' }))
    })

    test('missing-reference', ['Book.category', 'refuses missing-reference'], async () => {
      await assertSilent(() => book({ title: secret, categoryId: 0 }))
    })

    test('still-referenced', ['Book.category', 'refuses still-referenced'], async () => {
      const { id } = await store('Category').create({ name: secret })
      await book({ categoryId: id, title: secret })
      await assertSilent(() => store('Category').remove([id], everything))
    })

    test('unknown fields', [], async () => {
      const values: Row = { name: secret, nope: secret }
      await assertSilent(() => author(values))
    })

    test('unrepresentable', ['breakValue', 'Book'], async () => {
      const { id } = await book({ title: secret })
      await opened().breakValue?.()
      await assertSilent(() => store('Book').read([id], everything))
    })

    test('errors of transactions', ['transactions', 'Author.email', 'refuses unique'], async () => {
      await author({ email: secret })
      const model = source().models.find(({ name }) => name === 'Author')
      if (model === undefined) return
      const values = { name: secret, email: secret }
      await assertSilent(() => source().transaction((inside) => inside.store(model).create(values)))
    })
  })
}
