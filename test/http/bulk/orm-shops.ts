import type { Declared } from '../declared-orms.ts'
import { counted, type Kind } from '../orm-places.ts'

export const ddlOf = (kind: Kind): readonly string[] => [
  `create table items (id ${counted[kind]}, sku varchar(20), price int not null check (price < 1000), quantity int not null default 1, constraint items_sku_key unique (sku))`,
  'create table labels (code varchar(20) primary key, text varchar(40) not null)',
  'create table notes (page int not null, line int not null, text varchar(40), primary key (page, line))',
]

/** Items, labels and notes, as an ORM declares them. */
export const shop: Declared = {
  Item: {
    table: 'items',
    columns: {
      ...{ id: { type: 'int', key: 'counted' }, sku: { type: 20, nullable: true, unique: 'items_sku_key' } },
      ...{ price: { type: 'int' }, quantity: { type: 'int', default: 1 } },
    },
  },
  Label: { table: 'labels', columns: { code: { type: 20, key: 'given' }, text: { type: 40 } } },
  Note: {
    table: 'notes',
    columns: {
      ...{ page: { type: 'int', key: 'given' }, line: { type: 'int', key: 'given' } },
      text: { type: 40, nullable: true },
    },
  },
}
