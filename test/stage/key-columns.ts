import { type Columns, counted, maybe, text, to } from './columns.ts'

/** Those of a table of API keys, whose users have keys that are counted. */
export const keyColumns: Columns = {
  ...{ id: counted, user_id: to('users'), name: text(100), hash: text(64, { unique: 'api_keys_hash_key' }) },
  ...{ access: text(10), account: maybe(22), created_at: { type: 'time' } },
  ...{ expires_at: maybe('time'), last_used_at: maybe('time') },
}
