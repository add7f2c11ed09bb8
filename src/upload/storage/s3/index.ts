import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { StartError } from '../../../error/start-error.ts'
import { typeOf } from '../file-types.ts'
import type { ByteSpan, FileBytes, FileStorage, StoredFile } from '../storage.ts'
import { StorageError } from '../storage-error.ts'
import { isSafeKey } from '../storage-key.ts'
import { existing, objectOf, type Place } from './bucket.ts'
import { checkBucket } from './check.ts'
import { listOf } from './list.ts'
import { putInto } from './put.ts'
import { translated } from './refusal.ts'
import { signedIn } from './signed-url.ts'

/** What {@link s3Storage} takes. */
export interface S3StorageOptions {
  /** Of `@aws-sdk/client-s3`: it knows the endpoint, region and credentials. */
  readonly client: S3Client
  /** One that is there. */
  readonly bucket: string
  /**
   * Stands before every key, with a slash between them: `media`.
   * @default none
   */
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
  const place: Place = { client, bucket, prefix: folder === '' ? '' : `${folder}/` }
  return Object.freeze({
    check: checkBucket(place),
    put: putInto(place),
    open: openIn(place),
    stat: statIn(place),
    async delete(key: string) {
      if (isSafeKey(key)) await translated(client.send(new DeleteObjectCommand(objectOf(place, key))))
    },
    list: listOf(place),
    signedUrl: signedIn(place),
  })
}

const openIn =
  (place: Place) =>
  async (key: string, span?: ByteSpan): Promise<FileBytes> => {
    const Range = span && `bytes=${span.first}-${span.last}`
    const object = { ...existing(place, key), ...(Range !== undefined && { Range }) }
    const { Body } = await translated(place.client.send(new GetObjectCommand(object)))
    if (Body instanceof Readable) return Body
    throw new StorageError('unavailable', new TypeError('The client gave no stream of Node.'))
  }

const statIn =
  (place: Place) =>
  async (key: string): Promise<StoredFile> => {
    const found = await translated(place.client.send(new HeadObjectCommand(existing(place, key))))
    const { ContentLength: size, ETag: etag, LastModified: modified } = found
    if (size === undefined || etag === undefined || modified === undefined)
      throw new StorageError('unavailable', new TypeError('The server left out size, ETag or date.'))
    return { size, type: typeOf(key), etag, modified }
  }
