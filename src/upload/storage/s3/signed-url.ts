import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { LRUCache } from 'lru-cache'
import { contentDisposition, contentType } from '../../disposition.ts'
import { typeOf } from '../file-types.ts'
import type { UrlValidity } from '../storage.ts'
import { existing, type Place } from './bucket.ts'
import { translated } from './refusal.ts'

/** URLs that are remembered, of about 600 bytes each: signing takes the client most of a millisecond. */
const REMEMBERED = 10_000

/**
 * Signs as if at the beginning of the time in which the URL holds, so that a file has one URL for all of it and clients
 * can cache what it gives.
 */
export const signedIn = (place: Place): ((key: string, validity: UrlValidity) => Promise<string>) => {
  const remembered = new LRUCache<string, string>({ max: REMEMBERED })
  return async (key, validity) => {
    const object = existing(place, key)
    const { accessKeyId } = await translated(place.client.config.credentials())
    // Credentials for a while end sooner than what they have signed: what they gave ends with them.
    const name = [accessKeyId, validity.from.getTime(), validity.until.getTime(), key].join(' ')
    const known = remembered.get(name)
    if (known !== undefined) return known
    const url = await translated(sign(place, object, validity))
    remembered.set(name, url)
    return url
  }
}

const sign = (
  { client }: Place,
  object: ReturnType<typeof existing>,
  { from, until }: UrlValidity,
): Promise<string> => {
  const type = typeOf(object.Key)
  const command = new GetObjectCommand({
    ...object,
    // Another program may have put it there, and said that it is a page.
    ResponseContentType: contentType(type),
    ResponseContentDisposition: contentDisposition(object.Key, type),
  })
  const expiresIn = Math.round((until.getTime() - from.getTime()) / 1000)
  return getSignedUrl(client, command, { signingDate: from, expiresIn })
}
