import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { registrationBody } from '../../src/auth/register.ts'
import { userModelOf } from '../../src/auth/users/users.ts'
import { HttpError } from '../../src/index.ts'
import { configureModel } from '../../src/model/setup/configure.ts'
import { compile } from '../schema/ajv.ts'
import { usersOnSqlite } from '../stage/users.ts'

const noSettings = { LOGIN_FIELDS: undefined, REGISTER_FIELDS: undefined }
const { models, close } = await usersOnSqlite()
await close()
const [described] = models.models.filter(({ name }) => name === 'User')
if (described === undefined) throw new Error('There is no User.')
const { schema, example, read } = registrationBody(userModelOf(configureModel(described), noSettings))

const password = 'correct horse battery'
const body = { email: 'new@example.com', password }

/** What a body is refused for: a code at each place. */
const refusal = (sent: unknown, as = read): readonly string[] => {
  try {
    as(sent)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    expect([error.status, error.code]).toEqual([422, 'invalid_body'])
    return error.errors.map(({ pointer, code }) => `${pointer} ${code}`)
  }
  return []
}

/** Every column that is in no allow-list, with a value that it could have. */
const others = {
  ...{ id: 9, role: 'admin', is_staff: true, is_active: false, credits: 1000, reset_token: 'x' },
  ...{ invited_by: 1, note: 'x', disabled_at: '2026-01-31T09:30:00Z' },
}

describe('a registration', () => {
  it('reads its values and the password apart', () => {
    const sent = { ...body, email: ' NEW@example.com', username: 'ＮＥＷ', name: 'New', locale: 'de' }
    expect(read(sent)).toEqual({
      values: { email: 'new@example.com', username: 'new', name: 'New', locale: 'de' },
      password,
    })
  })

  it('checklist 31: takes no other column, one by one and all together', () => {
    const names = described.fields.map(({ name }) => name)
    expect(Object.keys({ ...body, username: '', name: '', locale: '', ...others }).toSorted()).toEqual(
      names.toSorted(),
    )
    for (const [name, value] of Object.entries(others)) {
      expect(refusal({ ...body, [name]: value })).toEqual([`/${name} unknown_key`])
      expect(refusal({ ...body, [name]: null })).toEqual([`/${name} unknown_key`])
    }
    expect(refusal({ ...body, ...others })).toEqual(Object.keys(others).map((name) => `/${name} unknown_key`))
  })

  it('checklist 31: takes nothing but its keys, whatever else is sent', () => {
    const allowed = ['email', 'username', 'name', 'locale', 'password']
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything(), { maxKeys: 5 }), (more) => {
        const strangers = Object.keys(more).filter((name) => !allowed.includes(name))
        const refused = refusal({ ...more, ...body })
        expect(refused.filter((line) => line.endsWith(' unknown_key'))).toHaveLength(strangers.length)
      }),
    )
  })

  it.each<[string, unknown, readonly string[]]>([
    ['a password', { email: 'a@b.c' }, ['/password required']],
    ['an identifier', { password }, ['/email required']],
    ['an identifier that is a text', { ...body, email: 7 }, ['/email wrong_type']],
    ['an identifier that is not empty', { ...body, email: ' \u3000' }, ['/email too_short']],
    ['an identifier that fits', { ...body, email: 'a'.repeat(41) }, ['/email too_long']],
    [
      'an identifier that fits in its one form',
      { ...body, username: '\ufdfa\ufdfa' },
      ['/username too_long'],
    ],
    ['a password that is a text', { ...body, password: 12345678 }, ['/password wrong_type']],
    ['a password, not null', { ...body, password: null }, ['/password not_nullable']],
    [
      'a password that can be hashed in time',
      { ...body, password: 'x'.repeat(1025) },
      ['/password too_long'],
    ],
    ['values of the columns', { ...body, locale: 'fr' }, ['/locale not_in_enum']],
    ['an object', [body], [' wrong_type']],
    ['an object, not null', null, [' wrong_type']],
  ])('needs %s', (_what, sent, refused) => {
    expect(refusal(sent)).toEqual(refused)
  })

  it('takes a password longer than the column of its hash', () => {
    expect(read({ ...body, password: 'x'.repeat(1024) }).password).toHaveLength(1024)
  })

  it('asks for `password`, whatever its column is called', () => {
    const fields = described.fields.map((field) =>
      field.name === 'password' ? { ...field, name: 'password_hash', maxLength: 100 } : field,
    )
    const { read: readOther } = registrationBody(userModelOf({ ...described, fields }, noSettings))
    expect(readOther({ ...body, password: 'x'.repeat(200) }).values).toEqual({
      email: 'new@example.com',
    })
    expect(refusal({ ...body, password_hash: 'x' }, readOther)).toEqual(['/password_hash unknown_key'])
  })

  it('needs one of several identifiers, and the only one there is', () => {
    const nullable = described.fields.map((field) =>
      field.name === 'email' ? { ...field, nullable: true } : field,
    )
    const both = registrationBody(userModelOf({ ...described, fields: nullable }, noSettings))
    expect(refusal({ password }, both.read)).toEqual(['/email required'])
    expect(refusal({ password, email: null, username: null }, both.read)).toEqual(['/email required'])
    expect(refusal({ password, username: 'new' }, both.read)).toEqual([])
    const one = registrationBody(
      userModelOf({ ...described, fields: nullable }, { ...noSettings, LOGIN_FIELDS: ['email'] }),
    )
    expect(refusal({ password, email: null }, one.read)).toEqual(['/email not_nullable'])
    expect(one.schema.schema).toMatchObject({ required: ['email', 'password'] })
  })

  it('is documented as it is read, as RegisterRequest', () => {
    const { name, schema: documented } = schema
    expect(name).toBe('RegisterRequest')
    expect(documented).toMatchObject({
      required: ['email', 'password'],
      properties: {
        email: { format: 'email' },
        password: { type: 'string', maxLength: 1024, writeOnly: true },
      },
      additionalProperties: false,
    })
    expect(Object.keys(documented['properties'] as object)).toEqual([
      'email',
      'username',
      'name',
      'locale',
      'password',
    ])
    const validate = compile(schema)
    for (const sent of [body, example]) {
      expect([validate(sent), validate.errors]).toEqual([true, null])
      expect(refusal(sent)).toEqual([])
    }
    expect(validate({ ...body, role: 'admin' })).toBe(false)
  })
})
