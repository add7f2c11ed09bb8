// The application for tests. It uses the database of TEST_DATABASE_URL, never the one in .env. The variables must be
// set before src/env.ts reads them, so the imports come after.
const url = process.env['TEST_DATABASE_URL'] ?? ''
Object.assign(process.env, {
  NODE_ENV: 'test',
  LOG_LEVEL: 'warn',
  SECRET_KEY: 'only-for-tests-only-for-tests-32',
  DATABASE_URL: url,
})
const { app } = await import('../src/app.ts')
const { migrate } = await import('../src/db.ts')
if (url !== '') await migrate()

/** Why the tests cannot run: `false` if they can. */
const skip = url === '' && 'NOT RUN: set TEST_DATABASE_URL to the URL of a database for tests'
if (skip) console.error(skip)

export { app, skip }
