import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where Debian keeps the programs of each version of PostgreSQL. */
const root = '/usr/lib/postgresql'

/** The folder with the newest PostgreSQL's server programs; undefined where there is none. */
export const postgresPrograms = (): string | undefined =>
  (existsSync(root) ? readdirSync(root) : [])
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(root, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')))
