import type { ServiceAuth } from '../../../src/index.ts'
import { onFastify } from '../../stage/apps.ts'
import { type AuthService, type ServiceOptions, serviceOn } from '../../stage/auth-service.ts'
import { openSqlite } from '../../stage/databases.ts'
import { declare } from '../../stage/declared.ts'
import { isVerified, usersWith } from '../../stage/mail-service.ts'
import { inTest } from '../../stage/service.ts'
import { type Entry, entriesIn } from './stage.ts'

export interface AuditedUsers extends AuthService {
  /** The entries since the last call, in their order. */
  entries(): Promise<readonly Entry[]>
}

const { tables, ddl } = declare(usersWith(isVerified), { audit: true }).sqlite

export const startUsers = async (
  SERVICE_AUTH: ServiceAuth = {},
  options: ServiceOptions = {},
): Promise<AuditedUsers> => {
  const given = { audit: true, ...options, settings: { SERVICE_AUTH } }
  const service = await inTest(serviceOn(onFastify, openSqlite(tables, ddl), given))
  return { ...service, entries: entriesIn(service.rows) }
}
