import { expect } from 'vitest'
import { everything, type ModelSource, type Row, type StatementFacts } from '../../src/entry/source.ts'

const SECRET = `it's "secret" \\ $1`

/** The statements of a text that an ORM logs. */
const wordOf = (line: string): string | undefined =>
  /\b(with|select|insert|update|delete|set(?= @))\b/i.exec(line)?.[1]?.toLowerCase().replace('with', 'select')

/**
 * Writes and reads records of a model with the text field `note`, and asserts that observers learn of each statement that the ORM
 * logs, once, and of no values.
 *
 * @param logged what the ORM has logged so far
 */
export const expectEachObserved = async (
  source: ModelSource,
  name: string,
  values: Row,
  logged: string[],
): Promise<readonly StatementFacts[]> => {
  const model = source.models.find((known) => known.name === name) ?? expect.fail(`No model ${name}.`)
  const seen: StatementFacts[] = []
  const observed = source.observed?.((facts) => {
    seen.push(facts)
    return { run: (work) => work(), end: () => undefined }
  })
  if (observed === undefined) return expect.fail('The source cannot be observed.')
  logged.length = 0
  const given = { ...values, note: SECRET }
  const filter = { op: 'eq', field: 'note', value: SECRET } as const
  await observed.transaction(async (inside) => {
    const store = inside.store(model)
    await store.createMany?.([given, given])
    await store.list({ filter, order: [], limit: 4711, offset: 0 }, everything)
  })
  const store = observed.store(model)
  const key = async () => {
    const made = await store.create(given)
    return model.primaryKey.map((part) => made[part])
  }
  const one = await key()
  await store.update(one, { note: `${SECRET}!` }, filter)
  expect(await store.read(one, everything)).toMatchObject({ note: `${SECRET}!` })
  await store.count(filter, everything, 4711)
  await store.remove(one, everything)
  await store.take(await key(), filter)
  // MikroORM does not log how it reads a variable of MySQL.
  expect(seen.map(({ operation }) => operation).filter((word) => word !== 'show')).toEqual(
    logged.map(wordOf).filter((word) => word !== undefined),
  )
  expect(seen.map(({ text }) => text).join('\n')).not.toMatch(/secret|4711/)
  return seen
}
