import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../error/errors.ts'
import { type DatabaseAddress, databaseAddress } from './address.ts'
import { behindGate } from './front.ts'
import { openMysql } from './mysql.ts'
import type { OpenDatabase } from './opened.ts'
import { openPostgres } from './postgres.ts'
import { startErrorOf } from './refusals.ts'
import { rereadService, type ServedAbout, type ServeOptions } from './service.ts'
import { openSqlite } from './sqlite.ts'

export type { ServedAbout, ServeOptions } from './service.ts'

/** A running service. */
export interface RunningService {
  readonly about: ServedAbout
  close(): Promise<void>
}

const opening: Readonly<Record<DatabaseAddress['kind'], OpenDatabase>> = {
  ...{ sqlite: openSqlite, pg: openPostgres, mysql: openMysql },
}

/** Hosts that only programs of the same machine reach. */
export const isLoopback = (host: string): boolean => ['127.0.0.1', '::1', 'localhost'].includes(host)

/**
 * Serves the tables of a database over HTTP, by what its catalog says.
 *
 * @throws StartError if the database or the port cannot be used
 */
export const serveDatabase = async (options: ServeOptions): Promise<RunningService> => {
  const address = databaseAddress(options.database, options.folder)
  if (
    options.token === undefined
      ? options.writes || !isLoopback(options.host)
      : !isLoopback(options.host) && options.token.for !== 'everything'
  )
    throw new StartError('Writes, and hosts other than the loopback address, need a token.')
  const opened = await startOn(address, () => opening[address.kind](address.place, options))
  try {
    const service = await startOn(address, () => rereadService(address, opened.database, options))
    const server = createServer(behindGate(isLoopback(options.host), service.listener))
    server.listen(options.port, options.host)
    await listening(server, options)
    const { port } = server.address() as AddressInfo
    const host = options.host.includes(':') ? `[${options.host}]` : options.host
    return {
      about: { ...service.about, url: `http://${host}:${port}/` },
      close: async () => {
        server.closeAllConnections()
        server.close()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

const startOn = async <Of>(address: DatabaseAddress, start: () => Promise<Of>): Promise<Of> => {
  try {
    return await start()
  } catch (error) {
    throw startErrorOf(error, address)
  }
}

const listening = async (
  server: ReturnType<typeof createServer>,
  { host, port }: ServeOptions,
): Promise<void> => {
  try {
    await once(server, 'listening')
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), 'code')
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} of ${host} is in use. Choose another one with --port, or a free one with --port 0.`,
      )
    throw new StartError(
      `Cannot listen on port ${port} of ${host} (${code}). Choose another --host or --port.`,
    )
  }
}
