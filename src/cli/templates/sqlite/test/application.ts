// The application for tests, on an empty in-memory database. The variables must be set before src/env.ts reads them, so
// the imports come after.
Object.assign(process.env, {
  NODE_ENV: 'test',
  LOG_LEVEL: 'warn',
  SECRET_KEY: 'only-for-tests-only-for-tests-32',
  DATABASE: ':memory:',
})
const { app } = await import('../src/app.ts')
const { migrate } = await import('../src/db.ts')
migrate()

export { app }
