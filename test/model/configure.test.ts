import { describe, expect, it } from 'vitest'
import { StartError } from '../../src/error/errors.ts'
import type { Field, Model } from '../../src/model/model.ts'
import { chooseModels, type ModelChoices } from '../../src/model/served.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'

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

const servedModels = (described: readonly Model[], choices: ModelChoices): readonly Model[] =>
  chooseModels(described, choices).served

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

  it.each([
    [{ modelConfig: { Usr: {} } }, /no model Usr\. Did you mean User\?/],
    [{ modelConfig: { User: { hiden: [] } } }, /no key hiden\. Did you mean hidden\?/],
    [{ modelConfig: { User: { hidden: ['emial'] } } }, /User has no field emial\. Did you mean email\?/],
    [
      { modelConfig: { User: { hidden: ['email'], readOnly: ['email'] } } },
      /email is both hidden and read-only/,
    ],
    [{ modelConfig: { User: { hidden: ['id'] } } }, /id is the primary key/],
    [
      { modelConfig: { User: { search: ['emial'] } } },
      /search: emial is no text field that can be read\. Did you mean email\?/,
    ],
    [{ modelConfig: { User: { search: ['password'] } } }, /password is no text field/],
    [{ modelConfig: { User: { search: ['tokenCount'] } } }, /tokenCount is no text field/],
    [{ modelConfig: { User: { path: 'a/b' } } }, /not one path segment/],
    [{ modelConfig: { User: { path: 'docs' } } }, /\/docs is reserved.*modelConfig: \{ User: \{ path/],
    [{ modelConfig: { User: { path: 'tags' } } }, /User and Tag have the same path \/tags/],
    [
      { modelConfig: { User: { count: { default: 'none', allowed: ['exact'] } } } },
      /default none is not among/,
    ],
    [
      { modelConfig: { User: { count: { default: 'some' } } } },
      /some is no count mode\. Allowed: exact, estimated, none/,
    ],
    [{ modelConfig: { User: {} } }, /modelConfig\.User is empty/],
    [{ modelConfig: { User: { hidden: [] } } }, /modelConfig\.User\.hidden is empty/],
    [{ modelConfig: { User: { readOnly: {} } } }, /modelConfig\.User\.readOnly is empty/],
    [{ modelConfig: { User: { count: {} } } }, /modelConfig\.User\.count is empty/],
    [
      { modelConfig: { User: { readOnly: { email: false } } } },
      /readOnly: email: false changes nothing.*not read-only/,
    ],
    [
      { modelConfig: { User: { readOnly: { password: false } } } },
      /readOnly: password: false.*write-only, not read-only/,
    ],
    [{ modelConfig: { User: { readOnly: { total: false } } } }, /readOnly: total: false.*always makes/],
    [{ modelConfig: { User: { readOnly: ['total'] } } }, /readOnly: total: true.*always makes/],
    [{ modelConfig: { User: { hidden: { email: false } } } }, /hidden: email: false.*can read it already/],
    [
      { modelConfig: { User: { writeOnly: { createdAt: false } } } },
      /writeOnly: createdAt: false.*can read it/,
    ],
    [
      { modelConfig: { User: { optional: ['deletedAt'] } } },
      /optional: deletedAt: true.*nullable or has a default/,
    ],
    [{ modelConfig: { User: { optional: { email: false } } } }, /optional: email: false.*asked for anyway/],
    [{ modelConfig: { Report: { readOnly: ['email'] } } }, /Report is a view/],
    [{ exclude: { blog: true } }, /no app blog.* Allowed: shop/],
    [{ exclude: { shop: ['Usr'] } }, /no model Usr\. Did you mean User\?/],
    [{ exclude: { shop: 'User' } }, /must be true, a set or array/],
    [{ exclude: { shop: false } }, /must be true, a set or array/],
    [{ exclude: { shop: new Map([['User', true]]) } }, /must be true, a set or array/],
    [{ exclude: true }, /exclude must be an object/],
    [{ exclude: new Map([['shop', true]]) }, /exclude must be an object/],
    [{ exclude: ['User'] }, /exclude must be an object/],
    [{ modelConfig: [] }, /modelConfig must be an object/],
    [{ modelConfig: new Map() }, /modelConfig must be an object/],
    [{ modelConfig: { User: null } }, /modelConfig\.User must be an object/],
    [{ modelConfig: { User: ['email'] } }, /modelConfig\.User must be an object/],
    [{ modelConfig: { User: { path: 5 } } }, /modelConfig\.User\.path must be a text/],
    [
      { modelConfig: { User: { hidden: 'email' } } },
      /User\.hidden must be an array of field names, or a map/,
    ],
    [{ modelConfig: { User: { readOnly: { email: 'no' } } } }, /User\.readOnly must be an array/],
    [{ modelConfig: { User: { optional: [1] } } }, /User\.optional must be an array/],
    [{ modelConfig: { User: { search: 'email' } } }, /User\.search must be an array of field names/],
    [{ modelConfig: { User: { count: 'none' } } }, /User\.count must be \{ default, allowed \}/],
    [{ modelConfig: { User: { count: { defualt: 'none' } } } }, /User\.count must be \{ default, allowed \}/],
    [
      { modelConfig: { User: { count: { allowed: 'exact' } } } },
      /User\.count must be \{ default, allowed \}/,
    ],
    [{ modelConfig: { User: { deprecated: 'yes' } } }, /User\.deprecated must be true or false/],
    [{ modelConfig: { User: { internal: 'yes' } } }, /User\.internal must be true or false/],
    [{ modelConfig: { User: { public: 'write' } } }, /User\.public must be true, false or 'read'/],
    [{ modelConfig: { User: { toString: true } } }, /no key toString/],
    // An excluded model's mistakes are mistakes too.
    [{ exclude: { shop: true }, modelConfig: { User: { hiden: [] } } }, /no key hiden/],
  ])('is refused for %j', (choices, message) => {
    const models = [user, model('Tag', []), { ...model('Report', [field('email')]), readOnly: true }]
    const start = () => servedModels(models, choices as Parameters<typeof servedModels>[1])
    expect(start).toThrow(StartError)
    expect(start).toThrow(message)
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
    expect(namesIn(chooseModels(models, {}).served)).toBe('Product')
    expect(() => chooseModels(models, { exclude: { auth: null } })).toThrow(/same path \/products/)
  })
})
