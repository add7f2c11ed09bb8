import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { diskStorage } from '../../../src/index.ts'
import { contentType, encode } from '../../upload/encode.ts'
import { filePart, textPart } from './writing-stage.ts'

const UPLOADS = 200

const folder = mkdtempSync(join(tmpdir(), 'modelrest-crash-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A file that begins with the hash of its rest. */
const content = (): Buffer => {
  const rest = randomBytes(randomInt(1, 300_000))
  return Buffer.concat([createHash('sha256').update(rest).digest(), rest])
}

const isWhole = (bytes: Buffer): boolean =>
  createHash('sha256').update(bytes.subarray(32)).digest().equals(bytes.subarray(0, 32))

/** What three clients do, one after the other: new documents, new files for those that are there, and some deletions. */
const act = async (address: string, turn: number): Promise<void> => {
  const id = randomInt(1, 1 + Math.max(1, turn))
  const send = (method: string, path: string) =>
    fetch(`${address}/documents/${path}`, {
      method,
      headers: { 'content-type': contentType },
      body: encode([textPart('title', 'Of the test'), filePart('content', content())]),
    })
  if (turn % 3 === 0) await (await send('PATCH', String(id))).text()
  else if (turn % 3 === 1) await (await send('PUT', String(id))).text()
  else await (await send('POST', '')).text()
  if (turn % 10 === 0) await fetch(`${address}/documents/${id}`, { method: 'DELETE' })
}

/** Starts a server, uses it, and kills it in the middle of that. @returns how many uploads were begun */
const killed = async (begun: number): Promise<number> => {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'crash-server.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(server, 'close')
  const [address] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
  let turn = begun
  const end = begun + randomInt(20, 40)
  const client = async (): Promise<void> => {
    while (server.exitCode === null && server.signalCode === null) {
      turn += 1
      // The others are in the middle of theirs.
      if (turn >= end) server.kill('SIGKILL')
      await act(address, turn).catch(() => undefined)
    }
  }
  await Promise.all([client(), client(), client(), client()])
  expect(await closed).toEqual([null, 'SIGKILL'])
  return turn
}

test(`killed at random moments of ${UPLOADS} uploads, every record's file is there and whole`, async () => {
  for (let begun = 0; begun < UPLOADS; ) begun = await killed(begun)

  const database = new Database(join(folder, 'documents.db'), { readonly: true })
  const rows = database.prepare<[], { content: string }>('select content from documents').all()
  database.close()
  expect(rows.length).toBeGreaterThan(UPLOADS / 10)

  const storage = diskStorage({ directory: join(folder, 'media') })
  const broken: string[] = []
  for (const { content: key } of rows) {
    const pieces: Uint8Array[] = []
    try {
      for await (const piece of await storage.open(key)) pieces.push(piece)
    } catch {
      broken.push(key)
      continue
    }
    if (!isWhole(Buffer.concat(pieces))) broken.push(key)
  }
  expect(broken).toEqual([])

  const held = new Set(rows.map(({ content: key }) => key))
  const orphans: string[] = []
  for await (const { key } of storage.list(new Date(Date.now() + 60_000)))
    if (!held.has(key)) orphans.push(key)
  // Killed in the middle of uploads, some files have no record.
  expect(orphans.length).toBeGreaterThan(0)
}, 120_000)
