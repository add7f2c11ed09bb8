import { MikroORM as MariaDb } from '@mikro-orm/mariadb'
import { MikroORM as MySql } from '@mikro-orm/mysql'
import { createMysql } from '../../contract/library.ts'
import { createMysqlDatabase, nameOf, onEachMysql } from '../../servers/test-mysql.ts'
import { execute, mikroOrmContract } from './contract.ts'
import { libraryEntities } from './library.ts'

/** What a `timestamp` holds. */
const isHeld = (date: Date): boolean => date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 2038

onEachMysql('the contract of a source of entities', (kind) =>
  mikroOrmContract(`MikroORM on ${nameOf(kind)}`, async () => {
    const database = await createMysqlDatabase('library', { kind })
    const options = {
      ...{ clientUrl: database.url, pool: { max: 4 } },
      entities: Object.values(libraryEntities('mysql')),
    }
    const orm = kind === 'mysql' ? await MySql.init(options) : await MariaDb.init(options)
    for (const statement of createMysql) await execute(orm.em.fork(), statement)
    return {
      orm,
      server: kind,
      spoil: { statement: `update books set opens_at = '25:00:00'`, field: 'opensAt' },
      holds: (_field, value) => !(value instanceof Date) || isHeld(value),
      drop: database.drop,
    }
  }),
)
