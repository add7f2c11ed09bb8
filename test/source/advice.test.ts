import { defineEntity, p } from '@mikro-orm/core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mikroOrmModels } from '../../src/entry/mikro-orm.ts'
import { prismaModels } from '../../src/entry/prisma.ts'
import { sequelizeModels } from '../../src/entry/sequelize.ts'
import { typeormModels } from '../../src/entry/typeorm.ts'
import { defineSettings, type ModelRestOptions, type ModelSource } from '../../src/index.ts'
import { memorySource } from '../../src/testing/index.ts'
import {
  openMikroOrm,
  openPlace,
  prismaAdapter,
  sequelizeOptions,
  typeormOptions,
} from '../http/orm-places.ts'
import { startError } from '../http/start-error.ts'
import { naming } from '../naming.ts'
import { onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { generate } from './prisma/generated.ts'

const ddl = [
  'create table things (id integer primary key, "createdAt" text, created_at text)',
  'create table users (id text primary key, email text not null unique, password text not null)',
]

/** What a source of these tables is called in messages, and who opens it. */
interface Orm {
  /** With a model that has two fields whose names differ only in style, and, if it is asked for, users whose key has no default. */
  open(users: boolean): Promise<ModelSource>
  readonly declares: string
  readonly column: string
  readonly key: string
}

const place = async () => {
  const opened = await openPlace('sqlite', ddl)
  onTestFinished(opened.drop)
  return opened
}

const orms: Readonly<Record<string, Orm>> = {
  drizzle: {
    open: async (asked) => {
      const things = sqliteTable('things', {
        id: integer().primaryKey(),
        createdAt: text('createdAt'),
        created_at: text('created_at'),
      })
      const users = sqliteTable('users', {
        id: text().primaryKey(),
        email: text().notNull().unique(),
        password: text().notNull(),
      })
      const { models, close } = openSqlite(asked ? { things, users } : { things }, ddl.join(';'))
      onTestFinished(close)
      return models
    },
    declares: 'modelrest/drizzle/sqlite',
    column: "text('…')",
    key: '$defaultFn(randomUUID)',
  },
  prisma: {
    open: async (asked) => {
      const schema = `
model Thing {
  id         Int     @id
  createdAt  String?
  created_at String?

  @@map("things")
}
`
      const user = `
model User {
  id       String @id
  email    String @unique
  password String

  @@map("users")
}
`
      const { metadata, connect } = await generate('sqlite', asked ? schema + user : schema)
      const client = connect(prismaAdapter(await place()))
      onTestFinished(() => client.$disconnect())
      return prismaModels(client, metadata)
    },
    declares: 'Prisma schema',
    column: '@map("…")',
    key: '@default(uuid())',
  },
  typeorm: {
    open: async (asked) => {
      const nullable = { type: 'text', nullable: true } as const
      const Thing = new EntitySchema({
        ...{ name: 'Thing', tableName: 'things' },
        columns: {
          id: { type: 'int', primary: true },
          ...{
            createdAt: { ...nullable, name: 'createdAt' },
            created_at: { ...nullable, name: 'created_at' },
          },
        },
      })
      const User = new EntitySchema({
        ...{ name: 'User', tableName: 'users' },
        columns: {
          id: { type: 'text', primary: true },
          ...{ email: { type: 'text', unique: true }, password: { type: 'text' } },
        },
      })
      const entities = asked ? [Thing, User] : [Thing]
      const options = { ...typeormOptions(await place()), entities } as ConstructorParameters<
        typeof DataSource
      >[0]
      const db = await new DataSource(options).initialize()
      onTestFinished(() => db.destroy())
      return typeormModels(db)
    },
    declares: 'DataSource',
    column: '@Column({ name:',
    key: '@PrimaryGeneratedColumn',
  },
  'mikro-orm': {
    open: async (asked) => {
      const text = () => p.text().nullable()
      const Thing = defineEntity({
        ...{ name: 'Thing', tableName: 'things' },
        properties: {
          id: p.integer().primary(),
          ...{ createdAt: text().fieldName('createdAt'), created_at: text().fieldName('created_at') },
        },
      })
      const User = defineEntity({
        ...{ name: 'User', tableName: 'users' },
        properties: { id: p.text().primary(), email: p.text().unique(), password: p.text() },
      })
      const orm = await openMikroOrm(await place(), { entities: asked ? [Thing, User] : [Thing] })
      onTestFinished(() => orm.close(true))
      return mikroOrmModels(orm)
    },
    declares: 'MikroORM',
    column: 'fieldName',
    key: 'onCreate',
  },
  sequelize: {
    open: async (asked) => {
      const sequelize = new Sequelize(sequelizeOptions(await place()))
      onTestFinished(() => sequelize.close())
      const { INTEGER, TEXT } = DataTypes
      sequelize.define('Thing', {
        ...{ id: { type: INTEGER, primaryKey: true }, createdAt: TEXT, created_at: TEXT },
      })
      if (asked)
        sequelize.define('User', {
          id: { type: TEXT, primaryKey: true },
          ...{
            email: { type: TEXT, unique: true, allowNull: false },
            password: { type: TEXT, allowNull: false },
          },
        })
      return sequelizeModels(sequelize)
    },
    declares: 'sequelize.define()',
    column: "field: '…'",
    key: 'DataTypes.UUIDV4',
  },
}

const serve = async (models: ModelSource, options: object) => {
  const settings = defineSettings({ SECRET_KEY: 'x'.repeat(40) })
  const app = await onFastify({ models, controllers: [], settings, ...options } as ModelRestOptions, {
    base: '',
  })
  onTestFinished(app.stop)
  return app
}

/** The message of a start that fails. */
const messageOf = async (start: Promise<unknown>): Promise<string> => {
  try {
    await start
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  throw new Error('It starts.')
}

describe.each(Object.entries(orms))(
  'what messages advise with %s',
  (name, { open, declares, column, key }) => {
    const others = Object.entries(orms).filter(([other]) => other !== name)
    const assertOwn = (message: string, own: string, of: 'declares' | 'column' | 'key') => {
      expect(message).toContain(own)
      for (const [, other] of others) expect(message).not.toContain(other[of])
    }

    it('is how it declares a model that an option needs', async () => {
      const models = await open(false)
      const noUsers = await messageOf(serve(models, { auth: true }))
      expect(noUsers).toMatch(naming('User', 'authUserModel'))
      assertOwn(noUsers, declares, 'declares')
      const noEntries = await messageOf(serve(models, { audit: true }))
      expect(noEntries).toMatch(naming('AuditEntry', 'AUDIT_MODEL'))
      assertOwn(noEntries, declares, 'declares')
    })

    it('is how it names columns, for fields that clients cannot tell from another', async () => {
      const { log } = await serve(await open(false), {})
      const lines = log.map(({ line }) => line).filter((line) => line.includes('style'))
      expect(lines).toEqual([expect.stringMatching(naming('Thing.created_at', 'createdAt'))])
      assertOwn(lines[0] ?? '', column, 'column')
    })

    it('is what it calls a default, for a key of users without one', async () => {
      const message = await messageOf(serve(await open(true), { auth: true }))
      expect(message).toMatch(naming('User', 'id'))
      assertOwn(message, key, 'key')
    })
  },
)

it('sources that advise nothing have messages without the words of an ORM', async () => {
  const source = memorySource([
    { name: 'Thing', fields: [{ name: 'id', kind: 'integer' }], primaryKey: ['id'] },
  ])
  for (const options of [{ auth: true }, { audit: true }]) {
    const message = await messageOf(serve(source, options))
    expect(message).toContain('your source')
    for (const { declares } of Object.values(orms)) expect(message).not.toContain(declares)
  }
})

it('what is no source is answered with all that make one', async () => {
  await expect(serve({} as ModelSource, {})).rejects.toThrow(
    startError(
      'models',
      'drizzleModels',
      'prismaModels',
      'typeormModels',
      'mikroOrmModels',
      'sequelizeModels',
    ),
  )
})
