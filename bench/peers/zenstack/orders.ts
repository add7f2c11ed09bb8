import { schema as postgres } from './generated/orders-postgresql/schema.js'
import { schema as sqlite } from './generated/orders-sqlite/schema.js'
import { opening } from './serve.js'

export const open = opening({ sqlite, postgres })
