import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type FileStorage, StorageError, type StoredFile } from '../../src/index.ts'
import { assertSafeKey, isGeneratedFileKey, mediaTypeOf } from '../../src/upload/keys.ts'
import { trackSource } from '../../src/upload/storage.ts'

interface Held extends StoredFile {
  readonly content: Buffer
}

/** Files in memory, for tests of what uses a storage. */
export const memoryStorage = (): FileStorage => {
  const files = new Map<string, Held>()
  const unfinished = new Map<symbol, { readonly key: string; readonly modified: Date }>()
  const find = (key: string): Held => {
    const file = files.get(key)
    if (file === undefined) throw new StorageError('missing')
    return file
  }
  return {
    async check() {},
    async put(key, bytes) {
      assertSafeKey(key)
      const passing = trackSource(bytes)
      const upload = Symbol(key)
      const chunks: Uint8Array[] = []
      unfinished.set(upload, { key, modified: new Date() })
      try {
        for await (const chunk of passing.bytes) chunks.push(Uint8Array.from(chunk))
        if (!unfinished.has(upload)) throw new Error('The upload was removed.')
        const content = Buffer.concat(chunks)
        const etag = `"${createHash('sha256').update(content).digest('base64url')}"`
        files.set(key, { content, size: content.length, type: mediaTypeOf(key), etag, modified: new Date() })
        return content.length
      } catch (error) {
        throw passing.failure ? passing.failure.error : new StorageError('unavailable', error)
      } finally {
        unfinished.delete(upload)
      }
    },
    async open(key, span) {
      const { content } = find(key)
      const part = span === undefined ? content : content.subarray(span.first, span.last + 1)
      return Readable.from([part])
    },
    async stat(key) {
      const { content: _, ...known } = find(key)
      return known
    },
    async delete(key) {
      files.delete(key)
    },
    async *list(before) {
      for (const [key, { modified }] of [...files])
        if (isGeneratedFileKey(key) && modified < before)
          yield { key, complete: true, modified, remove: async () => void files.delete(key) }
      for (const [upload, { key, modified }] of [...unfinished])
        if (isGeneratedFileKey(key) && modified < before)
          yield { key, complete: false, modified, remove: async () => void unfinished.delete(upload) }
    },
  }
}
