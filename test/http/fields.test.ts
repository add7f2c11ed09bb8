import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineSettings, type ModelSource } from '../../src/index.ts'
import type { Row } from '../../src/source/source.ts'
import { hardValues } from '../../src/testing/source/samples.ts'
import { createPg, createSqlite, pgLibrary, sqliteLibrary } from '../contract/library.ts'
import { naming } from '../naming.ts'
import { type App, onFetch } from '../stage/apps.ts'
import { type OpenOptions, openPglite, openSqlite, type TestDatabase } from '../stage/databases.ts'

type Open = (options: OpenOptions) => Promise<TestDatabase>

/** Which members a reply has depends on no database: one has many random requests. */
const databases: readonly (readonly [string, Open, runs: number])[] = [
  ['better-sqlite3', async (options) => openSqlite(sqliteLibrary, createSqlite.join(';'), options), 25],
  ['PGlite', (options) => openPglite(pgLibrary, createPg.join(';'), options), 4],
]

const pagings = ['limit-offset', 'page-number', 'cursor'] as const
type Paging = (typeof pagings)[number]

interface Page {
  readonly items: readonly Row[]
  readonly next?: string | null
}

const PER_PAGE = 7
const sorts = [
  'price',
  'pages',
  'rating',
  'copies',
  'printedAt',
  'publishedOn',
  'inStock',
  'genre',
  'authorId',
]

/** How each paging asks for the next page. */
const nextOf: Readonly<Record<Paging, (page: number, reply: Page, limit: number) => string | undefined>> = {
  'limit-offset': (page, { items }, limit) =>
    items.length < limit ? undefined : `limit=${limit}&offset=${page * limit}`,
  'page-number': (page, { items }) => (items.length < PER_PAGE ? undefined : `page=${page + 1}`),
  cursor: (_page, { next }, limit) => (next === null ? undefined : `limit=${limit}&cursor=${next}`),
}

describe.each(databases)('chosen fields on %s', (_name, open, numRuns) => {
  const statements: string[] = []
  let opened: TestDatabase
  let apps: ReadonlyMap<Paging, App>
  let readable: readonly string[]

  const startWith = async (paginationType: Paging): Promise<readonly [Paging, App]> => {
    const settings = defineSettings({
      SECRET_KEY: 'a secret of the tests, with 32 bytes or more',
      NINJA_PAGINATION_PER_PAGE: PER_PAGE,
    })
    const modelConfig = { Book: { hidden: ['isbn'], writeOnly: ['loanPeriod'], detailFields: true } }
    const options = { models: opened.models, paginationType, settings, modelConfig }
    return [paginationType, await onFetch(options, { base: '' })]
  }

  beforeAll(async () => {
    opened = await open({ onStatement: (text) => statements.push(text) })
    await fill(opened.models)
    apps = new Map(await Promise.all(pagings.map(startWith)))
    const book = opened.models.models.find(({ name }) => name === 'Book')
    readable = (book?.fields ?? [])
      .map(({ name }) => name)
      .filter((name) => !/^(isbn|loanPeriod)$/.test(name))
  }, 60_000)
  afterAll(() => opened.close())

  const get = async (paging: Paging, path: string): Promise<string> => {
    const reply = await apps.get(paging)?.ask(path)
    const text = (await reply?.text()) ?? ''
    expect(reply?.status, `${path}: ${text}`).toBe(200)
    return text
  }

  const sortedBy = fc.uniqueArray(fc.tuple(fc.constantFrom(...sorts), fc.constantFrom('asc', 'desc')), {
    selector: ([field]) => field,
    maxLength: 3,
  })

  it.each(pagings)(
    'are the whole reply without its other members: %s',
    async (paging) => {
      await fc.assert(
        fc.asyncProperty(
          fc.infiniteStream(fc.shuffledSubarray([...readable], { minLength: 1 })),
          sortedBy,
          fc.integer({ min: 1, max: 20 }),
          fc.constantFrom('', 'pages>0&', 'search=a&', 'q=(pages=204%7Crating!=null)&'),
          async (choices, sort, limit, filter) => {
            const query = `${filter}${sort.map(([field, order]) => `sort=${field}&order=${order}&`).join('')}`
            let next: string | undefined = paging === 'page-number' ? 'page=1' : `limit=${limit}`
            for (let page = 1; next !== undefined; page += 1) {
              const whole = JSON.parse(await get(paging, `/books?${query}${next}`)) as Page
              const names = choices.next().value ?? []
              const shown = ['id', ...names]
              const expected = {
                ...whole,
                items: whole.items.map((item) =>
                  Object.fromEntries(Object.entries(item).filter(([name]) => shown.includes(name))),
                ),
              }
              expect(await get(paging, `/books?fields=${names.join()}&${query}${next}`)).toBe(
                JSON.stringify(expected),
              )
              next = nextOf[paging](page, whole, limit)
            }
          },
        ),
        { numRuns },
      )
    },
    120_000,
  )

  it('are the only columns that are read, but for the key and what a cursor needs', async () => {
    const columnsFor = async (paging: Paging, query: string): Promise<string | undefined> => {
      statements.length = 0
      await get(paging, `/books?${query}`)
      return /^select (.*?) from/.exec(statements[0] ?? '')?.[1]
    }
    const query = 'fields=title&sort=pages&count=none&genre=novel'
    expect(await columnsFor('limit-offset', query)).toBe('"id", "title"')
    expect(await columnsFor('cursor', query)).toBe('"id", "title", "pages"')
    expect(await columnsFor('limit-offset', 'count=none')).toContain('"author_id"')
  })

  it('are those of a single record where its model has them, whose tag stays that of the whole record', async () => {
    const { items } = JSON.parse(await get('cursor', '/books?limit=1')) as Page
    const ask = async (query: string) => {
      const reply = await apps.get('cursor')?.ask(`/books/${items[0]?.['id']}?${query}`)
      return { tag: reply?.headers.get('etag'), text: (await reply?.text()) ?? '' }
    }
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...readable], { minLength: 1 }), async (names) => {
        const { tag, text } = await ask('')
        const shown = ['id', ...names]
        const chosen = Object.entries(JSON.parse(text)).filter(([name]) => shown.includes(name))
        const found = await ask(`fields=${names.join()}`)
        expect(found).toEqual({ tag, text: JSON.stringify(Object.fromEntries(chosen)) })
      }),
      { numRuns: 50 },
    )
  })

  it('hold all parts of a key', async () => {
    const { items } = JSON.parse(await get('cursor', '/reviews?fields=stars')) as Page
    expect(items.map((item) => Object.keys(item))).toEqual([['bookId', 'reviewer', 'stars']])
  })

  it('that cannot be read are as unknown as those that are not there, and a record has no choice', async () => {
    const refused = async (path: string): Promise<Record<string, unknown> | undefined> => {
      const reply = await apps.get('cursor')?.ask(path)
      return (await reply?.json()) as Record<string, unknown> | undefined
    }
    for (const name of ['isbn', 'loanPeriod', 'nope']) {
      const problem = await refused(`/books?fields=id,${name}`)
      expect(problem).toMatchObject({
        status: 400,
        code: 'unknown_field',
        detail: expect.stringMatching(naming('fields', name, 'title')),
        errors: [{ parameter: 'fields', code: 'unknown_field' }],
      })
      // No field that cannot be read is among those allowed.
      expect(String(problem?.['detail']).replace(name, '')).not.toMatch(/isbn|loanPeriod/)
    }
    const { items } = JSON.parse(await get('cursor', '/books?limit=1')) as Page
    expect(await refused(`/books/${items[0]?.['id']}?fields=isbn`)).toMatchObject({
      status: 400,
      code: 'unknown_field',
    })
    expect(await refused('/authors/1?fields=name')).toMatchObject({ status: 400, code: 'unknown_parameter' })
  })
})

/** A book for each value that is hard to keep. */
const fill = async (source: ModelSource): Promise<void> => {
  const storeOf = (name: string) => {
    const model = source.models.find((each) => each.name === name)
    if (model === undefined) throw new Error(`There is no ${name}.`)
    return { store: source.store(model), names: model.fields.map((field) => field.name) }
  }
  const author = await storeOf('Author').store.create({ name: 'Stanisław Lem' })
  const { store, names } = storeOf('Book')
  const plain = {
    title: 'Solaris',
    price: '9.90',
    pages: 204,
    printedAt: new Date(0),
    authorId: author['id'],
  }
  let isbn = 0
  for (const [name, values] of Object.entries(hardValues)) {
    for (const value of names.includes(name) ? values : []) {
      isbn += 1
      const book = await store.create({ ...plain, isbn: String(isbn), [name]: value })
      if (isbn === 1) await storeOf('Review').store.create({ bookId: book['id'], reviewer: 'Ann', stars: 5 })
    }
  }
}
