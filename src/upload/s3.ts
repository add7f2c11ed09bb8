import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { LRUCache } from 'lru-cache'
import { StartError } from '../error/errors.ts'
import { assertSafeKey, isGeneratedKey, isSafeKey, typeOf } from './keys.ts'
import { contentDisposition, contentType } from './serve.ts'
import {
  type ByteSpan,
  type FileStorage,
  type KeptFile,
  StorageError,
  type StorageErrorKind,
  trackSource,
  type UrlValidity,
} from './storage.ts'

/** What {@link s3Storage} takes. */
export interface S3StorageOptions {
  /** Of `@aws-sdk/client-s3`: it knows the endpoint, region and credentials. */
  readonly client: S3Client
  /** One that is there. */
  readonly bucket: string
  /** Stands before every key, with a slash between them: `media`. @default none */
  readonly prefix?: string
}

/**
 * Keeps files in a bucket of S3, or of a server that speaks its protocol.
 *
 * Files go there in parts while they arrive, and replies carry signed URLs of the storage's own. What killed processes
 * leave are multipart uploads: `modelrest files clean` ends them.
 *
 * @throws StartError where the prefix cannot begin a key.
 * @example
 * ```ts
 * import { S3Client } from '@aws-sdk/client-s3'
 * import type { FileStorage } from 'modelrest'
 * import { s3Storage } from 'modelrest/s3'
 *
 * export const storage: FileStorage = s3Storage({
 *   client: new S3Client({ region: 'eu-central-1' }),
 *   bucket: 'shop-media',
 * })
 * ```
 */
export const s3Storage = ({ client, bucket, prefix = '' }: S3StorageOptions): FileStorage => {
  const folder = prefix.replace(/\/$/, '')
  if (folder !== '' && !isSafeKey(folder))
    throw new StartError(
      `The prefix ${JSON.stringify(prefix)} of s3Storage() cannot begin a key. Write it as "media".`,
    )
  const place: S3Place = { client, bucket, prefix: folder === '' ? '' : `${folder}/` }
  return Object.freeze({
    check: () => checkBucket(place),
    put: (key: string, bytes: AsyncIterable<Uint8Array>) => put(place, key, bytes),
    async open(key: string, span?: ByteSpan) {
      const Range = span && `bytes=${span.first}-${span.last}`
      const asked = new GetObjectCommand({ ...existingObject(place, key), Range })
      const { Body } = await translated(client.send(asked))
      if (Body instanceof Readable) return Body
      throw new StorageError('unavailable', new TypeError('The client gave no stream of Node.'))
    },
    async stat(key: string) {
      const found = await translated(client.send(new HeadObjectCommand(existingObject(place, key))))
      const { ContentLength: size, ETag: etag, LastModified: modified } = found
      if (size === undefined || etag === undefined || modified === undefined)
        throw new StorageError('unavailable', new TypeError('The server left out size, ETag or date.'))
      return { size, type: typeOf(key), etag, modified }
    },
    delete: async (key: string) => {
      if (isSafeKey(key)) await deleteObject(place, key)
    },
    async *list(before: Date) {
      try {
        yield* filesOf(place, before)
        yield* unfinishedOf(place, before)
      } catch (error) {
        throw toStorageError(error)
      }
    },
    signedUrl: signedIn(place),
  })
}

interface S3Place {
  readonly client: S3Client
  readonly bucket: string
  /** Empty, or with a slash at its end. */
  readonly prefix: string
}

const objectOf = ({ bucket, prefix }: S3Place, key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` })

/** The same of a key that may be none at all. @throws StorageError `missing` */
const existingObject = (place: S3Place, key: string) => {
  if (!isSafeKey(key)) throw new StorageError('missing')
  return objectOf(place, key)
}

const deleteObject = async (place: S3Place, key: string): Promise<void> => {
  await translated(place.client.send(new DeleteObjectCommand(objectOf(place, key))))
}

/**
 * Sends a file in parts of 5 MiB, one at a time: so much of it is in memory, and where a part fails nothing more is read.
 * A file of one part is a single request. Type and disposition stay with the object, so that the storage serves it as
 * safely as we do.
 */
const put = async (place: S3Place, key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> => {
  assertSafeKey(key)
  const source = trackSource(bytes)
  const type = typeOf(key)
  const upload = new Upload({
    client: place.client,
    queueSize: 1,
    params: {
      ...objectOf(place, key),
      Body: Readable.from(source.bytes, { objectMode: true }),
      ContentType: contentType(type),
      ContentDisposition: contentDisposition(key, type),
    },
  })
  try {
    await upload.done()
  } catch (error) {
    // The last answer may have been lost on its way, and the object be there.
    if (source.isComplete) await deleteObject(place, key).catch(() => undefined)
    throw source.failure ? source.failure.error : toStorageError(error)
  }
  return source.size
}

/** URLs that are remembered, of about 600 bytes each: signing takes the client most of a millisecond. */
const REMEMBERED = 10_000

/** URLs that are signed without a pause, some milliseconds long: a list may need thousands. */
const SIGNED_AT_ONCE = 20

/** Waits until others had their turn, where so many have passed here. */
const pauseAfter = (most: number): (() => Promise<void>) => {
  let passed = 0
  let turn = Promise.resolve()
  return () => {
    passed += 1
    if (passed % most === 0) turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)))
    return turn
  }
}

/** Signs as of the beginning of the time in which the URL holds: a file has one URL for all of it, which clients can cache. */
const signedIn = (place: S3Place): ((key: string, validity: UrlValidity) => Promise<string>) => {
  const remembered = new LRUCache<string, string>({ max: REMEMBERED })
  const pause = pauseAfter(SIGNED_AT_ONCE)
  return async (key, validity) => {
    const object = existingObject(place, key)
    const { accessKeyId } = await translated(place.client.config.credentials())
    // Credentials for a while end sooner than what they have signed: what they gave ends with them.
    const name = [accessKeyId, validity.from.getTime(), validity.until.getTime(), key].join(' ')
    const known = remembered.get(name)
    if (known !== undefined) return known
    await pause()
    const type = typeOf(key)
    const asked = new GetObjectCommand({
      ...object,
      // Another program may have put it there, and said that it is a page.
      ResponseContentType: contentType(type),
      ResponseContentDisposition: contentDisposition(key, type),
    })
    const expiresIn = Math.round((validity.until.getTime() - validity.from.getTime()) / 1000)
    const url = await translated(getSignedUrl(place.client, asked, { signingDate: validity.from, expiresIn }))
    remembered.set(name, url)
    return url
  }
}

const keyOf = ({ prefix }: S3Place, name = ''): string =>
  name.startsWith(prefix) ? name.slice(prefix.length) : ''

const filesOf = async function* (place: S3Place, before: Date): AsyncGenerator<KeptFile> {
  const { client, bucket, prefix } = place
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client },
    { Bucket: bucket, Prefix: prefix },
  )) {
    for (const { Key, LastModified: modified } of Contents) {
      const key = keyOf(place, Key)
      if (!isGeneratedKey(key) || modified === undefined || modified >= before) continue
      yield { key, complete: true, modified, remove: () => deleteObject(place, key) }
    }
  }
}

const unfinishedOf = async function* (place: S3Place, before: Date): AsyncGenerator<KeptFile> {
  for await (const { Key, UploadId, Initiated: modified } of uploadsOf(place)) {
    const key = keyOf(place, Key)
    if (!isGeneratedKey(key) || modified === undefined || modified >= before) continue
    const remove = async (): Promise<void> => {
      const abort = new AbortMultipartUploadCommand({ ...objectOf(place, key), UploadId })
      await place.client.send(abort).catch((error: unknown) => {
        // It ended meanwhile.
        if (!isNoSuchUpload(error)) throw toStorageError(error)
      })
    }
    yield { key, complete: false, modified, remove }
  }
}

const isNoSuchUpload = (error: unknown): boolean => error instanceof Error && error.name === 'NoSuchUpload'

/** The client pages through objects, and not through these. */
const uploadsOf = async function* ({ client, bucket, prefix }: S3Place): AsyncGenerator<MultipartUpload> {
  let asked: ListMultipartUploadsCommandInput | undefined = { Bucket: bucket, Prefix: prefix }
  while (asked !== undefined) {
    const command = new ListMultipartUploadsCommand(asked)
    const page: Partial<ListMultipartUploadsCommandOutput> = await client
      .send(command)
      .catch((error: unknown) => {
        // Some servers say so of a bucket that never had an upload.
        if (isNoSuchUpload(error)) return {}
        throw error
      })
    yield* page.Uploads ?? []
    const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
    asked = IsTruncated ? { ...asked, KeyMarker, UploadIdMarker } : undefined
  }
}

const bucketFaults: ReadonlyMap<unknown, string> = new Map([
  [301, 'is in another region: give the client that region'],
  [400, 'cannot be asked for with this client: look at its region, endpoint and credentials'],
  [401, 'refuses these credentials'],
  [
    403,
    'refuses these credentials: they need s3:ListBucket, s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucketMultipartUploads',
  ],
  [404, 'is not there: create it first'],
])

/** Asks for the bucket. A server that does not answer is no mistake of the application. */
const checkBucket = async ({ client, bucket }: S3Place): Promise<void> => {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }))
  } catch (error) {
    const fault = bucketFaults.get(statusOf(error))
    if (fault === undefined) throw toStorageError(error)
    throw new StartError(`The bucket ${bucket} of s3Storage() ${fault}.`, { cause: error })
  }
}

/** What the codes of S3 and of servers like it mean. Any other: the storage is unavailable. */
const kinds: ReadonlyMap<string, StorageErrorKind> = new Map([
  ['NoSuchKey', 'missing'],
  // HEAD has no body, so that the status is all that a server can say.
  ['NotFound', 'missing'],
  ['QuotaExceeded', 'full'],
  ['InsufficientStorage', 'full'],
  ['StorageFull', 'full'],
  ['XMinioStorageFull', 'full'],
  ['EntityTooLarge', 'full'],
] as const)

const INSUFFICIENT_STORAGE = 507

const statusOf = (error: unknown): unknown => Object(Object(error).$metadata).httpStatusCode

export const toStorageError = (error: unknown): StorageError => {
  const named = kinds.get(Object(error).name)
  return new StorageError(named ?? (statusOf(error) === INSUFFICIENT_STORAGE ? 'full' : 'unavailable'), error)
}

const translated = async <T>(act: Promise<T>): Promise<T> => {
  try {
    return await act
  } catch (error) {
    throw toStorageError(error)
  }
}
