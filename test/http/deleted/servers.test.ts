import { describe } from 'vitest'
import { onPostgres } from '../../servers/test-database.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { orms } from './orms.ts'
import { servers } from './stage.ts'
import { deletedRecords } from './suite.ts'

onPostgres('deleted records', () => {
  describe('with drizzle', () => deletedRecords(servers.postgres))
  describe.each(Object.entries(orms))('with %s', (_name, start) => deletedRecords(start))
})

onEachMysql('deleted records', (kind) => deletedRecords(servers[kind]))
