import { describe, expect, it, test } from 'vitest'
import { fetchApp, ModelRest, registerAuthRoutes } from '../../src/entry/fetch.ts'
import {
  defineSource,
  describeModels,
  type ModelSource,
  SourceError,
  type TableFacts,
} from '../../src/entry/source.ts'
import { memorySource } from '../../src/testing/index.ts'
import { startError } from '../http/start-error.ts'
import { naming } from '../naming.ts'

const models = describeModels(
  [{ name: 'Task', fields: [{ name: 'id', kind: 'integer', hasDefault: true }], primaryKey: ['id'] }],
  {},
)

const complete = (): ModelSource => ({
  models,
  capabilities: {},
  db: undefined,
  store: () => {
    throw new Error('There is no store.')
  },
  transaction: () => {
    throw new Error('There are no transactions.')
  },
  ping: () => undefined,
})

const marked = Symbol.for('modelrest.source')

type Broken = readonly [what: string, change: object, names: readonly string[]]

/** What is wrong, the change that breaks a source, and the names in the error. */
const broken: readonly Broken[] = [
  ...['models', 'capabilities', 'store', 'transaction', 'ping'].map(
    (name): Broken => [`no ${name}`, { [name]: undefined }, [name]],
  ),
  ['models that are an object', { models: {} }, ['models', 'array']],
  ['capabilities that are null', { capabilities: null }, ['capabilities', 'object']],
  ['a store that is an object', { store: {} }, ['store', 'function']],
  ['a ping that is a promise', { ping: Promise.resolve() }, ['ping', 'function']],
  ...['missing', 'refusalOf', 'loggable', 'observed'].map(
    (name): Broken => [`a string for ${name}`, { [name]: 'x' }, [name, 'function', 'absent']],
  ),
  ['a misspelt member', { refusalsOf: () => undefined }, ['refusalsOf', 'refusalOf']],
  [
    'a capability with another name',
    { capabilities: { exacttext: true } },
    ['exacttext', 'exactText', 'rowLocks'],
  ],
  ['a capability that is a string', { capabilities: { rowLocks: 'yes' } }, ['rowLocks', 'true', 'false']],
  ['notes that are a string', { notes: 'x' }, ['notes', 'object', 'absent']],
  [
    'a model that describeModels did not create',
    { models: [{ name: 'Task' }] },
    ['models', 'describeModels'],
  ],
  ['a model that is null', { models: [null] }, ['models', 'describeModels']],
  [
    'a model without a key',
    { models: models.map((model) => ({ ...model, primaryKey: [] })) },
    ['Task', 'primary key'],
  ],
]

describe('defineSource', () => {
  it('returns the source, and copies of it are sources too', () => {
    const source = complete()
    expect(defineSource(source)).toBe(source)
    const copy = { ...source, ping: () => undefined }
    expect(new ModelRest(fetchApp(), { models: copy })).toBeInstanceOf(ModelRest)
  })

  test.each(broken)('refuses %s', (_, change, names) => {
    expect(() => defineSource({ ...complete(), ...change } as ModelSource)).toThrow(
      startError('defineSource', ...names),
    )
  })

  it('takes a class with members of its own, and capabilities that are undefined', () => {
    class Source {
      readonly models = models
      readonly capabilities = { rowLocks: undefined, transactions: false }
      readonly db = undefined
      readonly pool = {}
      close = (): void => undefined
      #opened = 0
      store(): never {
        throw new Error(`There is no store, ${this.#opened}.`)
      }
      transaction = (): never => this.store()
      ping(): void {
        this.#opened += 1
      }
    }
    const source = new Source()
    expect(defineSource(source as unknown as ModelSource)).toBe(source)
  })

  it('refuses a frozen or sealed source', () => {
    expect(() => defineSource(Object.freeze(complete()))).toThrow(startError('defineSource', 'frozen'))
    expect(() => defineSource(Object.seal(complete()))).toThrow(startError('defineSource', 'sealed'))
  })
})

describe('describeModels', () => {
  const tables = (foreignKeys: TableFacts['foreignKeys'] = []): readonly TableFacts[] => [
    { name: 'Task', fields: [{ name: 'id', kind: 'integer' }], primaryKey: ['id'] },
    {
      name: 'Note',
      fields: [
        { name: 'id', kind: 'integer' },
        { name: 'taskId', kind: 'integer' },
      ],
      primaryKey: ['id'],
      foreignKeys,
    },
  ]
  const key = { fields: ['taskId'], model: 'Task', references: ['id'] }

  it.each([
    ['model', { ...key, model: 'Tasks' }, ['Note', 'Tasks', 'Task']],
    ['field of the other model', { ...key, references: ['ids'] }, ['Note', 'Task', 'ids', 'id']],
    ['field', { ...key, fields: ['task'] }, ['Note', 'task', 'taskId']],
    ['number of fields', { ...key, references: ['id', 'id'] }, ['Note', 'Task']],
  ])('refuses a foreign key with an unknown %s', (_, wrong, names) => {
    expect(() => describeModels(tables([wrong]), {})).toThrow(startError(...names))
    expect(describeModels(tables([key]), {})[1]?.relations).toMatchObject([{ name: 'task' }])
  })
})

test('SourceError refuses an unknown kind, and keeps its cause', () => {
  const cause = new Error('duplicate key')
  const create = () => new SourceError('uniqe' as 'unique', { fields: ['id'], cause })
  expect(create).toThrow(
    expect.objectContaining({
      name: 'RangeError',
      message: expect.stringMatching(naming('uniqe', 'unique')),
      cause,
    }),
  )
})

/** The places that take a source. Both are asynchronous, so that a throw rejects. */
const places = {
  'new ModelRest': async (source: unknown) => new ModelRest(fetchApp(), { models: source as ModelSource }),
  registerAuthRoutes: async (source: unknown) =>
    registerAuthRoutes(fetchApp(), {
      models: source as ModelSource,
      settings: { SECRET_KEY: 'k'.repeat(64) },
    }),
} as const

describe.each(Object.entries(places))('%s', (_place, take) => {
  test.each(broken)('refuses a copy of a source with %s', async (what, change, names) => {
    const copy = { ...defineSource(complete()), ...change }
    const expected = what === 'no models' ? startError('models') : startError('models', ...names)
    await expect(take(copy)).rejects.toThrow(expected)
  })

  test.each([undefined, null, 'x', {}, [], () => undefined])(
    'refuses %o instead of a source',
    async (value) => {
      await expect(take(value)).rejects.toThrow(startError('models'))
    },
  )

  it('refuses a source that was not defined', async () => {
    await expect(take(complete())).rejects.toThrow(startError('models', 'defineSource'))
  })

  it.each([0, 2, '1'])('refuses a source for version %o', async (version) => {
    const source = Object.defineProperty(complete(), marked, { value: version, enumerable: true })
    await expect(take(source)).rejects.toThrow(startError('modelrest/source', `${version}`, 'version 1'))
  })

  it('takes a source of another copy of the package', async () => {
    const facts = {
      name: 'User',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        { name: 'email', kind: 'text', maxLength: 200 },
        { name: 'password', kind: 'text', maxLength: 255 },
      ],
      primaryKey: ['id'],
      uniques: [['email']],
    } as const
    const { [marked]: _mark, ...members } = memorySource([facts]) as ModelSource & Record<symbol, unknown>
    const copied = Object.defineProperty({ ...members }, marked, { value: 1, enumerable: true })
    expect(await take(copied)).toBeDefined()
  })
})
