import { execFileSync } from 'node:child_process'
import {
  foundIn,
  type MysqlProtocolKind,
  type MysqlProtocolOptions,
  type MysqlProtocolServer,
  startServer,
} from './mysql-protocol.ts'

/** MariaDB's packages bring a program of the same name. */
const isMysql = (program: string): boolean =>
  !/mariadb/i.test(execFileSync(program, ['--version'], { encoding: 'utf8' }))

/** Says that this machine has none, and that it is known. */
export const isLeftOut = (): boolean => process.env['MYSQL_SERVER'] === 'none'

/** The server that the environment names, or that of this machine. `undefined`: it is missing. */
const mysqlProgram = (): string | undefined => {
  if (isLeftOut()) return undefined
  const program = process.env['MYSQL_SERVER'] ?? foundIn('mysqld')
  return program !== undefined && isMysql(program) ? program : undefined
}

export const mySql: MysqlProtocolKind<string> = {
  noun: 'MySQL',
  install: 'Install it, and say where its server is: MYSQL_SERVER=/usr/sbin/mysqld npm test',
  programs: mysqlProgram,
  server: (program) => program,
  initialise: (program, data) => [program, '--no-defaults', '--initialize-insecure', `--datadir=${data}`],
  statements: [`alter user root@localhost account lock;`],
  settings: { mysqlx: '0', 'secure-file-priv': 'NULL', 'innodb-redo-log-capacity': '16M' },
}

/** Starts an empty MySQL server. @throws where it is missing or does not start */
export const startMySql = (options: MysqlProtocolOptions = {}): Promise<MysqlProtocolServer> =>
  startServer(mySql, options)
