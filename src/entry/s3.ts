export { type S3StorageOptions, s3Storage } from '../upload/s3.ts'
