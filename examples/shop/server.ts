import { fileURLToPath } from 'node:url'
import { baseUrl, buildShop } from './app.ts'

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

const port = portOf(process.env['PORT'] ?? '3000')
const host = process.env['HOST'] ?? '127.0.0.1'
const database = process.env['DATABASE'] ?? fileURLToPath(new URL('shop.db', import.meta.url))
const products = process.env['SEED_PRODUCTS']

const { app } = await buildShop({
  database,
  ...(products === undefined ? {} : { products: Number(products) }),
})

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
} catch (error) {
  const code: unknown = Reflect.get(Object(error), 'code')
  if (code !== 'EADDRINUSE') throw error
  fail(`Port ${port} is in use. Stop what listens there, or choose another: PORT=${port + 1} npm start`)
}
