import { nameOf, onEachMysql } from '../../servers/test-mysql.ts'
import { handleContract } from '../sql/handle-contract.ts'
import { openedMysql } from '../sql/open-handles.ts'
import { librarySource } from './library-source.ts'

onEachMysql('the contract of a source of a catalog', (kind) =>
  handleContract(`the catalog of ${nameOf(kind)}`, () => openedMysql(kind), librarySource),
)
