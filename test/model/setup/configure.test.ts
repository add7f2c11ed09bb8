import { describe, expect, it } from 'vitest'
import { StartError } from '../../../src/error/errors.ts'
import type { Field, Model } from '../../../src/model/model.ts'
import { assertPaths, chooseModels, type ModelChoices } from '../../../src/model/setup/served.ts'
import { naming } from '../../naming.ts'
import { fieldNamed, modelOf } from '../../sample-model.ts'

const field = (name: string, more: Partial<Field> = {}): Field => fieldNamed(name, 'text', 'string', more)

const model = (name: string, fields: readonly Field[]): Model =>
  modelOf(name, [fieldNamed('id', 'integer', 'number', { hasDefault: true }), ...fields])

const user = model('User', [
  field('email'),
  field('password'),
  field('resetTokens', { kind: 'json', form: 'json' }),
  field('passwordChangedAt', { kind: 'datetime', form: 'date' }),
  field('tokenCount', { kind: 'integer', form: 'number' }),
  field('pin', { kind: 'integer', form: 'number' }),
  field('api_key'),
  field('hashtag'),
  field('total', { generated: true, hasDefault: true }),
  field('createdAt', { kind: 'datetime', form: 'date', hasDefault: true }),
  field('deletedAt', { kind: 'datetime', form: 'date', nullable: true }),
])

const accessOf = (models: readonly Model[], name: string): Record<string, string> =>
  Object.fromEntries(
    models.find((each) => each.name === name)?.fields.map((each) => [each.name, each.access]) ?? [],
  )

/** It is one of those allowed, and stands before them as well. */
const suggested = (name: string): readonly string[] => [name, name]

const servedModels = (described: readonly Model[], choices: ModelChoices): readonly Model[] => {
  const { served } = chooseModels(described, choices)
  assertPaths(served)
  return served
}

describe('a served model', () => {
  it('hides what its name says is secret, and only that', () => {
    expect(accessOf(servedModels([user], {}), 'User')).toEqual({
      id: 'read-write',
      email: 'read-write',
      password: 'write-only',
      resetTokens: 'write-only',
      passwordChangedAt: 'read-write',
      tokenCount: 'read-write',
      pin: 'write-only',
      api_key: 'write-only',
      hashtag: 'read-write',
      total: 'read-write',
      createdAt: 'read-only',
      deletedAt: 'read-write',
    })
  })

  it('is what modelConfig says', () => {
    const models = servedModels([user], {
      modelConfig: {
        User: {
          path: 'people',
          hidden: ['password'],
          readOnly: { createdAt: false },
          writeOnly: { pin: false },
          optional: ['email'],
        },
      },
    })
    expect(models[0]).toMatchObject({ path: 'people' })
    expect(accessOf(models, 'User')).toMatchObject({
      password: 'hidden',
      createdAt: 'read-write',
      pin: 'read-write',
    })
    expect(models[0]?.fields.find(({ name }) => name === 'email')).toMatchObject({ optional: true })
    expect(Object.isFrozen(models[0]) && Object.isFrozen(models[0]?.fields[0])).toBe(true)
  })

  it('may be told what it is by its name, and what it is not where that opens something', () => {
    const modelConfig = {
      User: {
        hidden: { resetTokens: false },
        readOnly: { id: false, createdAt: true },
        ...{ writeOnly: ['password'], search: [], internal: false, deprecated: false },
        ...({ path: undefined, count: undefined, optional: { email: undefined } } as object),
      },
    }
    expect(accessOf(servedModels([user], { modelConfig }), 'User')).toMatchObject({
      ...{ id: 'read-write', resetTokens: 'read-write', createdAt: 'read-only', password: 'write-only' },
    })
  })

  it.each<[choices: object, names: readonly string[]]>([
    [{ modelConfig: { Usr: {} } }, ['modelConfig', 'Usr', ...suggested('User')]],
    [{ modelConfig: { User: { hiden: [] } } }, ['modelConfig.User', 'hiden', ...suggested('hidden')]],
    [
      { modelConfig: { User: { hidden: ['emial'] } } },
      ['modelConfig.User.hidden', 'emial', ...suggested('email')],
    ],
    [
      { modelConfig: { User: { hidden: ['email'], readOnly: ['email'] } } },
      ['modelConfig.User', 'email', 'hidden', 'read-only'],
    ],
    [{ modelConfig: { User: { hidden: ['id'] } } }, ['modelConfig.User', 'id']],
    [
      { modelConfig: { User: { search: ['emial'] } } },
      ['modelConfig.User.search', 'emial', ...suggested('email')],
    ],
    [{ modelConfig: { User: { search: ['password'] } } }, ['modelConfig.User.search', 'password', 'email']],
    [
      { modelConfig: { User: { search: ['tokenCount'] } } },
      ['modelConfig.User.search', 'tokenCount', 'email'],
    ],
    [{ modelConfig: { User: { path: 'a/b' } } }, ['modelConfig.User.path', '"a/b"', '-', '_', '.', '~']],
    [{ modelConfig: { User: { path: 'docs' } } }, ['/docs', 'modelConfig: { User: { path']],
    [{ modelConfig: { User: { path: 'tags' } } }, ['User', 'Tag', '/tags', 'modelConfig: { Tag: { path']],
    [
      { modelConfig: { User: { count: { default: 'none', allowed: ['exact'] } } } },
      ['modelConfig.User.count', 'default', 'none', 'exact'],
    ],
    [
      { modelConfig: { User: { count: { default: 'some' } } } },
      ['modelConfig.User.count', 'some', 'exact', 'estimated', 'none'],
    ],
    [{ modelConfig: { User: {} } }, ['modelConfig.User', 'undefined']],
    [{ modelConfig: { User: { hidden: [] } } }, ['modelConfig.User.hidden', 'undefined']],
    [{ modelConfig: { User: { readOnly: {} } } }, ['modelConfig.User.readOnly', 'undefined']],
    [{ modelConfig: { User: { count: {} } } }, ['modelConfig.User.count', 'undefined']],
    [
      { modelConfig: { User: { readOnly: { email: false } } } },
      ['modelConfig.User.readOnly', 'email: false', 'read-only'],
    ],
    [
      { modelConfig: { User: { readOnly: { password: false } } } },
      ['modelConfig.User.readOnly', 'password: false', 'write-only', 'read-only'],
    ],
    [
      { modelConfig: { User: { readOnly: { total: false } } } },
      ['modelConfig.User.readOnly', 'total: false'],
    ],
    [{ modelConfig: { User: { readOnly: ['total'] } } }, ['modelConfig.User.readOnly', 'total: true']],
    [{ modelConfig: { User: { hidden: { email: false } } } }, ['modelConfig.User.hidden', 'email: false']],
    [
      { modelConfig: { User: { writeOnly: { createdAt: false } } } },
      ['modelConfig.User.writeOnly', 'createdAt: false'],
    ],
    [
      { modelConfig: { User: { optional: ['deletedAt'] } } },
      ['modelConfig.User.optional', 'deletedAt: true'],
    ],
    [
      { modelConfig: { User: { optional: { email: false } } } },
      ['modelConfig.User.optional', 'email: false'],
    ],
    [
      { modelConfig: { Report: { readOnly: ['email'] } } },
      ['modelConfig.Report.readOnly', 'email: true', 'Report'],
    ],
    [{ exclude: { blog: true } }, ['exclude', 'blog', 'shop']],
    [{ exclude: { shop: ['Usr'] } }, ['exclude.shop', 'Usr', ...suggested('User')]],
    [{ exclude: { shop: 'User' } }, ['exclude.shop', 'true', 'null']],
    [{ exclude: { shop: false } }, ['exclude.shop', 'true', 'null']],
    [{ exclude: { shop: new Map([['User', true]]) } }, ['exclude.shop', 'true', 'null']],
    [{ exclude: true }, ['exclude', "{ shop: ['AuditEntry'] }"]],
    [{ exclude: new Map([['shop', true]]) }, ['exclude', "{ shop: ['AuditEntry'] }"]],
    [{ exclude: ['User'] }, ['exclude', "{ shop: ['AuditEntry'] }"]],
    [{ modelConfig: [] }, ['modelConfig', "{ Product: { path: '…' } }"]],
    [{ modelConfig: new Map() }, ['modelConfig', "{ Product: { path: '…' } }"]],
    [{ modelConfig: { User: null } }, ['modelConfig.User', "{ path: '…', hidden: ['…'] }"]],
    [{ modelConfig: { User: ['email'] } }, ['modelConfig.User', "{ path: '…', hidden: ['…'] }"]],
    [{ modelConfig: { User: { path: 5 } } }, ['modelConfig.User.path']],
    [{ modelConfig: { User: { hidden: 'email' } } }, ['modelConfig.User.hidden', 'true', 'false']],
    [
      { modelConfig: { User: { readOnly: { email: 'no' } } } },
      ['modelConfig.User.readOnly', 'true', 'false'],
    ],
    [{ modelConfig: { User: { optional: [1] } } }, ['modelConfig.User.optional', 'true', 'false']],
    [{ modelConfig: { User: { search: 'email' } } }, ['modelConfig.User.search']],
    [{ modelConfig: { User: { count: 'none' } } }, ['modelConfig.User.count', '{ default, allowed }']],
    [
      { modelConfig: { User: { count: { defualt: 'none' } } } },
      ['modelConfig.User.count', '{ default, allowed }'],
    ],
    [
      { modelConfig: { User: { count: { allowed: 'exact' } } } },
      ['modelConfig.User.count', '{ default, allowed }'],
    ],
    [{ modelConfig: { User: { deprecated: 'yes' } } }, ['modelConfig.User.deprecated', 'true', 'false']],
    [{ modelConfig: { User: { internal: 'yes' } } }, ['modelConfig.User.internal', 'true', 'false']],
    [{ modelConfig: { User: { public: 'write' } } }, ['modelConfig.User.public', 'true', 'false', "'read'"]],
    [{ modelConfig: { User: { toString: true } } }, ['modelConfig.User', 'toString', 'path', 'hidden']],
    // An excluded model's mistakes are mistakes too.
    [
      { exclude: { shop: true }, modelConfig: { User: { hiden: [] } } },
      ['modelConfig.User', 'hiden', ...suggested('hidden')],
    ],
  ])('is refused for %j', (choices, names) => {
    const models = [user, model('Tag', []), { ...model('Report', [field('email')]), readOnly: true }]
    const start = () => servedModels(models, choices as Parameters<typeof servedModels>[1])
    expect(start).toThrow(StartError)
    expect(start).toThrow(naming(...names))
  })

  it.each([
    [{ shop: true }, []],
    [{ shop: new Set(['User']) }, ['Tag']],
    [{ shop: ['User', 'Tag'] }, []],
    [{ shop: null }, ['User', 'Tag']],
    [{ shop: undefined }, ['User', 'Tag']],
    [{}, ['User', 'Tag']],
  ])('is left out by exclude: %j', (exclude, names) => {
    const models = servedModels([user, model('Tag', [])], { exclude: exclude as Record<string, null> })
    expect(models.map(({ name }) => name)).toEqual(names)
  })
})

describe('an internal model', () => {
  const inApp = (name: string, app: string, more: Partial<Model> = {}): Model =>
    modelOf(name, [fieldNamed('id', 'integer', 'number', { hasDefault: true })], { app, ...more })
  const described = [
    inApp('Session', 'auth'),
    inApp('Group', 'auth'),
    inApp('DrizzleMigration', 'shop', { internal: true }),
    inApp('Product', 'shop'),
  ]
  const namesIn = (models: readonly Model[]) => models.map(({ name }) => name).join(' ')

  it.each<[string, ModelChoices, string, string]>([
    ['is left out', {}, 'Product', 'Session Group DrizzleMigration'],
    [
      'is left out where its app is named with nothing',
      { exclude: { auth: undefined, shop: undefined } },
      ...(['Product', 'Session Group DrizzleMigration'] as const),
    ],
    [
      'is served where its app is named with null',
      { exclude: { auth: null } },
      ...(['Session Group Product', 'DrizzleMigration'] as const),
    ],
    [
      'is not opened by a set',
      { exclude: { auth: new Set(['Group']), shop: [] } },
      ...(['Product', 'Session DrizzleMigration'] as const),
    ],
    [
      'is not told of where its whole app is excluded',
      { exclude: { auth: true } },
      ...(['Product', 'DrizzleMigration'] as const),
    ],
    [
      'is served where modelConfig says so',
      { modelConfig: { Session: { internal: false }, DrizzleMigration: { internal: false } } },
      ...(['Session DrizzleMigration Product', 'Group'] as const),
    ],
    [
      'stays excluded where exclude says so too',
      { modelConfig: { Session: { internal: false } }, exclude: { auth: ['Session'] } },
      ...(['Product', 'Group DrizzleMigration'] as const),
    ],
    [
      'is any model of which modelConfig says so',
      {
        modelConfig: { Product: { internal: true }, Group: { internal: true } },
        exclude: { auth: null, shop: null },
      },
      ...(['Session DrizzleMigration', 'Group Product'] as const),
    ],
  ])('%s', (_what, choices, served, internal) => {
    const chosen = chooseModels(described, choices)
    expect([namesIn(chosen.served), namesIn(chosen.internal)]).toEqual([served, internal])
  })

  it('may have a path that is taken or reserved: nothing is served there', () => {
    const models = [
      inApp('Product', 'shop'),
      inApp('Other', 'auth', { path: 'products' }),
      inApp('Doc', 'auth', { path: 'docs' }),
    ]
    expect(namesIn(servedModels(models, {}))).toBe('Product')
    expect(() => servedModels(models, { exclude: { auth: null } })).toThrow(
      naming('Product', 'Other', '/products'),
    )
  })
})
