import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../readme/server.ts'

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

const ATTEMPTS = 5

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
    const { server, port } = await started(folder, Object.values(credentials).join(','))
    return {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      credentials,
      bucket,
      stop: ending(server, remove),
    }
  } catch (error) {
    remove()
    throw error
  }
}

interface Started {
  readonly server: ChildProcess
  readonly port: number
}

/** Another program can take the free port before the server has it: then the next one. */
const started = async (folder: string, keys: string): Promise<Started> => {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const flags = ['--addr', `127.0.0.1:${port}`, '--auth-key', keys, '--config', '/dev/null']
    // `setpriv` becomes the program itself, and tells it when the process that started it is gone.
    const server = spawn('setpriv', ['--pdeathsig', 'KILL', 'rclone', 'serve', 's3', ...flags, folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: folder,
    })
    const refusal = await untilReady(server)
    if (refusal === undefined) return { server, port }
    if (attempt === ATTEMPTS || !refusal.includes('address already in use'))
      throw new Error(`The S3 server did not start:\n${refusal}`)
  }
}

/** What the server wrote where it ended before it was ready. */
const untilReady = (server: ChildProcess): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    let output = ''
    server.once('error', reject)
    server.once('close', () => resolve(output))
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 1e5) output += text
      if (output.includes('Starting s3 server')) resolve(undefined)
    })
  })

const ending = (server: ChildProcess, remove: () => void): (() => Promise<void>) => {
  const closed = new Promise((resolve) => server.once('close', resolve))
  const atExit = () => {
    server.kill('SIGKILL')
    remove()
  }
  process.once('exit', atExit)
  // A process that only waits for its end may end.
  server.unref()
  return async () => {
    process.off('exit', atExit)
    if (server.exitCode === null && server.signalCode === null) {
      server.ref()
      server.kill('SIGKILL')
      await closed
    }
    remove()
  }
}
