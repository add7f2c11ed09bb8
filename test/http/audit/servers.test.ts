import { onPostgres } from '../../servers/test-database.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { onServers } from './stage.ts'
import { auditSuite } from './suite.ts'

onPostgres('the audit log', () => void auditSuite('PostgreSQL', onServers.postgres))
onEachMysql('the audit log', (kind) => void auditSuite(kind, onServers[kind]))
