import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const declarationsIn = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import) ?['"](\.[^'"]+)\.[jt]s['"]/g)].map(
    ([, path = '']) => join(dirname(file), `${path}.d.ts`),
  )

/** Removes the declarations that no declaration of an entry leads to: nobody can import them. */
export const keepShownTypes = (directory: string, entries: readonly string[]): void => {
  const shown = new Set(entries.map((path) => join(directory, `${path}.d.ts`)))
  for (const file of shown)
    for (const next of declarationsIn(file).filter((path) => existsSync(path))) shown.add(next)
  for (const file of globSync(`${directory}/**/*.d.ts`)) if (!shown.has(file)) rmSync(file)
}
