import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  foundIn,
  galeraProvider,
  isLeftOut,
  mariaDbPrograms,
  mysqlProgram,
} from './servers/mysql-programs.ts'
import { postgresPrograms } from './servers/postgres-programs.ts'

/** Something that tests need and that `npm ci` does not install. */
export interface Program {
  readonly name: string
  /** The command that installs it on Debian, or what to do instead. */
  readonly install: string
  isThere(): boolean
  /** Whether CI may be without it. */
  isOptional?(): boolean
}

const ofDebian = (name: string, program: string, packages = program): Program => ({
  name,
  install: `apt-get install --yes ${packages}`,
  isThere: () => foundIn(program) !== undefined,
})

/** A language in which a client of the OpenAPI generator is built. CI has few of them. */
const ofClient = (name: string, program: string, packages: string): Program => ({
  ...ofDebian(name, program, packages),
  isOptional: () => true,
})

/** A Python with PyJWT and cryptography. Debian installs them for its own. */
export const pythonWithJwt = (): string | undefined =>
  ['python3', '/usr/bin/python3'].find(
    (path) => spawnSync(path, ['-c', 'import jwt, cryptography']).status === 0,
  )

const table = {
  postgres: {
    name: 'PostgreSQL',
    install: 'apt-get install --yes postgresql',
    isThere: () => postgresPrograms() !== undefined,
  },
  pgbouncer: ofDebian('PgBouncer', 'pgbouncer'),
  mariadb: {
    name: 'MariaDB',
    install: 'apt-get install --yes mariadb-server',
    isThere: () => mariaDbPrograms() !== undefined,
  },
  galera: {
    name: 'Galera',
    install: 'apt-get install --yes mariadb-server galera-4 rsync',
    isThere: () =>
      mariaDbPrograms() !== undefined && existsSync(galeraProvider) && foundIn('rsync') !== undefined,
  },
  mysql: {
    name: 'MySQL',
    install: '.ci/mysql-server /tmp/mysql; export MYSQL_SERVER=/tmp/mysql/mysqld',
    isThere: () => mysqlProgram() !== undefined,
    isOptional: isLeftOut,
  },
  redis: ofDebian('Redis', 'redis-server'),
  nginx: ofDebian('nginx', 'nginx'),
  chromium: ofDebian('Chromium', 'chromium'),
  curl: ofDebian('curl', 'curl'),
  openssl: ofDebian('OpenSSL', 'openssl'),
  rclone: {
    name: 'rclone',
    install:
      'pip install --target /tmp/rclone --requirement test/servers/s3-requirements.txt; export PATH=/tmp/rclone/bin:$PATH',
    isThere: () => foundIn('rclone') !== undefined,
  },
  pyjwt: {
    name: 'PyJWT',
    install: 'apt-get install --yes python3-jwt python3-cryptography',
    isThere: () => pythonWithJwt() !== undefined,
  },
  generator: {
    name: 'OpenAPI generator',
    install: [
      'apt-get install --yes default-jre-headless',
      'pip install --target /tmp/generator --requirement test/cli/generator-requirements.txt',
      'export OPENAPI_GENERATOR_JAR=/tmp/generator/openapi_generator_cli/openapi-generator.jar',
    ].join('; '),
    isThere: () => foundIn('java') !== undefined && existsSync(process.env['OPENAPI_GENERATOR_JAR'] ?? ''),
  },
  python3: ofDebian('Python', 'python3'),
  mvn: ofClient('Maven', 'mvn', 'maven'),
  go: ofClient('Go', 'go', 'golang-go'),
  registry: {
    name: "npm's registry",
    install: 'a network in which npm finds packages',
    isThere: () => spawnSync('npm', ['ping', '--fetch-retries=0'], { stdio: 'ignore' }).status === 0,
  },
  platforms: {
    name: 'Bun, Deno and workerd',
    install: 'a machine with Linux on x64, whose npm finds their packages',
    isThere: () => process.platform === 'linux' && process.arch === 'x64',
  },
} satisfies Record<string, Program>

/** What a test may need. */
export type Need = keyof typeof table

export const programs: Readonly<Record<Need, Program>> = table

/** Whether all programs are left alone, as `npm test` does, so that it runs the same tests on every machine. */
export const areHidden = (): boolean => process.env['HIDDEN_PROGRAMS'] === 'all'

export const isThere = (need: Need): boolean => !areHidden() && programs[need].isThere()
