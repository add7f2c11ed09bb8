import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = import.meta.dirname
const file = join(folder, '.env')
// A variable that the environment has already goes before its line in the file.
if (existsSync(file)) process.loadEnvFile(file)

/** A variable. An empty one counts as absent. */
const read = (name: string): string | undefined => process.env[name] || undefined

const portOf = (text: string): number => {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Error(`PORT must be a whole number up to 65535, not "${text}".`)
}

// Version control has no .env: after a clone it is missing.
if (!existsSync(file) && !read('SECRET_KEY') && read('NODE_ENV') !== 'production')
  console.error(
    'There is neither .env nor SECRET_KEY. Run cp .env.example .env, and fill in SECRET_KEY there.',
  )

/** What differs from one machine to the next. `.env.example` explains each. */
export const env = {
  host: read('HOST') ?? '127.0.0.1',
  port: portOf(read('PORT') ?? '3000'),
  /** The SQLite file. */
  database: resolve(folder, read('DATABASE') ?? 'data/app.db'),
  secretKey: read('SECRET_KEY'),
  logLevel: read('LOG_LEVEL') ?? 'info',
} as const
