import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix, relative } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, expect, test } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { file } from '../../../src/entry/drizzle-sqlite.ts'
import { fetchApp, ModelRest } from '../../../src/entry/fetch.ts'
import { contentType, encode } from '../../upload/encode.ts'
import { filePart, textPart } from './writing-stage.ts'

const UPLOADS = 200
const CLIENTS = 4

const folder = mkdtempSync(join(tmpdir(), 'modelrest-killed-'))
const media = join(folder, 'media')
afterAll(() => rmSync(folder, { recursive: true }))

/** A file that begins with the hash of its rest. Some are so large that a server is killed in the middle of them. */
const content = (): Buffer => {
  const rest = randomBytes(randomInt(1, randomInt(4) === 0 ? 2_000_000 : 20_000))
  return Buffer.concat([createHash('sha256').update(rest).digest(), rest])
}

/** The hash of a file that is whole. */
const hashOf = (bytes: Buffer): string | undefined => {
  const hash = createHash('sha256').update(bytes.subarray(32)).digest()
  return hash.equals(bytes.subarray(0, 32)) ? hash.toString('hex') : undefined
}

interface Server {
  readonly child: ChildProcess
  readonly address: string
}

const start = async (): Promise<Server> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'crash-server.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new Error('The server says nothing.')
  const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, address }
}

/** Document -> the hashes that its file may have: of the last answered write, and of one that was not answered. */
const known = new Map<number, ReadonlySet<string>>()
/** So many uploads were begun, and so many answered. */
const uploads = { begun: 0, answered: 0 }

/** What a client does with a server: creates, replacements and deletions of its own documents, until there is no answer. */
const client = async (address: string, own: number[], onUpload: () => void): Promise<void> => {
  const send = async (method: string, path: string, bytes?: Buffer): Promise<number> => {
    const response = await fetch(`${address}/documents/${path}`, {
      method,
      ...(bytes && {
        headers: { 'content-type': contentType },
        body: encode([textPart('title', 'Of the test'), filePart('content', bytes)]),
      }),
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`)
    return answer === '' ? 0 : (JSON.parse(answer) as { id: number }).id
  }
  for (;;) {
    const id = own[randomInt(own.length + 1)]
    if (id !== undefined && randomInt(6) === 0) {
      own.splice(own.indexOf(id), 1)
      known.delete(id)
      await send('DELETE', String(id))
      continue
    }
    const bytes = content()
    const hash = bytes.toString('hex', 0, 32)
    uploads.begun += 1
    onUpload()
    if (id === undefined) {
      const made = await send('POST', '', bytes)
      own.push(made)
      known.set(made, new Set([hash]))
    } else {
      known.set(id, new Set([...(known.get(id) ?? []), hash]))
      await send(randomInt(2) === 0 ? 'PATCH' : 'PUT', String(id), bytes)
      known.set(id, new Set([hash]))
    }
    uploads.answered += 1
  }
}

/** A refusal is no kill. */
const unlessKilled = (error: unknown): void => {
  if (!(error instanceof TypeError)) throw error
}

/** Everything in the storage's folder, uploads that were cut off too. */
const filesThere = (): readonly string[] =>
  readdirSync(media, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(media, join(entry.parentPath, entry.name)).replaceAll('\\', posix.sep))
    .toSorted()

test(`killed at random moments of ${UPLOADS} uploads, it loses no file, and cleanFiles finds exactly the orphans`, async () => {
  const owned = Array.from({ length: CLIENTS }, (): number[] => [])
  let kills = 0
  for (let next = start(); ; ) {
    const { child, address } = await next
    const closed = once(child, 'close')
    const isLast = uploads.begun >= UPLOADS - 12
    // The next one starts while this one works.
    if (!isLast) next = start()
    let left = randomInt(8, 24)
    const onUpload = (): void => {
      left -= 1
      if (left === 0) setTimeout(() => child.kill('SIGKILL'), randomInt(0, 40))
    }
    await Promise.all(owned.map((own) => client(address, own, onUpload).catch(unlessKilled)))
    expect(await closed).toEqual([null, 'SIGKILL'])
    kills += 1
    if (isLast) break
  }
  expect(uploads.begun).toBeGreaterThan(UPLOADS - 12)
  expect(kills).toBeGreaterThan(5)
  expect(uploads.answered).toBeGreaterThan(UPLOADS / 4)

  const sqlite = new Database(join(folder, 'documents.db'))
  const rows = sqlite
    .prepare<[], { id: number; content: string }>('select id, content from documents order by id')
    .all()
  const there = filesThere()
  const lost = rows.filter(({ content: key }) => !there.includes(key))
  expect(lost).toEqual([])
  const hashes = new Map(rows.map(({ id, content: key }) => [id, hashOf(readFileSync(join(media, key)))]))
  expect([...hashes].filter(([, hash]) => hash === undefined)).toEqual([])
  // What was answered is there.
  expect([...known].filter(([id, allowed]) => !allowed.has(hashes.get(id) ?? ''))).toEqual([])

  const documents = sqliteTable('documents', {
    id: integer().primaryKey(),
    title: text().notNull(),
    content: file().notNull(),
  })
  const rest = new ModelRest<unknown>(fetchApp(), {
    models: drizzleModels(drizzle({ client: sqlite }), { documents }),
    controllers: [],
    settings: { BASE_DIR: folder },
  })
  const held = rows.map(({ content: key }) => key).toSorted()
  const orphans = there.filter((key) => !held.includes(key))
  // Killed in the middle of uploads, some files have no record.
  expect(orphans.length).toBeGreaterThan(0)
  expect(await rest.cleanFiles({ remove: false })).toEqual([])
  const found = await rest.cleanFiles({ olderThan: 0 })
  expect(found.map(({ key }) => key).toSorted()).toEqual(orphans)
  expect(filesThere()).toEqual(held)
  sqlite.close()
}, 240_000)
