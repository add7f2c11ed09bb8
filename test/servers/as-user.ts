import { execFileSync } from 'node:child_process'
import { chownSync } from 'node:fs'

/** A program with its arguments, in front of which another one is put. */
export type Run = (program: string, ...args: readonly string[]) => [string, string[]]

/**
 * Database servers refuse to run as root, so there they run as a user of their own, who is given the folder. `setpriv`
 * becomes the program itself (so that signals reach it), and tells it when the process that started it is gone.
 */
export const asUser = (user: string, folder: string, signal: 'QUIT' | 'KILL'): Run => {
  const watched = ['--pdeathsig', signal]
  if (process.getuid?.() !== 0) return (program, ...args) => ['setpriv', [...watched, program, ...args]]
  const idOf = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
  const [uid, gid] = [idOf('-u'), idOf('-g')]
  chownSync(folder, uid, gid)
  const as = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups']
  return (program, ...args) => ['setpriv', [...as, ...watched, program, ...args]]
}
