import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it } from 'vitest'
import { strangersIn } from '../readme/excerpts.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMysqlDatabase, onMariaDb } from '../servers/test-mysql.ts'

const blocks = fencedBlocks(readFileSync('docs/deploy.md', 'utf8'))
const read = (path: string): string => readFileSync(path, 'utf8')

const textOf = (language: string, part: string): string => {
  const found = blocks.find((block) => block.language === language && block.text.includes(part))
  if (found === undefined) throw new Error(`docs/deploy.md has no block of ${language} with ${part}.`)
  return found.text
}

it('starts the cluster with all that it asks for', () => {
  const lines = textOf('sh', 'npm run cluster').trim().split('\n')
  const given = lines.flatMap((line) => /^export (\w+)=/.exec(line)?.[1] ?? [])
  const asked = /for \(const name of \[(.+)\]\)/.exec(read('examples/shop/cluster/main.ts'))?.[1]
  expect(given.map((name) => `'${name}'`).sort()).toEqual(asked?.split(', ').sort())
  expect(lines.at(-1)).toBe('npm run cluster')
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(scripts['cluster']).toMatch(/node examples\/shop\/cluster\/main\.ts$/)
})

it('shows what stands in nginx.conf', () => {
  const shown = textOf('nginx', 'proxy_pass')
  const [, ...lines] = shown.replaceAll('# …', '// …').split('\n')
  const source = read('examples/shop/nginx.conf').replaceAll(/^\s*#.*\n/gm, '')
  expect(strangersIn(lines.join('\n'), source)).toEqual([])
})

it('shows how the example waits for its lock', () => {
  const shown = blocks.find(({ file }) => file === 'examples/shop/databases/pg.ts')
  expect(strangersIn(shown?.text ?? 'nothing', read('examples/shop/databases/pg.ts'))).toEqual([])
})

onPostgres('the statements for PostgreSQL in docs/deploy.md', () => {
  it('set limits that new connections have', async () => {
    const { url, drop } = await createDatabase('deploy')
    const admin = new pg.Client(url)
    await admin.connect()
    const address = new URL(url)
    try {
      await admin.query(`create role deploy_page login superuser password 'deploy'`)
      address.username = 'deploy_page'
      address.password = 'deploy'
      for (const expected of [{}, { statement: '10s', idle: '15s' }]) {
        const client = new pg.Client(address.href)
        await client.connect()
        const { rows } = await client.query(
          `select current_setting('statement_timeout') statement,
            current_setting('idle_in_transaction_session_timeout') idle`,
        )
        expect(rows[0]).toMatchObject(expected)
        await client.query(textOf('sql', 'statement_timeout'))
        await client.end()
      }
    } finally {
      await admin.query('drop role if exists deploy_page')
      await admin.end()
      await drop()
    }
  })
})

onMariaDb('the statement for MariaDB in docs/deploy.md', () => {
  it('makes a database that compares exactly', async () => {
    // The server has this database of ours; the statement is run under another name.
    const { url, drop } = await createMysqlDatabase('deploy')
    const { createConnection } = await import('mysql2/promise')
    const connection = await createConnection(url)
    const name = `deploy_page_${process.pid}`
    try {
      await connection.query(textOf('sql', 'create database').replace('shop', name))
      await connection.query(`use ${name}`)
      await connection.query('create table words (word varchar(10) primary key)')
      await connection.query(`insert into words values ('a'), ('A'), ('a ')`)
      const [rows] = await connection.query(`select word from words where word = 'a'`)
      expect(rows).toEqual([{ word: 'a' }])
    } finally {
      await connection.query(`drop database if exists ${name}`)
      await connection.end()
      await drop()
    }
  })
})
