import { defineEntity, p } from '@mikro-orm/core'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { defineSettings, HttpError } from '../../../src/index.ts'
import { generate } from '../../source/prisma/generated.ts'
import { type App, onFastify } from '../../stage/apps.ts'
import { ada, secret } from '../../stage/auth-service.ts'
import { type Send, senderTo } from '../../stage/requests.ts'
import {
  counted,
  type Kind,
  type OpenedOrm,
  onEachKind,
  openMikroOrm,
  openPlace,
  type Place,
  prismaAdapter,
  prismaProviders,
  sequelizeOptions,
  typeormOptions,
} from '../orm-places.ts'

type OpenOrm = (place: Place) => Promise<OpenedOrm>

const ddlOf = (kind: Kind): readonly string[] => [
  `create table users (id ${counted[kind]}, email varchar(100) not null unique, password varchar(255) not null)`,
  `create table profiles (id ${counted[kind]}, user_id int not null, foreign key (user_id) references users (id))`,
]

const typeorm: OpenOrm = async (place) => {
  const id = { type: 'int', primary: true, generated: 'increment' } as const
  const text = (length: number) => ({ type: 'varchar', length }) as const
  const dataSource = new DataSource({
    ...typeormOptions(place),
    entities: [
      new EntitySchema({
        ...{ name: 'User', tableName: 'users' },
        columns: { id, email: { ...text(100), unique: true }, password: text(255) },
      } as never),
      new EntitySchema({
        ...{ name: 'Profile', tableName: 'profiles' },
        columns: { id, user_id: { type: 'int' } },
        relations: { user: { type: 'many-to-one', target: 'User', joinColumn: { name: 'user_id' } } },
      } as never),
    ],
  })
  await dataSource.initialize()
  return { models: typeormModels(dataSource), end: () => dataSource.destroy() }
}

const sequelize: OpenOrm = async (place) => {
  const instance = new Sequelize(sequelizeOptions(place))
  const text = (length: number) => ({ type: DataTypes.STRING(length), allowNull: false })
  const User = instance.define(
    'User',
    { email: { ...text(100), unique: true }, password: text(255) },
    { tableName: 'users' },
  )
  const Profile = instance.define('Profile', {}, { tableName: 'profiles' })
  Profile.belongsTo(User, { as: 'user', foreignKey: { name: 'user_id', allowNull: false } })
  return { models: sequelizeModels(instance), end: () => instance.close() }
}

const User = defineEntity({
  ...{ name: 'User', tableName: 'users' },
  properties: {
    ...{ id: p.integer().primary(), email: p.string().length(100).unique() },
    password: p.string().length(255),
  },
})
const Profile = defineEntity({
  ...{ name: 'Profile', tableName: 'profiles' },
  properties: { id: p.integer().primary(), user: () => p.manyToOne(User) },
})

const mikroOrm: OpenOrm = async (place) => {
  const orm = await openMikroOrm(place, { entities: [User, Profile] })
  return { models: mikroOrmModels(orm), end: () => orm.close(true) }
}

const schema = `
model User {
  id       Int       @id @default(autoincrement())
  email    String    @unique @db.VarChar(100)
  password String    @db.VarChar(255)
  profiles Profile[]
  @@map("users")
}

model Profile {
  id      Int  @id @default(autoincrement())
  user_id Int
  user    User @relation(fields: [user_id], references: [id])
  @@map("profiles")
}
`

const prisma: OpenOrm = async (place) => {
  const models = place.kind === 'sqlite' ? schema.replaceAll(/ @db\.\S+/g, '') : schema
  const { metadata, connect } = await generate(prismaProviders[place.kind], models)
  const client = connect(prismaAdapter(place))
  return { models: prismaModels(client, metadata), end: () => client.$disconnect() }
}

const orms = { prisma, typeorm, sequelize, 'mikro-orm': mikroOrm } as const

// Drizzle: test/attack/waiting-registration.test.ts
describe.each(Object.entries(orms))('refused registrations of %s', (orm, open) => {
  onEachKind(`refused registrations of ${orm}`, (kind) => {
    let place: Place
    let app: App
    let send: Send
    let end: () => Promise<unknown>
    let isRefused = true
    const refer = (id: unknown) => place.rows(`insert into profiles (user_id) values (${Number(id)})`)
    beforeAll(async () => {
      place = await openPlace(kind, ddlOf(kind))
      const { models, ...opened } = await open(place)
      end = opened.end
      const ON_REGISTER = async (user: object): Promise<void> => {
        await refer(Reflect.get(user, 'id'))
        if (isRefused) throw new HttpError(403, 'Only colleagues may register.')
      }
      const settings = defineSettings({ SERVICE_AUTH: { JWT_SECRET: secret, ON_REGISTER } })
      app = await onFastify({ models, auth: true, controllers: [], settings } as never, { base: '' })
      send = senderTo(app)
    })
    afterAll(async () => {
      await app?.stop()
      await end?.()
      await place?.drop()
    })
    const { email, password } = ada
    const statusOf = async (what: 'register' | 'login'): Promise<number> =>
      (await send('POST', `/auth/${what}`, { body: { email, password } })).status
    const emails = async () =>
      (await place.rows('select email from users order by id')).map((row) => row['email'])

    test('leave the identifiers free, at once and after a crash', async () => {
      expect(await statusOf('register')).toBe(403)
      expect(await statusOf('login')).toBe(401)
      isRefused = false
      expect(await statusOf('register')).toBe(201)
      const released = expect.stringMatching(/^[0-9a-f]{32}@user\.invalid$/)
      expect(await emails()).toEqual([released, email])
      expect(await statusOf('login')).toBe(200)

      await place.rows(`update users set password = '!registering:1:a' where email = '${email}'`)
      expect(await statusOf('login')).toBe(401)
      expect(await statusOf('register')).toBe(201)
      expect(await emails()).toEqual([released, released, email])
      expect(
        app.log.filter(({ level, line }) => level === 'error' && line.includes('delete user')).length,
      ).toBe(2)
    })
  })
})
