// Serves records to nobody: fork(unread-bodies-server.ts, [host]). It sends its port, and the most memory that it has
// had, in bytes, for each message. It ends when it is disconnected.
import { peakMemory } from '../attack/peak-memory.ts'
import { onFastify, onFetchBehindNode } from '../stage/apps.ts'
import { openModels } from './service.ts'

const { models, close } = openModels()
const options = {
  models,
  auth: { authenticate: () => null },
  settings: { JSON_BODY_LIMIT: 600 * 1024 * 1024 },
} as const

const host = process.argv[2] === 'fetch' ? onFetchBehindNode : onFastify
const { port, stop } = await host(options, { base: '', listening: true, logger: false })
process.on('message', () => process.send?.(peakMemory()))
process.on('disconnect', () => void stop().then(close))
process.send?.(port)
