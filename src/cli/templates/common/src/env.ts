import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the project. */
export const folder: string = join(import.meta.dirname, '..')

// Variables that are already set keep their values.
const file = join(folder, '.env')
if (existsSync(file)) process.loadEnvFile(file)

/** Reads an environment variable. An empty one counts as not set. */
export const read = (name: string): string | undefined => process.env[name] || undefined

const portOf = (text: string): number => {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Error(`PORT must be an integer between 0 and 65535, not "${text}".`)
}

// .env is not in version control, so it is missing after a clone.
if (!existsSync(file) && !read('SECRET_KEY') && read('NODE_ENV') !== 'production')
  console.error('.env and SECRET_KEY are missing. Run cp .env.example .env, and fill in SECRET_KEY.')

/** The settings that differ between machines. `.env.example` explains them. */
export const env = {
  host: read('HOST') ?? '127.0.0.1',
  port: portOf(read('PORT') ?? '3000'),
  secretKey: read('SECRET_KEY'),
  logLevel: read('LOG_LEVEL') ?? 'info',
} as const
