import { integer, text as ofText, sqliteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defineSettings, type ModelRestOptions, type ModelSource } from '../../src/index.ts'
import { memorySource } from '../../src/testing/index.ts'
import { orms as declaredOrms } from '../http/declared-orms.ts'
import { openPlace } from '../http/orm-places.ts'
import { startError } from '../http/start-error.ts'
import { naming } from '../naming.ts'
import { onFastify } from '../stage/apps.ts'
import { int, maybe, text } from '../stage/columns.ts'
import { openSqlite } from '../stage/databases.ts'

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

const things = { id: int({ key: 'given' }), createdAt: maybe('text'), created_at: maybe('text') }
const users = {
  id: text(undefined, { key: 'given' }),
  email: text(undefined, { unique: 'email' }),
  password: text(),
}

const place = async () => {
  const opened = await openPlace('sqlite', ddl)
  onTestFinished(opened.drop)
  return opened
}

const openerOf =
  (orm: keyof typeof declaredOrms): Orm['open'] =>
  async (isWithUsers) => {
    const { models, end } = await declaredOrms[orm](
      await place(),
      isWithUsers ? { things, users } : { things },
    )
    onTestFinished(async () => void (await end()))
    return models
  }

const orms: Readonly<Record<string, Orm>> = {
  drizzle: {
    open: async (asked) => {
      const things = sqliteTable('things', {
        id: integer().primaryKey(),
        createdAt: ofText('createdAt'),
        created_at: ofText('created_at'),
      })
      const users = sqliteTable('users', {
        id: ofText().primaryKey(),
        email: ofText().notNull().unique(),
        password: ofText().notNull(),
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
    open: openerOf('prisma'),
    declares: 'Prisma schema',
    column: '@map("…")',
    key: '@default(uuid())',
  },
  typeorm: {
    open: openerOf('typeorm'),
    declares: 'DataSource',
    column: '@Column({ name:',
    key: '@PrimaryGeneratedColumn',
  },
  'mikro-orm': {
    open: openerOf('mikro-orm'),
    declares: 'MikroORM',
    column: 'fieldName',
    key: 'onCreate',
  },
  sequelize: {
    open: openerOf('sequelize'),
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
