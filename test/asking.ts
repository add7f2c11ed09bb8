import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// Prints the test files that ask for programs, themselves or through what they import. The others do the same with and without
// programs: a test that gets a program without asking fails on every machine.

const asking = 'test/needed-program.ts'

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  )

const importers = new Map<string, string[]>()
for (const file of globSync('test/**/*.ts'))
  for (const imported of importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file])

const found = new Set([asking])
for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer)
process.stdout.write([...found].filter((file) => file.endsWith('.test.ts')).join(' '))
