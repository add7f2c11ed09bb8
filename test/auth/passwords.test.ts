import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  argon2,
  hashPassword,
  passwords,
  passwordsOf,
  verifyPassword,
} from '../../src/auth/passwords/passwords.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Of 1 to 1024 bytes. */
const anyPassword = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 })
const runs = { numRuns: 15 }
const hashed = (text: string): string => text.normalize('NFKC')

/** Made by the reference implementation in C (argon2-cffi), of NFKC in UTF-8. */
const fromElsewhere = [
  [
    'with our parameters',
    'correct horse battery staple',
    '$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$gy5SuVm5Z7Vw7keB9se9p87QGcomaseB/S2U1OhTsM0',
  ],
  [
    'in other letters than ASCII',
    'ﬁancée Ⅷ Åsa パスワード',
    '$argon2id$v=19$m=19456,t=2,p=1$ZmVkY2JhOTg3NjU0MzIxMA$eFmLH7EkLcLX9c5iK11Tlj49eW/4UfgULJ0yons6uF4',
  ],
  [
    'with four lanes',
    'correct horse battery staple',
    '$argon2id$v=19$m=65536,t=3,p=4$MDEyMzQ1Njc4OWFiY2RlZg$77UfmnZYT23WpPeUKhovauWm5OxRQv9nTf1dJ+tF5EY',
  ],
  [
    'of argon2i',
    'correct horse battery staple',
    '$argon2i$v=19$m=102400,t=2,p=8$MDEyMzQ1Njc4OWFiY2RlZg$vJwUNQGZz6j9YAJhmwlVwQ',
  ],
] as const

describe('any password', () => {
  test('checklist 22: any Unicode verifies against its own hash, and no other text does', async () => {
    await fc.assert(
      fc.asyncProperty(anyPassword, anyPassword, async (mine, other) => {
        const hash = await passwords.hash(mine)
        expect(await passwords.verify(mine, hash)).toBe(true)
        expect(await passwords.verify(other, hash)).toBe(hashed(mine) === hashed(other))
      }),
      runs,
    )
  })

  test('checklist 22: nothing is cut off: the last byte of the longest counts, and so does a zero byte', async () => {
    const longest = 'a'.repeat(1024)
    const hash = await passwords.hash(longest)
    expect(await passwords.verify(longest, hash)).toBe(true)
    expect(await passwords.verify(`${'a'.repeat(1023)}b`, hash)).toBe(false)
    expect(await passwords.verify('a'.repeat(1023), hash)).toBe(false)
    expect(await passwords.verify('before\0after', await passwords.hash('before\0behind'))).toBe(false)
  })

  test('is the same from every keyboard: NFKC', async () => {
    const hash = await passwords.hash('Caf\u00e9 \ufb01ne \uff21\uff11')
    expect(await passwords.verify('Cafe\u0301 fine A1', hash)).toBe(true)
    expect(await passwords.verify('cafe\u0301 fine A1', hash)).toBe(false)
    expect(await passwords.verify('Cafe\u0301 fine A1 ', hash)).toBe(false)
  })

  test('has another salt each time', async () => {
    const [one, two] = await Promise.all([hashPassword('a long sentence'), hashPassword('a long sentence')])
    expect(one).not.toBe(two)
    expect(await passwords.verify('a long sentence', two)).toBe(true)
  })
})

describe('verifyPassword', () => {
  test('says whether a stored hash belongs to a password, and does the same work for an unusable one', async () => {
    const stored = await hashPassword('a lamp for every desk')
    const verify = vi.spyOn(argon2(), 'verify')
    expect(await verifyPassword(stored, 'a lamp for every desk')).toBe(true)
    expect(await verifyPassword(stored, 'a lamp for every Desk')).toBe(false)
    for (const unusable of ['', 'a lamp for every desk', '$2b$12$x', null, undefined])
      expect(await verifyPassword(unusable, 'a lamp for every desk')).toBe(false)
    expect(verify).toHaveBeenCalledTimes(7)
    // No hash can belong to these.
    for (const impossible of ['', 'x'.repeat(1025), '\ud800'])
      expect(await verifyPassword(stored, impossible)).toBe(false)
    expect(verify).toHaveBeenCalledTimes(7)
  })
})

describe('what cannot be a password', () => {
  const impossible = [
    ['nothing', ''],
    ['over 1024 bytes', `${'é'.repeat(512)}a`],
    ['a lone surrogate', 'before\ud83dafter'],
  ] as const

  test.each(impossible)('checklist 22: %s is refused before it is hashed', async (_, password) => {
    const hash = vi.spyOn(argon2(), 'hash')
    await expect(hashPassword(password)).rejects.toMatchObject({ status: 422, code: 'invalid_body' })
    expect(hash).not.toHaveBeenCalled()
  })

  test.each(impossible)('checklist 22: %s verifies against nothing, without work', async (_, password) => {
    const hash = await passwords.hash('before\ufffdafter')
    const verify = vi.spyOn(argon2(), 'verify')
    expect(await passwords.verify(password, hash)).toBe(false)
    expect(verify).not.toHaveBeenCalled()
  })
})

test.each(fromElsewhere)(
  'checklist 23: a hash %s, made by the reference implementation, is understood',
  async (_, password, hash) => {
    expect(await passwords.verify(password, hash)).toBe(true)
    expect(await passwords.verify(`${password}.`, hash)).toBe(false)
  },
)

test('checklist 23: a hash is argon2id with 19 MiB, two passes, one lane, a salt of 16 and a result of 32 bytes', async () => {
  expect(await hashPassword('a long sentence')).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
  )
})

describe('checklist 19: the work of a check is done', () => {
  const none = undefined
  test.each([
    ['for no user at all', none],
    ['for an empty hash', ''],
    ['for a hash of bcrypt', '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'],
    ['for a plain text', 'a long sentence'],
    ['for a broken hash', '$argon2id$v=19$m=19456,t=2,p=1$ZmVkY2JhOTg3NjU0MzIxMA'],
    ['for one that asks for 4 GiB', `$argon2id$v=19$m=4194304,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`],
    [
      'for one that is endless',
      `$argon2id$v=19$m=19456,t=4294967295,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
    ],
  ])('%s', async (_, stored) => {
    const verify = vi.spyOn(argon2(), 'verify')
    expect(await passwords.verify('a long sentence', stored)).toBe(false)
    const used = verify.mock.calls.map(([hash]) => argon2().parseOptions(hash))
    expect(used).toEqual([argon2().parseOptions(await hashPassword('a long sentence'))])
  })
})

test('checklist 23: the event loop turns while passwords are hashed and checked', async () => {
  const hash = await passwords.hash('a long sentence')
  let turns = 0
  let working = true
  const turn = () => {
    turns += 1
    if (working) setImmediate(turn)
  }
  setImmediate(turn)
  const turned: boolean[] = []
  for (let round = 0; round < 3; round++) {
    for (const work of [
      () => passwords.hash('a long sentence'),
      () => passwords.verify('a long sentence', hash),
    ]) {
      const before = turns
      await work()
      turned.push(turns > before)
    }
  }
  working = false
  expect(turned).toEqual(new Array(6).fill(true))
})

test('checklist 23: hashes and checks share one bound: 503 beyond it, for a known user as for an unknown', async () => {
  const one = passwordsOf({ parallel: 1, waiting: 1 })
  const hash = await one.hash('a long sentence')
  const admitted = [one.verify('a long sentence', hash), one.hash('another sentence')]
  const refusal = { status: 503, code: 'unavailable', headers: { 'Retry-After': '3' } }
  await expect(one.verify('a long sentence', hash)).rejects.toMatchObject(refusal)
  await expect(one.verify('a long sentence', undefined)).rejects.toMatchObject(refusal)
  await expect(one.hash('a long sentence')).rejects.toMatchObject(refusal)
  expect(await Promise.all(admitted)).toEqual([true, expect.any(String)])
  expect(await one.verify('a long sentence', hash)).toBe(true)
})
