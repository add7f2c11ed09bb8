import { expect, test } from 'vitest'
import { action } from '../../../src/index.ts'
import { admin, bothLibraries, isAdmin, type Library, onSqlite, refusalOf, type Start } from './stage.ts'

const withDeletedDune = async (start: Start, ...given: Parameters<Start>): Promise<Library> => {
  const library = await start(...given)
  expect((await library.send('DELETE', '/books/1')).status).toBe(204)
  return library
}

test('no parameter brings a deleted record back', async () => {
  const { send, listed } = await withDeletedDune(onSqlite)
  for (const query of [
    'deleted_at!=null',
    'q=deleted_at!=null',
    'q=(id=1)',
    'search=Dune',
    'limit=0&count=estimated',
    'sort=deleted_at&order=desc&limit=1',
    'sort=shelf.title&limit=2',
    'fields=title',
  ])
    expect((await send('GET', `/books/?${query}`)).text).not.toContain('Dune')
  expect((await send('GET', '/books/?limit=0&count=estimated')).json).toMatchObject({ count: 2 })
  expect(await listed('/books/?q=deleted_at=null')).toEqual(['Emma', 'Faust'])
  for (const query of ['deleted', 'deleted=', 'deleted=true', 'deleted=all', 'deleted=with&deleted=with'])
    for (const path of ['/books/', '/books/2']) {
      const { status, json } = await send('GET', `${path}?${query}`, undefined, admin)
      expect([query, status]).toEqual([query, 400])
      expect(json['errors']).toMatchObject([{ parameter: 'deleted' }])
    }
  for (const path of ['/reviews/?deleted=with', '/reviews/1?deleted=with', '/books/aggregate?deleted=with']) {
    const { status, json } = await send('GET', path, undefined, admin)
    expect([path, status]).toEqual([path, 400])
    expect(json['errors']).toMatchObject([{ parameter: 'deleted' }])
  }
  const inside = await send('GET', '/shelves/?include=books(deleted=with)', undefined, admin)
  expect(refusalOf(inside)).toEqual([400, 'unknown_parameter', 'include unknown_parameter'])
})

test('clients cannot write the column', async () => {
  const { send } = await onSqlite()
  for (const [method, path, title] of [
    ['POST', '/books/', 'x'],
    ['PATCH', '/books/2', 'x'],
    ['PUT', '/books/2', 'x'],
  ] as const) {
    const { status, json } = await send(method, path, { title, deleted_at: '2026-01-31T00:00:00Z' }, admin)
    expect([method, status]).toEqual([method, 422])
    expect(json['errors']).toMatchObject([{ pointer: '/deleted_at' }])
  }
  const restored = await send('POST', '/books/2/restore', { deleted_at: null }, admin)
  expect(restored.status).toBe(404)
})

test('a record that is restored while its restoration is prepared is not restored twice', async () => {
  let restoreFirst = async (): Promise<void> => {}
  const beforeUpdate = async () => restoreFirst()
  const { send, execute, rows } = await withDeletedDune(onSqlite, { parts: { Book: { beforeUpdate } } })
  restoreFirst = () => execute('update books set deleted_at = null where id = 1')
  expect((await send('POST', '/books/1/restore', undefined, admin)).status).toBe(404)
  restoreFirst = async () => {}
  expect((await send('DELETE', '/books/1')).status).toBe(204)
  expect((await send('POST', '/books/1/restore', undefined, admin)).status).toBe(200)
  expect(await rows('select id from books where deleted_at is null and id = 1')).toHaveLength(1)
})

test('pages by cursor leave deleted records out, and show them to administrators', async () => {
  const { send } = await withDeletedDune(onSqlite, { paginationType: 'cursor' })
  const titles = async (query: string, headers = {}) => {
    const found: unknown[] = []
    for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
      const rest = cursor === '' ? '' : `&cursor=${cursor}`
      const { json } = await send('GET', `/books/?limit=1&sort=title${query}${rest}`, undefined, headers)
      found.push(...(json['items'] as readonly { readonly title: string }[]).map(({ title }) => title))
      cursor = json['next']
    }
    return found
  }
  expect(await titles('')).toEqual(['Emma', 'Faust'])
  expect(await titles('&deleted=with', admin)).toEqual(['Dune', 'Emma', 'Faust'])
})

test('a scope limits which deleted records are seen, restored and told of', async () => {
  const hooks = { Book: { scope: () => ({ tenant: 1 }) }, Review: { scope: () => ({ book: { tenant: 1 } }) } }
  const { send, listed, listedTo, execute } = await withDeletedDune(onSqlite, { parts: hooks })
  await execute("insert into books (title, code, tenant, deleted_at) values ('Secret', 's', 2, 1)")
  expect(await listedTo(admin, '/books/?deleted=only')).toEqual(['Dune'])
  expect((await send('GET', '/books/4?deleted=with', undefined, admin)).status).toBe(404)
  expect((await send('POST', '/books/4/restore', undefined, admin)).status).toBe(404)
  const taken = await send('POST', '/books/', { title: 'x', code: 's' }, admin)
  expect(refusalOf(taken)).toEqual([409, 'unique_conflict', '/code taken'])
  expect(await listed('/reviews/', 'stars')).toEqual([4, 3])
  const held = await send('POST', '/books/', { title: 'x', code: 'd' }, admin)
  expect(refusalOf(held)).toEqual([409, 'unique_conflict', '/code taken_by_deleted'])
  expect((await send('POST', '/books/1/restore', undefined, admin)).status).toBe(200)
})

test('without a permission, deleted records are shown to no caller', async () => {
  const { send } = await withDeletedDune(onSqlite, {
    parts: { Book: { permissions: { deleted: undefined } } },
  })
  for (const [method, path] of [
    ['GET', '/books/?deleted=only'],
    ['GET', '/books/1?deleted=with'],
    ['POST', '/books/1/restore'],
  ] as const) {
    expect((await send(method, path)).status).toBe(401)
  }
})

test('to restore, a caller also needs the permission update', async () => {
  const permissions = { deleted: () => true, update: (request: unknown) => isAdmin(request) }
  const { send } = await withDeletedDune(onSqlite, { parts: { Book: { permissions } } })
  expect((await send('POST', '/books/1/restore')).status).toBe(401)
  expect((await send('GET', '/books/1?deleted=only')).status).toBe(200)
  expect((await send('POST', '/books/1/restore', undefined, admin)).status).toBe(200)
})

test('a hook may refuse to restore, and its change is stored', async () => {
  const beforeUpdate = (_request: unknown, record: { readonly title: string }, values: object) =>
    record.title === 'Dune' ? { ...values, pages: 7, deleted_at: new Date(0) } : values
  const { send } = await withDeletedDune(onSqlite, { parts: { Book: { beforeUpdate } } })
  const restored = await send('POST', '/books/1/restore', undefined, admin)
  expect(restored.json).toMatchObject({ pages: 7, deleted_at: null })
})

test('an action does not find a deleted record', async () => {
  const actions = { lend: action({ on: 'record', run: () => ({ pages: 1 }) }) }
  const { send } = await withDeletedDune(onSqlite, { parts: { Book: { actions } } })
  expect((await send('POST', '/books/1/lend')).status).toBe(404)
  expect((await send('POST', '/books/2/lend')).json).toMatchObject({ pages: 1 })
})

test('an action may delete its record, also with a scope', async () => {
  const run = () => ({ deleted_at: new Date() })
  const actions = { discard: action({ on: 'record', run: run as never }) }
  const { send } = await onSqlite({ parts: { Book: { actions, scope: () => ({ tenant: 1 }) } } })
  expect((await send('POST', '/books/1/discard')).status).toBe(200)
  expect((await send('GET', '/books/1')).status).toBe(404)
})

test('at the same time, one DELETE and one restoration succeed', async () => {
  for (const [, start] of bothLibraries) {
    const { send } = await start()
    const all = (method: 'DELETE' | 'POST', path: string) =>
      Promise.all(Array.from({ length: 8 }, async () => (await send(method, path, undefined, admin)).status))
    expect((await all('DELETE', '/books/1')).toSorted()).toEqual([204, ...Array(7).fill(404)])
    expect((await all('POST', '/books/1/restore')).toSorted()).toEqual([200, ...Array(7).fill(404)])
  }
})

test('children that a body leaves out can be restored, and links to deleted records stay', async () => {
  const modelConfig = { Shelf: { write: ['books'] }, Book: { write: ['tags'] } } as never
  const { send, listed, listedTo, rows } = await onSqlite({ modelConfig })
  const put = await send('PUT', '/shelves/1', { title: 'new', books: [{ id: 2, title: 'Emma' }] })
  expect([put.status, put.json]).toMatchObject([200, { title: 'new' }])
  expect(await listed('/books/')).toEqual(['Emma', 'Faust'])
  expect(await listedTo(admin, '/books/?deleted=only')).toEqual(['Dune'])
  const again = await send('PATCH', '/shelves/1', { books: { update: [{ id: 1, title: 'x' }] } })
  expect(again.status).toBe(422)
  await send('POST', '/books/1/restore', undefined, admin)
  await send('DELETE', '/tags/2')
  expect((await send('PATCH', '/books/1', { tags: [2] })).status).toBe(422)
  expect((await send('PATCH', '/books/1', { tags: [] })).status).toBe(200)
  expect(await rows('select tag_id from book_tags')).toEqual([{ tag_id: 2 }])
  await send('POST', '/tags/2/restore', undefined, admin)
  expect((await send('GET', '/books/1?include=tags')).json).toMatchObject({ tags: [{ name: 'blue' }] })
})

test('a join table shows no link to a deleted record', async () => {
  const { send, listed } = await onSqlite()
  await send('DELETE', '/tags/1')
  expect((await send('GET', '/books/1?include=tags(count=exact)')).json).toMatchObject({
    tags: [{ name: 'blue' }],
    _related: { tags: { count: 1 } },
  })
  expect(await listed('/books/1/tags/', 'name')).toEqual(['blue'])
  expect(await listed('/books/?q=tags.name=red')).toEqual([])
  await send('DELETE', '/books/1')
  expect((await send('GET', '/tags/2?include=books')).json).toMatchObject({ books: [] })
})

test('computed fields and hooks of pages do not get deleted records', async () => {
  const got: unknown[] = []
  const afterList = (_request: unknown, records: readonly { readonly id: number }[]) =>
    void got.push(...records.map(({ id }) => id))
  const { send } = await withDeletedDune(onSqlite, { parts: { Book: { afterList } } })
  await send('GET', '/books/')
  await send('GET', '/shelves/?include=books')
  expect(got).toEqual([2, 3, 2, 3])
})
