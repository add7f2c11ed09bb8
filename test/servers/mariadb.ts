import {
  foundIn,
  type MysqlProtocolKind,
  type MysqlProtocolOptions,
  type MysqlProtocolServer,
  startServer,
} from './mysql-protocol.ts'

interface Programs {
  readonly server: string
  readonly initialise: string
}

/** `undefined`: they are missing. */
export const mariaDbPrograms = (): Programs | undefined => {
  const [server, initialise] = [foundIn('mariadbd'), foundIn('mariadb-install-db')]
  return server === undefined || initialise === undefined ? undefined : { server, initialise }
}

export const mariaDb: MysqlProtocolKind<Programs> = {
  noun: 'MariaDB',
  install: 'Install it: apt-get install --yes mariadb-server',
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
