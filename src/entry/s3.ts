export { type S3StorageOptions, s3Storage } from '../upload/storage/s3/index.ts'
