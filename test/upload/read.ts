import { Buffer } from 'node:buffer'
import { HttpError } from '../../src/error/errors.ts'
import type { ByteSource } from '../../src/operation/steps.ts'
import { type MultipartReading, type Part, readMultipart } from '../../src/upload/multipart.ts'
import { type MultipartLimits, multipartSettings } from '../../src/upload/multipart-settings.ts'
import { contentType } from './encode.ts'

export const bounds = Object.fromEntries(
  Object.entries(multipartSettings).map(([name, row]) => [name, row.default]),
) as unknown as MultipartLimits

/** A part that has been read to its end. */
export interface Read {
  readonly name: string
  readonly text?: string
  readonly fileName?: string | undefined
  readonly type?: string | undefined
  readonly bytes?: Buffer
}

export const wholeOf = async (bytes: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

export const readPart = async (part: Part): Promise<Read> =>
  part.kind === 'text'
    ? { name: part.name, text: part.text }
    : {
        name: part.name,
        fileName: part.fileName,
        type: part.declaredType,
        bytes: await wholeOf(part.bytes),
      }

export type Options = Partial<Omit<MultipartReading, 'limits'>> & {
  readonly limits?: Partial<MultipartLimits>
  readonly type?: string | undefined
}

export const readingOf = ({ limits, type: _type, ...more }: Options): MultipartReading => ({
  limits: { ...bounds, ...limits },
  onPart: () => undefined,
  ...more,
})

/** A source that says what became of it. */
export const sourceOf = (
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): ByteSource & { readonly asked: () => number; readonly released: () => boolean } => {
  let asked = 0
  let released = false
  return {
    asked: () => asked,
    released: () => released,
    [Symbol.asyncIterator]: () => {
      const inner =
        Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
      return {
        next: async () => {
          asked += 1
          return inner.next()
        },
        return: async () => {
          released = true
          return { done: true, value: undefined }
        },
      }
    },
  }
}

/** All parts of a body, each read to its end. */
export const read = async (
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options: Options = {},
): Promise<readonly Read[]> => {
  const parts: Read[] = []
  const source = sourceOf(pieces)
  const type = 'type' in options ? options.type : contentType
  const done = readMultipart(source, type, {
    ...readingOf(options),
    onPart: async (part) => {
      await options.onPart?.(part)
      parts.push(await readPart(part))
    },
  })
  await done.catch(() => undefined)
  if (source.asked() > 0 && !source.released()) throw new Error('The source was not let go of.')
  await done
  return parts
}

/** How a body is refused. */
export const refusal = async (
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options: Options = {},
): Promise<HttpError> => {
  try {
    await read(pieces, options)
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
  throw new Error('The body was read.')
}
