import { schema as postgres } from './generated/postgresql/schema.js'
import { schema as sqlite } from './generated/sqlite/schema.js'
import { opening } from './serve.js'

export const open = opening({ sqlite, postgres })
