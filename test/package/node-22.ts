import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { succeed } from './shell.ts'

/** The oldest version of Node that package.json allows. */
export const version = '22.18.0'

/** Installs that Node once, beside what `npm ci` installs and removes. */
export const node22 = async (): Promise<string> => {
  const kept = resolve('node_modules/.cache', `node-${version}`)
  if (!existsSync(join(kept, 'node_modules/.bin/node'))) {
    const making = `${kept}.${process.pid}`
    mkdirSync(making, { recursive: true })
    writeFileSync(join(making, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }')
    await succeed(`npm install node@${version}`, making)
    rmSync(kept, { recursive: true, force: true })
    renameSync(making, kept)
  }
  return join(kept, 'node_modules/.bin/node')
}
