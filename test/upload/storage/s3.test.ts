import { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { s3Storage } from '../../../src/entry/s3.ts'
import { StartError } from '../../../src/index.ts'
import { storageContract } from '../../contract/storage.ts'
import { freePort } from '../../readme/server.ts'
import { type S3Server, startS3 } from '../../servers/s3.ts'
import { onS3 } from '../../servers/test-s3.ts'

onS3('the S3 storage', () => {
  let server: S3Server
  const clients: S3Client[] = []

  const clientOf = (changed: Partial<Pick<S3Server, 'endpoint' | 'credentials'>> = {}): S3Client => {
    const { endpoint, region, credentials } = { ...server, ...changed }
    const client = new S3Client({
      endpoint,
      region,
      credentials,
      forcePathStyle: true,
      maxAttempts: 1,
      // rclone sends the checksum of the whole with a part of it, which the client takes for a broken part.
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
    clients.push(client)
    return client
  }

  beforeAll(async () => {
    server = await startS3()
  })

  afterAll(async () => {
    for (const client of clients) client.destroy()
    await server.stop()
  })

  describe.each(['', 'shop/media', 'media/'])('with the prefix %j', (prefix) => {
    storageContract({
      open: () => s3Storage({ client: clientOf(), bucket: server.bucket, prefix }),
      signs: true,
      part: 5 << 20,
    })
  })

  describe('check', () => {
    test('names a bucket that is not there', async () => {
      const checked = s3Storage({ client: clientOf(), bucket: 'nowhere' }).check()
      await expect(checked).rejects.toThrow(StartError)
      await expect(checked).rejects.toThrow(
        'The bucket nowhere of s3Storage() is not there: create it first.',
      )
    })

    test('names what credentials need', async () => {
      const credentials = { ...server.credentials, secretAccessKey: 'wrong' }
      const checked = s3Storage({ client: clientOf({ credentials }), bucket: server.bucket }).check()
      await expect(checked).rejects.toThrow(
        /^The bucket media of s3Storage\(\) refuses these credentials: .*s3:ListBucket/,
      )
    })

    test('takes a server that is away for no mistake', async () => {
      const client = clientOf({ endpoint: `http://127.0.0.1:${await freePort()}` })
      const checked = s3Storage({ client, bucket: server.bucket }).check()
      await expect(checked).rejects.toEqual(
        expect.objectContaining({ name: 'StorageError', kind: 'unavailable' }),
      )
    })
  })

  test('a bucket that is not there is no missing file', async () => {
    const storage = s3Storage({ client: clientOf(), bucket: 'nowhere' })
    const unavailable = expect.objectContaining({ name: 'StorageError', kind: 'unavailable' })
    await expect(storage.open('a/b')).rejects.toEqual(unavailable)
    await expect(storage.list(new Date())[Symbol.asyncIterator]().next()).rejects.toEqual(unavailable)
  })

  test.each(['../up', '/root', 'a//b', '.hidden'])('the prefix %j is refused', (prefix) => {
    expect(() => s3Storage({ client: clientOf(), bucket: server.bucket, prefix })).toThrow(
      `The prefix ${JSON.stringify(prefix)} of s3Storage() cannot begin a key. Write it as "media".`,
    )
  })
})
