import type { ScopedCall } from '../../controller/scope.ts'
import { clipped, problem } from '../../error/errors.ts'
import { writeKey } from '../../model/kinds/index.ts'
import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { Call, Reply } from '../../operation/call.ts'
import { isHead } from '../../operation/methods.ts'
import { skip, takePath } from '../../operation/path.ts'
import { type Steps, wait, waitInAnyMode } from '../../operation/steps.ts'
import type { Row } from '../../source/source.ts'
import { type FileAddress, lastName, signedUntil } from '../../upload/media.ts'
import { fileHeaders, fileResponseOf } from '../../upload/serve.ts'
import { StorageError, storageUnavailable } from '../../upload/storage.ts'
import type { Act } from '../document/describe.ts'
import type { ModelMedia } from '../parts/files.ts'
import { enter, existing, findPermitted, keyReader, segmentOf, unscoped } from '../parts/record.ts'
import type { Resource } from '../parts/resource.ts'

/** A request for a file. A signature replaces authentication. */
interface FileCall extends ScopedCall {
  /** When its signature expires. */
  readonly until?: Date
}

/** `GET /media/products/{id}/{field}/{name}`: serves the file while the record holds it. */
export const servingFile = (
  resource: Pick<Resource, 'model' | 'access' | 'records' | 'bodies'>,
  media: ModelMedia,
): Act => {
  const { model, access, records } = resource
  const find = findPermitted(resource, 'get')
  const ask = askForFile(model, media)
  const enterUnsigned = enter(access, 'get')
  return {
    success: { status: 200, description: 'The file.' },
    problems: ['range_not_satisfiable', 'unrepresentable_value'],
    run: takePath({
      ask,
      *enter(call): Steps<FileCall> {
        const { address, shown } = ask(call)
        const until = media.secret === undefined ? undefined : signedUntil(address, media.secret, shown)
        if (until !== undefined) return { ...unscoped(call), until }
        if (!media.fields.some(({ name }) => name === address.field)) throw noSuchFile()
        return yield* enterUnsigned(call)
      },
      find: skip,
      validate: skip,
      *act({ key, address }, _input, scoped) {
        // Only the key of the record is checked, so that an address reveals nothing about a record outside of the scope.
        const row =
          scoped.until === undefined
            ? yield* find(key, scoped)
            : yield* wait(existing(model, records.shared.read(scoped, key)))
        return yield* fileReply(media, heldKey(row, address), scoped)
      },
      reply: (reply) => reply,
    }),
  }
}

const askForFile = (model: Model, { signed }: ModelMedia) => {
  const readKey = keyReader(model)
  return ({ params, query }: Call) => {
    const shown = readQuery(query)
    const key = readKey(params['id'])
    const field = segmentOf(params['field'] ?? '', noSuchFile)
    if (!signed.some(({ name }) => name === field)) throw noSuchFile()
    const id = writeKey(model, Object.fromEntries(model.primaryKey.map((name, at) => [name, key[at]])))
    return {
      key,
      address: { model: model.path, id, field, name: segmentOf(params['name'] ?? '', noSuchFile) },
      shown,
    }
  }
}

/** @throws HttpError 400 for a parameter that is not part of a signature, and for a repeated one */
const readQuery = (query: string) => {
  const given = new URLSearchParams(query)
  for (const name of new Set(given.keys())) {
    if ((name === 'expires' || name === 'signature') && given.getAll(name).length === 1) continue
    throw problem(
      'unknown_parameter',
      'A file accepts only the query parameters expires and signature, each at most once.',
      {
        errors: [{ parameter: name, code: 'unknown_parameter', detail: 'Remove this parameter.' }],
      },
    )
  }
  return { expires: given.get('expires') ?? undefined, signature: given.get('signature') ?? undefined }
}

/** The storage key of the file that the record holds now. */
const heldKey = (row: Row, { field, name }: FileAddress): string => {
  const key = ownValue(row, field)
  if (typeof key !== 'string' || lastName(key) !== name) throw noSuchFile()
  return key
}

const noSuchFile = (): Error => problem('not_found', 'The file does not exist.')

function* fileReply(media: ModelMedia, key: string, { call, until }: FileCall): Steps<Reply> {
  const { storage, isOpen } = media
  try {
    const file = yield* waitInAnyMode(storage.stat(key))
    const { status, headers, span } = fileResponseOf(call, file)
    if (status === 416)
      throw problem(
        'range_not_satisfiable',
        `The requested range is outside the file, which has ${file.size} bytes.`,
        { headers },
      )
    const isSent = status !== 304 && !isHead(call)
    const body = isSent ? yield* waitInAnyMode(storage.open(key, span)) : undefined
    const cache = { 'cache-control': cacheControl(isOpen, until) }
    return { status, headers: { ...fileHeaders(key, file.type), ...headers, ...cache }, body }
  } catch (error) {
    throw error instanceof StorageError ? storageRefusal(error, call) : error
  }
}

/** The error of the storage goes only to the log. */
const storageRefusal = (cause: StorageError, { log, path }: Call): Error => {
  if (cause.kind !== 'missing') return storageUnavailable('File storage is temporarily unavailable.', cause)
  log.error(`A record refers to a file that is missing from the storage: ${clipped(path, 'path')}`, cause)
  return problem('not_found', 'The file does not exist.', { cause })
}

/** The content of a key never changes, but a record can drop the file, so caches must revalidate. */
const cacheControl = (isOpen: boolean, until: Date | undefined): string => {
  if (until === undefined) return isOpen ? 'no-cache' : 'private, no-cache'
  return `private, max-age=${Math.max(0, Math.floor((until.getTime() - Date.now()) / 1000))}`
}
