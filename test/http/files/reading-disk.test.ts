import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { diskStorage } from '../../../src/index.ts'
import { type ReadingStage, startReading } from './reading-stage.ts'

const bytes = randomBytes(20 * 1024 * 1024)

describe('files of the disk', () => {
  const start = startReading
  let folder: string
  let stage: ReadingStage
  let url: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
    stage = await start({ storage: diskStorage({ directory: folder }) })
    stage.insert({
      id: 1,
      title: 'One',
      content: await stage.put({ field: 'content', type: 'application/zip', bytes }),
    })
    url = String((await stage.send('GET', '/api/documents/1')).json['content'])
  })
  afterAll(async () => {
    await stage.stop()
    rmSync(folder, { recursive: true })
  })

  /** Files of the storage that this process holds open. */
  const held = (): readonly string[] =>
    readdirSync('/proc/self/fd').flatMap((name) => {
      try {
        const path = readlinkSync(`/proc/self/fd/${name}`)
        return path.startsWith(folder) ? [path] : []
      } catch {
        return []
      }
    })

  it('come whole and in parts', async () => {
    const whole = await stage.send('GET', url)
    expect([whole.status, whole.bytes.equals(bytes)]).toEqual([200, true])
    const part = await stage.send('GET', url, { headers: { range: 'bytes=1000000-9999999' } })
    expect([part.status, part.bytes.equals(bytes.subarray(1_000_000, 10_000_000))]).toEqual([206, true])
    await vi.waitFor(() => expect(held()).toEqual([]))
  })

  it('are let go of when the client leaves, which is no failure', async () => {
    const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const outgoing = request({ port: stage.port, host: '127.0.0.1', path: url, agent: false }).end()
    const [incoming] = await once(outgoing, 'response')
    await once(incoming, 'readable')
    expect(held().length).toBe(1)
    incoming.destroy()
    await vi.waitFor(() => expect(held()).toEqual([]))
    await stage.send('GET', '/api/documents/1')
    // A service of another file may say its last word meanwhile.
    expect(errors.mock.calls.filter(([line]) => String(line).includes(url))).toEqual([])
    errors.mockRestore()
  })

  it('are not opened for HEAD', async () => {
    const head = await stage.send('HEAD', url)
    expect([head.status, head.headers['content-length'], held()]).toEqual([200, String(bytes.length), []])
  })
})
