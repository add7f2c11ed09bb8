import type { Server } from 'node:http'
import type { INestApplication, LoggerService } from '@nestjs/common'

/** Starts an application of Nest on a free port. */
export const listenNest = async (app: INestApplication) => {
  const server: Server = await app.listen(0, '127.0.0.1')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await app.close()
  }
  return { port: address.port, stop }
}

/** A logger of Nest that writes the lines of modelrest to stderr, where the tests read them. */
export const stderrLogger: LoggerService = {
  log: (...line: readonly unknown[]) => toStderr(line),
  warn: (...line: readonly unknown[]) => toStderr(line),
  error: (...line: readonly unknown[]) => toStderr(line),
}

const toStderr = (line: readonly unknown[]): void => {
  const [text, context] = [line[0], line.at(-1)]
  if (context === 'ModelRest') process.stderr.write(`${text}\n`)
}
