import { describe, expect, it } from 'vitest'
import { type RecordStore, SourceError, type TableFacts } from '../../src/entry/source.ts'
import { type ControllerClass, controllerFor } from '../../src/index.ts'
import { memorySource } from '../../src/testing/index.ts'
import { naming } from '../naming.ts'
import { serveModels } from '../stage/serve-models.ts'

const id = { name: 'id', kind: 'integer', hasDefault: true } as const
const tables: readonly TableFacts[] = [
  { name: 'Ticket', fields: [id, { name: 'title', kind: 'text', maxLength: 9 }], primaryKey: ['id'] },
  {
    name: 'Note',
    fields: [id, { name: 'title', kind: 'text', maxLength: 9 }],
    primaryKey: ['id'],
    uniques: [['title']],
  },
]

type Db = (model: string) => RecordStore

const serve = (act: (notes: RecordStore) => unknown) => {
  const afterCreate = async (_request: unknown, _record: unknown, { db }: { readonly db: Db }) => {
    await act(db('Note'))
  }
  const models = memorySource(tables, { records: { Note: [{ title: 'taken' }] } })
  const ticket = (controllerFor as (model: string, parts: object) => ControllerClass)('Ticket', {
    afterCreate,
  })
  return serveModels({ models, close: () => undefined } as never, { controllers: [ticket] as never })
}

describe('a statement that a hook makes for another model', () => {
  it.each<readonly [string, (notes: RecordStore) => unknown]>([
    ['a value that another record has', (notes) => notes.create({ title: 'taken' })],
    ['no value', (notes) => notes.create({ title: null })],
    ['a value that is too long', (notes) => notes.create({ title: 'x'.repeat(10) })],
  ])('with %s is a mistake of the application, not of a field in the body', async (_, act) => {
    const { send, lines } = await serve(act)
    const [status, problem] = await send('POST', '/tickets/', { title: 'x' })
    expect([status, problem]).toMatchObject([500, { code: 'internal_error' }])
    expect(JSON.stringify(problem)).not.toContain('/title')
    expect(lines.join()).toMatch(naming('afterCreate', 'Ticket'))
    expect(await send('GET', '/tickets/')).toMatchObject([200, { count: 0 }])
  })

  it.each([
    ['contended', 'write_conflict'],
    ['lost', 'outcome_unknown'],
    ['unavailable', 'unavailable'],
  ] as const)('that fails because the database is %s says so', async (kind, code) => {
    const { send } = await serve(() => Promise.reject(new SourceError(kind)))
    expect(await send('POST', '/tickets/', { title: 'x' })).toMatchObject([503, { code }])
  })

  it('that succeeds is saved with the record', async () => {
    const { send } = await serve((notes) => notes.create({ title: 'new' }))
    expect(await send('POST', '/tickets/', { title: 'x' })).toMatchObject([201, { title: 'x' }])
    expect(await send('GET', '/notes/?q=title==new')).toMatchObject([200, { count: 1 }])
  })
})

describe('a statement of the request', () => {
  it('names the field of the body, also if a hook runs', async () => {
    const { send } = await serve(() => undefined)
    expect(await send('POST', '/notes/', { title: 'taken' })).toMatchObject([
      409,
      { code: 'unique_conflict', errors: [{ pointer: '/title', code: 'taken' }] },
    ])
  })
})
