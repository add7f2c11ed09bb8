import assert from 'node:assert/strict'
import { storageKey } from '../../upload/keys.ts'
import { type FileStorage, type KeptFile, StorageError, type StorageErrorKind } from '../../upload/storage.ts'
import { same } from '../suite/assertions.ts'

/** Declares a test of a storage. */
export type Test = (title: string, body: (subject: StorageSubject) => Promise<void>) => void

/** The storage of the tests, and what they do with it. */
export interface StorageSubject {
  readonly storage: FileStorage
  /** Stores a file under a new key. */
  readonly put: (content: Uint8Array, type?: string) => Promise<string>
  readonly read: (key: string) => Promise<Buffer>
  readonly listed: (before?: Date) => Promise<readonly KeptFile[]>
  /** The entry of a complete file in the list. */
  readonly entryOf: (key: string) => Promise<KeptFile | undefined>
  /** Running and interrupted uploads. */
  readonly unfinished: () => Promise<readonly KeptFile[]>
  /** Asserts that no file has this key. */
  readonly assertMissing: (key: string) => Promise<void>
}

export const storageSubject = (storage: FileStorage): StorageSubject => {
  const listed: StorageSubject['listed'] = async (before = new Date(Date.now() + 60_000)) => {
    const entries: KeptFile[] = []
    for await (const entry of storage.list(before)) entries.push(entry)
    return entries
  }
  const entryOf: StorageSubject['entryOf'] = async (key) =>
    (await listed()).find((entry) => entry.complete && entry.key === key)
  return {
    ...{ storage, listed, entryOf },
    put: async (content, type) => {
      const key = newKey(type)
      await storage.put(key, inChunks(content))
      return key
    },
    read: async (key) => bytesOf(await storage.open(key)),
    unfinished: async () => (await listed()).filter(({ complete }) => !complete),
    assertMissing: async (key) => {
      await assertFails(storage.stat(key), 'missing', `stat() of ${JSON.stringify(key)}`)
      await assertFails(storage.open(key), 'missing', `open() of ${JSON.stringify(key)}`)
      same(await entryOf(key), undefined, `list() must not contain ${JSON.stringify(key)}.`)
    },
  }
}

/** A new key, as the service generates it. */
export const newKey = (type = 'image/png'): string => storageKey({ model: 'Product', field: 'photo', type })

/** The whole content of a stream. */
export const bytesOf = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const CHUNK = 1 << 16

export async function* inChunks(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += CHUNK) yield content.subarray(at, at + CHUNK)
}

/** Asserts that an operation fails with a `StorageError`. */
export const assertFails = async (
  operation: Promise<unknown>,
  kind: StorageErrorKind,
  what: string,
): Promise<void> => {
  const error: unknown = await operation.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  const wrong = `${what} must throw a StorageError of the kind ${kind}`
  assert.ok(error instanceof StorageError, `${wrong}, not ${String(error ?? 'succeed')}.`)
  same(error.kind, kind, `${wrong}.`)
}

/** Asserts that both contents are equal, without printing megabytes. */
export const assertContent = (content: Uint8Array, expected: Uint8Array, wrong: string): void => {
  same(content.length, expected.length, `${wrong} Its length is wrong.`)
  assert.ok(Buffer.from(content).equals(expected), wrong)
}
