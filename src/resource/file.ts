import type { ScopedCall } from '../controller/scope.ts'
import { clipped, problem } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import type { Call, Reply, ReplyStream } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { skip, takePath } from '../operation/path.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import type { Row } from '../source/source.ts'
import { type FileAddress, type GivenSignature, lastName, signedUntil } from '../upload/media.ts'
import { type FileResponse, fileHeaders, fileResponseOf } from '../upload/serve.ts'
import { type FileStorage, StorageError, type StoredFile, storageUnavailable } from '../upload/storage.ts'
import { operationOn } from './describe.ts'
import { decodedSegment, enter, existing, findPermitted, keyReader, unscoped, writeKey } from './record.ts'
import type { ModelMedia, Resource } from './resource.ts'

/** A file that was found, and as much of it as is sent. */
interface FoundFile {
  readonly key: string
  readonly file: StoredFile
  readonly answer: FileResponse
  readonly body: ReplyStream | undefined
}

/** A request for a file. With a signature it need not say who sent it. */
interface FileCall extends ScopedCall {
  /** When its signature ends. */
  readonly until?: Date
}

/** `GET /media/products/{id}/{field}/{name}`: the file, as long as the record holds it. */
export const serveFile = (resource: Resource, media: ModelMedia): Operation => {
  const { model, store } = resource
  const find = findPermitted(resource, 'get')
  const ask = askForFile(model, media)
  const enterUnsigned = enter(resource, 'get')
  return operationOn(resource, 'file', {
    success: { status: 200, description: 'The file.' },
    problems: ['range_not_satisfiable', 'unrepresentable_value'],
    run: takePath({
      ask,
      *enter(call): Steps<FileCall> {
        const { address, shown } = ask(call)
        const until = media.secret === undefined ? undefined : signedUntil(address, media.secret, shown)
        return until === undefined ? yield* enterUnsigned(call) : { ...unscoped(call), until }
      },
      find: skip,
      validate: skip,
      *act({ key, address }, _input, scoped) {
        // Only the record's key is looked at, so that an address tells nothing of a record out of reach.
        const row =
          scoped.until === undefined
            ? yield* find(key, scoped)
            : yield* existing(model, store.read(key, everything))
        const found = yield* open(media.storage, heldKey(row, address), scoped.call)
        return { found, scoped }
      },
      reply: ({ found, scoped }) => fileReply(found, cacheControl(media, scoped)),
    }),
  })
}

/** What a request for a file asks. */
interface AskedFile {
  readonly key: readonly unknown[]
  readonly address: FileAddress
  readonly shown: GivenSignature
}

const askForFile = (model: Model, { fields }: ModelMedia): ((call: Call) => AskedFile) => {
  const readKey = keyReader(model)
  return ({ params, query }) => {
    const shown = readQuery(query)
    const key = readKey(params['id'])
    const field = decodedSegment(params['field'] ?? '', noSuchFile)
    if (!fields.some(({ name }) => name === field)) throw noSuchFile()
    const id = writeKey(model, Object.fromEntries(model.primaryKey.map((name, at) => [name, key[at]])))
    return {
      key,
      address: { model: model.path, id, field, name: decodedSegment(params['name'] ?? '', noSuchFile) },
      shown,
    }
  }
}

/** @throws HttpError 400 for a parameter that does not belong to a signature, or is given twice. */
const readQuery = (query: string): GivenSignature => {
  const given = new URLSearchParams(query)
  for (const name of new Set(given.keys())) {
    if ((name === 'expires' || name === 'signature') && given.getAll(name).length === 1) continue
    throw problem('unknown_parameter', 'A file has the query parameters of its signature alone.', {
      errors: [{ parameter: name, code: 'unknown_parameter', detail: 'Leave it out.' }],
    })
  }
  return { expires: given.get('expires') ?? undefined, signature: given.get('signature') ?? undefined }
}

/** The storage's key of what the record holds now. */
const heldKey = (row: Row, { field, name }: FileAddress): string => {
  const key = ownValue(row, field)
  if (typeof key !== 'string' || lastName(key) !== name) throw noSuchFile()
  return key
}

const noSuchFile = (): Error => problem('not_found', 'There is no such file.')

function* open(storage: FileStorage, key: string, call: Call): Steps<FoundFile> {
  try {
    const file = yield* waitInAnyMode(storage.stat(key))
    const answer = fileResponseOf(call, file)
    if (answer.status === 416)
      throw problem('range_not_satisfiable', `The file has ${file.size} bytes.`, { headers: answer.headers })
    const isSent = answer.status !== 304 && call.method !== 'HEAD'
    const body = isSent ? yield* waitInAnyMode(storage.open(key, answer.span)) : undefined
    return { key, file, answer, body }
  } catch (error) {
    throw error instanceof StorageError ? storageRefusal(error, call) : error
  }
}

/** The storage's own words stay in the log. */
const storageRefusal = (cause: StorageError, { log, path }: Call): Error => {
  if (cause.kind !== 'missing')
    return storageUnavailable('The storage of files cannot be used at the moment.', cause)
  log.error(`A record holds a file that the storage does not have: ${clipped(path, 'path')}`, cause)
  return problem('not_found', 'There is no such file.', { cause })
}

/** What a key names never changes, but a record can let go of it: what everybody may read is asked for again. */
const cacheControl = ({ isOpen }: ModelMedia, { until }: FileCall): string => {
  if (until === undefined) return isOpen ? 'no-cache' : 'private, no-cache'
  return `private, max-age=${Math.max(0, Math.floor((until.getTime() - Date.now()) / 1000))}`
}

const fileReply = ({ key, file, answer, body }: FoundFile, cache: string): Reply => ({
  status: answer.status,
  headers: { ...fileHeaders(key, file.type), ...answer.headers, 'cache-control': cache },
  body,
})
