// Serves one side of the comparison: node bench/serve.ts <ours|by-hand> <database>
import { buildShop } from '../examples/shop/app.ts'
import { buildByHand } from './by-hand.ts'
import type { FromServer } from './messages.ts'

const [side = '', database = ''] = process.argv.slice(2)
const app = side === 'ours' ? (await buildShop({ database })).app : buildByHand(database)
const send = (message: FromServer): void => {
  process.send?.(message)
}

// Asked for with any message: the CPU time so far.
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  send({ cpuMicroseconds: user + system })
})
process.once('disconnect', () => {
  app.close().then(() => process.exit(0))
})

send({ origin: await app.listen({ port: 0, host: '127.0.0.1' }) })
