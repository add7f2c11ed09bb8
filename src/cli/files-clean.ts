import type { Command, Given } from './command.ts'
import { loadApi } from './load-api.ts'
import { UsageError } from './usage-error.ts'

/** `modelrest files clean`: tells which files no record holds, and deletes them. */
export const filesClean: Command = {
  name: 'files clean',
  summary: 'Delete the uploaded files that no record holds.',
  usage: '--api-module <path> [--api-var api] [--older-than <seconds>] [--dry-run]',
  options: {
    'api-module': { type: 'string' },
    'api-var': { type: 'string', default: 'api' },
    'older-than': { type: 'string', default: '3600' },
    'dry-run': { type: 'boolean', default: false },
  },
  help: [
    '--api-module <path>      the file that exports the generator, as ./api.ts; it must not listen by itself',
    '--api-var <name>         the name of that export (default: api)',
    '--older-than <seconds>   leave files that are younger, as their requests may be under way (default: 3600)',
    '--dry-run                only tell what would be deleted',
  ],
  async run(given, terminal) {
    const olderThan = secondsOf(given)
    const remove = given['dry-run'] !== true
    const api = await loadApi({ module: moduleOf(given), variable: String(given['api-var']) }, terminal)
    try {
      const orphans = await api.cleanFiles({ olderThan, remove })
      for (const { key, size } of orphans) terminal.print(size === undefined ? key : `${key} (${size} bytes)`)
      const bytes = orphans.reduce((sum, { size = 0 }) => sum + size, 0)
      const files = orphans.length === 1 ? '1 file' : `${orphans.length} files`
      const done = remove ? 'deleted' : 'nothing is deleted in a dry run'
      terminal.print(
        orphans.length === 0
          ? 'Every file is held by a record.'
          : `${files} that no record holds, ${bytes} bytes: ${done}.`,
      )
    } finally {
      await api.close()
    }
  },
}

const moduleOf = ({ 'api-module': module }: Given): string => {
  if (typeof module === 'string' && module !== '') return module
  throw new UsageError(
    '--api-module is missing: the file that exports the generator, as --api-module ./api.ts.',
  )
}

const secondsOf = ({ 'older-than': seconds }: Given): number => {
  if (typeof seconds === 'string' && /^\d{1,12}$/.test(seconds)) return Number(seconds)
  throw new UsageError('--older-than takes whole seconds, 0 or more, as --older-than 3600.')
}
