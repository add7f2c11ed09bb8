import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import type { Tables } from '../../../src/source/drizzle/index.ts'

/** A help desk: tickets of tenants, which belong to a team and have comments. */
const sqlite = (): Tables => {
  const { sqliteTable, integer, text } = lite
  const teams = sqliteTable('teams', { id: integer().primaryKey(), tenant: integer().notNull() })
  const tickets = sqliteTable('tickets', {
    id: integer().primaryKey(),
    tenant: integer().notNull(),
    title: text({ length: 20 }).notNull(),
    status: text({ length: 20 }).notNull().default('open'),
    times: integer().notNull().default(0),
    password: text({ length: 20 }),
    team_id: integer().references(() => teams.id),
  })
  const comments = sqliteTable('comments', {
    id: integer().primaryKey(),
    ticket_id: integer()
      .notNull()
      .references(() => tickets.id),
    body: text({ length: 20 }).notNull(),
  })
  return { teams, tickets, comments }
}

const postgres = (): Tables => {
  const { pgTable, integer, serial, varchar } = pg
  const teams = pgTable('teams', { id: serial().primaryKey(), tenant: integer().notNull() })
  const tickets = pgTable('tickets', {
    id: serial().primaryKey(),
    tenant: integer().notNull(),
    title: varchar({ length: 20 }).notNull(),
    status: varchar({ length: 20 }).notNull().default('open'),
    times: integer().notNull().default(0),
    password: varchar({ length: 20 }),
    team_id: integer().references(() => teams.id),
  })
  const comments = pgTable('comments', {
    id: serial().primaryKey(),
    ticket_id: integer()
      .notNull()
      .references(() => tickets.id),
    body: varchar({ length: 20 }).notNull(),
  })
  return { teams, tickets, comments }
}

const mysql = (): Tables => {
  const { mysqlTable, int, varchar } = my
  const teams = mysqlTable('teams', { id: int().primaryKey().autoincrement(), tenant: int().notNull() })
  const tickets = mysqlTable('tickets', {
    id: int().primaryKey().autoincrement(),
    tenant: int().notNull(),
    title: varchar({ length: 20 }).notNull(),
    status: varchar({ length: 20 }).notNull().default('open'),
    times: int().notNull().default(0),
    password: varchar({ length: 20 }),
    team_id: int().references(() => teams.id),
  })
  const comments = mysqlTable('comments', {
    id: int().primaryKey().autoincrement(),
    ticket_id: int()
      .notNull()
      .references(() => tickets.id),
    body: varchar({ length: 20 }).notNull(),
  })
  return { teams, tickets, comments }
}

export const tables = { sqlite: sqlite(), postgres: postgres(), mysql: mysql() }

const keys = {
  sqlite: 'integer primary key',
  postgres: 'serial primary key',
  mysql: 'int primary key auto_increment',
}

/** Tickets 1 and 2 and team 1 are of tenant 1, ticket 3 and team 2 of tenant 2. */
export const ddlOf = (kind: keyof typeof keys): string => `
  create table teams (id ${keys[kind]}, tenant integer not null);
  create table tickets (
    id ${keys[kind]}, tenant integer not null, title varchar(20) not null,
    status varchar(20) not null default 'open', times integer not null default 0, password varchar(20),
    team_id integer references teams (id)
  );
  create table comments (id ${keys[kind]}, ticket_id integer not null references tickets (id), body varchar(20) not null);
  insert into teams (tenant) values (1), (2);
  insert into tickets (tenant, title, password) values (1, 'one', 'hidden-1'), (1, 'two', 'hidden-2'), (2, 'three', 'hidden-3')`
