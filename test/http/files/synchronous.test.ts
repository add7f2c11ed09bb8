import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ValueError } from '../../../src/index.ts'
import { samples } from '../../upload/samples.ts'
import {
  document,
  filePart,
  form,
  json,
  type Options,
  type Stage,
  sqliteWorld,
  startFastify,
  textPart,
  type World,
} from './writing-stage.ts'

let world: World
let stage: Stage

const begin = async (options: Options = {}) => {
  stage = await startFastify(world, { isAsync: false, ...options })
}

beforeAll(async () => {
  world = await sqliteWorld()
})
afterAll(() => world.close())
afterEach(() => stage.stop())

test('synchronous operation waits for a form and its files, and for nothing after them', async () => {
  await begin()
  expect((await stage.send('POST', '/documents/', document('First'))).status).toBe(201)
  const [old] = await stage.rows()
  for (const method of ['PATCH', 'PUT']) {
    const asked = form([textPart('title', method), filePart('content', samples.zip)])
    expect((await stage.send(method, '/documents/1', asked)).json).toMatchObject({ title: method })
  }
  const [row] = await stage.rows()
  expect(row?.['content']).not.toBe(old?.['content'])
  expect(await stage.keys()).toEqual([row?.['content']])
  expect((await stage.send('PATCH', '/documents/1', json({ title: 'Last' }))).status).toBe(200)
  expect((await stage.send('DELETE', '/documents/1')).status).toBe(204)
  expect(await stage.keys()).toEqual([])
})

test('synchronous operation leaves nothing of what fails', async () => {
  await begin({
    hooks: {
      afterCreate: () => {
        throw new ValueError('Not today.')
      },
    },
  })
  expect((await stage.send('POST', '/documents/', document('First'))).status).toBe(400)
  expect(await stage.rows()).toEqual([])
  expect(await stage.keys()).toEqual([])
})
