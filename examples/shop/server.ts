import { baseUrl, buildShop } from './app.ts'
import { addDemoUser, demoUser } from './demo-user.ts'
import { fail, host, isProtected, isSync, port, shopOptions } from './environment.ts'

const { app, db } = await buildShop(shopOptions())
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
