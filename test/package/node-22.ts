import { join } from 'node:path'
import { keptFolder } from './installed.ts'

/** The oldest version of Node that package.json allows. */
export const version = '22.18.0'

/** The program of that version. */
export const node22 = async (): Promise<string> =>
  join(await keptFolder([`node@${version}`]), 'node_modules/.bin/node')
