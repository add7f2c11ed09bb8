import { describe, expect, test } from 'vitest'
import { isCheckable, passwords } from '../../src/auth/passwords/passwords.ts'

interface Parts {
  variant?: string
  version?: string
  m?: number
  t?: number
  p?: number
  /** Bytes. */
  salt?: number
  output?: number
}

const bytes = (length: number): string => Buffer.alloc(length, 7).toString('base64').replaceAll('=', '')

const stored = ({
  variant = 'argon2id',
  version = '$v=19',
  m = 19456,
  t = 2,
  p = 1,
  salt = 16,
  output = 32,
}: Parts = {}): string => `$${variant}${version}$m=${m},t=${t},p=${p}$${bytes(salt)}$${bytes(output)}`

const GIBIBYTE = 1024 * 1024

describe('checklist 23: a hash is made anew', () => {
  test.each<[string, Parts]>([
    ['with less memory', { m: 19455 }],
    ['with one pass', { t: 1 }],
    ['with one pass over more memory', { m: 47104, t: 1 }],
    ['of argon2i', { variant: 'argon2i' }],
    ['of argon2d', { variant: 'argon2d' }],
    ['of the version before', { version: '$v=16' }],
    ['that names no version', { version: '' }],
    ['with a short salt', { salt: 8 }],
    ['with a short result', { output: 16 }],
  ])('%s', (_, parts) => {
    expect(passwords.needsRehash(stored(parts))).toBe(true)
  })

  test.each([
    '',
    'a plain text',
    '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
    '$argon2id$v=19$',
  ])('that is none of argon2: %s', (text) => {
    expect(passwords.needsRehash(text)).toBe(true)
  })
})

describe('a hash stays', () => {
  test.each<[string, Parts]>([
    ['with our parameters', {}],
    ['with more memory', { m: 65536 }],
    ['with more passes', { t: 3 }],
    ['with more lanes', { p: 4 }],
    ['with a longer salt and result', { salt: 32, output: 64 }],
  ])('%s', (_, parts) => {
    expect(passwords.needsRehash(stored(parts))).toBe(false)
  })

  test('that was made here', async () => {
    expect(passwords.needsRehash(await passwords.hash('a long sentence'))).toBe(false)
  })
})

describe('a stored hash is run', () => {
  test.each<[string, Parts]>([
    ['with the defaults of Django', { m: 102400, t: 2, p: 8 }],
    ['with the defaults of PHP', { m: 65536, t: 4, p: 1 }],
    ['as libsodium makes it for sensitive data on small machines', { m: 262144, t: 3, p: 1 }],
  ])('%s', (_, parts) => {
    expect(isCheckable(stored(parts))).toBe(true)
  })
})

describe('checklist 23: a stored hash is not run', () => {
  test.each<[string, Parts]>([
    ['with gigabytes of memory', { m: 2 * GIBIBYTE }],
    ['with all the memory there is', { m: 2 ** 32 - 1 }],
    ['with half a gigabyte, once', { m: GIBIBYTE / 2, t: 1 }],
    ['with many passes over little memory', { m: 1024, t: 17 }],
    ['with thousands of passes', { t: 4096 }],
    ['with many passes over much memory', { m: 262144, t: 5 }],
    ['with hundreds of lanes', { p: 255 }],
    ['with a long salt', { salt: 65 }],
    ['with a long result', { output: 129 }],
  ])('%s', (_, parts) => {
    expect(isCheckable(stored(parts))).toBe(false)
  })

  test('that is long', () => {
    const parameter = (length: number) => stored().replace('p=1', `p=1,data=${'A'.repeat(length)}`)
    expect(isCheckable(parameter(8))).toBe(true)
    expect(isCheckable(parameter(4_000))).toBe(false)
  })
})
