import { getTableName, isTable, type Table, type View } from 'drizzle-orm'

/** Where tools write down which migrations have run. An existing database may have those of an earlier tool. */
const names: ReadonlySet<string> = new Set([
  ...['__drizzle_migrations', '_prisma_migrations', 'mikro_orm_migrations', 'sequelizemeta'],
  ...['knex_migrations', 'knex_migrations_lock', 'kysely_migration', 'kysely_migration_lock'],
  ...['schema_migrations', 'flyway_schema_history', 'alembic_version', 'django_migrations'],
])

export const isMigrationTable = (source: Table | View): boolean =>
  isTable(source) && names.has(getTableName(source).toLowerCase())
