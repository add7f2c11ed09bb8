import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { ShopOptions } from './app.ts'

/** Prints a message and exits. */
export const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const { env } = process

const portOf = (text: string): number => {
  const port = Number(text)
  return /^\d+$/.test(text) && port <= 65_535
    ? port
    : fail(`PORT must be an integer from 0 to 65535, not "${text}".`)
}

const countOf = (text: string): number => {
  const count = Number(text)
  return Number.isSafeInteger(count) && count >= 100
    ? count
    : fail(`SEED_PRODUCTS must be an integer of at least 100, not "${text}".`)
}

const isOn = (name: string): boolean => {
  const text = env[name] ?? '0'
  return text === '1' || (text === '0' ? false : fail(`${name} must be 1 or 0, not "${text}".`))
}

/** A generated key is lost at the end of the process, so users must log in again after a restart. */
const secretKey = (): string => {
  if (env['SECRET_KEY'] !== undefined) return env['SECRET_KEY']
  if (env['REDIS_URL'] !== undefined)
    fail('REDIS_URL requires SECRET_KEY. Set the same key for all processes.')
  return randomBytes(32).toString('base64url')
}

const optional = (options: { readonly [Name in keyof ShopOptions]?: ShopOptions[Name] | undefined }) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

export const isSync: boolean = isOn('SYNC')

/** Callers must log in. */
export const isProtected: boolean = isOn('AUTH')

export const port: number = portOf(env['PORT'] ?? '3000')

export const host: string = env['HOST'] ?? '127.0.0.1'

/** The options of the shop from environment variables, which README.md lists. */
export const shopOptions = (): ShopOptions => ({
  database: env['DATABASE_URL'] ?? env['DATABASE'] ?? fileURLToPath(new URL('shop.db', import.meta.url)),
  products: countOf(env['SEED_PRODUCTS'] ?? '2000'),
  isAsync: !isSync,
  ...optional({
    secret: isProtected ? secretKey() : undefined,
    redis: env['REDIS_URL'],
    replicas: env['REPLICA_URLS']?.split(' '),
    replicaLag: env['REPLICA_LAG'] === undefined ? undefined : Number(env['REPLICA_LAG']),
    media: env['MEDIA_ROOT'],
    trustProxy: env['TRUST_PROXY'],
  }),
})
