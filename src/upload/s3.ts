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
import { assertSafeKey, isGeneratedFileKey, isSafeFileKey, mediaTypeOf } from './keys.ts'
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

/** Options of {@link s3Storage}. */
export interface S3StorageOptions {
  /** A client of `@aws-sdk/client-s3`, with the endpoint, region and credentials. */
  readonly client: S3Client
  /** The name of an existing bucket. */
  readonly bucket: string
  /** A prefix for all keys, without a trailing slash, such as `media`. @default none */
  readonly prefix?: string
}

/**
 * Stores files in a bucket of S3 or of a compatible server.
 *
 * Files are uploaded in parts while they arrive, and responses have signed URLs of the bucket. A killed process may leave
 * unfinished multipart uploads, which `modelrest files clean` aborts.
 *
 * @throws StartError for an invalid prefix
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
  if (folder !== '' && !isSafeFileKey(folder))
    throw new StartError(
      `s3Storage(): prefix must be a valid key prefix, such as "media", not ${JSON.stringify(prefix)}.`,
    )
  const place: S3Place = { client, bucket, prefix: folder === '' ? '' : `${folder}/` }
  return Object.freeze({
    check: () => checkBucket(place),
    put: (key: string, bytes: AsyncIterable<Uint8Array>) => put(place, key, bytes),
    async open(key: string, span?: ByteSpan) {
      const Range = span && `bytes=${span.first}-${span.last}`
      const command = new GetObjectCommand({ ...existingObject(place, key), Range })
      const { Body } = await translated(client.send(command))
      if (Body instanceof Readable) return Body
      throw new StorageError('unavailable', new TypeError('The S3 client did not return a Node stream.'))
    },
    async stat(key: string) {
      const found = await translated(client.send(new HeadObjectCommand(existingObject(place, key))))
      const { ContentLength: size, ETag: etag, LastModified: modified } = found
      if (size === undefined || etag === undefined || modified === undefined)
        throw new StorageError(
          'unavailable',
          new TypeError('The S3 server did not send the size, ETag or date.'),
        )
      return { size, type: mediaTypeOf(key), etag, modified }
    },
    delete: async (key: string) => {
      if (isSafeFileKey(key)) await deleteObject(place, key)
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
  /** Empty, or with a trailing slash. */
  readonly prefix: string
}

const objectOf = ({ bucket, prefix }: S3Place, key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` })

/** The same for a key that may be invalid. @throws StorageError `missing` */
const existingObject = (place: S3Place, key: string) => {
  if (!isSafeFileKey(key)) throw new StorageError('missing')
  return objectOf(place, key)
}

const deleteObject = async (place: S3Place, key: string): Promise<void> => {
  await translated(place.client.send(new DeleteObjectCommand(objectOf(place, key))))
}

/**
 * Uploads a file in parts of 5 MiB, one at a time, which limits the memory; if a part fails, reading stops. A file of one
 * part is a single request. The object stores its content type and disposition, so that the bucket serves it as safely
 * as the API does.
 */
const put = async (place: S3Place, key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> => {
  assertSafeKey(key)
  const source = trackSource(bytes)
  const type = mediaTypeOf(key)
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
    // The object may exist, if only the last response was lost.
    if (source.isComplete) await deleteObject(place, key).catch(() => undefined)
    throw source.failure ? source.failure.error : toStorageError(error)
  }
  return source.size
}

/** The number of cached URLs, of about 600 bytes each. Signing takes the client almost a millisecond. */
const REMEMBERED = 10_000

/** The number of URLs signed in one go, which takes a few milliseconds. A list may need thousands. */
const SIGNED_AT_ONCE = 20

/** After every `most` calls, waits for a turn of the event loop. */
const pauseAfter = (most: number): (() => Promise<void>) => {
  let passed = 0
  let turn = Promise.resolve()
  return () => {
    passed += 1
    if (passed % most === 0) turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)))
    return turn
  }
}

/**
 * Signs with the start of the validity as signing date, so that the URL stays the same and clients can cache the file.
 */
const signedIn = (place: S3Place): ((key: string, validity: UrlValidity) => Promise<string>) => {
  const remembered = new LRUCache<string, string>({ max: REMEMBERED })
  const pause = pauseAfter(SIGNED_AT_ONCE)
  return async (key, validity) => {
    const object = existingObject(place, key)
    const { accessKeyId } = await translated(place.client.config.credentials())
    // URLs expire with temporary credentials, so new credentials need new URLs.
    const name = [accessKeyId, validity.from.getTime(), validity.until.getTime(), key].join(' ')
    const known = remembered.get(name)
    if (known !== undefined) return known
    await pause()
    const type = mediaTypeOf(key)
    const get = new GetObjectCommand({
      ...object,
      // Another program may have stored the object with an active content type.
      ResponseContentType: contentType(type),
      ResponseContentDisposition: contentDisposition(key, type),
    })
    const expiresIn = Math.round((validity.until.getTime() - validity.from.getTime()) / 1000)
    const url = await translated(getSignedUrl(place.client, get, { signingDate: validity.from, expiresIn }))
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
      if (!isGeneratedFileKey(key) || modified === undefined || modified >= before) continue
      yield { key, complete: true, modified, remove: () => deleteObject(place, key) }
    }
  }
}

const unfinishedOf = async function* (place: S3Place, before: Date): AsyncGenerator<KeptFile> {
  for await (const { Key, UploadId, Initiated: modified } of uploadsOf(place)) {
    const key = keyOf(place, Key)
    if (!isGeneratedFileKey(key) || modified === undefined || modified >= before) continue
    const remove = async (): Promise<void> => {
      const abort = new AbortMultipartUploadCommand({ ...objectOf(place, key), UploadId })
      await place.client.send(abort).catch((error: unknown) => {
        // It ended in the meantime.
        if (!isNoSuchUpload(error)) throw toStorageError(error)
      })
    }
    yield { key, complete: false, modified, remove }
  }
}

const isNoSuchUpload = (error: unknown): boolean => error instanceof Error && error.name === 'NoSuchUpload'

/** The client has a paginator for objects, but not for uploads. */
const uploadsOf = async function* ({ client, bucket, prefix }: S3Place): AsyncGenerator<MultipartUpload> {
  let input: ListMultipartUploadsCommandInput | undefined = { Bucket: bucket, Prefix: prefix }
  while (input !== undefined) {
    const command = new ListMultipartUploadsCommand(input)
    const page: Partial<ListMultipartUploadsCommandOutput> = await client
      .send(command)
      .catch((error: unknown) => {
        // Some servers respond this way for a bucket that never had an upload.
        if (isNoSuchUpload(error)) return {}
        throw error
      })
    yield* page.Uploads ?? []
    const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
    input = IsTruncated ? { ...input, KeyMarker, UploadIdMarker } : undefined
  }
}

const bucketFaults: ReadonlyMap<unknown, string> = new Map([
  [301, 'is in another region. Set that region in the client.'],
  [400, 'refused the request. Check the region, endpoint and credentials of the client.'],
  [401, 'denied access, because the credentials of the client are invalid. Correct them.'],
  [
    403,
    'denied access, because the credentials of the client lack permissions. They need s3:ListBucket, s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucketMultipartUploads.',
  ],
  [404, 'does not exist. Create it first.'],
])

/** Checks that the bucket exists. An unreachable server is not a mistake of the application. */
const checkBucket = async ({ client, bucket }: S3Place): Promise<void> => {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }))
  } catch (error) {
    const fault = bucketFaults.get(statusOf(error))
    if (fault === undefined) throw toStorageError(error)
    throw new StartError(`s3Storage(): the bucket ${bucket} ${fault}`, { cause: error })
  }
}

/** Error name of S3 or a compatible server -> kind. All others mean that the storage is unavailable. */
const kinds: ReadonlyMap<string, StorageErrorKind> = new Map([
  ['NoSuchKey', 'missing'],
  // A HEAD response has no body, so only the status is known.
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
