import { afterEach, describe, expect, it } from 'vitest'
import { type Accounts, accountsOf } from '../../src/auth/users/accounts.ts'
import { currentUser, type UserModel, userModelOf } from '../../src/auth/users/users.ts'
import { configureModel } from '../../src/model/setup/configure.ts'
import type { Call } from '../../src/operation/call.ts'
import { runNested, type Steps } from '../../src/operation/steps.ts'
import { type ModelSource, type Row, SourceError } from '../../src/source/source.ts'
import { usersOnSqlite } from '../stage/users.ts'

const run = async <T>(steps: Steps<T>): Promise<T> => runNested(steps)

describe('accounts', () => {
  let close: (() => Promise<void>) | undefined
  afterEach(() => close?.())

  const start = async () => {
    const database = await usersOnSqlite()
    close = database.close
    const source: ModelSource = database.models
    const [model] = source.models.filter(({ name }) => name === 'User')
    if (model === undefined) throw new Error('There is no User.')
    const user = userModelOf(configureModel(model), { LOGIN_FIELDS: undefined, REGISTER_FIELDS: undefined })
    return { source, user, accounts: accountsOf(user, source), rows: database.rows }
  }

  const found = async (
    { accounts, user }: { accounts: Accounts; user: UserModel },
    by: string,
    text: string,
  ) => {
    const field = user.identifiers.find(({ name }) => name === by) ?? 'any'
    return (await run(accounts.find(field, text)))?.['id']
  }

  it.each([
    ['any', 'ada@example.com', 1],
    ['email', 'ada@example.com', 1],
    ['any', 'ada', 1],
    ['username', 'ada', 1],
    ['email', 'ada', undefined],
    ['username', 'ada@example.com', undefined],
    ['any', ' ＡDA@EXAMPLE.com\t', 1],
    ['any', 'Bob', 2],
    ['any', 'nobody', undefined],
    ['any', '', undefined],
    ['any', '   ', undefined],
    ['any', 'ad', undefined],
    ['any', '%', undefined],
    ['any', 'a\0b', undefined],
    ['any', '\ud800', undefined],
    ['any', 'a'.repeat(100_000), undefined],
    // Stored before identifiers had one form.
    ['any', 'Eve@Example.com', 3],
    ['email', ' Eve@Example.com ', 3],
    ['email', 'eve@example.com', undefined],
  ])('checklist 20: are found by %s as %j', async (by, text, id) => {
    expect(await found(await start(), by, text)).toBe(id)
  })

  it('are none where a text could mean two of them', async () => {
    const stage = await start()
    await stage.rows(`update users set username = 'ada@example.com' where id = 2 returning id`)
    expect(await found(stage, 'any', 'ada@example.com')).toBe(undefined)
    expect(await found(stage, 'email', 'ada@example.com')).toBe(1)
    expect(await found(stage, 'username', 'ada@example.com')).toBe(2)
    // Of one user both identifiers may say the same.
    await stage.rows(`update users set username = 'bob@example.com' where id = 2 returning id`)
    expect(await found(stage, 'any', 'bob@example.com')).toBe(2)
  })

  it('are created, but not under a name that another is known by', async () => {
    const { accounts, rows } = await start()
    const created = await run(
      accounts.create({ email: 'new@example.com', username: 'new', password: 'a hash' }),
    )
    expect(created).toMatchObject({ id: 4, email: 'new@example.com', role: 'member' })
    for (const [values, field] of [
      [{ email: 'ada@example.com', username: 'x' }, 'email'],
      [{ email: 'x@example.com', username: 'ada' }, 'username'],
      [{ email: 'x@example.com', username: 'ada@example.com' }, 'username'],
      [{ email: 'ada', username: 'x' }, 'email'],
    ] as const) {
      const refused = await run(accounts.create({ ...values, password: 'a hash' })).catch(
        (error: unknown) => error,
      )
      expect(refused).toBeInstanceOf(SourceError)
      expect(refused).toMatchObject({ kind: 'unique', fields: [field] })
    }
    expect(await rows('select id from users where id > 3')).toEqual([{ id: 4 }])
  })

  it('checklist 20: of two that take an identifier at the same moment one has it, the other a refusal', async () => {
    const { accounts, rows } = await start()
    const values = { email: 'race@example.com', password: 'a hash' }
    const both = await Promise.allSettled([run(accounts.create(values)), run(accounts.create(values))])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { kind: 'unique', fields: ['email'] },
    })
    expect(await rows(`select count(*) as count from users where email = 'race@example.com'`)).toEqual([
      { count: 1 },
    ])
  })

  it('are read by what a token says of them', async () => {
    const { accounts } = await start()
    const ada = await run(accounts.named({ sub: '1' }))
    expect(ada).toMatchObject({ id: 1, email: 'ada@example.com' })
    expect([accounts.toSub(ada as Row), accounts.idOf('1')]).toEqual(['1', 1])
    for (const sub of ['99', '', 'abc', '1 or 1=1', '1.5', '9'.repeat(40)])
      expect([sub, await run(accounts.named({ sub }))]).toEqual([sub, undefined])
    expect(accounts.idOf('abc')).toBe(undefined)
  })

  it('get another hash, unless they have got another one meanwhile', async () => {
    const { accounts, rows } = await start()
    const ada = (await run(accounts.read(1))) as Row
    expect(accounts.hashIn(ada)).toBe('the hash of ada')
    expect(await run(accounts.setPassword(ada, 'a better hash'))).toMatchObject({ password: 'a better hash' })
    expect(await run(accounts.setPassword(ada, 'one that comes too late'))).toBe(undefined)
    expect(await rows('select password from users where id <= 2 order by id')).toEqual([
      { password: 'a better hash' },
      { password: 'the hash of bob' },
    ])
  })

  it('without a password have no hash', async () => {
    const { accounts } = await start()
    expect(accounts.hashIn((await run(accounts.read(3))) as Row)).toBe(undefined)
    expect(accounts.hashIn({ id: 4, password: null })).toBe(undefined)
  })

  it('checklist 24: are shown without the password, to callers and to hooks', async () => {
    const { accounts } = await start()
    const ada = (await run(accounts.read(1))) as Row
    const shown = await run(accounts.shown(ada, {} as Call))
    expect(JSON.parse(shown)).toMatchObject({ id: 1, email: 'ada@example.com' })
    expect(shown).not.toMatch(/hash|password|token/)
    expect(Object.keys(accounts.withoutPassword(ada))).not.toContain('password')
    expect({ ...accounts.withoutPassword(ada), password: 'the hash of ada' }).toEqual(ada)
  })

  it('are removed, unless they have got another password meanwhile', async () => {
    const { accounts } = await start()
    const [ada, bob] = [(await run(accounts.read(1))) as Row, (await run(accounts.read(2))) as Row]
    await run(accounts.remove({ ...bob, password: 'of another with the same key' }))
    await run(accounts.remove(ada))
    await run(accounts.remove(ada))
    expect(await run(accounts.read(1))).toBe(undefined)
    expect(await run(accounts.read(2))).toMatchObject({ id: 2 })
  })

  it('are read at most once for the hooks of a request', async () => {
    const { accounts, source: models, rows } = await start()
    const read = currentUser(accounts, 1)
    const ada = () => read(models)
    const [first, second] = [ada(), ada()]
    expect(await first).toMatchObject({ id: 1, name: 'Ada' })
    await rows(`update users set name = 'changed' where id = 1 returning id`)
    expect([await second, await ada()]).toEqual([await first, await first])
    expect(await first).not.toHaveProperty('password')
    expect(await currentUser(accounts, 1)(models)).toMatchObject({ name: 'changed' })
    expect(await currentUser(accounts, 99)(models)).toBe(null)
  })
})

describe('on a synchronous driver', () => {
  it('the caller is there in the same tick', async () => {
    const { models, close } = await usersOnSqlite()
    const [model] = models.models.filter(({ name }) => name === 'User')
    if (model === undefined) throw new Error('There is no User.')
    const user = userModelOf(configureModel(model), { LOGIN_FIELDS: undefined, REGISTER_FIELDS: undefined })
    expect(currentUser(accountsOf(user, models), 1)(models)).toMatchObject({ name: 'Ada' })
    await close()
  })
})
