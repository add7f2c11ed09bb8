import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { mount } from './mounted.ts'

it('writes details as fields of the logger, and a line for each call', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const app = Fastify({ logger: { level: 'info', stream } })
  await mount(app)
  const line = 'login\n{"level":30,"msg":"forged"}'
  const details = { user: 'ada\nforged', n: 7 }
  await app.inject({ method: 'POST', url: '/logs/', payload: { line, details } })
  // The first and the last are Fastify's own.
  const ours = lines.slice(1, -1)
  expect(ours.map((text) => text.split('\n').length)).toEqual([2, 2, 2])
  expect(ours.map((text) => JSON.parse(text))).toMatchObject([
    { level: 30, msg: line, reqId: 'req-1' },
    { level: 40, msg: line, user: 'ada\nforged', n: 7, reqId: 'req-1' },
    { level: 50, msg: line, err: { message: expect.stringContaining(line) }, reqId: 'req-1' },
  ])
  expect(ours[0]).not.toContain('user')
})
