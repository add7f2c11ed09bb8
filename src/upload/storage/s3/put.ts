import { Readable } from 'node:stream'
import { DeleteObjectCommand } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { contentDisposition, contentType } from '../../disposition.ts'
import { arriving } from '../arriving.ts'
import { typeOf } from '../file-types.ts'
import { assertSafeKey } from '../storage-key.ts'
import { objectOf, type Place } from './bucket.ts'
import { refusalOf } from './refusal.ts'

/**
 * Sends a file in parts of 5 MiB, one at a time: so much of it is in memory, and where a part fails nothing more is read.
 * A file of one part is a single request. Type and disposition stay with the object, so that the storage serves it as
 * safely as we do.
 */
export const putInto =
  (place: Place) =>
  async (key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> => {
    assertSafeKey(key)
    const passing = arriving(bytes)
    const type = typeOf(key)
    const object = objectOf(place, key)
    const upload = new Upload({
      client: place.client,
      queueSize: 1,
      params: {
        ...object,
        Body: Readable.from(passing.bytes, { objectMode: true }),
        ContentType: contentType(type),
        ContentDisposition: contentDisposition(key, type),
      },
    })
    try {
      await upload.done()
    } catch (error) {
      const failure = passing.failure(error, refusalOf)
      // The last answer may have been lost on its way, and the object be there.
      if (passing.ended()) await place.client.send(new DeleteObjectCommand(object)).catch(() => undefined)
      throw failure
    }
    return passing.size()
  }
