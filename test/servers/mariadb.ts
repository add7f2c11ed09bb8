import { type MariaDbPrograms, mariaDbPrograms } from './mysql-programs.ts'
import {
  type MysqlProtocolKind,
  type MysqlProtocolOptions,
  type MysqlProtocolServer,
  startServer,
} from './mysql-protocol.ts'

export const mariaDb: MysqlProtocolKind<MariaDbPrograms> = {
  noun: 'MariaDB',
  programs: mariaDbPrograms,
  server: ({ server }) => server,
  initialise: ({ initialise }, data) => [
    initialise,
    ...['--no-defaults', `--datadir=${data}`],
    ...['--auth-root-authentication-method=normal', '--skip-test-db'],
  ],
  statements: [`delete from mysql.global_priv where user <> 'mariadb.sys';`, 'flush privileges;'],
  settings: { 'innodb-log-file-size': '16M' },
}

/** Starts an empty MariaDB server. @throws where it is missing or does not start */
export const startMariaDb = (options: MysqlProtocolOptions = {}): Promise<MysqlProtocolServer> =>
  startServer(mariaDb, options)
