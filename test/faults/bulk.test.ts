import { type ChildProcess, spawn } from 'node:child_process'
import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { createThings } from '../http/postgres-things.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { onPostgres } from '../servers/test-database.ts'

onPostgres('a bulk request that ends in the middle', () => {
  let server: PostgresServer | undefined
  let child: ChildProcess | undefined
  afterEach(async () => {
    child?.kill('SIGKILL')
    await server?.stop()
  })

  const query = async <Row extends object>(url: string, statement: string): Promise<readonly Row[]> => {
    const client = new pg.Client(url)
    await client.connect()
    const result = await client.query<Row>(statement)
    await client.end()
    return result.rows
  }

  /** A service, and what waits until it has written something. */
  const serve = async (url: string) => {
    const process_ = spawn(process.execPath, ['test/faults/bulk-process.ts', url])
    child = process_
    let output = ''
    const collect = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    process_.stdout.on('data', collect)
    process_.stderr.on('data', collect)
    const wrote = async (what: RegExp): Promise<string> => {
      await expect.poll(() => output, { timeout: 30_000 }).toMatch(what)
      return what.exec(output)?.[0] ?? ''
    }
    const origin = await wrote(/http:\S+/)
    const send = (method: string, body: object): Promise<Response> =>
      fetch(`${origin}/things/`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    return { child: process_, send, wrote }
  }

  const names = Array.from({ length: 500 }, (_, at) => ({ name: at === 300 ? 'wait' : `t${at}` }))

  it.each(['POST', 'PATCH'])('leaves nothing of a %s', { timeout: 120_000 }, async (method) => {
    server = await startPostgres({ fsync: true })
    const { url } = server
    await query(url, createThings)
    await query(url, "insert into things (name) select 'old' from generate_series(1, 500)")
    const body = method === 'POST' ? names : names.map((each, at) => ({ id: at + 1, ...each }))
    const expectNone = async (): Promise<void> =>
      expect(await query(url, 'select name, count(*)::int as count from things group by name')).toEqual([
        { name: 'old', count: 500 },
      ])

    const killed = await serve(url)
    const unanswered = killed.send(method, body).catch(() => 'no response')
    await killed.wrote(/in the middle/)
    await expectNone()
    killed.child.kill('SIGKILL')
    expect(await unanswered).toBe('no response')
    await expectNone()

    const restarted = await serve(url)
    const refused = restarted.send(method, body)
    await restarted.wrote(/in the middle/)
    await server.kill('crash')
    await server.start()
    await expectNone()
    restarted.child.kill('SIGKILL')
    await refused.catch(() => undefined)
    await expectNone()
  })
})
