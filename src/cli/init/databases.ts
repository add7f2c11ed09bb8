/** A database that a new project can use. `src/cli/templates/<name>` holds the files that differ. */
export interface ProjectDatabase {
  readonly dependencies: readonly string[]
  readonly devDependencies: readonly string[]
  /** The command that starts the server of `.env`. Absent for SQLite, which does not need a server. */
  readonly start?: (project: string) => string
  /** Text of common files -> its replacement in a project with this database. */
  readonly edits?: Readonly<Record<string, string>>
}

export type DatabaseName = 'sqlite' | 'pg' | 'mysql'

export const databases: Readonly<Record<DatabaseName, ProjectDatabase>> = {
  sqlite: {
    dependencies: ['better-sqlite3'],
    devDependencies: ['@types/better-sqlite3'],
  },
  pg: {
    dependencies: ['pg'],
    devDependencies: ['@electric-sql/pglite', '@types/pg'],
    start: (project) =>
      `docker run --name ${project}-db -e POSTGRES_PASSWORD=postgres -e POSTGRES_DB=${databaseNameOf(project)} -p 127.0.0.1:5432:5432 -d postgres:18`,
  },
  mysql: {
    dependencies: ['mysql2'],
    devDependencies: [],
    start: (project) =>
      `docker run --name ${project}-db -e MYSQL_ROOT_PASSWORD=mysql -e MYSQL_DATABASE=${databaseNameOf(project)} -p 127.0.0.1:3306:3306 -d mysql:9`,
    // MySQL cannot run in memory, so the tests are skipped without a server.
    edits: {
      "import { app } from './application.ts'": "import { app, skip } from './application.ts'",
      "describe('/api/demo-items/', () =>": "describe('/api/demo-items/', { skip }, () =>",
    },
  },
}

/** MySQL allows 64 characters, and the README suggests another database with `_test` behind the name. */
const LONGEST = 58

/** Databases that a server has from the start, for itself. */
const systemDatabase = /^(mysql|sys|information_schema|performance_schema|ndbinfo|postgres|template[01])$/

/** `my-shop` -> `my_shop`, `2` -> `db_2`: short enough for PostgreSQL, and without quotes unless SQL reserves the word. */
export const databaseNameOf = (project: string): string => {
  const name = project.replaceAll(/[^a-z0-9]+/g, '_')
  return `${/^\d/.test(name) || systemDatabase.test(name) ? 'db_' : ''}${name}`.slice(0, LONGEST)
}
