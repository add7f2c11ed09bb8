import { counted, type Declared, int, maybe, text, to } from '../../stage/columns.ts'
import type { Row } from '../../stage/databases.ts'
import { declare } from '../../stage/declared.ts'
import {
  inTest,
  type Parts,
  pairOf,
  type Service,
  type ServiceOptions,
  startsOf,
} from '../../stage/service.ts'

export { type Parts, refusalOf } from '../../stage/service.ts'

/** A help desk: tickets of tenants, which belong to a team and have comments. */
const declared: Declared = {
  teams: { id: counted, tenant: int() },
  tickets: {
    ...{ id: counted, tenant: int(), title: text(20), status: text(20, { default: 'open' }) },
    ...{ times: int({ default: 0 }), password: maybe(20), team_id: to('teams', { nullable: true }) },
  },
  comments: { id: counted, ticket_id: to('tickets'), body: text(20) },
}

/** Tickets 1 and 2 and team 1 are of tenant 1, ticket 3 and team 2 of tenant 2. */
const rows = [
  'insert into teams (tenant) values (1), (2)',
  `insert into tickets (tenant, title, password) values (1, 'one', 'hidden-1'), (1, 'two', 'hidden-2'), (2, 'three', 'hidden-3')`,
]

export const deskTables = declare(declared, { rows })

export interface DeskOptions extends ServiceOptions {
  /** The controllers of other models. */
  readonly others?: Readonly<Record<string, Parts>>
}

/** A running help desk, for the length of a test. */
export interface Desk extends Omit<Service, 'send'> {
  /** @param body sent as JSON; a string is sent as it is */
  readonly send: Service['ask']
  ticket(id: number): Promise<Row | undefined>
}

export type Start = (ticket: Parts, options?: DeskOptions) => Promise<Desk>

const starts = startsOf(declared, { rows })

const deskOn =
  (name: keyof typeof starts): Start =>
  async (ticket, { others, ...options } = {}) => {
    const service = await inTest(starts[name]({ ...options, parts: { Ticket: ticket, ...others } }))
    return {
      ...{ ...service, send: service.ask },
      ticket: async (id) => (await service.rows(`select * from tickets where id = ${id}`))[0],
    }
  }

export const desks = {
  ...{ sqlite: deskOn('sqlite'), oneTick: deskOn('oneTick'), pglite: deskOn('pglite') },
  ...{ postgres: deskOn('postgres'), mariadb: deskOn('mariadb'), mysql: deskOn('mysql') },
} as const

export const lite = desks.sqlite
export const bothDesks = pairOf(desks)
