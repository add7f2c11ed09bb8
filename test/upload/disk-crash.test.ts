import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { diskStorage, type KeptFile } from '../../src/index.ts'

const directory = mkdtempSync(join(tmpdir(), 'modelrest-crash-'))
afterAll(() => rmSync(directory, { recursive: true }))

const KILLS = 12

/** The keys that a writer said are there for good before it was killed, at a random moment while it wrote. */
const killedWriter = async (): Promise<readonly string[]> => {
  const writer: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, 'disk-crash-writer.ts'), directory],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const said: string[] = []
  const { promise: began, resolve: begin } = Promise.withResolvers<void>()
  createInterface({ input: writer.stdout! }).on('line', (line) => {
    said.push(line)
    begin()
  })
  const closed = once(writer, 'close')
  await Promise.race([began, closed])
  await pause(Math.random() * 60)
  writer.kill('SIGKILL')
  const [code, signal] = await closed
  expect([code, signal]).toEqual([null, 'SIGKILL'])
  // The last line may have been cut off.
  return said.filter((line) => line.endsWith('.png'))
}

const contentOf = async (key: string): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of await diskStorage({ directory }).open(key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const isWhole = (content: Buffer): boolean =>
  createHash('sha256').update(content.subarray(32)).digest().equals(content.subarray(0, 32))

test(`killed ${KILLS} times while it writes, a storage has whole files alone, and tells what was left`, async () => {
  const said: string[] = []
  for (let killed = 0; killed < KILLS; killed += 1) said.push(...(await killedWriter()))

  const told: KeptFile[] = []
  for await (const one of diskStorage({ directory }).list(new Date(Date.now() + 60_000))) told.push(one)
  const [files, left] = [told.filter(({ complete }) => complete), told.filter(({ complete }) => !complete)]
  const broken = []
  for (const { key } of files) if (!isWhole(await contentOf(key))) broken.push(key)
  expect(broken).toEqual([])

  const keys = new Set(files.map(({ key }) => key))
  expect(said.filter((key) => !keys.has(key))).toEqual([])
  // Killed at random moments, some uploads were cut off.
  expect(left.length).toBeGreaterThan(KILLS / 4)
  const onDisk = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  expect(onDisk).toHaveLength(told.length)

  for (const one of left) await one.remove()
  expect(readdirSync(join(directory, '.unfinished'))).toEqual([])
}, 120_000)
