import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import { handleContract } from './handle-contract.ts'
import { openedSqlite } from './open-handles.ts'
import { overBetterSqlite3 } from './over-better-sqlite3.ts'
import { overNodeSqlite } from './over-node-sqlite.ts'

handleContract('better-sqlite3', async () => openedSqlite((file) => new Database(file), overBetterSqlite3))

handleContract('node:sqlite', async () => openedSqlite((file) => new DatabaseSync(file), overNodeSqlite))
