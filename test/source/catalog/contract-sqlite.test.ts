import { DatabaseSync } from 'node:sqlite'
import { handleContract } from '../sql/handle-contract.ts'
import { openedSqlite } from '../sql/open-handles.ts'
import { overNodeSqlite } from '../sql/over-node-sqlite.ts'
import { librarySource } from './library-source.ts'

handleContract(
  'the catalog of SQLite',
  async () => openedSqlite((file) => new DatabaseSync(file), overNodeSqlite, librarySource),
  librarySource,
)
