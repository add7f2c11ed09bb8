import { existsSync, readFileSync } from 'node:fs'

const STATUS = '/proc/self/status'

/**
 * The most bytes that this process has held. On Linux, `resourceUsage().maxRSS` begins with what the process that forked this one
 * held.
 */
export const peakMemory = (): number => {
  const [, kilobytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(existsSync(STATUS) ? readFileSync(STATUS, 'utf8') : '') ?? []
  return Number(kilobytes ?? process.resourceUsage().maxRSS) * 1024
}
