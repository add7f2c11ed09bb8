import { controllerFor } from 'modelrest/fastify'
import { isAdmin } from '../member.ts'

export default controllerFor('AuditEntry', {
  internal: false,
  permissions: { read: isAdmin },
})
