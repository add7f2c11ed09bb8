import fc from 'fast-check'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { type DatabaseName, databases } from '../../../src/cli/init/databases.ts'
import { modelWordsOf } from '../../../src/cli/init/names.ts'
import { ownPackage } from '../../../src/cli/init/own-package.ts'
import { type Manifest, projectFiles, projectPackages } from '../../../src/cli/init/project-files.ts'
import { nodesOf } from '../../structure/source-files.ts'

const { tested, version } = ownPackage()
const filesFor = (title: string, more: Partial<Manifest> = {}): ReadonlyMap<string, string> =>
  projectFiles({
    ...{ name: 'my-shop', title, modelrest: `^${version}`, tested, database: 'sqlite' },
    words: modelWordsOf('item'),
    ...more,
  })
const names = Object.keys(databases) as readonly DatabaseName[]

const textOf = (files: ReadonlyMap<string, string>, path: string): string => files.get(path) ?? ''

describe('the files of a new project', () => {
  const files = filesFor('Shop')

  test('are these, whatever the database', () => {
    for (const database of names)
      expect([...filesFor('Shop', { database }).keys()].toSorted()).toEqual([
        ...['.dockerignore', '.env', '.env.example', '.gitignore', 'Dockerfile', 'README.md'],
        ...['drizzle.config.ts', 'migrations/0000_first.sql', 'migrations/meta/0000_snapshot.json'],
        ...['migrations/meta/_journal.json', 'package.json', 'src/api.ts', 'src/app.ts'],
        ...['src/controllers/item.ts', 'src/db.ts', 'src/env.ts', 'src/models.ts', 'src/server.ts'],
        ...['src/settings.ts', 'test/api.test.ts', 'test/application.ts', 'tsconfig.json'],
      ])
  })

  test.each(names)('have no placeholder left, and no line that is too long: %s', (database) => {
    const made = filesFor('Shop', { database })
    expect([...made].filter(([, text]) => /__[A-Z_]+__|demo.?item/i.test(text))).toEqual([])
    const code = [...made].filter(([path]) => /\.ts$|^Dockerfile$|^\.env/.test(path))
    expect(code.flatMap(([, text]) => text.split('\n')).filter((line) => line.length > 125)).toEqual([])
    expect(textOf(made, 'Dockerfile')).toContain('docker build -t my-shop .')
  })

  test.each(names)('are TypeScript that can be read: %s', (database) => {
    for (const [path, text] of filesFor('Shop', { database, words: modelWordsOf('class') }))
      if (path.endsWith('.ts')) expect([path, parseSync(path, text).errors]).toEqual([path, []])
  })

  test.each(names)('fit any model, and speak of no other: %s', (database) => {
    const made = filesFor('Desk', { name: 'desk', database, words: modelWordsOf('article') })
    const other = /\b(products?|orders?|shops?|lamps?|price)\b/i
    expect([...made].filter(([, text]) => other.test(text)).map(([path]) => path)).toEqual([])
    expect(textOf(made, 'README.md')).toContain(`-d '{"name":"First article"}'`)
    expect(textOf(made, 'src/settings.ts')).toContain('`modelConfig.Article.public`')
  })

  test('name the model, whatever the project is called', () => {
    const made = filesFor('Shop', { name: 'demo-items', words: modelWordsOf('blog-post') })
    expect(textOf(made, 'src/models.ts')).toContain("export const blogPosts = sqliteTable('blog_posts', {")
    expect(textOf(made, 'src/controllers/blog-post.ts')).toContain("controllerFor('BlogPost', {")
    expect(textOf(made, 'migrations/0000_first.sql')).toContain('CREATE TABLE `blog_posts` (')
    expect(textOf(made, 'test/api.test.ts')).toContain("'/api/blog-posts/'")
    expect(textOf(made, 'Dockerfile')).toContain('docker build -t demo-items .')
  })

  test.each([
    ['pg', 'postgres://postgres:postgres@localhost:5432/my_shop', '-p 127.0.0.1:5432:5432'],
    ['mysql', 'mysql://root:mysql@localhost:3306/my_shop', '-p 127.0.0.1:3306:3306'],
  ] as const)('%s: one server fits the URL, the command and the code', (database, url, port) => {
    const made = filesFor('Shop', { database })
    expect(textOf(made, '.env').split('\n')).toContain(`DATABASE_URL=${url}`)
    expect(textOf(made, 'src/db.ts')).toContain(`'${url}'`)
    expect(textOf(made, 'README.md')).toMatch(
      new RegExp(`^docker run .*${port}.*my_shop|my_shop.*${port}`, 'm'),
    )
  })

  test.each([
    ['my-shop', 'my_shop'],
    ['2', 'db_2'],
    ['a.b-c', 'a_b_c'],
    ['x'.repeat(214), 'x'.repeat(58)],
    ['mysql', 'db_mysql'],
    ['sys', 'db_sys'],
    ['information-schema', 'db_information_schema'],
    ['template1', 'db_template1'],
    ['my-mysql', 'my_mysql'],
  ])('have a database that fits into SQL: %s', (name, expected) => {
    const made = filesFor('Shop', { name, database: 'mysql' })
    expect(textOf(made, '.env')).toMatch(new RegExp(`^DATABASE_URL=.*/${expected}$`, 'm'))
    expect(textOf(made, 'README.md')).toContain(`create database \`${expected}\``)
    expect(`${expected}_test`.length).toBeLessThanOrEqual(64)
  })

  test('have a secret of their own, in a file that nobody shares', () => {
    const secretIn = (each: ReadonlyMap<string, string>) =>
      /^SECRET_KEY=(.*)$/m.exec(textOf(each, '.env'))?.[1]
    expect(secretIn(files)).toMatch(/^[\w-]{86}$/)
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
    const all = names.flatMap((database) => {
      const made = JSON.parse(textOf(filesFor('Shop', { database }), 'package.json'))
      return Object.entries({ ...made.dependencies, ...made.devDependencies })
    })
    expect([...new Set(all.map(([name]) => name))].toSorted()).toEqual(projectPackages.toSorted())
    expect(all.filter(([, range]) => !/^[\^~]\d/.test(String(range)))).toEqual([])
  })

  test('hold the title, whatever it is', () => {
    const titles = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        "'__TITLE__'",
        '__NAME__',
        'demo-item',
        '__DATABASE__',
        '$&',
        '$1',
        "' + process.exit() + '",
        '*/',
        '`',
        '\\',
      ),
    )
    fc.assert(
      fc.property(titles, (title) => {
        const made = filesFor(title)
        expect(JSON.parse(textOf(made, 'package.json')).description).toBe(title)
        const settings = textOf(made, 'src/settings.ts')
        expect(parseSync('settings.ts', settings).errors).toEqual([])
        const literals = nodesOf({ path: 'settings.ts', text: settings })
          .filter(({ type }) => type === 'Literal')
          .map((node) => Reflect.get(node, 'value'))
        // A lone half of a character has no form in UTF-8: the parser shows it as another.
        if (title.isWellFormed()) expect(literals).toContain(title)
        expect(textOf(made, 'README.md').split('\n')[1]).toBe('')
        expect(textOf(made, 'src/models.ts')).toBe(textOf(files, 'src/models.ts'))
      }),
      { numRuns: 200 },
    )
  })
})
