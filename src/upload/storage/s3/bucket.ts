import type { S3Client } from '@aws-sdk/client-s3'
import { StorageError } from '../storage-error.ts'
import { isSafeKey } from '../storage-key.ts'

/** Where an S3 storage keeps its files. */
export interface Place {
  readonly client: S3Client
  readonly bucket: string
  /** Empty, or with a slash at its end. */
  readonly prefix: string
}

/** What the client's commands take to name the object of a key. */
export const objectOf = ({ bucket, prefix }: Place, key: string): { Bucket: string; Key: string } => ({
  Bucket: bucket,
  Key: `${prefix}${key}`,
})

/** The same of a key that may be none at all. @throws StorageError `missing` */
export const existing = (place: Place, key: string): { Bucket: string; Key: string } => {
  if (!isSafeKey(key)) throw new StorageError('missing')
  return objectOf(place, key)
}
