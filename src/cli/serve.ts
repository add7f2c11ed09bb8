import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Command } from 'commander'
import { inOneLine } from '../observe/log.ts'
import type { RunningService, ServeOptions } from '../serve/index.ts'
import { shellQuoted } from './quoted.ts'
import { CliError, inColumns, type MakeCommand, type Terminal, UsageError } from './terminal/index.ts'

interface Options {
  readonly host: string
  readonly port: string
  readonly write: boolean
  readonly token?: string | true
  readonly timeout: string
  readonly only?: readonly string[]
  readonly exclude?: readonly string[]
  readonly schema?: readonly string[]
  readonly comments: boolean
  readonly open: boolean
  readonly json: boolean
}

const LEAST_TOKEN = 16

export const serve: MakeCommand = (terminal) =>
  new Command('serve')
    .summary('Serve the tables of a database as a REST API, without code.')
    .description(
      'Serve the tables of a database as a REST API, without code, until Ctrl-C.\n\nThere are no users, and it is not for production: other users of this machine can reach it. It is read-only unless --write is set.',
    )
    .argument(
      '[database]',
      'a file of SQLite, or a URL such as postgres://… or mysql://… (default: DATABASE_URL)',
    )
    .option('--port <number>', 'the port; 0 for a free one', '4000')
    .option(
      '--host <address>',
      'the address to listen on; all but the loopback address need a token',
      '127.0.0.1',
    )
    .option('--write', 'accept writes with the token', false)
    .option('--token [token]', 'let all requests need a token (default: MODELREST_TOKEN, or a random one)')
    .option('--timeout <seconds>', 'end statements that take longer', '1')
    .option('--only <tables...>', 'serve only these tables')
    .option('--exclude <tables...>', 'do not serve these tables')
    .option(
      '--schema <names...>',
      'the schemas of PostgreSQL, or databases of MySQL (default: those of the connection)',
    )
    .option('--comments', 'show the comments of the database in the documentation', false)
    .option('--open', 'open the documentation in a browser', false)
    .option('--json', 'print one line of JSON instead of the banner', false)
    .action(async (database: string | undefined, options: Options) => {
      const { serveDatabase, isLoopback } = await import('../serve/index.ts')
      const given = database ?? process.env['DATABASE_URL'] ?? ''
      if (given === '')
        throw new UsageError('Name a database: modelrest serve shop.db. You can set DATABASE_URL instead.')
      const token = tokenOf(options, isLoopback(options.host))
      const running = await serveDatabase({
        ...{ database: given, folder: terminal.folder, host: options.host, comments: options.comments },
        port: numberOf('--port', options.port, { least: 0, most: 65_535, whole: true }),
        writes: options.write,
        timeout: 1000 * numberOf('--timeout', options.timeout, { least: 0.01, most: 3600 }),
        load: driverFrom(terminal.folder),
        ...(token && { token }),
        ...(options.only && { only: options.only }),
        ...(options.exclude && { exclude: options.exclude }),
        ...(options.schema && { schemas: options.schema }),
      })
      for (const line of options.json ? [jsonLine(running, token)] : banner(running, options, token))
        terminal.print(line)
      if (options.open) openPage(`${running.about.url}docs`, terminal)
      await interrupted()
      await running.close()
    })

interface Bounds {
  readonly least: number
  readonly most: number
  readonly whole?: boolean
}

const numberOf = (option: string, text: string, { least, most, whole = false }: Bounds): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value
  throw new UsageError(`${option} must be ${whole ? 'an integer' : 'a number'} between ${least} and ${most}.`)
}

const tokenOf = ({ token, write }: Options, isLocal: boolean): ServeOptions['token'] => {
  const isForAll = token !== undefined || !isLocal
  if (!isForAll && !write) return undefined
  const given = typeof token === 'string' ? token : process.env['MODELREST_TOKEN']
  if (given !== undefined && (given.length < LEAST_TOKEN || !/^[\w.~+/-]+=*$/.test(given)))
    throw new UsageError(
      `The token must have at least ${LEAST_TOKEN} characters: letters, digits, and any of . _ ~ + / -`,
    )
  return { value: given ?? randomBytes(24).toString('base64url'), for: isForAll ? 'everything' : 'writes' }
}

/** Loads a driver of the project, or of the folder where `npx -p` has put it beside modelrest. */
const driverFrom =
  (folder: string): ServeOptions['load'] =>
  async (name) => {
    for (const place of [join(folder, 'package.json'), import.meta.url]) {
      const path = resolvedFrom(place, name)
      if (path !== undefined) return import(pathToFileURL(path).href)
    }
    const [bare = name] = name.split('/')
    const scheme = bare === 'pg' ? 'postgres' : 'mysql'
    throw new CliError(
      `This database needs the package ${bare}, which is not installed in ${folder}. Run npx -p modelrest -p ${bare} modelrest serve ${scheme}://…`,
    )
  }

const resolvedFrom = (place: string, name: string): string | undefined => {
  try {
    return createRequire(place).resolve(name)
  } catch {
    return undefined
  }
}

const jsonLine = ({ about }: RunningService, token: ServeOptions['token']): string =>
  JSON.stringify({ ...about, ...(token && { token: token.value }) })

/** Names of the database may have characters that a terminal would obey. */
const banner = (
  { about }: RunningService,
  options: Options,
  token: ServeOptions['token'],
): readonly string[] => {
  const { database, noun, tables, url, models, routes, listsOnly, hidden, notes, example } = about
  const access = options.write ? 'writes need the token' : 'read-only (--write to change records)'
  const header = token?.for === 'everything' ? `-H 'Authorization: Bearer ${token.value}' ` : ''
  const rows = [
    [database, `${noun}, ${tables} tables, ${access}`],
    ['API', `${url}   ${models} models, ${routes} routes   docs ${url}docs`],
    ...(token ? [['token', `${token.value} (for ${token.for})`]] : []),
    ...(hidden.length > 0 ? [['hidden', `${hidden.join(', ')} (their names suggest secrets)`]] : []),
    ...(listsOnly.length > 0 ? [['lists only', `${listsOnly.join(', ')} (no primary key)`]] : []),
    ...notes.map((note) => ['note', note]),
    ...(example === undefined ? [] : [['try', `curl ${header}${shellQuoted(`${url}${example}`)}`]]),
  ]
  return inColumns(
    rows[0]?.map(inOneLine) ?? [],
    rows.slice(1).map((row) => row.map(inOneLine)),
  )
}

/** The programs that open a page. @default xdg-open */
const openers: ReadonlyMap<string, string> = new Map([
  ['darwin', 'open'],
  ['win32', 'explorer.exe'],
])

const openPage = (page: string, { note }: Terminal): void => {
  const opener = spawn(openers.get(process.platform) ?? 'xdg-open', [page], {
    stdio: 'ignore',
    detached: true,
  })
  opener.on('error', () => note(`Cannot open a browser. Open ${page} in one.`))
  opener.unref()
}

const interrupted = (): Promise<void> =>
  new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done())
  })
