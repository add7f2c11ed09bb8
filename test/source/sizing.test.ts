import { expect, it, vi } from 'vitest'
import type { Field, Model } from '../../src/model/model.ts'
import { sizeOf, sizingOf } from '../../src/source/sizing.ts'

const model = {
  name: 'Note',
  fields: [{ name: 'body', kind: 'text' } as Field],
} as unknown as Model

it('Many small records do not hide large ones that were read before, and count for ten seconds', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const sizing = sizingOf(model)
  const read = sizing.admitting(undefined)
  const small = Array.from({ length: 100 }, () => 10)
  read(small)
  expect(sizing.isUnsure(100)).toBe(false)
  expect(sizing.isUnsure(1000)).toBe(false)
  vi.advanceTimersByTime(10_001)
  expect(sizing.isUnsure(1000)).toBe(true)
  read([5_000_000])
  read(small)
  expect(sizing.isUnsure(100)).toBe(true)
  vi.advanceTimersByTime(10_001)
  read(small)
  expect(sizing.isUnsure(100)).toBe(true)
  expect(sizing.atMost()).toBe(5_000_000)
  vi.useRealTimers()
})

it('Many selections do not hide what is known of large records', () => {
  const fields = Array.from({ length: 100 }, (_, at) => ({ name: `f${at}`, kind: 'text' }) as Field)
  const sizing = sizingOf({ name: 'Wide', fields } as unknown as Model)
  sizing.admitting(undefined)([5_000_000])
  const small = Array.from({ length: 100 }, () => 10)
  for (const { name } of fields) sizing.admitting(undefined, [name])(small)
  sizing.admitting(undefined)(small)
  expect(sizing.isUnsure(100)).toBe(true)
})

it('values of any type have a size, also those that are not JSON', () => {
  const circular: { name: string; self?: object } = { name: 'abc' }
  circular.self = circular
  const silent = { toJSON: () => undefined }
  for (const value of [
    5n,
    [5n],
    new Map([[1n, 2n]]),
    silent,
    Symbol('s'),
    () => 1,
    Object.create(null),
    null,
  ])
    expect(sizeOf({ value })).toBeLessThan(10)
  expect(sizeOf({ circular })).toBeGreaterThanOrEqual(3)
  expect(sizeOf({ at: new Date(), bytes: Buffer.alloc(1000), raw: new ArrayBuffer(10) })).toBe(1010)
  expect(sizeOf([['ab', { c: ['d'.repeat(50)] }]])).toBeGreaterThanOrEqual(53)
})
