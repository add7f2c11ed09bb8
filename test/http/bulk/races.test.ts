import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onPostgres } from '../../servers/test-database.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { openPglite } from '../../stage/databases.ts'
import { openMysql } from '../../stage/mysql.ts'
import { openPostgres } from '../../stage/postgres.ts'
import type { Answer } from '../../stage/requests.ts'
import { type Library, serveLibrary } from '../random/stage.ts'
import { library as made } from '../random/tables.ts'
import { listOf, numbered } from './stage.ts'

const admin = { 'x-role': 'admin' }

/** Many requests at the same time. */
const racing = (open: () => Promise<Library>): void => {
  let library: Library
  beforeAll(async () => {
    library = await open()
  })
  afterAll(() => library.stop())

  const begin = async (books: readonly object[]) => {
    await library.empty()
    const { rows, errors } = library
    const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
      (library.send.counter ?? expect.unreachable())(method, path, { body, headers: admin })
    const made = await send('POST', '/books/', books)
    expect(made.status, made.text).toBe(201)
    const ids = listOf(made).map(({ id }) => Number(id))
    const find = (q: string): string => `/books/?q=${encodeURIComponent(q)}`
    return {
      ...{ send, rows, errors, ids, find },
      stored: () => rows('select title, code, pages, revision, deleted_at from books order by id'),
      /** How many entries of the audit log there are of an act. */
      entries: async (act: string) =>
        (await rows(`select id from audit_entries where act = '${act}'`)).length,
    }
  }
  const books = numbered(5, (at) => ({ title: 'old', pages: at + 1 }))
  const statusesOf = (answers: readonly Answer[]): readonly number[] =>
    [...new Set(answers.map(({ status }) => status))].sort()

  test('arrays in opposite orders change all of their records', async () => {
    const { send, stored, ids, entries, errors } = await begin(books)
    const answers = await Promise.all(
      numbered(20, (at) => {
        const own = ids.map((id) => ({ id, title: `t${at}`, pages: at }))
        return send('PATCH', '/books/', at % 2 === 0 ? own : own.reverse())
      }),
    )
    expect(statusesOf(answers), answers.map(({ text }) => text).join('\n')).toEqual([200])
    const rows = await stored()
    const [first] = rows
    expect(rows).toEqual(rows.map(() => ({ ...first, title: `t${first?.['pages']}`, revision: 21 })))
    expect(await entries('update')).toBe(20 * ids.length)
    expect(errors).toEqual([])
  })

  test('arrays and filters over the same records, of which each change is kept', async () => {
    const { send, stored, ids, find, entries, errors } = await begin(books)
    const answers = await Promise.all(
      numbered(20, (at) =>
        at % 2 === 0
          ? send('PATCH', '/books/', ids.map((id) => ({ id, title: `t${at}` })).reverse())
          : send('PATCH', find('pages>0'), { pages: 100 + at }),
      ),
    )
    expect(statusesOf(answers), answers.map(({ text }) => text).join('\n')).toEqual([200])
    expect((await stored()).map(({ revision }) => revision)).toEqual([21, 21, 21, 21, 21])
    expect(await entries('update')).toBe(20 * ids.length)
    expect(errors).toEqual([])
  })

  test('a filter on the field that it changes: each record is changed once', async () => {
    const { send, stored, ids, find, entries, errors } = await begin(
      numbered(5, () => ({ title: 'old', pages: 1 })),
    )
    const answers = await Promise.all(
      numbered(12, (at) => send('PATCH', find('pages=1'), { pages: 2, title: `t${at}` })),
    )
    expect(statusesOf(answers), answers.map(({ text }) => text).join('\n')).toEqual([200])
    const changed = answers.reduce((sum, { json }) => sum + Number(json['count']), 0)
    expect(changed).toBe(ids.length)
    expect((await stored()).map(({ pages, revision }) => [pages, revision])).toEqual(ids.map(() => [2, 2]))
    expect(await entries('update')).toBe(ids.length)
    expect(errors).toEqual([])
  })

  test('a deletion by a filter, and changes that move records out of it', async () => {
    const { send, stored, ids, find, entries, errors } = await begin(
      numbered(5, () => ({ title: 'old', pages: 1 })),
    )
    const [removals, moves] = await Promise.all([
      Promise.all(numbered(3, () => send('DELETE', find('pages=1')))),
      Promise.all(ids.map((id) => send('PATCH', `/books/${id}`, { pages: 2 }))),
    ])
    expect(statusesOf(removals), removals.map(({ text }) => text).join('\n')).toEqual([200])
    const removed = removals.reduce((sum, { json }) => sum + Number(json['count']), 0)
    const rows = await stored()
    expect(rows.filter(({ deleted_at }) => deleted_at !== null)).toHaveLength(removed)
    for (const [at, { pages, deleted_at }] of rows.entries()) {
      // A moved record is not deleted, and a deleted one cannot be moved.
      expect([deleted_at === null, pages]).toEqual(moves[at]?.status === 200 ? [true, 2] : [false, 1])
      expect([200, 404]).toContain(moves[at]?.status)
    }
    expect(await entries('delete')).toBe(removed)
    expect(await entries('update')).toBe(ids.length - removed)
    expect(errors).toEqual([])
  })

  test('arrays with the same unique values: one is stored', async () => {
    const { send, rows, entries, errors } = await begin(books)
    const answers = await Promise.all(
      numbered(20, (at) => {
        const own = ['a', 'b', 'c', 'd'].map((code) => ({ title: `t${at}`, code }))
        return send('POST', '/books/', at % 2 === 0 ? own : own.reverse())
      }),
    )
    const lost = answers.filter(({ status }) => status !== 201)
    expect(lost, answers.map(({ text }) => text).join('\n')).toHaveLength(19)
    for (const { status, json } of lost) {
      expect([status, json['code']]).toEqual([409, 'unique_conflict'])
      expect(json['errors']).toMatchObject([
        { pointer: expect.stringMatching(/^\/\d\/code$/), code: 'taken' },
      ])
    }
    expect(await rows('select id from books where code is not null')).toHaveLength(4)
    expect(await entries('create')).toBe(books.length + 4)
    expect(errors).toEqual([])
  })

  test('related records in arrays, in bodies of their parents, and arrays of the parents', async () => {
    const { send, rows, ids, entries, errors } = await begin(books)
    const made = await send(
      'POST',
      '/reviews/',
      numbered(10, (at) => ({ book_id: ids[at % 2], stars: 1 })),
    )
    expect(made.status, made.text).toBe(400)
    const reviews: number[] = []
    for (const half of [0, 1]) {
      const all = numbered(5, () => ({ book_id: ids[half], stars: 1 }))
      reviews.push(...listOf(await send('POST', '/reviews/', all)).map(({ id }) => Number(id)))
    }
    const [first = 0, second = 0] = ids
    const own = reviews.slice(0, 5)
    const answers = await Promise.all(
      numbered(24, (at) => {
        const stars = 1 + (at % 5)
        const acts = [
          () =>
            send(
              'PATCH',
              '/reviews/',
              own.map((id) => ({ id, stars })),
            ),
          () =>
            send('PATCH', `/books/${first}`, {
              reviews: { update: own.toReversed().map((id) => ({ id, stars })) },
            }),
          () =>
            send(
              'POST',
              '/reviews/',
              [first, second].map((book_id) => ({ book_id, stars })),
            ),
          () =>
            send(
              'PATCH',
              '/books/',
              [first, second].map((id) => ({ id, pages: at })),
            ),
        ]
        return acts[at % acts.length]?.() ?? expect.unreachable()
      }),
    )
    expect(statusesOf(answers), answers.map(({ text }) => text).join('\n')).toEqual([200, 201])
    expect(await rows('select id from reviews')).toHaveLength(10 + 12)
    // Six bodies of the parent, and six arrays of both parents.
    const raised = (await rows('select revision from books order by id')).map(({ revision }) => revision)
    expect(raised.slice(0, 2)).toEqual([13, 7])
    expect(await entries('create')).toBe(5 + 10 + 12)
    expect(errors).toEqual([])
  })

  test('changes, deletions and restorations of the same records', async () => {
    const { send, stored, ids, find, entries, errors } = await begin(books)
    const answers = await Promise.all(
      numbered(30, async (at) => {
        const id = ids[at % ids.length] ?? 0
        const acts = [
          () =>
            send(
              'PATCH',
              '/books/',
              [...ids].reverse().map((own) => ({ id: own, title: `t${at}` })),
            ),
          () => send('DELETE', find('pages>=3')),
          () => send('POST', `/books/${id}/restore`),
          () => send('PATCH', find('pages>0'), { title: `t${at}` }),
          () => send('DELETE', `/books/${id}`),
          () => send('POST', `/books/${id}/restore`),
        ]
        const kind = at % acts.length
        return { kind, answer: await (acts[kind] ?? acts[0])?.() }
      }),
    )
    const of = (...kinds: readonly number[]) =>
      answers.flatMap(({ kind, answer }) => (kinds.includes(kind) && answer ? [answer] : []))
    const all = of(0, 1, 2, 3, 4, 5)
    expect([200, 204, 404], all.map(({ text }) => text).join('\n')).toEqual(
      expect.arrayContaining([...statusesOf(all)]),
    )
    const sum = (given: readonly Answer[]) =>
      given.reduce((total, { json }) => total + Number(json['count']), 0)
    const succeeded = (given: readonly Answer[]) => given.filter(({ status }) => status < 300).length
    const deletions = sum(of(1)) + succeeded(of(4))
    const restorations = succeeded(of(2, 5))
    const changes = ids.length * succeeded(of(0)) + sum(of(3))
    const rows = await stored()
    expect(rows.filter(({ deleted_at }) => deleted_at !== null)).toHaveLength(deletions - restorations)
    expect(rows.reduce((total, { revision }) => total + Number(revision) - 1, 0)).toBe(
      deletions + restorations + changes,
    )
    expect(await entries('delete')).toBe(deletions)
    expect(await entries('update')).toBe(restorations + changes)
    expect(errors).toEqual([])
  })
}

const connections = 6
describe('bulk writes at the same time on PGlite', () =>
  racing(async () => serveLibrary(await openPglite(made.postgres.tables, made.postgres.ddl))))
onPostgres('bulk writes at the same time on PostgreSQL', () =>
  describe('bulk writes at the same time on PostgreSQL', () =>
    racing(async () =>
      serveLibrary(await openPostgres(made.postgres.tables, made.postgres.ddl, { connections })),
    )),
)
onEachMysql('bulk writes at the same time', (kind) =>
  racing(async () => serveLibrary(await openMysql(kind, made.mysql.tables, made.mysql.ddl, { connections }))),
)
