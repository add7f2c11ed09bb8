import { controllerFor } from 'modelrest/fastify'
import { isAgent } from '../member.ts'

export default controllerFor('Tag', {
  readOnly: ['organisation_id'],
  permissions: { create: isAgent, update: isAgent, delete: isAgent },
})
