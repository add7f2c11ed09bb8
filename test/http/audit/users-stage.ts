import type { ServiceAuth } from '../../../src/index.ts'
import { onFastify } from '../../stage/apps.ts'
import { type AuthService, type ServiceOptions, serviceOn } from '../../stage/auth-service.ts'
import { type Column, counted, maybe, text } from '../../stage/columns.ts'
import { openSqlite } from '../../stage/databases.ts'
import { declare } from '../../stage/declared.ts'
import { inTest } from '../../stage/service.ts'
import { type Entry, entriesIn } from './stage.ts'

export interface AuditedUsers extends AuthService {
  /** The entries since the last call, in their order. */
  entries(): Promise<readonly Entry[]>
}

const yes: Column = { type: 'boolean', default: true }

const { tables, ddl } = declare(
  {
    users: {
      ...{ id: counted, email: text(320, { unique: true }), username: maybe(150, { unique: true }) },
      ...{ name: maybe('text'), password: maybe('text'), is_active: yes },
      email_verified: { type: 'boolean', default: false },
    },
    notes: { id: counted, text: text() },
  },
  { audit: true },
).sqlite

export const startUsers = async (
  SERVICE_AUTH: ServiceAuth = {},
  options: ServiceOptions = {},
): Promise<AuditedUsers> => {
  const given = { audit: true, ...options, settings: { SERVICE_AUTH } }
  const service = await inTest(serviceOn(onFastify, openSqlite(tables, ddl), given))
  return { ...service, entries: entriesIn(service.rows) }
}
