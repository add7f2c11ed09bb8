import type { ByteSource } from '../operation/byte-source.ts'

export type { ByteSource }

/** A readable stream of Node. */
interface NodeStream {
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterableIterator<unknown>
}

/** The bytes of a Node stream, as of an `IncomingMessage`. What is not read of it is left to the host. */
export const bytesOfNode = (stream: NodeStream): ByteSource => ({
  [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>,
})

/** A stream of the web platform. */
interface WebStream {
  values(options: { readonly preventCancel: boolean }): AsyncIterableIterator<Uint8Array>
}

const nothing: AsyncIterator<Uint8Array> = { next: async () => ({ done: true, value: undefined }) }

/** The bytes of a `Request`'s body. What is not read of it is left to the host. */
export const bytesOfWeb = (stream: WebStream | null): ByteSource => ({
  [Symbol.asyncIterator]: () => stream?.values({ preventCancel: true }) ?? nothing,
})
