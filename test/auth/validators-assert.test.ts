import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  assertPassword,
  loadPasswords,
  notAllDigits,
  notCommon,
  type PasswordRules,
} from '../../src/auth/passwords/validators.ts'
import type { PasswordValidator } from '../../src/auth/settings/index.ts'
import { HttpError, type Issue } from '../../src/error/errors.ts'
import { naming } from '../naming.ts'

const secret = 'the secret sentence'
const byDefault: PasswordRules = { VALIDATE_PASSWORD: true, validators: undefined }
const never: PasswordRules = { VALIDATE_PASSWORD: false, validators: undefined }

const thrownBy = (act: () => void): unknown => {
  try {
    act()
  } catch (thrown) {
    return thrown
  }
  return undefined
}

const issuesOf = (password: unknown, rules = byDefault, user = {}): readonly Issue[] => {
  const thrown = thrownBy(() => assertPassword(password, user, rules))
  if (thrown === undefined) return []
  expect(thrown).toBeInstanceOf(HttpError)
  const { status, code, errors } = thrown as HttpError
  expect([status, code]).toEqual([422, 'invalid_body'])
  expect(errors.map(({ pointer }) => pointer)).toEqual(errors.map(() => '/password'))
  return errors
}

const codesOf = (...asked: Parameters<typeof issuesOf>) => issuesOf(...asked).map(({ code }) => code)

describe('always', () => {
  test.each([
    ['nothing', undefined, 'required'],
    ['null', null, 'wrong_type'],
    ['a number', 12345678, 'wrong_type'],
    ['an array', ['correct horse'], 'wrong_type'],
    ['an empty string', '', 'too_short'],
    ['1025 bytes', 'a'.repeat(1025), 'too_long'],
    ['1026 bytes of 513 characters', 'é'.repeat(513), 'too_long'],
    ['a lone surrogate', 'correct horse \ud83d', 'invalid'],
  ])('checklist 22: %s is refused, whether passwords are validated or not', (_, password, code) => {
    expect(codesOf(password, byDefault)).toEqual([code])
    expect(codesOf(password, never)).toEqual([code])
  })

  test.each([
    ['one character', 'a'],
    ['1024 bytes', 'a'.repeat(1024)],
    ['1024 bytes of 256 characters', '🐎'.repeat(256)],
    ['a zero byte', 'a\0b'],
  ])('checklist 22: %s is a password where they are not validated', (_, password) => {
    expect(issuesOf(password, never)).toEqual([])
  })
})

describe('validators', () => {
  test('checklist 22: each complaint is an issue of its own', () => {
    expect(issuesOf('123456', byDefault, { username: '123456' })).toEqual([
      { code: 'too_short', detail: expect.stringMatching(naming(8)), pointer: '/password' },
      { code: 'invalid', detail: notCommon()('123456', {}), pointer: '/password' },
      { code: 'invalid', detail: expect.stringMatching(naming('username')), pointer: '/password' },
      { code: 'invalid', detail: notAllDigits()('123456', {}), pointer: '/password' },
    ])
  })

  test('a good password is taken', () => {
    expect(issuesOf('correct horse battery staple', byDefault, { email: 'ann@example.com' })).toEqual([])
  })

  test('those given replace those by default, and get the password as it was sent, and the user', () => {
    const asked: unknown[] = []
    const validator: PasswordValidator = (...given) => {
      asked.push(given)
      return given[0].includes('?') ? undefined : 'Ask something.'
    }
    const rules = { VALIDATE_PASSWORD: true, validators: [validator] }
    expect(issuesOf('ﬁ', rules, { name: 'Ann' })).toEqual([
      { code: 'invalid', detail: 'Ask something.', pointer: '/password' },
    ])
    expect(issuesOf('ﬁ?', rules)).toEqual([])
    expect(asked).toEqual([
      ['ﬁ', { name: 'Ann' }],
      ['ﬁ?', {}],
    ])
  })

  test('one may choose the code of its complaint', () => {
    const validator = Object.assign(() => 'Too simple.', { code: 'invalid_format' as const })
    expect(codesOf('a', { VALIDATE_PASSWORD: true, validators: [validator] })).toEqual(['invalid_format'])
  })

  test('none need be asked', () => {
    expect(issuesOf('a', { VALIDATE_PASSWORD: true, validators: [] })).toEqual([])
    expect(issuesOf('password', never)).toEqual([])
  })
})

describe('a validator that fails', () => {
  const failures: Record<string, unknown> = {
    throwsAnError: (password: string) => {
      throw new TypeError(`${password} and\n    at ${password}`)
    },
    throwsARefusal: (password: string) => {
      throw new HttpError(418, password)
    },
    throwsTheText: (password: string) => {
      throw password
    },
    throwsAnErrorWithoutAStack: (password: string) => {
      throw Object.assign(new Error(password), { stack: password })
    },
    returnsFalse: () => false,
    returnsNull: () => null,
    returnsNothingToRead: () => '',
    returnsTheText: (password: string) => [password],
    isAsynchronous: async () => undefined,
    rejects: async (password: string) => {
      throw new Error(password)
    },
  }

  test.each(Object.keys(failures))(
    'checklist 24: is named in an opaque error without the password: %s',
    (name) => {
      const validators = [() => undefined, failures[name] as PasswordValidator]
      const thrown = thrownBy(() => assertPassword(secret, {}, { VALIDATE_PASSWORD: true, validators }))
      expect(thrown).toBeInstanceOf(Error)
      expect(thrown).not.toBeInstanceOf(HttpError)
      expect((thrown as Error).message).toMatch(naming(name, 2, 'AUTH_PASSWORD_VALIDATORS'))
      expect(inspect(thrown, { depth: null })).not.toContain(secret)
    },
  )

  test('says where it threw', () => {
    const validators = [failures['throwsAnError'] as PasswordValidator]
    const thrown = thrownBy(() => assertPassword(secret, {}, { VALIDATE_PASSWORD: true, validators }))
    expect((thrown as Error).message).toMatch(naming('throwsAnError', 1, 'AUTH_PASSWORD_VALIDATORS'))
    expect((thrown as Error).message).toMatch(/\bTypeError\b.*\n\s+at .*validators-assert\.test\.ts/)
  })

  test('is told apart where it has no name', () => {
    const validators = [
      (
        () => () =>
          7
      )() as unknown as PasswordValidator,
    ]
    const thrown = thrownBy(() => assertPassword(secret, {}, { VALIDATE_PASSWORD: true, validators }))
    expect((thrown as Error).message).toMatch(naming(1, 'AUTH_PASSWORD_VALIDATORS'))
  })
})

test('what it needs can be loaded at start, more than once', () => {
  for (const rules of [byDefault, byDefault, never]) loadPasswords(rules)
})
