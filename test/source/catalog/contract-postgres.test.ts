import { onPostgres } from '../../servers/test-database.ts'
import { handleContract } from '../sql/handle-contract.ts'
import { openedPg } from '../sql/open-handles.ts'
import { librarySource } from './library-source.ts'

onPostgres('the contract of a source of a catalog', () =>
  handleContract('the catalog of PostgreSQL', () => openedPg(librarySource), librarySource),
)
