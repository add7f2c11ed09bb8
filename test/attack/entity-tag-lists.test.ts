import { expect, it } from 'vitest'
import type { Call } from '../../src/operation/call.ts'
import { sentTags } from '../../src/operation/preconditions.ts'

const REQUESTS = 100

/** Milliseconds of CPU for all requests. Each took 16 where spaces were read again and again, and takes 0.01. */
const MOST = 400

it.each([
  ['before what is not a tag', `,${' '.repeat(4000)}x`],
  ['between two tags', `"a"${' '.repeat(4000)}"b"`],
  ['in a tag', `"a",${' '.repeat(4000)}"${' '.repeat(90)}"`],
])('spaces of a header are read once: %s', (_where, value) => {
  const call = { header: () => value } as unknown as Call
  const before = process.cpuUsage()
  for (let request = 0; request < REQUESTS; request++)
    expect(() => sentTags(call, 'if-none-match')).toThrow(
      expect.objectContaining({ status: 400, code: 'malformed_header' }),
    )
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(MOST)
})
