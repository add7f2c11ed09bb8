import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressBlocks, largestBlock } from '../../src/auth/limits/throttle.ts'

const addressBlock = (address: string): string | undefined => addressBlocks(address)[0]?.block

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '20010db800010002/64'],
  ['2001:0DB8:0001:0002::', '20010db800010002/64'],
  ['2001:db8::9', '20010db800000000/64'],
  ['fe80::1%eth0', 'fe80000000000000/64'],
  ['::', '0000000000000000/64'],
  ['::ffff:0:1', '0.0.0.1'],
  ['::1', '0000000000000000/64'],
  ['a socket', 'a socket'],
  ['203.0.113.9:50000', '203.0.113.9'],
  ['[2001:db8::9]:50000', '20010db800000000/64'],
  ['[2001:db8::9]', '20010db800000000/64'],
])('%s counts as %s', (address, block) => {
  expect(addressBlock(address)).toBe(block)
})

test('addresses count as one client where their first 64 bits are the same, and only there', () => {
  const half = fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 1, max: 0xfff0 })))
  const written = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':')
  fc.assert(
    fc.property(half, half, half, half, (network, host, otherHost, otherNetwork) => {
      const block = addressBlock(written([...network, ...host]))
      expect(addressBlock(written([...network, ...otherHost]).toUpperCase())).toBe(block)
      expect(addressBlock(written([...otherNetwork, ...host])) === block).toBe(
        written(network) === written(otherNetwork),
      )
    }),
  )
})

test.each([
  ['203.0.113.9', [['203.0.113.9', 1]]],
  ['::ffff:203.0.113.9', [['203.0.113.9', 1]]],
  [
    '2001:db8:1:2fff::9',
    [
      ['20010db800012fff/64', 1],
      ['20010db800012f/56', 4],
      ['20010db80001/48', 16],
    ],
  ],
])('%s lies in %j', (address, blocks) => {
  expect(addressBlocks(address).map(({ block, clients }) => [block, clients])).toEqual(blocks)
  expect(largestBlock(address)).toBe(blocks.at(-1)?.[0])
})
