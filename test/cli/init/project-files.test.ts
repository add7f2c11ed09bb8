import fc from 'fast-check'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { ownPackage } from '../../../src/cli/init/own-package.ts'
import { projectFiles, projectPackages } from '../../../src/cli/init/project-files.ts'
import { nodesOf } from '../../structure/source-files.ts'

const { tested, version } = ownPackage()
const filesFor = (title: string): ReadonlyMap<string, string> =>
  projectFiles({ name: 'my-shop', title, modelrest: `^${version}`, tested })

const textOf = (files: ReadonlyMap<string, string>, path: string): string => files.get(path) ?? ''

describe('the files of a new project', () => {
  const files = filesFor('Shop')

  test('are these', () => {
    expect([...files.keys()].toSorted()).toEqual([
      ...['.dockerignore', '.env', '.env.example', '.gitignore', 'Dockerfile', 'README.md', 'api.ts'],
      ...['controllers/product.ts', 'db.ts', 'drizzle.config.ts', 'env.ts'],
      ...['migrate.ts', 'migrations/0000_first.sql', 'migrations/meta/0000_snapshot.json'],
      ...['migrations/meta/_journal.json', 'models.ts', 'package.json'],
      ...['server.ts', 'settings.ts', 'tsconfig.json', 'urls.ts'],
    ])
  })

  test('have no placeholder left', () => {
    expect([...files].filter(([, text]) => /__[A-Z]+__/.test(text))).toEqual([])
    expect(textOf(files, 'Dockerfile')).toContain('docker build -t my-shop .')
  })

  test('have a secret of their own, in a file that nobody shares', () => {
    const secretIn = (each: ReadonlyMap<string, string>) =>
      /^SECRET_KEY=(.*)$/m.exec(textOf(each, '.env'))?.[1]
    expect(secretIn(files)).toMatch(/^[\w-]{64}$/)
    expect(secretIn(filesFor('Shop'))).not.toBe(secretIn(files))
    expect(
      [...files].filter(([, text]) => text.includes(secretIn(files) ?? '')).map(([path]) => path),
    ).toEqual(['.env'])
    expect(textOf(files, '.gitignore').split('\n')).toContain('.env')
    expect(textOf(files, '.dockerignore').split('\n')).toContain('.env')
  })

  test('depend on what modelrest is tested with', () => {
    const { dependencies, devDependencies } = JSON.parse(textOf(files, 'package.json'))
    expect(dependencies).toMatchObject({ modelrest: `^${version}`, fastify: tested['fastify'] })
    expect(devDependencies).toMatchObject({ node: tested['node'], typescript: tested['typescript'] })
    expect(Object.keys({ ...dependencies, ...devDependencies })).toEqual(projectPackages)
  })

  test('hold the title, whatever it is', () => {
    const titles = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom("'__TITLE__'", '__NAME__', '$&', '$1', "' + process.exit() + '", '*/', '`', '\\'),
    )
    fc.assert(
      fc.property(titles, (title) => {
        const made = filesFor(title)
        expect(JSON.parse(textOf(made, 'package.json')).description).toBe(title)
        const settings = textOf(made, 'settings.ts')
        expect(parseSync('settings.ts', settings).errors).toEqual([])
        const literals = nodesOf({ path: 'settings.ts', text: settings })
          .filter(({ type }) => type === 'Literal')
          .map((node) => Reflect.get(node, 'value'))
        // A lone half of a character has no form in UTF-8: the parser shows it as another.
        if (title.isWellFormed()) expect(literals).toContain(title)
        expect(textOf(made, 'README.md').split('\n')[1]).toBe('')
        expect(textOf(made, 'models.ts')).toBe(textOf(files, 'models.ts'))
      }),
      { numRuns: 200 },
    )
  })
})
