import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ShopProcess, startShop } from './shop-process.ts'

describe('SIGTERM', () => {
  let folder = ''
  let shop: ShopProcess | undefined
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'modelrest-stop-'))
    shop = await startShop({ DATABASE: join(folder, 'shop.db') })
  })
  afterEach(async () => {
    shop?.child.kill('SIGKILL')
    await shop?.ended
    rmSync(folder, { recursive: true, force: true })
  })

  const body = JSON.stringify({ name: 'Lamp', price: '1.00' })
  const head = `POST /api/products/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`

  const opened = async ({ api }: ShopProcess): Promise<{ socket: Socket; ended: Promise<string> }> => {
    const socket = connect(Number(new URL(api).port), '127.0.0.1')
    await once(socket, 'connect')
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    socket.on('error', () => undefined)
    const ended = once(socket, 'close').then(() => received)
    return { socket, ended }
  }

  const refuses = async (api: string): Promise<boolean> => {
    try {
      await fetch(`${api}products/1`, { headers: { connection: 'close' } })
      return false
    } catch {
      return true
    }
  }

  it('lets requests finish that have begun, closes what is kept alive, and waits 10 seconds for nobody', async () => {
    const running = shop as ShopProcess
    const dawdler = await opened(running)
    dawdler.socket.write(head + body.slice(0, 5))
    const idle = await opened(running)
    idle.socket.write('GET /api/products/1 HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(idle.socket, 'data')
    const busy = await opened(running)
    busy.socket.write(head + body.slice(0, 5))
    // The server has begun with them once it answers who came later.
    await fetch(`${running.api}products/1`)

    const began = performance.now()
    running.child.kill('SIGTERM')
    expect(await idle.ended).toMatch(/^HTTP\/1.1 200/)
    while (!(await refuses(running.api))) await pause(10)
    busy.socket.write(body.slice(5))
    expect(await busy.ended).toMatch(/^HTTP\/1.1 201/)
    // Not together with those that are cut off at last.
    await pause(200)
    expect(dawdler.socket.closed).toBe(false)

    expect(await dawdler.ended).not.toMatch(/ 201 /)
    expect(await running.ended, running.output()).toBe(0)
    const took = performance.now() - began
    process.stderr.write(
      `The shop ended ${Math.round(took)} ms after SIGTERM, with a client that never finished.\n`,
    )
    expect(took).toBeLessThan(10_000)
  })
})
