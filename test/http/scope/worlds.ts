import { counted, int, maybe, text, to } from '../../stage/columns.ts'
import { declare } from '../../stage/declared.ts'
import type { WorldTables } from './stage.ts'

const owned = { id: counted, tenantId: int() }

const made = declare({
  folders: { ...owned, name: text(40) },
  documents: {
    ...{ ...owned, title: text(40), rank: maybe('int'), folderId: to('folders', { nullable: true }) },
    content: maybe('file'),
  },
  remarks: { documentId: to('documents', { key: 'given' }), number: int({ key: 'given' }), note: maybe(40) },
  readings: { ...owned, name: text(40), rank: maybe('int'), grade: int() },
})

/** Documents with files, folders that they point to, remarks that are of a tenant by their document, and many readings. */
export const worldTables: WorldTables = {
  tables: { sqlite: made.sqlite.tables, pg: made.postgres.tables },
  ddl: { sqlite: made.sqlite.ddl, pg: made.postgres.ddl },
  // Readings are filled in once: no request changes them.
  names: ['remarks', 'documents', 'folders'],
  counted: ['documents', 'folders', 'readings'],
  rowsOf: (tenant) => {
    const id = (place: number) => tenant * 100 + place
    return [
      `insert into folders (id, tenant_id, name) values (${id(1)}, ${tenant}, 'letters'), (${id(2)}, ${tenant}, 'bills')`,
      `insert into documents (id, tenant_id, title, rank, folder_id) values
        (${id(1)}, ${tenant}, 'first', 1, ${id(1)}), (${id(2)}, ${tenant}, 'second', null, null),
        (${id(3)}, ${tenant}, 'third', 1, ${id(2)}), (${id(4)}, ${tenant}, 'fourth', null, ${id(1)})`,
      `insert into remarks (document_id, number, note) values (${id(1)}, 1, 'one'), (${id(1)}, 2, null), (${id(2)}, 1, 'one')`,
    ]
  },
}

/** Readings of a tenant, under keys from `first` on: half of the sort values are null, and all of them tie. */
export const readingsOf = (tenant: number, first: number, howMany: number): string =>
  `insert into readings (id, tenant_id, name, rank, grade)
    with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${howMany - 1})
    select ${first} + n, ${tenant}, 'reading ' || (n % 10), case when n % 2 = 0 then n % 5 end, n % 3 from numbers`
