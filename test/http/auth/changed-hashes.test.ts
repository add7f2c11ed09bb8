import { DataTypes, type Model, Sequelize } from 'sequelize'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { defineSettings } from '../../../src/index.ts'
import { nodeSqlite } from '../../source/sequelize/node-sqlite.ts'
import { type App, onFastify } from '../../stage/apps.ts'
import { senderTo } from '../../stage/requests.ts'

let app: App | undefined
afterEach(() => app?.stop())

/** An application whose model hashes each password itself, as many do. */
const serve = async (isOurs: (password: string) => boolean, serviceAuth: object = {}) => {
  const sequelize = new Sequelize({
    ...{ dialect: 'sqlite', dialectModule: nodeSqlite, storage: ':memory:', logging: false },
  } as never)
  onTestFinished(() => sequelize.close())
  const text = { type: DataTypes.STRING, allowNull: false }
  const User = sequelize.define('User', { email: { ...text, unique: true }, password: text })
  User.addHook('beforeSave', (user: Model) => {
    const password = String(user.getDataValue('password'))
    if (!isOurs(password)) user.setDataValue('password', `hashed ${password}`)
  })
  await sequelize.sync()
  // As the index.js of sequelize-cli exports them.
  const exported = { User, sequelize, Sequelize }
  app = await onFastify(
    {
      ...{ models: sequelizeModels(sequelize, exported as never), controllers: [], auth: true },
      settings: defineSettings({
        SECRET_KEY: 'a secret of this test, of more than 32 bytes',
        SERVICE_AUTH: { PASSWORD_CHANGE: true, ...serviceAuth },
      } as never),
    },
    { base: '' },
  )
  return { send: senderTo(app), log: app.log, users: () => User.count() }
}

const body = { email: 'ada@example.com', password: 'a good long one' }

it.each([
  ['', {}],
  [', while ON_REGISTER decides', { ON_REGISTER: () => undefined }],
])('a hook that hashes the hash again refuses the registration, which leaves nothing%s', async (_, given) => {
  const { send, log, users } = await serve(() => false, given)
  expect((await send('POST', '/auth/register', { body })).status).toBe(500)
  expect(log.some((entry) => JSON.stringify(entry).includes('User.password'))).toBe(true)
  expect(await users()).toBe(0)
  expect((await send('POST', '/auth/login', { body })).status).toBe(401)
})

it('a hook that leaves our hashes as they are registers users, who log in and change their password', async () => {
  const { send } = await serve((password) => /^(\$argon2|!)/.test(password))
  expect((await send('POST', '/auth/register', { body })).status).toBe(201)
  const { json } = await send('POST', '/auth/login', { body })
  const headers = { authorization: `Bearer ${json['access']}` }
  const change = { old_password: body.password, new_password: 'another good long one' }
  expect((await send('POST', '/auth/password/change', { body: change, headers })).status).toBeLessThan(300)
})
