import { integer as pgInteger, pgView, varchar } from 'drizzle-orm/pg-core'
import { integer, text as sqliteText, sqliteView } from 'drizzle-orm/sqlite-core'
import { counted, int, maybe, text, to } from '../../stage/columns.ts'
import { declare } from '../../stage/declared.ts'

const key = { key: 'given' } as const
const nullable = { nullable: true } as const
const owned = { id: counted, tenantId: int() }

/** Every way in which a model can be of a tenant: by a field, a hidden one, a related record, a key of two parts. */
const made = declare(
  {
    accounts: {
      ...{ ...owned, name: text(40), email: maybe(40, { unique: true }), note: maybe('text') },
      ...{ rating: maybe('int'), parentId: to('accounts', nullable) },
    },
    orders: { ...owned, title: text(40), accountId: to('accounts'), backupId: to('accounts', nullable) },
    orderItems: { orderId: to('orders', key), line: int(key), quantity: int({ default: 1 }) },
    slots: { room: text(10, key), place: int(key), tenantId: int(), label: maybe(40) },
    tickets: {
      ...{ ...owned, room: maybe(10), place: maybe('int', { default: 1 }) },
      // A key that is no primary key.
      accountEmail: maybe(40, { refers: 'accounts.email' }),
    },
    entries: {
      ...{ id: counted, accountId: to('accounts', nullable), orderId: to('orders', nullable) },
    },
  },
  {
    pairs: { tickets: [['room', 'place'], 'slots'] },
    rows: ['create view account_names as select id, tenant_id, name from accounts'],
  },
)

const names = {
  sqlite: sqliteView('account_names', { id: integer(), tenantId: integer('tenant_id'), name: sqliteText() }),
  pg: pgView('account_names', { id: pgInteger(), tenantId: pgInteger('tenant_id'), name: varchar() }),
}

export const tables = {
  sqlite: { ...made.sqlite.tables, accountNames: names.sqlite.existing() },
  pg: { ...made.postgres.tables, accountNames: names.pg.existing() },
}

export const ddl = { sqlite: made.sqlite.ddl, pg: made.postgres.ddl }

/** In an order in which nothing is deleted that is still referred to. */
export const tableNames: readonly string[] = [
  ...['entries', 'tickets', 'slots', 'order_items', 'orders', 'accounts'],
]

/** The rows of a tenant: all tenants hold the same, under keys of their own. */
export const rowsOf = (tenant: number): readonly string[] => {
  const id = (place: number) => tenant * 100 + place
  return [
    `insert into accounts (id, tenant_id, name, email, note, rating, parent_id) values
      (${id(1)}, ${tenant}, 'Ada', 'ada@${tenant}', 'first', 5, null),
      (${id(2)}, ${tenant}, 'Bob', 'bob@${tenant}', null, null, ${id(1)}),
      (${id(3)}, ${tenant}, 'ada again', null, 'third', 5, null)`,
    `insert into orders (id, tenant_id, title, account_id, backup_id) values
      (${id(1)}, ${tenant}, 'lamp', ${id(1)}, null), (${id(2)}, ${tenant}, 'chair', ${id(2)}, ${id(1)})`,
    `insert into order_items (order_id, line, quantity) values (${id(1)}, 1, 2), (${id(1)}, 2, 1), (${id(2)}, 1, 9)`,
    `insert into slots (room, place, tenant_id, label) values
      ('t${tenant}', 1, ${tenant}, 'one'), ('t${tenant}', 2, ${tenant}, null)`,
    `insert into tickets (id, tenant_id, room, place) values
      (${id(1)}, ${tenant}, 't${tenant}', 1), (${id(2)}, ${tenant}, null, null)`,
  ]
}
