import type { Operation } from '../../operation/operation.ts'
import { formOperation, sized } from './form-operations.ts'

/** What tests know about a form that an operation reads. */
export interface WatchedForms {
  readonly operations: readonly Operation[]
  /** Resolves when the operation has read so many bytes of the request that is sent in this tick. */
  has(least: number): Promise<void>
  /** Resolves to the error with which reading fails. */
  fails(): Promise<unknown>
  /** Lets `/forms/held` continue to read. */
  release(): void
}

/** Operations that tell what they have read, for one request at a time. */
export const watchedForms = (): WatchedForms => {
  let size = 0
  let wanted: { readonly size: number; readonly resolve: () => void } | undefined
  let onFailure: (error: unknown) => void = () => undefined
  let release: () => void = () => undefined

  async function* watching(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source) {
        size += chunk.length
        if (wanted !== undefined && size >= wanted.size) wanted.resolve()
        yield chunk
      }
    } catch (error) {
      onFailure(error)
      throw error
    }
  }

  const operations: readonly Operation[] = [
    formOperation('/forms/watched', (source) => sized(watching(source))),
    formOperation('/forms/held', async (source) => {
      const gate = new Promise<void>((resolve) => {
        release = resolve
      })
      let read = 0
      for await (const chunk of watching(source)) {
        if (read === 0) await gate
        read += chunk.length
      }
      return { size: read }
    }),
  ]
  return {
    operations,
    has: (least) =>
      new Promise((resolve) => {
        size = 0
        wanted = { size: least, resolve }
      }),
    fails: () =>
      new Promise((resolve) => {
        onFailure = resolve
      }),
    release: () => release(),
  }
}
