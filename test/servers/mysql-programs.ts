import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program of the system. Debian keeps servers where only the system's own users look for programs. */
export const foundIn = (program: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file))

export interface MariaDbPrograms {
  readonly server: string
  readonly initialise: string
}

/** `undefined`: they are missing. */
export const mariaDbPrograms = (): MariaDbPrograms | undefined => {
  const [server, initialise] = [foundIn('mariadbd'), foundIn('mariadb-install-db')]
  return server === undefined || initialise === undefined ? undefined : { server, initialise }
}

/** The library that joins servers of MariaDB to a cluster. */
export const galeraProvider = '/usr/lib/galera/libgalera_smm.so'

/** MariaDB's packages bring a program of the same name. */
const isMysql = (program: string): boolean =>
  !/mariadb/i.test(execFileSync(program, ['--version'], { encoding: 'utf8' }))

/** Says that this machine has none, and that it is known. */
export const isLeftOut = (): boolean => process.env['MYSQL_SERVER'] === 'none'

/** The server that the environment names, or that of this machine. `undefined`: it is missing. */
export const mysqlProgram = (): string | undefined => {
  if (isLeftOut()) return undefined
  const program = process.env['MYSQL_SERVER'] ?? foundIn('mysqld')
  return program !== undefined && isMysql(program) ? program : undefined
}
