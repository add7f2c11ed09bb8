import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('300 MB flow through without staying', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/upload/stream-megabytes.ts', '300'])
  const { bytes, grownBy, perSecond } = JSON.parse(stdout)
  process.stdout.write(
    `300 MB of a file: memory grew by ${(grownBy / 2 ** 20).toFixed(1)} MB, ${perSecond} MB/s\n`,
  )
  expect(bytes).toBe(300 * 2 ** 20)
  expect(grownBy).toBeLessThan(40 * 2 ** 20)
}, 120_000)
