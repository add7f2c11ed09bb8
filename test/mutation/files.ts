/** The test files that are run, one after the other until a fault is found. Those that take seconds are the first. */
const files: readonly string[] = [
  'test/auth/own-record.test.ts',
  'test/auth/own-record-actions.test.ts',
  'test/attack/write-without-read.test.ts',
  'test/http/counts.test.ts',
  'test/http/files/signed-urls.test.ts',
  'test/http/together/access.test.ts',
  'test/http/scope-together.test.ts',
  'test/http/relations/include.test.ts',
  'test/http/relations/hook-include.test.ts',
  'test/http/own-auth.test.ts',
  'test/http/files/reading.test.ts',
  'test/http/access-parts.test.ts',
  'test/http/scope-option.test.ts',
  'test/http/access.test.ts',
  'test/openapi/look.test.ts',
  'test/openapi/descriptions.test.ts',
  'test/source/shared-reads.test.ts',
  'test/source/sharing.test.ts',
  'test/http/shared-reads.test.ts',
  'test/http/scope-pages.test.ts',
  'test/http/scope.test.ts',
  'test/http/scope-forms.test.ts',
  'test/http/scope-worlds.test.ts',
]

/** Files of parts of the source, which are run before all others. */
const ownFiles: readonly (readonly [path: RegExp, files: readonly string[]])[] = [
  [
    /\/write\/(create-many|many|many-operations|matching|rows|plan|start-checks|references)\.ts$|\/bulk[./]|\/commits\.ts$|\/bounded-rows\.ts$/,
    [
      'test/http/bulk/create.test.ts',
      'test/http/bulk/update.test.ts',
      'test/http/bulk/files.test.ts',
      'test/attack/many-records.test.ts',
      'test/http/together/access.test.ts',
    ],
  ],
  [/\/mysql-/, ['test/source/drizzle/mysql2.test.ts']],
  [/\/host\/nest\//, ['test/host/nest/guards.test.ts']],
  [/\/openapi\/merge\.ts$/, ['test/openapi/merge.test.ts']],
  [/\/(versions|if-match|write\/checked|write\/operations)\.ts$/, ['test/http/versions/headers.test.ts']],
  [/\/query\/(related|translation)\.ts$/, ['test/query/related.test.ts']],
  [/\/source\/(renamed|source-names|wrapped)\.ts$/, ['test/source/renamed.test.ts']],
  [
    /\/(soft-deletion|wrapped|deleted|write\/operations|references|write\/run|current|clean|permissions)\.ts$/,
    [
      'test/http/deleted/doors.test.ts',
      'test/http/deleted/library.test.ts',
      'test/http/deleted/files.test.ts',
      'test/http/deleted/start.test.ts',
      'test/source/soft-deletion.test.ts',
    ],
  ],
  [/\/write\/(current|nested|below)\.ts$/, ['test/http/together/own-users.test.ts']],
  [/\/users\/identifiers\.ts$/, ['test/http/deleted/users.test.ts']],
  [/\/users\/user-writes\.ts$/, ['test/http/audit/users.test.ts']],
  [
    /\/shar(ing|ed-reads)\.ts$/,
    ['test/source/shared-reads.test.ts', 'test/source/sharing.test.ts', 'test/http/shared-reads.test.ts'],
  ],
  [
    /\/source\/(typeorm|mikro-orm|sequelize)\/(describe|foreign-keys)\.ts$|\/parts\/building\.ts$/,
    [
      'test/source/sequelize/facts.test.ts',
      'test/source/mikro-orm/facts.test.ts',
      'test/source/typeorm/facts.test.ts',
    ],
  ],
  [/\/related-lists\.ts$/, ['test/source/related-lists.test.ts']],
  [
    /\/source\/prisma\//,
    [
      'test/source/prisma/adapter-better-sqlite3.test.ts',
      'test/source/prisma/related-sort.test.ts',
      'test/source/prisma/odd-types.test.ts',
      'test/source/prisma/adapter-mariadb.test.ts',
      'test/source/prisma/text-keys.test.ts',
    ],
  ],
  [
    /\/source\/typeorm\//,
    [
      'test/source/typeorm/sqlite.test.ts',
      'test/source/typeorm/hooks.test.ts',
      'test/source/typeorm/values.test.ts',
      'test/source/typeorm/mysql.test.ts',
      'test/source/typeorm/entities.test.ts',
    ],
  ],
  [
    /\/source\/sequelize\//,
    [
      'test/source/sequelize/sqlite.test.ts',
      'test/source/sequelize/hooks.test.ts',
      'test/source/sequelize/mysql.test.ts',
      'test/source/sequelize/models.test.ts',
    ],
  ],
  [
    /\/source\/mikro-orm\//,
    [
      'test/source/mikro-orm/sqlite.test.ts',
      'test/source/mikro-orm/start.test.ts',
      'test/source/mikro-orm/entities.test.ts',
      'test/source/mikro-orm/hooks.test.ts',
      'test/source/mikro-orm/transactions.test.ts',
      'test/source/mikro-orm/values.test.ts',
      'test/source/mikro-orm/postgres.test.ts',
      'test/source/mikro-orm/mysql.test.ts',
    ],
  ],
  // What TypeORM and Sequelize run.
  [
    /\/source\/sql\/(aggregate|codecs|condition|conversions|declared-table|mapped-table|mapping|missing-tables|port|served|statement|store|tables|times|types|write-many)\.ts$/,
    [
      'test/source/sql/columns.test.ts',
      'test/source/sql/deleted.test.ts',
      'test/source/typeorm/values.test.ts',
      'test/source/typeorm/sqlite.test.ts',
      'test/source/sequelize/models.test.ts',
      'test/source/typeorm/postgres.test.ts',
      'test/source/typeorm/mysql.test.ts',
      'test/source/sequelize/postgres.test.ts',
      'test/source/typeorm/entities.test.ts',
    ],
  ],
  // MySQL alone needs another statement where a scope is over a relation.
  [/\/sql\/order\.ts$/, ['test/source/sql/related-mysql.test.ts']],
  [/\/password-change\.ts$/, ['test/http/auth/password-change.test.ts']],
  [/\/auth\/tokens\/claims\.ts$/, ['test/http/auth/own-claims.test.ts']],
  [/\/auth\/issue-tokens\.ts$/, ['test/http/auth/issue-tokens.test.ts']],
  [/\/auth\/tokens\/keys\.ts$/, ['test/http/auth/jwks.test.ts']],
  [/\/(write\/run|reach)\.ts$/, ['test/http/present.test.ts', 'test/http/relations/shared.test.ts']],
  [/\/(stamps|prepare)\.ts$/, ['test/http/stamps.test.ts', 'test/http/audit/audit.test.ts']],
  [
    /\/(audit|write\/checked|write\/run)\.ts$/,
    ['test/http/hooks-before.test.ts', 'test/http/audit/audit.test.ts'],
  ],
  [/\/(write\/checked|parts\/record|parts\/records)\.ts$/, ['test/http/audit/tenants.test.ts']],
  [/\/resource\/action\//, ['test/http/actions/access.test.ts']],
  [
    /\/show\/include\.ts$|\/parts\/records\.ts$/,
    ['test/http/computed.test.ts', 'test/http/shared-reads.test.ts', 'test/source/drizzle/replicas.test.ts'],
  ],
  [/\/write\/(operations|body)\.ts$/, ['test/http/relations/below.test.ts']],
  [/^src\/query\//, ['test/query/relations.test.ts']],
  [/\/shared-subqueries\.ts$/, ['test/query/shared-subqueries.test.ts']],
  [/^src\/error\//, ['test/options.test.ts']],
  [/^src\/app\//, ['test/http/controller-options.test.ts']],
  [
    /^src\/host\/fetch\//,
    ['test/http/read-bodies.test.ts', 'test/host/fetch/app.test.ts', 'test/host/fetch/lazy.test.ts'],
  ],
  [/^src\/host\/node\//, ['test/host/node/app.test.ts']],
  [/^src\/host\/express\//, ['test/host/express/app.test.ts']],
  [
    /^src\/auth\//,
    [
      'test/attack/waiting-password-change.test.ts',
      'test/attack/verified-address.test.ts',
      'test/attack/mass-mails.test.ts',
      'test/attack/mail-errors.test.ts',
      'test/attack/mail-tokens.test.ts',
      'test/attack/key-again.test.ts',
      'test/attack/listed-sessions.test.ts',
      'test/http/auth/password-reset.test.ts',
      'test/http/auth/email-verify.test.ts',
      'test/http/auth/own-sessions.test.ts',
    ],
  ],
  [
    /\/(memory-budget|sizing)\.ts$/,
    ['test/operation/memory-budget.test.ts', 'test/source/large-records.test.ts'],
  ],
  [/\/(gate|connection-line)\.ts$/, ['test/host/gate.test.ts', 'test/source/sql/connection-line.test.ts']],
  [/\/replicas\.ts$/, ['test/http/replicas.test.ts', 'test/host/gate.test.ts']],
]

/** The test files for a fault in a source file, in the order in which they are run. */
export const filesFor = (path: string): readonly string[] => [
  ...new Set([...ownFiles.filter(([part]) => part.test(path)).flatMap(([, own]) => own), ...files]),
]
