import { expect, test } from 'vitest'
import { describeEach } from '../../needed-program.ts'
import { admin, libraries, refusalOf } from './stage.ts'

// Shelves and books can be restored, reviews cannot.
describeEach(libraries, 'deleted records on %s', (start) => {
  test('a DELETE keeps the record, and a second one is a 404', async () => {
    const { send, rows } = await start()
    expect((await send('DELETE', '/books/1')).status).toBe(204)
    expect((await send('DELETE', '/books/1')).status).toBe(404)
    const [row] = await rows('select title, deleted_at from books where id = 1')
    expect(row).toMatchObject({ title: 'Dune' })
    expect(row?.['deleted_at']).not.toBeNull()
  })

  test('a deleted record exists in no request', async () => {
    const { send, listed } = await start()
    await send('DELETE', '/books/1')
    expect(await listed('/books/')).toEqual(['Emma', 'Faust'])
    expect((await send('GET', '/books/?count=exact&limit=1')).json).toMatchObject({ count: 2 })
    expect(await listed('/books/?q=title=Dune')).toEqual([])
    expect(await listed('/books/?q=!(title=Emma)&sort=title&order=desc')).toEqual(['Faust'])
    for (const [method, body] of [
      ['GET'],
      ['HEAD'],
      ['PATCH', { title: 'x' }],
      ['PUT', { title: 'x' }],
    ] as const)
      expect((await send(method, '/books/1', body)).status).toBe(404)
    expect((await send('GET', '/books/aggregate?aggregate=count,sum(pages),max(title)')).json).toMatchObject({
      items: [{ count: 2, sum_pages: 600 }],
    })
    expect((await send('GET', '/books/aggregate?group=title&aggregate=count')).text).not.toContain('Dune')
  })

  test('relations lead to no deleted record', async () => {
    const { send, listed } = await start()
    await send('DELETE', '/books/1')
    await send('DELETE', '/shelves/2')
    const path = '/shelves/?include=books(count=exact;sort=title)'
    const { items } = (await send('GET', path)).json as { readonly items: readonly object[] }
    expect(items).toMatchObject([
      { id: 1, books: [{ title: 'Emma' }], _related: { books: { count: 1, has_more: false } } },
    ])
    expect((await send('GET', '/books/3?include=shelf')).json).toMatchObject({ title: 'Faust', shelf: null })
    expect((await send('GET', '/reviews/1?include=book.shelf')).json).toMatchObject({ stars: 5, book: null })
    expect(await listed('/shelves/?q=books.title=Dune')).toEqual([])
    expect(await listed('/shelves/?q=!(books.title=Dune)')).toEqual(['new'])
    expect(await listed('/books/?q=shelf=null')).toEqual(['Faust'])
    expect(await listed('/reviews/?q=book.title=Dune', 'stars')).toEqual([])
    expect(await listed('/reviews/?q=book=null', 'stars')).toEqual([5])
    expect(await listed('/reviews/?q=book.shelf.title=old', 'stars')).toEqual([])
    expect((await send('GET', '/reviews/aggregate?aggregate=count&q=book.title!=x')).json).toMatchObject({
      items: [{ count: 2 }],
    })
    expect(await listed('/shelves/1/books/')).toEqual(['Emma'])
    expect((await send('GET', '/shelves/2/books/')).status).toBe(404)
    expect((await send('GET', '/books/1/reviews/')).status).toBe(404)
    expect((await send('POST', '/shelves/2/books/', { title: 'x' })).status).toBe(404)
  })

  test('bodies cannot refer to a deleted record', async () => {
    const { send } = await start()
    await send('DELETE', '/shelves/2')
    const refused = [422, 'invalid_body', '/shelf_id missing_reference']
    expect(refusalOf(await send('POST', '/books/', { title: 'x', shelf_id: 2 }))).toEqual(refused)
    expect(refusalOf(await send('PATCH', '/books/1', { shelf_id: 2 }))).toEqual(refused)
    expect((await send('PATCH', '/books/3', { title: 'Faust I' })).status).toBe(200)
    expect((await send('POST', '/books/', { title: 'x', shelf_id: 1 })).status).toBe(201)
  })

  test('administrators see deleted records, and restore them', async () => {
    const { send, listed, listedTo } = await start()
    await send('DELETE', '/books/1')
    await send('DELETE', '/books/3')
    expect(await listedTo(admin, '/books/?deleted=only')).toEqual(['Dune', 'Faust'])
    expect(await listedTo(admin, '/books/?deleted=with')).toEqual(['Dune', 'Emma', 'Faust'])
    expect(await listedTo(admin, '/books/')).toEqual(['Emma'])
    expect((await send('GET', '/books/?deleted=only&limit=1', undefined, admin)).json).toMatchObject({
      count: 2,
    })
    expect(await listedTo(admin, '/shelves/1/books/?deleted=only')).toEqual(['Dune'])
    const seen = await send('GET', '/books/1?deleted=only&include=shelf,reviews', undefined, admin)
    expect(seen.json).toMatchObject({ shelf: { title: 'new' }, reviews: [{ stars: 5 }] })
    expect(seen.json['deleted_at']).toMatch(/^20/)
    expect((await send('GET', '/books/2?deleted=only', undefined, admin)).status).toBe(404)
    expect((await send('GET', '/books/2?deleted=with', undefined, admin)).json).toMatchObject({
      deleted_at: null,
    })
    const restored = await send('POST', '/books/1/restore', undefined, admin)
    expect([restored.status, restored.json]).toMatchObject([200, { id: 1, title: 'Dune', deleted_at: null }])
    expect((await send('POST', '/books/1/restore', undefined, admin)).status).toBe(404)
    expect((await send('POST', '/books/9/restore', undefined, admin)).status).toBe(404)
    expect(await listed('/books/')).toEqual(['Dune', 'Emma'])
    expect((await send('DELETE', '/books/1')).status).toBe(204)
  })

  test('others may not see or restore them', async () => {
    const { send } = await start()
    await send('DELETE', '/books/1')
    for (const path of [
      '/books/?deleted=only',
      '/books/?deleted=with',
      '/books/1?deleted=with',
      '/books/2?deleted=with',
    ])
      expect((await send('GET', path)).status).toBe(401)
    for (const id of [1, 2, 9]) expect((await send('POST', `/books/${id}/restore`)).status).toBe(401)
    expect((await send('GET', '/books/1')).status).toBe(404)
  })

  test('a value of a deleted record stays taken, which only administrators are told', async () => {
    const { send } = await start()
    await send('DELETE', '/books/1')
    const body = { title: 'x', code: 'd' }
    expect(refusalOf(await send('POST', '/books/', body))).toEqual([409, 'unique_conflict', '/code taken'])
    const told = [409, 'unique_conflict', '/code taken_by_deleted']
    expect(refusalOf(await send('POST', '/books/', body, admin))).toEqual(told)
    expect(refusalOf(await send('PATCH', '/books/2', { code: 'd' }, admin))).toEqual(told)
    const ofAnother = await send('PATCH', '/books/2', { code: 'f' }, admin)
    expect(refusalOf(ofAnother)).toEqual([409, 'unique_conflict', '/code taken'])
  })

  test('administrators are also told by writes of many records, with the place of the record', async () => {
    const { send, execute } = await start({ modelConfig: { Book: { bulk: true } } } as never)
    await execute("insert into books (title, code) values ('Golem', 'g')")
    await send('DELETE', '/books/1')
    const taken = (issue: string) => [409, 'unique_conflict', issue]
    for (const [method, path, body, place] of [
      ['POST', '/books/', [{ title: 'x' }, { title: 'y', code: 'd' }], '/1/code'],
      [
        'PATCH',
        '/books/',
        [
          { id: 3, code: 'd' },
          { id: 2, title: 'x' },
        ],
        '/0/code',
      ],
      ['PATCH', '/books/?q=id=2', { code: 'd' }, '/code'],
    ] as const) {
      expect(refusalOf(await send(method, path, body))).toEqual(taken(`${place} taken`))
      expect(refusalOf(await send(method, path, body, admin))).toEqual(taken(`${place} taken_by_deleted`))
    }
    const ofAnother = await send('PATCH', '/books/', [{ id: 2, code: 'g' }], admin)
    expect(refusalOf(ofAnother)).toEqual(taken('/0/code taken'))
  })

  test('hooks get a deletion as a deletion, and a restoration as an update', async () => {
    const told: unknown[] = []
    const tell =
      (event: string) =>
      (...given: readonly unknown[]) => {
        const context = given.at(-1) as { readonly before?: { readonly deleted_at: unknown } }
        told.push([event, context.before === undefined ? undefined : context.before.deleted_at !== null])
      }
    const hooks = {
      Book: {
        ...{ beforeDelete: tell('beforeDelete'), afterDelete: tell('afterDelete') },
        ...{ beforeUpdate: tell('beforeUpdate'), afterUpdate: tell('afterUpdate') },
      },
    }
    const { send } = await start({ parts: hooks })
    await send('DELETE', '/books/1')
    await send('POST', '/books/1/restore', undefined, admin)
    expect(told).toEqual([
      ['beforeDelete', undefined],
      ['afterDelete', false],
      ['beforeUpdate', undefined],
      ['afterUpdate', true],
    ])
  })
})
