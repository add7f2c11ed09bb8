import { describe } from 'vitest'
import { inTurn } from '../../matrix.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { onMysqlInTurn } from '../../servers/test-mysql.ts'
import { orms } from './orms.ts'
import { servers } from './stage.ts'
import { deletedRecords } from './suite.ts'

onPostgres('deleted records', () => {
  describe('with drizzle', () => deletedRecords(servers.postgres))
  describe.each(inTurn(Object.entries(orms), 2))('with %s', (_name, start) => deletedRecords(start))
})

onMysqlInTurn('deleted records', (kind) => deletedRecords(servers[kind]))
