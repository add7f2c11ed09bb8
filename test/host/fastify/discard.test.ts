import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { exchange } from '../../../src/testing/host/http-client.ts'
import { listen } from '../listen.ts'
import { mount } from './mounted.ts'

it.each([
  ['POST /refused/', 415],
  ['GET /items/', 200],
  ['DELETE /items/7', 204],
  ['PATCH /items/7', 405],
])('cuts off a client that goes on sending what nobody wants: %s', async (line, status) => {
  const app = Fastify()
  await mount(app)
  const { port, stop } = await listen(app)
  const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`
  const received = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`)
    socket.on('data', (data) => {
      text += data.toString()
    })
    socket.on('drain', more)
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
    more()
  })
  expect(received.slice(0, 13)).toBe(`HTTP/1.1 ${status} `)
  await stop()
})

it('keeps the connection of a client whose body was too large', async () => {
  const app = Fastify()
  await mount(app)
  const { port, stop } = await listen(app)
  const large = `7d0\r\n${'x'.repeat(0x7d0)}\r\n0\r\n\r\n`
  const post = `POST /items/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${large}`
  const get = 'GET /items/3 HTTP/1.1\r\nHost: x\r\n\r\n'
  const received = await exchange(port, post + get, (text) => text.includes('"id":"3"'))
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  await stop()
})
