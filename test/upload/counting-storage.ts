import type { FileStorage } from '../../src/index.ts'

/** What a storage was asked for: `put shop/photo/…`. */
export interface CountingStorage extends FileStorage {
  readonly calls: readonly string[]
}

/** Writes down every act, also one that fails: what may not touch the storage is proved by an empty list. */
export const countingStorage = (inner: FileStorage): CountingStorage => {
  const calls: string[] = []
  const { signedUrl } = inner
  return {
    calls,
    check() {
      calls.push('check')
      return inner.check()
    },
    put(key, bytes) {
      calls.push(`put ${key}`)
      return inner.put(key, bytes)
    },
    open(key, span) {
      calls.push(`open ${key}`)
      return inner.open(key, span)
    },
    stat(key) {
      calls.push(`stat ${key}`)
      return inner.stat(key)
    },
    delete(key) {
      calls.push(`delete ${key}`)
      return inner.delete(key)
    },
    list(before) {
      calls.push('list')
      return inner.list(before)
    },
    ...(signedUrl && {
      signedUrl(key, validity) {
        calls.push(`signedUrl ${key}`)
        return signedUrl(key, validity)
      },
    }),
  }
}
