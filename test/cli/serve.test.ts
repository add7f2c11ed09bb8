import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { beginProgram, programs, workFolder } from './client-runs.ts'

const shopFolder = (...statements: readonly string[]): string => {
  const folder = workFolder()
  const db = new DatabaseSync(join(folder, 'shop.db'))
  db.exec('create table orders (id integer primary key, total decimal(9, 2))')
  for (const statement of statements) db.exec(statement)
  db.close()
  return folder
}

/** Starts `modelrest serve`, and resolves with its first lines on stdout. */
const started = async (
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
) => {
  const run = beginProgram(folder, ['serve', ...words, '--port', '0'], env)
  onTestFinished(() => void run.child.kill('SIGKILL'))
  const out = await new Promise<string>((resolve, reject) => {
    let text = ''
    run.child.stdout?.on('data', (part: Buffer) => {
      text += part.toString()
      if (/^\{.*\}\n$|^try .*\n$/m.test(text)) resolve(text)
    })
    void run.told.then(({ err }) => reject(new Error(err)))
  })
  return { ...run, out }
}

test('serves a database until Ctrl-C, and says where in JSON', async () => {
  const { out, child, told } = await started(shopFolder(), ['shop.db', '--json'])
  const { url, models } = JSON.parse(out)
  expect(models).toBe(1)
  expect(await (await fetch(`${url}orders/`)).json()).toMatchObject({ items: [] })
  child.kill('SIGINT')
  expect(await told).toMatchObject({ code: 0, err: '' })
}, 60_000)

test('finds the database in DATABASE_URL, prints a banner, and a token for writes', async () => {
  const token = 'a-token-for-this-test'
  const folder = shopFolder('create table "a\u001b[31mb" (id integer primary key)')
  const { out } = await started(folder, ['--write'], { DATABASE_URL: 'shop.db', MODELREST_TOKEN: token })
  expect(out.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'shop.db',
    'API',
    'token',
    'note',
    'try',
    '',
  ])
  expect(out).not.toContain('\u001b')
  const [url = ''] = /http:\S+\//.exec(out) ?? []
  const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"total":"1.00"}' }
  expect((await fetch(`${url}orders/`, body)).status).toBe(401)
  const headers = { ...body.headers, authorization: `Bearer ${token}` }
  expect((await fetch(`${url}orders/`, { ...body, headers })).status).toBe(201)
}, 60_000)

test('opens the documentation, or says where it is', async () => {
  const folder = shopFolder()
  const script = `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'opened'))}, process.argv[2])`
  const browser = programs({ 'xdg-open': script, open: script })
  const { out } = await started(folder, ['shop.db', '--json', '--open'], { PATH: browser })
  const { url } = JSON.parse(out)
  await expect
    .poll(() => readFileSync(join(folder, 'opened'), 'utf8'), { timeout: 10_000 })
    .toBe(`${url}docs`)
  const { says } = await started(folder, ['shop.db', '--json', '--open'], { PATH: folder })
  await says(/http:.*docs/)
}, 60_000)

test.each([
  ['a file that is not there', ['gone.db'], 1],
  ['a driver that is not installed', ['postgres://user:hidden-word@127.0.0.1:1/name'], 1],
  ['no database', [], 2],
  ['a port that is not one', ['shop.db', '--port', 'x'], 2],
  ['a timeout that is not one', ['shop.db', '--timeout', '0'], 2],
  ['a short token', ['shop.db', '--token', 'short'], 2],
  ['an unknown option', ['shop.db', '--hots', '::'], 2],
])(
  '%s: a sentence, and an exit code',
  async (_name, words, code) => {
    const { told } = beginProgram(shopFolder(), ['serve', ...words])
    const ended = await told
    expect(ended).toMatchObject({ code, out: '' })
    expect(ended.err).not.toMatch(/^\s+at |hidden-word/m)
    expect(ended.err.trim()).not.toBe('')
  },
  60_000,
)
