import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { baseUrl, buildShop } from './app.ts'
import { addDemoUser, demoUser } from './demo-user.ts'

const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const portOf = (text: string): number => {
  const port = Number(text)
  return /^\d+$/.test(text) && port <= 65_535
    ? port
    : fail(`PORT must be a number up to 65535, not "${text}".`)
}

const countOf = (text: string): number => {
  const count = Number(text)
  return Number.isSafeInteger(count) && count >= 100
    ? count
    : fail(`SEED_PRODUCTS must be a whole number of at least 100, not "${text}".`)
}

const isOn = (name: string, text: string): boolean =>
  text === '1' || (text === '0' ? false : fail(`${name} must be 1 or 0, not "${text}".`))

const port = portOf(process.env['PORT'] ?? '3000')
const host = process.env['HOST'] ?? '127.0.0.1'
const database = process.env['DATABASE'] ?? fileURLToPath(new URL('shop.db', import.meta.url))
const products = countOf(process.env['SEED_PRODUCTS'] ?? '2000')

const isSync = isOn('SYNC', process.env['SYNC'] ?? '0')

const isProtected = isOn('AUTH', process.env['AUTH'] ?? '0')
/** Without one that outlives this process, everybody logs in again after the next start. */
const secret = process.env['SECRET_KEY'] ?? randomBytes(32).toString('base64url')

const { app, db } = await buildShop({
  ...{ database, products, isAsync: !isSync },
  ...(isProtected && { secret }),
})
if (isProtected) await addDemoUser(db)

const stop = (): void => {
  app.close().then(
    () => process.exit(0),
    (error: unknown) => fail(String(error)),
  )
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)

try {
  const origin = await app.listen({ port, host })
  console.log(`Shop API       ${origin}${baseUrl}/products/`)
  console.log(`Documentation  ${origin}${baseUrl}/docs`)
  if (isProtected) {
    console.log(`Log in         POST ${origin}${baseUrl}/auth/login`)
    console.log(`Demo user      ${JSON.stringify(demoUser)}`)
  }
  if (isSync) console.log('Handlers       synchronous (isAsync: false)')
} catch (error) {
  const code: unknown = Reflect.get(Object(error), 'code')
  if (code !== 'EADDRINUSE') throw error
  fail(`Port ${port} is in use. Stop what listens there, or choose another: PORT=${port + 1} npm start`)
}
