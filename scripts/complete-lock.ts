import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Writes into package-lock.json what npm leaves out of it: packages for other platforms that the registry at hand does
 * not have. Without them `npm ci` refuses the lock. Run it after `npm install` where the test of the lock fails:
 * `node scripts/complete-lock.ts [bench/peers/remult/package-lock.json]`
 */
interface Locked {
  readonly version?: string
  readonly dev?: true
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const [file = 'package-lock.json'] = process.argv.slice(2)
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> }

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']

/** `linux-arm-musleabihf` -> what npm compares with the machine. */
const platformOf = (name: string) => {
  const [os = '', cpu = '', abi = ''] = name
    .slice(systems.map((s) => name.indexOf(s)).find((at) => at > 0))
    .split('-')
  return {
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' && abi !== '' ? { libc: [abi.startsWith('musl') ? 'musl' : 'glibc'] } : {}),
  }
}

for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`
    if (path in lock.packages) continue
    if (!/^\d+\.\d+\.\d+$/.test(version))
      throw new Error(`${name}@${version} is no exact version: lock it by hand.`)
    lock.packages[path] = { version, ...platformOf(name), ...(dev ? { dev } : {}), ...{ optional: true } }
    console.log(`locked ${name}@${version}`)
  }
}

const byPath = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(byPath) }, null, 2)}\n`)
