import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PaginationType } from '../../src/model/pagination.ts'
import { type Case, cases, telling } from './scope/cases.ts'
import {
  onFastify,
  refill,
  type Served,
  sqliteWorld,
  stored,
  tenantScopes,
  type World,
} from './scope/stage.ts'
import { guardsOf, strayActs } from './scope/watched-source.ts'

const paginationTypes = ['limit-offset', 'page-number', 'cursor'] as const satisfies readonly PaginationType[]

/** One row that everybody may see. */
const entry = 'insert into entries (id, account_id, order_id) values (1, 101, 101)'

/** Records of others that refer to those of the tenant. */
const foreign = [
  `insert into accounts (id, tenant_id, name, rating, parent_id) values (298, 2, 'child', 5, 101)`,
  `insert into orders (id, tenant_id, title, account_id, backup_id) values (298, 2, 'foreign', 101, 101)`,
  'insert into order_items (order_id, line, quantity) values (298, 1, 5)',
  `insert into tickets (id, tenant_id, room, place) values (298, 2, 't1', 1)`,
]

/** What `tenantScopes` says of tenant 1. */
const ownScopes = {
  Account: { tenantId: 1 },
  AccountName: { tenantId: 1 },
  Order: { tenantId: 1 },
  OrderItem: { order: { tenantId: 1 } },
  Slot: { tenantId: 1 },
  Ticket: [{ tenantId: 1 }, { tenantId: -1, room: null }],
}

/** A world that others share, whose records come before and behind, and one in which nobody else is: tenant 1 cannot tell which of them it is. */
describe('what another tenant holds is not there', () => {
  let shared: World
  let alone: World
  const refillBoth = async (): Promise<void> => {
    await refill(shared, [0, 1, 2])
    await refill(alone, [1])
    for (const { run } of [shared, alone]) await run([entry])
    await shared.run(foreign)
  }
  beforeAll(async () => {
    shared = await sqliteWorld()
    alone = await sqliteWorld()
  })
  afterAll(async () => {
    await shared.close()
    await alone.close()
  })

  describe.each(paginationTypes)('with pages by %s', (paging) => {
    let inShared: Served
    let inAlone: Served
    beforeAll(async () => {
      const options = {
        paginationType: paging,
        settings: { QUERY_COUNT_BOUND: 1, NINJA_PAGINATION_PER_PAGE: paging === 'page-number' ? 2 : 100 },
      }
      inShared = await onFastify(shared, tenantScopes, options)
      inAlone = await onFastify(alone, tenantScopes, options)
    })
    afterAll(async () => {
      await inShared.stop()
      await inAlone.stop()
    })
    /** Pages by number have no limit. */
    const casesHere = (own: readonly Case[]) =>
      own.filter((each) =>
        each.paging === undefined
          ? paging !== 'page-number' || !/[?&]limit=/.test(each.path)
          : each.paging === paging,
      )

    it('for every operation and parameter that there is', () => {
      expect(Object.keys(cases).sort()).toEqual(inShared.operations.map(({ id }) => id).sort())
      const unasked = inShared.operations.flatMap(({ id, parameters }) => {
        const paths = casesHere(cases[id] ?? []).map(({ path }) => path)
        const asked = id.startsWith('list')
          ? casesHere(cases['listAccounts'] ?? []).map(({ path }) => path)
          : id.startsWith('aggregate')
            ? (cases['aggregateAccounts'] ?? []).map(({ path }) => path)
            : paths
        const inQuery = parameters.filter((parameter) => parameter.in === 'query')
        // The members of an object are parameters of their own, with names that are not documented.
        const others = inQuery.map(({ name }) => `${name}=`).join('|')
        return inQuery
          .filter(({ name, schema }) => {
            const sent = new RegExp(
              schema['type'] === 'object' ? `[?&](?!${others})[\\w.]+=` : `[?&]${name}=`,
            )
            return !asked.some((path) => sent.test(path))
          })
          .map(({ name }) => `${id}: ${name}`)
      })
      expect(unasked).toEqual([])
    })

    const selected = Object.entries(cases).flatMap(([id, own]) =>
      paging === 'limit-offset' || id.startsWith('list') ? [[id, casesHere(own)] as const] : [],
    )
    it.each(selected)('%s', async (_id, own) => {
      const hidden = (rows: Awaited<ReturnType<typeof stored>>) =>
        JSON.stringify(rows, (key, value) => (Array.isArray(value) ? value.filter(isOfOther(key)) : value))
      const guards = guardsOf(shared.models.models, ownScopes)
      let isFresh = false
      for (const { status, ...asked } of own) {
        if (!isFresh) await refillBoth()
        const before = hidden(await stored(shared))
        isFresh = asked.method === 'GET' || asked.method === 'HEAD'
        // What is kept of a read (its statement, its counts) serves the next one.
        for (let times = isFresh ? 3 : 1; times > 0; times -= 1) {
          const expected = await inAlone.ask(1, asked)
          shared.takeActs()
          const told = await inShared.ask(1, asked)
          expect([asked, told.status, told]).toEqual([asked, status, expected])
          expect([asked, ...strayActs(shared.takeActs(), guards)]).toEqual([asked])
        }
        if (!isFresh) expect([asked, hidden(await stored(shared))]).toEqual([asked, before])
      }
    })
  })

  describe('but for what the database must tell', () => {
    it.each(telling)('$what: $method $path', async ({ statuses, hidden, what: _what, ...asked }) => {
      await refillBoth()
      if (hidden !== undefined) await shared.run([hidden])
      const [there, missing] = [await onFastify(shared, tenantScopes), await onFastify(alone, tenantScopes)]
      expect([(await there.ask(1, asked)).status, (await missing.ask(1, asked)).status]).toEqual(statuses)
      await there.stop()
      await missing.stop()
    })
  })
})

const isOfOther = (table: string) => (row: Readonly<Record<string, unknown>>) =>
  table === 'order_items'
    ? Math.floor(Number(row['order_id']) / 100) !== 1 && Number(row['order_id']) < 300
    : row['tenant_id'] === 2 || row['tenant_id'] === 0
