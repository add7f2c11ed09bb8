import { audited } from './stage.ts'
import { auditSuite } from './suite.ts'

for (const [name, start] of audited) auditSuite(name, start)
