import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram, stopOf } from './program.ts'

/** A server of our own that speaks the protocol of S3. */
export interface S3Server {
  readonly endpoint: string
  readonly region: string
  /** It checks the signature of each request. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** One that is there. */
  readonly bucket: string
  /** Ends this server alone and removes its folder. */
  stop(): Promise<void>
}

/**
 * Starts rclone's S3 server on a free port of 127.0.0.1, with a new temporary folder as its store. It ends with `stop()`,
 * with this process, and where this process is killed.
 * @throws where the program is missing, or with what it wrote where it does not start.
 */
export const startS3 = async (): Promise<S3Server> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-s3-'))
  const bucket = 'media'
  mkdirSync(join(folder, bucket))
  const credentials = {
    accessKeyId: `key${randomBytes(8).toString('hex')}`,
    secretAccessKey: randomBytes(20).toString('hex'),
  }
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const keys = Object.values(credentials).join(',')
    const { server, port } = await startProgram({
      noun: 'The S3 server',
      folder,
      // `setpriv` becomes the program itself, and tells it when the process that started it is gone.
      command: (free) => {
        const flags = ['--addr', `127.0.0.1:${free}`, '--auth-key', keys, '--config', '/dev/null']
        return ['setpriv', ['--pdeathsig', 'KILL', 'rclone', 'serve', 's3', ...flags, folder]]
      },
      ready: 'Starting s3 server',
      portTaken: 'address already in use',
    })
    return {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      credentials,
      bucket,
      stop: stopOf(server, { signal: 'SIGKILL', signalAtExit: 'SIGKILL', atExit: remove, remove }),
    }
  } catch (error) {
    remove()
    throw error
  }
}
