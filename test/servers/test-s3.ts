import { needing } from '../needed-program.ts'

/** Defines tests that need an S3 server. Where its program is missing they are skipped; in CI that is an error. */
export const onS3 = (tests: string, define: () => void): void => needing('rclone', tests, define)
