import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { HttpError, problem } from '../error/errors.ts'
import type { ByteSource } from './byte-source.ts'
import { type FilePart, readMultipart } from './multipart.ts'
import type { MultipartBounds } from './multipart-limits.ts'
import { sniff } from './uploads.ts'

/** A file of a form that a handler of the application reads. It is gone once the request is answered. */
export interface FormFile {
  /** The name of its part. */
  readonly field: string
  /** The name that the client gave to it: text to be shown, never a path. */
  readonly name: string
  /** Its media type, told from its content. */
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** Its bytes from the beginning. Each call gives a stream of its own. @throws Error once the request is answered */
  stream(): Readable
}

/** A form that was read to its end. */
export interface SpooledForm {
  /** The texts by the names of their parts. Several of one name are a list. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>
  readonly files: readonly FormFile[]
  /** Lets go of the files. It never fails. */
  close(): Promise<void>
}

/**
 * Reads a form whole: its texts, and its files into temporary files that have no name, so that nothing stays behind when
 * the process ends.
 *
 * @throws HttpError 400, 408, 413, 415, 422 as `readMultipart`; 503 where the files cannot be kept
 */
export const spoolForm = async (
  source: ByteSource,
  contentType: string | undefined,
  bounds: MultipartBounds,
): Promise<SpooledForm> => {
  const handles: FileHandle[] = []
  const files: FormFile[] = []
  const texts = new Map<string, string | readonly string[]>()
  const close = async (): Promise<void> => {
    await Promise.allSettled(handles.splice(0).map((handle) => handle.close()))
  }
  try {
    await readMultipart(source, contentType, {
      ...bounds,
      repeats: true,
      onPart: async (part) => {
        if (part.kind === 'file') files.push(await spool(part, handles))
        else texts.set(part.name, withText(texts.get(part.name), part.text))
      },
    })
  } catch (error) {
    await close()
    throw error instanceof HttpError ? error : notKept(error)
  }
  return { fields: Object.fromEntries(texts), files, close }
}

const notKept = (cause: unknown): HttpError =>
  problem('unavailable', 'The files of the form cannot be kept at the moment.', {
    cause,
    headers: { 'retry-after': '5' },
  })

const withText = (known: string | readonly string[] | undefined, text: string): string | readonly string[] =>
  known === undefined ? text : [...(typeof known === 'string' ? [known] : known), text]

const spool = async (part: FilePart, handles: FileHandle[]): Promise<FormFile> => {
  const { type, bytes } = await sniff(part, 'file')
  const handle = await openUnlinked()
  handles.push(handle)
  await handle.writeFile(bytes)
  const { size } = await handle.stat()
  return {
    ...{ field: part.name, name: part.fileName ?? '', type, size },
    stream: () => {
      if (handle.fd === -1) throw new Error(`The request is answered, and its file ${part.name} is gone.`)
      return Readable.from(bytesOf(handle), { objectMode: false })
    },
  }
}

const pieceBytes = 65_536

/** Each reader has a place of its own in the file. */
async function* bytesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

const openUnlinked = async (): Promise<FileHandle> => {
  const path = join(tmpdir(), `modelrest-form-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}
