import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { mount } from './mounted.ts'

const address = async (trustProxy: boolean | string, forwarded: string, remoteAddress: string) => {
  const app = Fastify({ trustProxy })
  await mount(app)
  const headers = { 'x-forwarded-for': forwarded }
  return (await app.inject({ url: '/who', headers, remoteAddress })).json().address
}

describe('X-Forwarded-For', () => {
  it.each([
    ['counts for nothing by default', false, '203.0.113.9', '10.0.0.1', '10.0.0.1'],
    ['counts from a proxy that the application trusts', '10.0.0.1', '203.0.113.9', '10.0.0.1', '203.0.113.9'],
    ['counts from no other', '10.0.0.1', '203.0.113.9', '10.0.0.2', '10.0.0.2'],
    [
      'counts up to the first that is not trusted',
      '10.0.0.0/8',
      'forged, 203.0.113.9, 10.0.0.7',
      '10.0.0.1',
      '203.0.113.9',
    ],
    ['counts from everybody where everybody is trusted', true, 'forged, 203.0.113.9', '10.0.0.1', 'forged'],
  ] as const)('%s', async (_title, trusted, forwarded, remote, seen) => {
    expect(await address(trusted, forwarded, remote)).toBe(seen)
  })
})
