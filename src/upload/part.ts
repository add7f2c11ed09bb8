import type { PartHead } from './part-head.ts'

/** A part that is text, whole. */
export interface TextPart {
  readonly kind: 'text'
  readonly name: string
  readonly text: string
}

/** A part that is a file. */
export interface FilePart extends PartHead {
  readonly kind: 'file'
  /**
   * The bytes, once, as they arrive: more of the body is read as they are taken. What is not taken when the handler is
   * done is dropped. It throws what the reading fails with: the client is gone, the file is too large.
   */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** One part of a multipart body. */
export type Part = TextPart | FilePart
