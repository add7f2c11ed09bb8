import { onPostgres } from '../../servers/test-database.ts'
import { onMysqlInTurn } from '../../servers/test-mysql.ts'
import { onServers } from './stage.ts'
import { auditSuite } from './suite.ts'

onPostgres('the audit log', () => void auditSuite('PostgreSQL', onServers.postgres))
onMysqlInTurn('the audit log', (kind) => void auditSuite(kind, onServers[kind]))
