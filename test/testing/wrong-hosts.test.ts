import { expect, test } from 'vitest'
import { hostContract } from '../../src/testing/index.ts'
import { naming } from '../naming.ts'
import { failuresIn } from './failures.ts'
import { nodeHost, rightStreaming, wrongHosts } from './wrong-hosts.ts'

const expected = new Set(Object.values(wrongHosts).flatMap(([, ...titles]) => titles))

test.each([nodeHost('http1'), nodeHost('http2'), rightStreaming])(
  'a host that is right passes them: $name',
  async (host) => {
    expect(
      await failuresIn(
        (runner) => hostContract(runner, host),
        (title) => expected.has(title),
      ),
    ).toEqual([])
  },
)

test.concurrent.each(Object.entries(wrongHosts))('the suite finds %s', async (_name, [host, ...titles]) => {
  const failed = await failuresIn(
    (runner) => hostContract(runner, host),
    (title) => titles.includes(title),
  )
  expect(failed.toSorted()).toEqual(titles.toSorted())
})

test.each([
  ['http1', 'http2'],
  ['http2', 'http1'],
] as const)(
  'a host that speaks %s and is declared as %s is told what to declare',
  async (spoken, declared) => {
    const host = { ...nodeHost(spoken), protocol: declared }
    const suite = failuresIn((runner) => hostContract(runner, host))
    await expect(suite).rejects.toThrow(naming(host.name, 'protocol', spoken))
  },
)
