import { parse } from 'content-type'
import { problem } from '../error/http-error.ts'
import type { ByteSource } from './byte-source.ts'
import type { MultipartReading } from './multipart-reading.ts'
import { malformed } from './multipart-refusals.ts'
import { scannerOf } from './multipart-scan.ts'
import { readHead } from './part-head.ts'
import { partReader } from './part-reader.ts'
import { pullFrom } from './pull.ts'
import { tokensOf } from './tokens.ts'

/**
 * Reads a `multipart/form-data` body (RFC 7578) part by part, while it arrives.
 *
 * A file that a form leaves empty (no name, no bytes) is no part. What the body holds after its last boundary is read and
 * dropped. When it fails, it lets go of the source where that stands, every stream of a part fails the same way, and the
 * promise is rejected once.
 *
 * @throws HttpError 400 `malformed_multipart`, 408 `request_timeout`, 413 `body_too_large`, 415, 422 `invalid_body`
 */
export const readMultipart = async (
  source: ByteSource,
  contentType: string | undefined,
  reading: MultipartReading,
): Promise<void> => {
  const { limits, times, signal } = reading
  const scanner = scannerOf(boundaryOf(contentType), limits.headerBytes)
  const pull = pullFrom(source, times, signal)
  const tokens = tokensOf(pull, scanner, limits.totalBytes)
  try {
    const read = partReader(tokens, reading)
    for (;;) {
      const token = await tokens.next()
      if (token === undefined) return
      if (token.kind === 'head') await read(readHead(token.bytes, limits))
    }
  } catch (error) {
    // A handler may have made something else of what its stream failed with.
    throw tokens.failure()?.error ?? error
  } finally {
    await pull.close()
  }
}

/** Boundaries of RFC 2046, which clients may fill with any character that is seen. */
const boundaryForm = /^[\x20-\x7e]{0,69}[\x21-\x7e]$/

const boundaryOf = (contentType = ''): string => {
  const { type, parameters } = parse(contentType)
  if (type.toLowerCase() !== 'multipart/form-data')
    throw problem('unsupported_media_type', 'The body must be multipart/form-data.')
  const boundary = parameters['boundary']
  if (boundary === undefined || !boundaryForm.test(boundary))
    throw malformed('Its Content-Type needs a boundary of 1 to 70 characters.')
  return boundary
}
