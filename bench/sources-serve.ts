// Serves one side of the comparison: node bench/sources-serve.ts <ORM> <ours|by-hand> <sqlite|postgres> <file or URL>
import { answerWithCpu, say } from './messages.ts'
import { byHand, ours } from './sources/routes.ts'
import type { Database, OpenOrm } from './sources/shop.ts'

const [orm = '', side = '', database = '', location = ''] = process.argv.slice(2)
const { open } = (await import(`./sources/${orm}.ts`)) as {
  readonly open: (database: Database, location: string) => Promise<OpenOrm>
}
const { models, acts } = await open(database as Database, location)
const app = side === 'ours' ? ours(models) : byHand(acts)
say({ origin: await app.listen({ port: 0, host: '127.0.0.1' }) })
answerWithCpu()
