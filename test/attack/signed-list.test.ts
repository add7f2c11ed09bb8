import { S3Client } from '@aws-sdk/client-s3'
import { expect, it } from 'vitest'
import { s3Storage } from '../../src/upload/s3.ts'

it('a list of files in a bucket leaves others their turn while its URLs are signed', async () => {
  const credentials = { accessKeyId: 'a'.repeat(20), secretAccessKey: 'b'.repeat(40) }
  const client = new S3Client({ region: 'eu-central-1', credentials })
  const { signedUrl } = s3Storage({ client, bucket: 'shop' })
  const validity = { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-01-01T02:00:00Z') }
  const keys = Array.from({ length: 1000 }, (_, at) => `product/photo/q4/${at}.png`)
  let turns = 0
  let isSigning = true
  const count = (): void => {
    turns += 1
    if (isSigning) setImmediate(count)
  }
  setImmediate(count)
  const urls = await Promise.all(keys.map((key) => signedUrl?.(key, validity)))
  isSigning = false
  expect(new Set(urls).size).toBe(keys.length)
  // Without a pause it takes half a second, in which nobody is served.
  expect(turns).toBeGreaterThanOrEqual(40)
  expect(await signedUrl?.('product/photo/q4/7.png', validity)).toBe(urls[7])
})
