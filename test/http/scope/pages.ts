import { expect } from 'vitest'
import type { Told } from './stage.ts'
import { type Both, OWN_READINGS } from './two-worlds.ts'

interface Page {
  readonly items: readonly { readonly id: number }[]
  readonly count: number | null
  readonly count_exact: boolean
  readonly next?: string | null
}

export const pageOf = ({ body }: Told): Page => JSON.parse(body)

/** Nulls, values that many have, and both in turn. */
const sorts = [
  ...['sort=rank&order=asc', 'sort=rank&order=desc', 'sort=grade&order=asc', 'sort=grade&order=desc'],
  ...['sort=rank&order=desc&sort=grade&order=asc', 'sort=name&order=desc', 'sort=id&order=desc', ''],
]
export const counts = ['', 'count=exact', 'count=estimated', 'count=none']
export const filters = [
  '',
  'q=rank=null',
  'q=grade=1',
  'search=reading 1',
  'q=!(tenantId=1)',
  'q=tenantId=2',
  'q=id<2000',
]

export const path = (...parameters: readonly string[]): string =>
  `/readings/?${parameters.filter((parameter) => parameter !== '').join('&')}`

/** All pages of a list. Each page is asked for in both worlds. */
const walks: Readonly<Record<string, (both: Both, parameters: string) => Promise<readonly Page[]>>> = {
  'limit-offset': async ({ send }, parameters) => {
    const pages: Page[] = []
    for (let offset = 0; offset <= OWN_READINGS + 100; offset += 100) {
      const { shared } = await send({
        method: 'GET',
        path: path(parameters, `offset=${offset}`),
        status: 200,
      })
      pages.push(pageOf(shared))
    }
    return pages
  },
  'page-number': async ({ send }, parameters) => {
    const pages: Page[] = []
    for (let page = 1; page <= 4; page += 1) {
      const { shared } = await send({ method: 'GET', path: path(parameters, `page=${page}`), status: 200 })
      pages.push(pageOf(shared))
    }
    return pages
  },
  cursor: async ({ send }, parameters) => {
    const pages: Page[] = []
    let next: string | null | undefined
    do {
      const cursor = next ? `cursor=${next}` : ''
      const { shared } = await send({ method: 'GET', path: path(parameters, cursor), status: 200 })
      pages.push(pageOf(shared))
      next = pages.at(-1)?.next
    } while (next)
    return pages
  },
}

/** Every sort, page by page. @param paging as both worlds are served */
export const everyPage = async (both: Both, paging: string): Promise<void> => {
  for (const [at, sort] of sorts.entries()) {
    const pages = await (walks[paging] ?? expect.unreachable())(both, `${sort}&${counts[at % 4]}`)
    const ids = pages.flatMap(({ items }) => items.map(({ id }) => id))
    expect([sort, new Set(ids).size, ids.length]).toEqual([sort, OWN_READINGS, OWN_READINGS])
  }
}

/** Pages in which a tie or the nulls begin in the middle. */
export const smallPages = async (both: Both): Promise<void> => {
  for (const sort of sorts.slice(0, 2)) {
    const pages = await (walks['cursor'] ?? expect.unreachable())(both, `${sort}&limit=35&fields=id`)
    expect(pages.flatMap(({ items }) => items)).toHaveLength(OWN_READINGS)
  }
}
