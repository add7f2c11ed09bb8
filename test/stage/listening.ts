import { afterEach, expect, vi } from 'vitest'
import type { Entry } from './apps.ts'
import type { AuthService, Serve } from './auth-service.ts'

export interface Listened extends AuthService {
  /** What was logged since it was asked last, each as a row: level, line, user and address. */
  heard(): readonly (readonly unknown[])[]
  /** Everything that was logged, as it was written. */
  written(): string
}

/** Entries of the log of Fastify, or the lines that the Fetch API writes to stderr. To be asked for inside `describe`. */
export const listening = (serve: Serve): ((...asked: Parameters<Serve>) => Promise<Listened>) => {
  afterEach(() => {
    vi.restoreAllMocks()
  })
  return async (...asked) => {
    const lines: string[] = []
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
    const service = await serve(...asked)
    let seen = 0
    const entries = (): readonly Pick<Entry, 'line' | 'details' | 'level'>[] =>
      service.log.length > 0
        ? service.log
        : lines.flatMap((text) => {
            const [, line, details] = /^(auth\.\w+) ({.*})\n$/.exec(text) ?? []
            // Stderr has no levels.
            return line === undefined
              ? []
              : [{ line, details: JSON.parse(details ?? ''), level: levels[line] ?? 'info' }]
          })
    const heard = () => {
      const events = entries().filter(({ line }) => line.startsWith('auth.'))
      const fresh = events.slice(seen)
      seen = events.length
      for (const { line, details } of fresh) expect(details['event']).toBe(line)
      return fresh.map(({ level, line, details }) => [level, line, details['user'], details['address']])
    }
    const written = (): string => [...lines, ...service.log.map((entry) => JSON.stringify(entry))].join('')
    return { ...service, heard, written }
  }
}

const levels: Readonly<Record<string, Entry['level']>> = {
  'auth.login_refused': 'warn',
  'auth.refresh_reused': 'warn',
  'auth.password_change_refused': 'warn',
}
