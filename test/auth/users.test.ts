import { describe, expect, it } from 'vitest'
import { isDisabled } from '../../src/auth/users/accounts.ts'
import { grantsPower } from '../../src/auth/users/user-columns.ts'
import { findUserModel, userModelOf, usersOf } from '../../src/auth/users/users.ts'
import { StartError } from '../../src/index.ts'
import type { Field, Model } from '../../src/model/model.ts'
import { configureModel } from '../../src/model/setup/configure.ts'
import { naming } from '../naming.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'

const text = (name: string, more: Partial<Field> = {}): Field => fieldNamed(name, 'text', 'string', more)
const yesOrNo = (name: string, more: Partial<Field> = {}): Field =>
  fieldNamed(name, 'boolean', 'boolean', more)
const key = fieldNamed('id', 'integer', 'number', { hasDefault: true })

const users = (...fields: readonly Field[]): Model => modelOf('User', [key, ...fields])
const noSettings = { LOGIN_FIELDS: undefined, REGISTER_FIELDS: undefined }
const named = (fields: readonly Field[]): readonly string[] => fields.map(({ name }) => name)

describe('the user model', () => {
  const user = users(text('email'), text('password'))
  const member = modelOf('Member', [key, text('email'), text('passwordHash')], { app: 'club' })
  const visitor = modelOf('User', [key, text('email')])

  it.each<[string, readonly Model[], string | undefined, string | undefined]>([
    ['is User where it has a password', [member, user], undefined, 'User'],
    ['is none where User has no password', [member, visitor], undefined, undefined],
    ['is none where there is no User', [member], undefined, undefined],
    ['is the one that AUTH_USER_MODEL names', [member, user], 'club.Member', 'Member'],
    ['is the one that AUTH_USER_MODEL names, without a password too', [visitor], 'shop.User', 'User'],
  ])('%s', (_what, models, setting, name) => {
    expect(findUserModel(models, setting)?.name).toBe(name)
  })

  it.each(['club.Membr', 'Member', 'shop.Member', ''])('is not named by %j', (setting) => {
    expect(() => findUserModel([member, user], setting)).toThrow(StartError)
    expect(() => findUserModel([member, user], setting)).toThrow(
      naming('AUTH_USER_MODEL', setting, 'club.Member', 'shop.User'),
    )
  })

  it.each(['password', 'password_hash', 'passwordHash', 'hashed_password', 'hashedPassword'])(
    'keeps its password in %s, and hides it',
    (name) => {
      const { password, model } = userModelOf(users(text('email'), text(name)), noSettings)
      expect([password.name, password.access]).toEqual([name, 'hidden'])
      expect(model.fields.find((field) => field.name === name)?.access).toBe('hidden')
    },
  )

  it('keeps it in the likeliest of several columns', () => {
    const { password } = userModelOf(
      users(text('email'), text('password_hash', { nullable: true }), text('password')),
      noSettings,
    )
    expect(password.name).toBe('password')
  })

  it.each<[readonly string[] | undefined, readonly string[]]>([
    [undefined, ['email', 'username', 'login']],
    [['username'], ['username']],
    [
      ['phone', 'email', 'phone'],
      ['phone', 'email'],
    ],
  ])('with LOGIN_FIELDS %j is known by %j', (LOGIN_FIELDS, identifiers) => {
    const model = users(...['email', 'username', 'login', 'phone', 'password'].map((name) => text(name)))
    expect(named(userModelOf(model, { ...noSettings, LOGIN_FIELDS }).identifiers)).toEqual(identifiers)
  })

  it('takes from users the identifiers and what is harmless', () => {
    const model = users(
      ...[text('email'), text('username', { nullable: true }), text('password')],
      ...[text('slug', { optional: true }), text('motto', { nullable: true })],
      ...['name', 'first_name', 'lastName', 'displayName', 'phone', 'locale', 'timezone'].map((name) =>
        text(name, { nullable: true }),
      ),
      ...[text('role', { hasDefault: true }), yesOrNo('is_staff', { nullable: true })],
      fieldNamed('created_at', 'datetime', 'date', { hasDefault: true }),
    )
    expect(named(userModelOf(model, noSettings).allowed)).toEqual([
      ...['email', 'username', 'name', 'first_name', 'lastName', 'displayName'],
      ...['phone', 'locale', 'timezone'],
    ])
  })

  it('takes nothing harmless that the application hides or lets nobody write, but what it cannot do without', () => {
    const described = users(...['email', 'password', 'surname', 'name', 'phone'].map((name) => text(name)))
    const model = configureModel(
      {
        ...described,
        fields: described.fields.map((field) =>
          ['name', 'phone'].includes(field.name) ? { ...field, nullable: true } : field,
        ),
      },
      { hidden: ['email', 'phone'], readOnly: ['surname', 'name'] },
    )
    expect(named(userModelOf(model, noSettings).allowed)).toEqual(['email', 'surname'])
  })

  it('takes what REGISTER_FIELDS names instead', () => {
    const model = users(text('email'), text('password'), text('name', { nullable: true }), text('role'))
    const { allowed } = userModelOf(model, { ...noSettings, REGISTER_FIELDS: ['role', 'email', 'password'] })
    expect(named(allowed)).toEqual(['email', 'role'])
  })

  const complete = [text('email'), text('password')]
  it.each<[string, Model, Partial<typeof noSettings> | object, readonly (string | number)[]]>([
    ['a password', users(text('email')), {}, ['User', 'password', 'password_hash']],
    [
      'a text as password',
      users(text('email'), fieldNamed('password', 'bytes', 'bytes')),
      {},
      ['User', 'password'],
    ],
    [
      'a password that holds a hash',
      users(text('email'), text('password', { maxLength: 60 })),
      {},
      ['User', 'password', 255],
    ],
    ['something to log in with', users(text('password')), {}, ['User', 'email', 'username', 'LOGIN_FIELDS']],
    [
      'a text to log in with',
      users(fieldNamed('email', 'json', 'json'), text('password')),
      {},
      ['User', 'email', 'username', 'LOGIN_FIELDS'],
    ],
    [
      'login fields that are there',
      users(...complete),
      { LOGIN_FIELDS: ['emial'] },
      ['SERVICE_AUTH.LOGIN_FIELDS', 'emial', 'User', 'email'],
    ],
    [
      'login fields other than the password',
      users(...complete),
      { LOGIN_FIELDS: ['password'] },
      ['SERVICE_AUTH.LOGIN_FIELDS', 'password', 'User', 'email'],
    ],
    [
      'register fields that are there',
      users(...complete),
      { REGISTER_FIELDS: ['email', 'nmae'] },
      ['SERVICE_AUTH.REGISTER_FIELDS', 'User', 'nmae', 'email'],
    ],
    [
      'a key that clients do not choose',
      users(...complete),
      { REGISTER_FIELDS: ['email', 'id'] },
      ['SERVICE_AUTH.REGISTER_FIELDS', 'id', 'User'],
    ],
    [
      'register fields to log in with',
      users(...complete, text('name')),
      { REGISTER_FIELDS: ['name'] },
      ['User', 'REGISTER_FIELDS', 'email'],
    ],
    [
      'all register fields that are required',
      users(...complete, text('occupation')),
      { REGISTER_FIELDS: ['email'] },
      ['User', 'occupation', "REGISTER_FIELDS: ['email', 'occupation']"],
    ],
    [
      'a default for what gives power',
      users(...complete, text('role')),
      {},
      ['User', 'role', "REGISTER_FIELDS: ['email', 'role']"],
    ],
    [
      'a default for what points to another record',
      {
        ...users(...complete, text('home', { kind: 'integer', form: 'number' })),
        relations: [
          {
            name: 'home',
            kind: 'to-one',
            model: 'House',
            fields: ['home'],
            references: ['id'],
            inverse: 'x',
          },
        ],
      },
      {},
      ['User', 'home', "REGISTER_FIELDS: ['email', 'home']"],
    ],
    [
      'a key of one column',
      { ...users(...complete, text('tenant', { hasDefault: true })), primaryKey: ['id', 'tenant'] },
      {},
      ['User', 'id', 'tenant'],
    ],
    ['a key that is filled in', modelOf('User', [text('id'), ...complete]), {}, ['User', 'id', 'UUID']],
  ])('needs %s', (_what, model, settings, names) => {
    const start = () => userModelOf(model, { ...noSettings, ...settings })
    expect(start).toThrow(StartError)
    expect(start).toThrow(naming(...names))
  })

  it('of users who log in elsewhere needs none of this', () => {
    const found = usersOf({ ...users(text('role')), primaryKey: ['id', 'role'] }, noSettings)
    expect([found.key, found.password, found.identifiers]).toEqual([undefined, undefined, []])
  })
})

describe('a column', () => {
  it.each([
    ...[
      'role',
      'roles',
      'userRole',
      'is_staff',
      'isStaff',
      'is_superuser',
      'isSuperUser',
      'super_user',
      'is_admin',
      'admin',
    ],
    ...[
      'ADMIN',
      'administrator',
      'permissions',
      'groups',
      'group_id',
      'scopes',
      'privileges',
      'tenant_id',
      'email_verified',
    ],
    ...['isActive', 'balance', 'company', 'organisation_slug', 'plan'],
  ])('%s gives power', (name) => {
    expect(grantsPower(name)).toBe(true)
  })

  it.each([
    'name',
    'email',
    'staffordshire',
    'badminton',
    'occupation',
    'parole',
    'phone',
    'display_name',
    'activity',
    'scopus',
  ])('%s does not', (name) => {
    expect(grantsPower(name)).toBe(false)
  })
})

describe('a user', () => {
  it.each([
    [{}, false],
    [{ is_active: true, disabled_at: null }, false],
    [{ isActive: 1, disabledAt: null }, false],
    [{ is_active: null }, false],
    [{ is_active: false }, true],
    [{ isActive: false }, true],
    [{ is_active: 0 }, true],
    [{ is_active: true, disabled_at: new Date(0) }, true],
    [{ disabledAt: '2026-01-31' }, true],
    [{ disabled_at: 0 }, true],
  ])('%j is disabled: %s', (row, disabled) => {
    expect(isDisabled(row)).toBe(disabled)
  })
})
