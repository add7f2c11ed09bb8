import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import type { KeptFile } from '../storage.ts'
import { isMade } from '../storage-key.ts'
import { objectOf, type Place } from './bucket.ts'
import { refusalOf, translated } from './refusal.ts'

/** All files of ours that were written before a moment, then the uploads that began before it and did not end. */
export const listOf = (place: Place) =>
  async function* (before: Date): AsyncGenerator<KeptFile> {
    try {
      yield* filesOf(place, before)
      yield* unfinishedOf(place, before)
    } catch (error) {
      throw refusalOf(error)
    }
  }

const keyOf = ({ prefix }: Place, name = ''): string =>
  name.startsWith(prefix) ? name.slice(prefix.length) : ''

const filesOf = async function* (place: Place, before: Date): AsyncGenerator<KeptFile> {
  const { client, bucket, prefix } = place
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client },
    { Bucket: bucket, Prefix: prefix },
  )) {
    for (const { Key, LastModified: modified } of Contents) {
      const key = keyOf(place, Key)
      if (!isMade(key) || modified === undefined || modified >= before) continue
      const remove = async (): Promise<void> => {
        await translated(client.send(new DeleteObjectCommand(objectOf(place, key))))
      }
      yield { key, complete: true, modified, remove }
    }
  }
}

const unfinishedOf = async function* (place: Place, before: Date): AsyncGenerator<KeptFile> {
  for await (const { Key, UploadId, Initiated: modified } of uploadsOf(place)) {
    const key = keyOf(place, Key)
    if (!isMade(key) || modified === undefined || modified >= before) continue
    const remove = async (): Promise<void> => {
      const abort = new AbortMultipartUploadCommand({ ...objectOf(place, key), UploadId })
      await place.client.send(abort).catch((error: unknown) => {
        // It ended meanwhile.
        if (!isNoSuchUpload(error)) throw refusalOf(error)
      })
    }
    yield { key, complete: false, modified, remove }
  }
}

/** Some servers say so of a bucket that never had an upload. */
const isNoSuchUpload = (error: unknown): boolean => error instanceof Error && error.name === 'NoSuchUpload'

const noneWhereUnknown = (error: unknown): Record<string, never> => {
  if (isNoSuchUpload(error)) return {}
  throw error
}

/** The client pages through objects, and not through these. */
const uploadsOf = async function* ({ client, bucket, prefix }: Place): AsyncGenerator<MultipartUpload> {
  let at: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {}
  while (at !== undefined) {
    const asked = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...at })
    const page: Partial<ListMultipartUploadsCommandOutput> = await client.send(asked).catch(noneWhereUnknown)
    yield* page.Uploads ?? []
    at = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : undefined
  }
}
