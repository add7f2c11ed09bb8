import { mysqlProgram } from './mysql-programs.ts'
import {
  type MysqlProtocolKind,
  type MysqlProtocolOptions,
  type MysqlProtocolServer,
  startServer,
} from './mysql-protocol.ts'

export const mySql: MysqlProtocolKind<string> = {
  noun: 'MySQL',
  programs: mysqlProgram,
  server: (program) => program,
  initialise: (program, data) => [program, '--no-defaults', '--initialize-insecure', `--datadir=${data}`],
  statements: [`alter user root@localhost account lock;`],
  settings: { mysqlx: '0', 'secure-file-priv': 'NULL', 'innodb-redo-log-capacity': '16M' },
}

/** Starts an empty MySQL server. @throws where it is missing or does not start */
export const startMySql = (options: MysqlProtocolOptions = {}): Promise<MysqlProtocolServer> =>
  startServer(mySql, options)
