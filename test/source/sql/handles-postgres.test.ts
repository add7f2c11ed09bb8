import { onPostgres } from '../../servers/test-database.ts'
import { handleContract } from './handle-contract.ts'
import { openedPg } from './open-handles.ts'

onPostgres('the contract of a source over node-postgres', () => handleContract('pg', () => openedPg()))
