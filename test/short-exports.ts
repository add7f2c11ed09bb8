import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * For each file of a package that it loads, Node 26 parses the `exports` of that package again. Those of Drizzle are 447 entries,
 * and cost each process of the tests 0.7 s. Here one pattern replaces those 384 that it means too, until `npm ci` runs again. Where
 * the file cannot be written, tests are as slow as their users.
 *
 * @param manifest the path of a `package.json`
 */
export const shortenExports = (manifest: string): void => {
  const { exports, ...others } = JSON.parse(readFileSync(manifest, 'utf8'))
  if ('./*' in exports) return
  const module = { types: './*.d.ts', default: './*.js' }
  const pattern = { import: module, require: { types: './*.d.cts', default: './*.cjs' }, ...module }
  const named = (path: string): string => JSON.stringify(pattern).replaceAll('*', path.slice(2))
  const kept = Object.entries(exports).filter(([path, file]) => JSON.stringify(file) !== named(path))
  const short = { ...others, exports: { ...Object.fromEntries(kept), './*': pattern } }
  const written = `${manifest}.${process.pid}`
  try {
    writeFileSync(written, JSON.stringify(short, null, 2))
    renameSync(written, manifest)
  } catch {
    // Nobody but its owner may.
  }
}
