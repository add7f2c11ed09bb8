import { MANY_RELATIONS } from '../../../source/facts.ts'
import type { WorldTables } from '../stage.ts'

/** Tables with one account each: accounts have as many relations. */
export const strips: readonly string[] = Array.from({ length: MANY_RELATIONS }, (_, at) => `Strip${at}`)

export const stripTable = (model: string): string => `${model.toLowerCase()}s`

export interface ShapeTables extends Pick<WorldTables, 'names' | 'rowsOf'> {
  readonly ddl: readonly string[]
  readonly counted: readonly string[]
  /** Rows of others that refer to those of the tenant. */
  readonly foreign: readonly string[]
  /** What no request changes. */
  readonly still: (tenant: number) => readonly string[]
}

/** What an ORM needs otherwise than others. */
export interface ShapeOptions {
  /** The join table that has no columns but its keys, and these. */
  readonly junction?: readonly [table: string, content: string, label: string]
  readonly hasCompositeKeys?: boolean
}

/**
 * Records that are deleted or of a class, values that are stored in another form, a join table with a key and columns of its
 * own, one without, foreign keys of two parts and to another key than the primary one, and many relations.
 */
export const shapeTables = ({
  junction: [junction, content, label] = ['content_labels', 'content_id', 'label_id'],
  hasCompositeKeys = true,
}: ShapeOptions = {}): ShapeTables => {
  const id = 'id integer primary key autoincrement'
  const owned = `${id}, tenant_id integer not null`
  const links = (tenant: number) => [tenant * 100 + 1, tenant * 100 + 3] as const
  return {
    ddl: [
      `create table accounts (${owned}, name varchar(20) not null, code varchar(20) unique, marks text,
        parent_id integer references accounts (id), deleted_at datetime)`,
      `create table teams (${owned}, name varchar(20) not null)`,
      `create table memberships (${id}, account_id integer not null references accounts (id),
        team_id integer not null references teams (id), level integer not null default 1, unique (account_id, team_id))`,
      `create table labels (${owned}, name varchar(20) not null)`,
      `create table contents (${owned}, kind varchar(20) not null default 'content', title varchar(20) not null,
        account_id integer references accounts (id), size integer)`,
      `create table ${junction} (${content} integer not null references contents (id),
        ${label} integer not null references labels (id), primary key (${content}, ${label}))`,
      `create table remarks (${id}, text varchar(20), content_id integer references contents (id),
        post_id integer references contents (id))`,
      `create table slots (room varchar(10) not null, place integer not null, tenant_id integer not null,
        label varchar(20), primary key (room, place))`,
      `create table tickets (${owned}, room varchar(10), place integer, account_code varchar(20) references accounts (code)
        ${hasCompositeKeys ? ', foreign key (room, place) references slots (room, place)' : ''})`,
      ...strips.map(
        (strip) =>
          `create table ${stripTable(strip)} (${owned}, account_id integer not null references accounts (id))`,
      ),
    ],
    names: [
      'tickets',
      'slots',
      'remarks',
      junction,
      'contents',
      'labels',
      'memberships',
      'teams',
      'accounts',
    ],
    counted: ['accounts', 'teams', 'memberships', 'labels', 'contents', 'remarks', 'tickets'],
    rowsOf: (tenant) => {
      const at = (place: number) => tenant * 100 + place
      const [first, third] = links(tenant)
      return [
        `insert into accounts (id, tenant_id, name, code, marks, parent_id, deleted_at) values
          (${at(1)}, ${tenant}, 'ada', 'c${at(1)}', 'a|b', null, null), (${at(2)}, ${tenant}, 'bob', null, null, ${at(1)}, null),
          (${at(3)}, ${tenant}, 'ada', 'c${at(3)}', '', null, null),
          (${at(4)}, ${tenant}, 'gone', 'c${at(4)}', 'z', ${at(1)}, '2024-01-01 00:00:00.000')`,
        `insert into teams (id, tenant_id, name) values 
          (${at(1)}, ${tenant}, 'red'), (${at(2)}, ${tenant}, 'blue'), (${at(3)}, ${tenant}, 'green')`,
        `insert into memberships (id, account_id, team_id, level) values
          (${at(1)}, ${at(1)}, ${at(1)}, 2), (${at(2)}, ${at(2)}, ${at(1)}, 1), (${at(3)}, ${at(4)}, ${at(2)}, 1)`,
        `insert into labels (id, tenant_id, name) values 
          (${at(1)}, ${tenant}, 'hot'), (${at(2)}, ${tenant}, 'cold'), (${at(3)}, ${tenant}, 'mild')`,
        `insert into contents (id, tenant_id, kind, title, account_id, size) values
          (${at(1)}, ${tenant}, 'post', 'first', ${at(1)}, null), (${at(2)}, ${tenant}, 'photo', 'second', null, 5),
          (${at(3)}, ${tenant}, 'post', 'third', ${at(2)}, null), (${at(4)}, ${tenant}, 'post', 'fourth', ${at(4)}, null),
          (${at(5)}, ${tenant}, 'content', 'fifth', null, null)`,
        `insert into ${junction} (${content}, ${label}) values (${first}, ${at(1)}), (${first}, ${at(2)}), (${third}, ${at(1)})`,
        `insert into remarks (id, text, content_id, post_id) values
          (${at(1)}, 'one', ${at(1)}, ${at(1)}), (${at(2)}, 'two', ${at(5)}, null), (${at(3)}, 'one', ${at(3)}, ${at(1)})`,
        `insert into slots (room, place, tenant_id, label) values
          ('t${tenant}', 1, ${tenant}, 'one'), ('t${tenant}', 2, ${tenant}, null)`,
        `insert into tickets (id, tenant_id, room, place, account_code) values (${at(1)}, ${tenant}, 't${tenant}', 1, 'c${at(1)}'),
          (${at(2)}, ${tenant}, null, null, null), (${at(3)}, ${tenant}, null, null, 'c${at(4)}')`,
      ]
    },
    foreign: [
      `insert into accounts (id, tenant_id, name, parent_id) values (298, 2, 'child', 101)`,
      `insert into memberships (id, account_id, team_id, level) values (298, 201, 101, 3), (299, 298, 101, 3)`,
      `insert into contents (id, tenant_id, kind, title, account_id) values (298, 2, 'post', 'foreign', 101)`,
      `insert into ${junction} (${content}, ${label}) values (298, 102), (201, 102)`,
      `insert into remarks (id, text, content_id, post_id) values (298, 'foreign', 201, 101)`,
      `insert into tickets (id, tenant_id, room, place, account_code) values (298, 2, 't1', 1, 'c101')`,
    ],
    still: (tenant) =>
      strips.map(
        (strip) =>
          `insert into ${stripTable(strip)} (id, tenant_id, account_id) values
            (${tenant * 100 + 1}, ${tenant}, ${tenant * 100 + 1})${tenant === 2 ? ', (298, 2, 101)' : ''}`,
      ),
  }
}
