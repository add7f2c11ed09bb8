import { HeadBucketCommand } from '@aws-sdk/client-s3'
import { StartError } from '../../../error/start-error.ts'
import type { Place } from './bucket.ts'
import { refusalOf, statusOf } from './refusal.ts'

const wrong: Readonly<Record<number, string>> = {
  301: 'is in another region: give the client that region',
  400: 'cannot be asked for with this client: look at its region, endpoint and credentials',
  401: 'refuses these credentials',
  403: 'refuses these credentials: they need s3:ListBucket, s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucketMultipartUploads',
  404: 'is not there: create it first',
}

/** Asks for the bucket. A server that does not answer is no mistake of the application. */
export const checkBucket =
  ({ client, bucket }: Place) =>
  async (): Promise<void> => {
    try {
      await client.send(new HeadBucketCommand({ Bucket: bucket }))
    } catch (error) {
      const what = wrong[statusOf(error) ?? 0]
      if (what === undefined) throw refusalOf(error)
      throw new StartError(`The bucket ${bucket} of s3Storage() ${what}.`, { cause: error })
    }
  }
