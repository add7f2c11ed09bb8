import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '../error/errors.ts'

/** Where a database is, without its password in anything that is shown. */
export interface DatabaseAddress {
  readonly kind: 'sqlite' | 'pg' | 'mysql'
  /** `SQLite`, `PostgreSQL`, `MySQL` */
  readonly noun: string
  /** The path of a file, or the URL of a server with its password. Never shown. */
  readonly place: string
  /** `shop.db`, or the name of the database on a server. */
  readonly name: string
  /** `localhost:5432`, or the path of the file. */
  readonly shown: string
  /** The user of a server. Empty: that of the system, or none. */
  readonly user: string
}

type Server = Pick<DatabaseAddress, 'kind' | 'noun'> & { readonly port: string }

const postgres: Server = { kind: 'pg', noun: 'PostgreSQL', port: '5432' }
const mysql: Server = { kind: 'mysql', noun: 'MySQL', port: '3306' }

const servers: ReadonlyMap<string, Server> = new Map([
  ['postgres:', postgres],
  ['postgresql:', postgres],
  ['mysql:', mysql],
  ['mariadb:', { ...mysql, noun: 'MariaDB' }],
])

/** Reads the address of a database: a file of SQLite, or a URL. @throws StartError, without the password */
export const databaseAddress = (given: string, folder: string): DatabaseAddress => {
  const scheme = /^([a-z][a-z\d+.-]+:)\/\//i.exec(given)?.[1]?.toLowerCase()
  if (scheme === undefined) return fileAt(resolve(folder, given.replace(/^(sqlite|file):/, '')))
  if (scheme === 'file:' && URL.canParse(given)) return fileAt(fileURLToPath(given))
  if (scheme === 'sqlite:') return fileAt(resolve(folder, given.slice('sqlite://'.length)))
  const server = servers.get(scheme)
  if (server === undefined)
    throw new StartError(
      `modelrest does not know the scheme ${scheme}//. Write the path of an SQLite file, or a URL that begins with postgres:// or mysql://.`,
    )
  if (!URL.canParse(given))
    throw new StartError(
      `The URL of the database is not valid. Write it as ${scheme}//user:password@host:${server.port}/name, and encode special characters of the password, such as %40 for @.`,
    )
  const url = new URL(given)
  const { kind, noun, port } = server
  return {
    ...{ kind, noun },
    place: given.replace(/^mariadb:/i, 'mysql:'),
    name: decodeURIComponent(url.pathname.slice(1)),
    shown: `${url.hostname || url.searchParams.get('host') || 'localhost'}:${url.port || port}`,
    user: decodeURIComponent(url.username),
  }
}

const fileAt = (path: string): DatabaseAddress => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined)
    throw new StartError(`There is no file ${path}. Write the path of an SQLite database.`)
  if (!found.isFile()) throw new StartError(`${path} is not a file. Write the path of an SQLite database.`)
  return { kind: 'sqlite', noun: 'SQLite', place: path, name: basename(path), shown: path, user: '' }
}
