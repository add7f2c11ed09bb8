import { DataSource } from 'typeorm'
import { createMysql } from '../../contract/library.ts'
import { createMysqlDatabase, nameOf, onEachMysql } from '../../servers/test-mysql.ts'
import { typeormContract } from './contract.ts'
import { libraryEntities } from './library.ts'

/** What a `timestamp` holds. */
const isHeld = (date: Date): boolean => date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 2038

onEachMysql('the contract of a source of entities', (kind) =>
  typeormContract(`typeorm on ${nameOf(kind)}`, async () => {
    const database = await createMysqlDatabase('library', { kind })
    const dataSource = new DataSource({
      ...{ type: kind, url: database.url, poolSize: 4 },
      entities: Object.values(libraryEntities('mysql')),
    })
    await dataSource.initialize()
    for (const statement of createMysql) await dataSource.query(statement)
    return {
      dataSource,
      server: kind,
      spoil: { statement: `update books set opens_at = '25:00:00'`, field: 'opensAt' },
      holds: (_field, value) => !(value instanceof Date) || isHeld(value),
      close: async () => {
        if (dataSource.isInitialized) await dataSource.destroy()
        await database.drop()
      },
    }
  }),
)
