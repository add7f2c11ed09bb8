import { Buffer } from 'node:buffer'

/** A part as a test sends it. */
export interface Sent {
  readonly name: string
  readonly fileName?: string
  readonly type?: string
  readonly content: Uint8Array
}

export const boundary = '----boundary-of-the-tests'
export const contentType = `multipart/form-data; boundary=${boundary}`

const escaped = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

export const headOf = ({ name, fileName, type }: Sent): string =>
  [
    `Content-Disposition: form-data; name="${escaped(name)}"${fileName === undefined ? '' : `; filename="${escaped(fileName)}"`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ].join('\r\n')

/** A body written by hand: `['text', …]` parts with whatever head is wanted. */
export const raw = (...parts: readonly (readonly [head: string, content: Uint8Array | string])[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([head, content]) => [
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])

/** RFC 7578, as browsers write it. */
export const encode = (parts: readonly Sent[]): Buffer =>
  raw(...parts.map((part) => [headOf(part), part.content] as const))

/** The bytes in pieces of these sizes, again and again. */
export function* cut(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}
